//! The published sway-ir, and moved over: what `mem2reg` of each makes of the same functions.
//!
//! `compare all` prints what becomes of small programs, of the functions of the crate's own tests, and of random ones;
//! `compare pass SIDE BLOCKS` runs the pass on one function of that many blocks, to be measured.

use std::collections::HashMap;
use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// What one side makes of a module, which the crate's pass manager verifies.
struct Made {
    /// The module after the pass.
    text: String,
    /// Arguments of all blocks but the entries.
    num_args: usize,
}

macro_rules! side {
    ($side:ident) => {
        mod $side {
            use super::{Made, Result};
            use sway_features::ExperimentalFeatures;
            use sway_ir::{Backtrace, PassGroup, PassManager};
            use sway_types::SourceEngine;
            use $side as sway_ir;

            pub fn make(text: &str) -> Result<Made> {
                let sources = SourceEngine::default();
                let features = ExperimentalFeatures { new_encoding: false, ..Default::default() };
                let mut ir = sway_ir::parser::parse(text, &sources, features, Backtrace::default())?;
                let (mut passes, mut group) = (PassManager::default(), PassGroup::default());
                passes.register(sway_ir::create_postorder_pass());
                passes.register(sway_ir::create_dominators_pass());
                passes.register(sway_ir::create_dom_fronts_pass());
                group.append_pass(passes.register(sway_ir::create_mem2reg_pass()));
                passes.run(&mut ir, &group, &Default::default())?;
                let num_args = |function: sway_ir::Function| -> usize {
                    let entry = function.get_entry_block(&ir);
                    let blocks = function.block_iter(&ir).filter(|block| *block != entry);
                    blocks.map(|block| block.num_args(&ir)).sum()
                };
                let modules = ir.module_iter().flat_map(|module| module.function_iter(&ir));
                let num_args = modules.map(num_args).sum();
                Ok(Made { text: ir.to_string(), num_args })
            }
        }
    };
}

side!(published);
side!(moved);

type Make = fn(&str) -> Result<Made>;

const SIDES: [(&str, Make); 2] = [("published", published::make), ("moved", moved::make)];

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["all"] => {
            bugs()?;
            own()?;
            random()?;
        }
        ["bug", side, number] => {
            let (_, program) = BUGS[number.parse::<usize>()?];
            println!("{} arguments, valid", make(side)?(&program())?.num_args);
        }
        ["pass", side, blocks] => println!("{}", make(side)?(&ladder(blocks.parse()?))?.num_args),
        ["random", side, number] => random_functions(make(side)?, KINDS[number.parse::<usize>()?].1),
        _ => return Err("compare all | pass SIDE BLOCKS".into()),
    }
    Ok(())
}

// ---------------------------------------------------------------- programs --

/// A function of local variables, each of which is 7 at first, and blocks; the first is the entry.
fn function(locals: &[&str], bodies: &[String]) -> String {
    let mut text = "script {\n    fn main(n: u64) -> u64 {\n".to_owned();
    for local in locals {
        let _ = writeln!(text, "        local u64 {local} = const u64 7");
    }
    for (number, body) in bodies.iter().enumerate() {
        let head = if number == 0 { "entry(n: u64)".to_owned() } else { format!("block{number}()") };
        let _ = writeln!(text, "\n        {head}:\n{body}");
    }
    text + "    }\n}\n"
}

/// Lines of a block, in which `load x`, `store x = value` and others are written with fresh names.
#[derive(Default)]
struct Body {
    text: String,
    prefix: String,
    next: usize,
}

impl Body {
    fn new(block: usize) -> Self {
        Self { prefix: format!("v{block}x"), ..Self::default() }
    }

    fn define(&mut self, operation: &str) -> String {
        let name = format!("{}{}", self.prefix, self.next);
        self.next += 1;
        let _ = writeln!(self.text, "        {name} = {operation}");
        name
    }

    fn load(&mut self, local: &str) -> String {
        let pointer = self.define(&format!("get_local __ptr u64, {local}"));
        self.define(&format!("load {pointer}"))
    }

    fn store(&mut self, local: &str, value: &str) {
        let pointer = self.define(&format!("get_local __ptr u64, {local}"));
        let _ = writeln!(self.text, "        store {value} to {pointer}");
    }

    fn add(&mut self, value: &str, number: usize) -> String {
        let number = self.define(&format!("const u64 {number}"));
        self.define(&format!("add {value}, {number}"))
    }

    /// Goes to the first block if the value is below a number.
    fn branch(mut self, value: &str, number: usize, [first, second]: [usize; 2]) -> String {
        let number = self.define(&format!("const u64 {number}"));
        let is_below = self.define(&format!("cmp lt {value} {number}"));
        let _ = writeln!(self.text, "        cbr {is_below}, block{first}(), block{second}()");
        self.text
    }

    fn jump(mut self, target: usize) -> String {
        let _ = writeln!(self.text, "        br block{target}()");
        self.text
    }

    fn give_back(mut self, value: &str) -> String {
        let _ = writeln!(self.text, "        ret u64 {value}");
        self.text
    }
}

/// Small programs that show what is wrong with a side, by name.
const BUGS: [(&str, fn() -> String); 4] = [
    ("both targets are one block", both_targets),
    ("a block that nothing leads to jumps to a join", unreachable_source),
    ("a variable without initial value is unwritten on one path", unwritten),
    ("40,000 blocks", || ladder(40_000)),
];

/// `if (n < 5) { x = n }; cbr _, join(), join()`, where the join reads `x` that two paths write.
fn both_targets() -> String {
    let mut entry = Body::new(0);
    entry.store("x", "n");
    let entry = entry.branch("n", 5, [1, 3]);
    let mut written = Body::new(1);
    let sum = written.add("n", 1);
    written.store("x", &sum);
    let written = written.branch("n", 3, [2, 2]);
    let mut join = Body::new(2);
    let value = join.load("x");
    let join = join.give_back(&value);
    function(&["x"], &[entry, written, join, Body::new(3).jump(2)])
}

fn unreachable_source() -> String {
    let mut entry = Body::new(0);
    entry.store("x", "n");
    let entry = entry.branch("n", 5, [1, 2]);
    let mut written = Body::new(1);
    let sum = written.add("n", 1);
    written.store("x", &sum);
    let mut join = Body::new(2);
    let value = join.load("x");
    function(&["x"], &[entry, written.jump(2), join.give_back(&value), Body::new(3).jump(2)])
}

fn unwritten() -> String {
    let entry = Body::new(0).branch("n", 5, [1, 2]);
    let mut written = Body::new(1);
    written.store("x", "n");
    let mut join = Body::new(2);
    let value = join.load("x");
    let text = function(&["x"], &[entry, written.jump(2), join.give_back(&value)]);
    text.replace(" = const u64 7", "")
}

/// Conditions one after the other, each of which may write a variable that the last block reads.
fn ladder(num_blocks: usize) -> String {
    let mut bodies = Vec::new();
    for block in (0..num_blocks.saturating_sub(2)).step_by(2) {
        let mut condition = Body::new(block);
        let value = condition.load("x");
        bodies.push(condition.branch(&value, block % 10, [block + 1, block + 2]));
        let mut arm = Body::new(block + 1);
        let value = arm.load("x");
        let sum = arm.add(&value, 1);
        arm.store("x", &sum);
        bodies.push(arm.jump(block + 2));
    }
    let mut last = Body::new(bodies.len());
    let value = last.load("x");
    bodies.push(last.give_back(&value));
    function(&["x"], &bodies)
}

// --------------------------------------------------------------- comparing --

fn bugs() -> Result<()> {
    for (number, (name, _)) in BUGS.iter().enumerate() {
        println!("{name}");
        for (side, _) in SIDES {
            println!("  {side}: {}", in_a_process(&["bug", side, &number.to_string()])?);
        }
    }
    Ok(())
}

/// The last line that a command prints, or how its process ends: some overflow their stack, and the crate prints what
/// it refuses.
fn in_a_process(command: &[&str]) -> Result<String> {
    let output = Command::new(env::current_exe()?).args(command).output()?;
    let (answer, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let panicked = error.lines().skip_while(|line| !line.contains("panicked at")).nth(1);
    Ok(match (output.status.success(), panicked) {
        (true, _) => answer.lines().last().unwrap_or_default().to_owned(),
        (false, _) if error.contains("overflowed its stack") => "overflows its stack".to_owned(),
        (false, Some(words)) => format!("panics: {words}"),
        (false, None) => format!("fails: {}", error.trim()),
    })
}

fn make(side: &str) -> Result<Make> {
    let (_, make) = SIDES.into_iter().find(|(name, _)| *name == side).ok_or("no such side")?;
    Ok(make)
}

/// The functions of the crate's own tests of this pass.
fn own() -> Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../moved/tests/mem2reg");
    let mut files: Vec<_> = fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "ir"));
    files.sort();
    for file in files {
        let text = fs::read_to_string(&file)?;
        let [published, moved] = [published::make(&text)?, moved::make(&text)?];
        let is_same = nameless(&published.text) == nameless(&moved.text);
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let same = if is_same { "the same" } else { "other" };
        println!(
            "{name}: {} and {} arguments, {same} lines but for names and order",
            published.num_args, moved.num_args
        );
    }
    Ok(())
}

/// The lines of a text, sorted, without the numbers of values, `v1v2`, and of metadata, `!1`.
fn nameless(text: &str) -> Vec<String> {
    let nameless = |line: &str| {
        let mut result = String::new();
        for word in line.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_') {
            let is_value = word.strip_prefix('v').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
            let is_named = is_value || result.ends_with('!');
            result.push_str(if is_named { word.trim_start_matches(char::is_alphanumeric) } else { word });
        }
        result
    };
    let mut lines: Vec<String> = text.lines().map(nameless).collect();
    lines.sort();
    lines
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

const LOCALS: [&str; 3] = ["x", "y", "z"];

/// A kind of random functions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// All blocks are reachable, and a branch has two targets.
    Plain,
    /// The targets of a branch may be one block.
    OneTarget,
    /// There may be blocks that nothing leads to.
    Unreachable,
}

/// A random function; block 0 is no target.
fn random_function(random: &mut Random, kind: Kind) -> String {
    let num_blocks = 3 + random.below(9);
    let num_targets = if kind == Kind::Unreachable { num_blocks } else { num_blocks - 1 };
    let bodies = (0..num_blocks).map(|block| {
        let mut body = Body::new(block);
        let mut value = body.load(LOCALS[random.below(3)]);
        for _ in 0..random.below(4) {
            let local = LOCALS[random.below(3)];
            match random.below(3) {
                0 => value = body.load(local),
                1 => body.store(local, &value),
                _ => value = body.add(&value, random.below(9)),
            }
        }
        // The next block is a target, so that all can be reached.
        let any = 1 + random.below(num_targets);
        let any = if any == num_blocks { 1 } else { any };
        let next = match kind {
            Kind::Unreachable => 1 + random.below(num_blocks - 1),
            _ => (block + 1).min(num_blocks - 1),
        };
        match random.below(8) {
            _ if block + 1 == num_blocks => body.give_back(&value),
            0 | 1 => body.jump(next),
            _ if kind == Kind::Plain && any == next => body.jump(next),
            2 if kind == Kind::OneTarget => body.branch(&value, random.below(40), [next, next]),
            _ => body.branch(&value, random.below(40), [any, next]),
        }
    });
    let bodies: Vec<String> = bodies.collect();
    function(&LOCALS, &bodies)
}

const FUNCTIONS: usize = 2000;

const KINDS: [(&str, Kind); 3] = [
    ("random functions", Kind::Plain),
    ("random functions, both targets may be one block", Kind::OneTarget),
    ("random functions, some blocks unreachable", Kind::Unreachable),
];

fn random() -> Result<()> {
    for (number, (name, _)) in KINDS.iter().enumerate() {
        println!("{name}: {FUNCTIONS}");
        for (side, _) in SIDES {
            println!("  {side}: {}", in_a_process(&["random", side, &number.to_string()])?);
        }
    }
    Ok(())
}

/// What becomes of all functions of a kind.
fn random_functions(make: Make, kind: Kind) {
    std::panic::set_hook(Box::new(|_| {}));
    let mut random = Random(42);
    let [mut panics, mut invalid, mut wrong, mut num_args] = [0; 4];
    for _ in 0..FUNCTIONS {
        let text = random_function(&mut random, kind);
        match std::panic::catch_unwind(|| make(&text)) {
            Err(_) => panics += 1,
            Ok(Err(_)) => invalid += 1,
            Ok(Ok(made)) => {
                num_args += made.num_args;
                wrong += usize::from((0..4).any(|n| run(&made.text, n * 11) != run(&text, n * 11)));
            }
        }
    }
    println!("{num_args} arguments, {panics} panics, {invalid} invalid, {wrong} do something else");
}

// ----------------------------------------------------------------- running --

/// Runs the function of a text for up to 300 blocks, of which the pass moves and deletes none: the results of additions
/// in order, and what is returned. `None` if it cannot be run.
fn run(text: &str, argument: u64) -> Option<Vec<u64>> {
    let mut machine = Machine::new(text, argument)?;
    let mut num_blocks = 1;
    while num_blocks < 300 {
        match machine.step()? {
            Step::Next => {}
            Step::Branch => num_blocks += 1,
            Step::End => break,
        }
    }
    Some(machine.seen)
}

enum Step {
    Next,
    Branch,
    End,
}

/// A function that is run, line by line.
struct Machine {
    /// Each line, and the names and numbers in it.
    lines: Vec<(String, Vec<String>)>,
    /// The first line of each block.
    starts: HashMap<String, usize>,
    /// The line to run next.
    at: usize,
    values: HashMap<String, u64>,
    slots: HashMap<String, u64>,
    /// The local that a value points to.
    pointers: HashMap<String, String>,
    seen: Vec<u64>,
}

impl Machine {
    fn new(text: &str, argument: u64) -> Option<Self> {
        let lines: Vec<_> = text.lines().map(|line| (line.trim().to_owned(), words_of(line))).collect();
        let heads = lines.iter().enumerate().filter(|(_, (line, _))| line.ends_with("):"));
        let starts: HashMap<_, _> = heads.map(|(at, (_, words))| (words[0].clone(), at)).collect();
        let mut slots = HashMap::new();
        for (_, words) in lines.iter().filter(|(line, _)| line.starts_with("local ")) {
            let name = words.iter().position(|word| word == "u64")? + 1;
            slots.insert(words.get(name)?.clone(), words.last()?.parse().unwrap_or(0));
        }
        // Constants have no place: each is printed before the first use.
        let mut values = HashMap::from([("n".to_owned(), argument)]);
        for (_, words) in lines.iter().filter(|(_, words)| words.get(1).is_some_and(|word| word == "const")) {
            values.insert(words[0].clone(), words.last()?.parse().ok()?);
        }
        let at = *starts.get("entry")? + 1;
        Some(Self { lines, starts, at, values, slots, pointers: HashMap::new(), seen: Vec::new() })
    }

    fn step(&mut self) -> Option<Step> {
        let (line, words) = self.lines.get(self.at)?.clone();
        self.at += 1;
        let word = |index: usize| words.get(index).map(String::as_str);
        match (word(0), word(1)) {
            (None, _) => {}
            (Some("store"), _) => {
                let slot = self.pointers.get(words.last()?)?.clone();
                self.slots.insert(slot, *self.values.get(word(1)?)?);
            }
            (Some("ret"), _) => {
                self.seen.push(*self.values.get(word(2)?)?);
                return Some(Step::End);
            }
            (Some("br"), _) => return self.branch(line.split_once(' ')?.1),
            (Some("cbr"), _) => {
                let (condition, targets) = line.split_once(' ')?.1.split_once(", ")?;
                let end = targets.find(')')? + 1;
                let is_first = *self.values.get(condition)? != 0;
                return self.branch(if is_first { &targets[..end] } else { targets[end..].trim_start_matches(", ") });
            }
            (Some(result), Some(operation)) => self.define(result, operation, &words[2..])?,
            (Some(_), None) => return None,
        }
        Some(Step::Next)
    }

    /// Goes to a target with arguments, `block1(v1, v2)`; its block starts with `block1(mut v3: u64, v4: u64):`.
    fn branch(&mut self, taken: &str) -> Option<Step> {
        let words = words_of(taken);
        let start = *self.starts.get(&words[0])?;
        let passed: Option<Vec<u64>> = words[1..].iter().map(|word| self.values.get(word).copied()).collect();
        let (_, parameters) = self.lines[start].0.split_once('(')?;
        let names = parameters.split(", ").filter_map(|parameter| Some(parameter.split_once(": ")?.0));
        let names: Vec<String> = names.map(|name| name.replace("mut ", "")).collect();
        let passed = passed.filter(|passed| passed.len() == names.len())?;
        self.values.extend(names.into_iter().zip(passed));
        self.at = start + 1;
        Some(Step::Branch)
    }

    fn define(&mut self, result: &str, operation: &str, operands: &[String]) -> Option<()> {
        let of = |index: usize| self.values.get(operands.get(index)?).copied();
        let value = match operation {
            "get_local" => {
                self.pointers.insert(result.to_owned(), operands.last()?.clone());
                return Some(());
            }
            "load" => *self.slots.get(self.pointers.get(operands.first()?)?)?,
            "const" => return Some(()),
            "add" => {
                let sum = of(0)?.wrapping_add(of(1)?);
                self.seen.push(sum);
                sum
            }
            "cmp" => u64::from(of(1)? < of(2)?),
            _ => return None,
        };
        self.values.insert(result.to_owned(), value);
        Some(())
    }
}

fn words_of(line: &str) -> Vec<String> {
    let words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}
