//! Random functions and mutations of what promotion makes of them: what is accepted does the same, by executing both.

use crate::promoted;
use ssaphire::{Block, Value};
use ssaphire_ir::{Action, Arg, Dest, Function, InstRef, ValueKind};
use ssaphire_llvm::{Equivalence, Judged, Llvm, Module, certify_promotion};
use std::collections::HashMap;
use std::fmt::Write;

/// How many functions are tried; more with `SSAPHIRE_LLVM_FUNCTIONS`.
const FUNCTIONS: u32 = 15;

/// Mutations of each.
const MUTATIONS: u32 = 40;

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % bound
    }

    fn of<'t, T>(&mut self, items: &'t [T]) -> &'t T {
        &items[self.below(items.len())]
    }
}

/// A function with slots for its variables, in blocks that jump anywhere but to the first.
fn function(random: &mut Random) -> String {
    let (num_blocks, num_slots) = (2 + random.below(5), 1 + random.below(3));
    let mut text = String::from("define i32 @f(i32 %x, i32 %y) {\nentry:\n");
    for slot in 0..num_slots {
        writeln!(text, "  %s{slot} = alloca i32").unwrap();
        if random.below(3) > 0 {
            writeln!(text, "  store i32 {}, ptr %s{slot}", random.of(&["%x", "%y", "0", "7"])).unwrap();
        }
    }
    writeln!(text, "  br label %b0\n").unwrap();
    let mut next = 0;
    for block in 0..num_blocks {
        writeln!(text, "b{block}:").unwrap();
        let mut known = vec!["%x".to_owned(), "%y".to_owned(), "1".to_owned(), "3".to_owned()];
        for _ in 0..1 + random.below(4) {
            let slot = random.below(num_slots);
            match random.below(4) {
                0 => writeln!(text, "  store i32 {}, ptr %s{slot}", random.of(&known)).unwrap(),
                1 => writeln!(text, "  call void @print(i32 {})", random.of(&known)).unwrap(),
                2 => {
                    writeln!(text, "  %v{next} = add i32 {}, {}", random.of(&known), random.of(&known)).unwrap();
                    known.push(format!("%v{next}"));
                    next += 1;
                }
                _ => {
                    writeln!(text, "  %v{next} = load i32, ptr %s{slot}").unwrap();
                    known.push(format!("%v{next}"));
                    next += 1;
                }
            }
        }
        match random.below(4) {
            0 if block > 0 => writeln!(text, "  ret i32 {}\n", random.of(&known)).unwrap(),
            1 => writeln!(text, "  br label %b{}\n", random.below(num_blocks)).unwrap(),
            _ => {
                writeln!(text, "  %v{next} = icmp slt i32 {}, {}", random.of(&known), random.of(&known)).unwrap();
                let targets = [random.below(num_blocks), random.below(num_blocks)];
                writeln!(text, "  br i1 %v{next}, label %b{}, label %b{}\n", targets[0], targets[1]).unwrap();
                next += 1;
            }
        }
    }
    text.push_str("}\n");
    text
}

/// What an execution has printed, and how it ended.
#[derive(Debug, PartialEq)]
struct Run {
    printed: Vec<Option<i32>>,
    end: End,
}

#[derive(Debug, PartialEq)]
enum End {
    Returned(Option<i32>),
    OutOfFuel,
    /// A branch on an undefined value: anything may happen.
    Undefined,
}

/// A function that is executed.
struct Machine<'f> {
    function: &'f Function<Llvm>,
    values: HashMap<Value, Option<i32>>,
    memory: HashMap<Value, Option<i32>>,
    printed: Vec<Option<i32>>,
}

/// Where control goes after an instruction.
enum Next {
    Inst,
    Slot(u32),
    End(End),
}

impl Machine<'_> {
    fn value(&self, value: Value) -> Option<i32> {
        match self.function.value(value).kind {
            ValueKind::Constant(constant) => constant.text().parse().ok(),
            ValueKind::Undefined => None,
            _ => self.values.get(&value).copied().flatten(),
        }
    }

    /// The text of an operation with its operands as numbers.
    fn filled(&self, text: &str, args: &[Arg]) -> String {
        let mut parts = text.split("{}");
        let mut filled = parts.next().unwrap().to_owned();
        for (part, arg) in parts.zip(args) {
            let Arg::Value(value) = *arg else { panic!("a variable") };
            filled += &self.value(value).map_or("undef".to_owned(), |value| value.to_string());
            filled += part;
        }
        filled
    }

    fn execute(&mut self, inst: &InstRef<'_, Llvm>) -> Next {
        let Action::Op(op) = inst.action else { panic!("a copy") };
        let address = |index: usize| match inst.args[index] {
            Arg::Value(value) => value,
            Arg::Variable(_) => panic!("a variable"),
        };
        let filled = self.filled(op.text(), inst.args);
        let words: Vec<&str> = filled.split([' ', ',', '(', ')']).filter(|word| !word.is_empty()).collect();
        let number = |word: &str| word.parse::<i32>().ok();
        let both = |one: &str, other: &str| number(one).zip(number(other));
        let result = match *words {
            ["alloca", ..] => self.memory.insert(result_of(inst.results), None).flatten(),
            ["load", ..] => self.memory.get(&address(0)).copied().flatten(),
            ["store", ..] => self.memory.insert(address(1), self.value(address(0))).flatten(),
            ["add", "i32", one, other] => both(one, other).map(|(one, other)| one.wrapping_add(other)),
            ["icmp", "slt", "i32", one, other] => both(one, other).map(|(one, other)| i32::from(one < other)),
            ["call", "void", "@print", "i32", value] => {
                self.printed.push(number(value));
                None
            }
            ["ret", "i32", value] => return Next::End(End::Returned(number(value))),
            ["br", "label", _] => return Next::Slot(0),
            ["br", "i1", condition, ..] => {
                return number(condition).map_or(Next::End(End::Undefined), |value| Next::Slot(u32::from(value == 0)));
            }
            _ => panic!("{filled}"),
        };
        if let [Dest::Value(value)] = *inst.results {
            self.values.insert(value, result);
        }
        Next::Inst
    }
}

fn execute(function: &Function<Llvm>, args: [i32; 2]) -> Run {
    let values = function.params().iter().zip(args).map(|(param, arg)| (param.value, Some(arg))).collect();
    let mut machine = Machine { function, values, memory: HashMap::new(), printed: Vec::new() };
    let (mut block, mut came_by): (Block, Option<(Block, u32)>) = (function.entry(), None);
    for _ in 0..40 {
        let data = function.block(block);
        let edge = data.incoming().iter().position(|edge| Some((edge.source, edge.slot)) == came_by);
        let phis = data.phis().iter().map(|phi| (phi.value, machine.value(phi.operands[edge.unwrap()])));
        let phis: Vec<_> = phis.collect();
        machine.values.extend(phis);
        for inst in data.insts().iter() {
            match machine.execute(&inst) {
                Next::Inst => {}
                Next::Slot(slot) => came_by = Some((block, slot)),
                Next::End(end) => return Run { printed: machine.printed, end },
            }
        }
        block = data.targets()[came_by.unwrap().1 as usize];
    }
    Run { printed: machine.printed, end: End::OutOfFuel }
}

fn result_of(results: &[Dest]) -> Value {
    match results {
        [Dest::Value(value)] => *value,
        _ => panic!("no result"),
    }
}

/// Whether one execution does what the other does, where that is defined.
fn refines(before: &Run, after: &Run) -> bool {
    let is_value = |(before, after): (&Option<i32>, &Option<i32>)| before.is_none() || before == after;
    let is_same_end = match (&before.end, &after.end) {
        (End::Undefined, _) => return before.printed.iter().zip(&after.printed).all(is_value),
        (End::Returned(before), End::Returned(after)) => is_value((before, after)),
        (before, after) => before == after,
    };
    is_same_end
        && before.printed.len() == after.printed.len()
        && before.printed.iter().zip(&after.printed).all(is_value)
}

fn read(text: &str) -> Function<Llvm> {
    let module = Module::new(text);
    let function = module.functions().next().unwrap();
    module.read(&function).unwrap_or_else(|error| panic!("{error}: {text}")).into_body()
}

fn inputs() -> impl Iterator<Item = [i32; 2]> {
    const INPUTS: [i32; 4] = [0, 1, 5, -2];
    INPUTS.into_iter().flat_map(|x| INPUTS.map(|y| [x, y]))
}

fn do_the_same(before: &Function<Llvm>, after: &Function<Llvm>) -> bool {
    inputs().all(|args| refines(&execute(before, args), &execute(after, args)))
}

/// Whether both do the same as each other, also where something is undefined.
fn do_exactly_the_same(before: &Function<Llvm>, after: &Function<Llvm>) -> bool {
    inputs().all(|args| execute(before, args) == execute(after, args))
}

fn judged(before: &str, after: &str) -> Judged {
    let mut judged = certify_promotion(&Module::new(before), &Module::new(after), 1);
    assert_eq!(judged.len(), 1, "{after}");
    judged.remove(0)
}

/// Whether the blocks with these labels follow each other, from the first one of the function on.
fn is_path(text: &str, path: &[String]) -> bool {
    let mut blocks: HashMap<&str, &str> = HashMap::new();
    let mut label = "";
    for line in text.lines() {
        match line.strip_suffix(':') {
            Some(name) => label = name,
            None if line.starts_with("  br ") => drop(blocks.insert(label, line)),
            None => {}
        }
    }
    let follows = |pair: &[String]| {
        let target = format!("label %{}", pair[1]);
        blocks.get(&*pair[0]).is_some_and(|line| line.split(", ").any(|part| part.ends_with(&target)))
    };
    path.first().is_some_and(|first| first == "entry") && path.windows(2).all(follows)
}

/// A text with something changed.
fn mutated(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let insts: Vec<usize> = (0..lines.len()).filter(|&line| lines[line].starts_with("  ")).collect();
    let line = *random.of(&insts);
    match random.below(6) {
        0 if !lines[line].starts_with("  br") && !lines[line].starts_with("  ret") => drop(lines.remove(line)),
        1 if lines[line + 1].starts_with("  ") => lines.swap(line, line + 1),
        2 => {
            let other = *random.of(&insts);
            let copy = lines[other].clone();
            lines.insert(line, copy);
        }
        _ => {
            // An operand becomes another one.
            let values: Vec<String> = lines
                .iter()
                .filter_map(|line| Some(line.trim_start().strip_prefix('%')?.split_once(" = ")?.0))
                .map(|name| format!("%{name}"))
                .chain(["%x", "%y", "undef", "0", "1", "7"].map(str::to_owned))
                .collect();
            let text = lines[line].clone();
            let start = text.find(" = ").map_or(0, |at| at + 3);
            let is_start = |at: usize| {
                let before = text.as_bytes()[at - 1];
                at > start
                    && matches!(before, b' ' | b'(')
                    && (text[at..].starts_with('%') || text[at..].starts_with(|c: char| c.is_ascii_digit()))
            };
            let starts: Vec<usize> = (1..text.len()).filter(|&at| is_start(at)).collect();
            if !starts.is_empty() {
                let at = *random.of(&starts);
                let len = text[at..].find([',', ' ', ')']).unwrap_or(text.len() - at);
                let is_label = text[..at].ends_with("label ");
                let new = if is_label { format!("%b{}", random.below(3)) } else { random.of(&values).clone() };
                lines[line] = format!("{}{new}{}", &text[..at], &text[at + len..]);
            }
        }
    }
    lines.join("\n") + "\n"
}

#[test]
fn what_is_accepted_does_the_same() {
    let functions =
        std::env::var("SSAPHIRE_LLVM_FUNCTIONS").ok().and_then(|count| count.parse().ok()).unwrap_or(FUNCTIONS);
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut num_mutants, mut num_accepted, mut num_different, mut num_paths) = (0, 0, 0, 0);
    let mut num_certified = 0;
    for _ in 0..functions {
        let source = function(&mut random);
        let before = read(&source);
        let result = promoted(&source);
        assert!(do_the_same(&before, &read(&result)), "{source}\n{result}");
        let of_result = judged(&source, &result);
        assert!(of_result.result.is_ok() && of_result.certificate.is_some(), "{source}\n{result}");
        for _ in 0..MUTATIONS {
            let mutant = mutated(&result, &mut random);
            if mutant == result {
                continue;
            }
            num_mutants += 1;
            let Judged { result: verdict, certificate, .. } = judged(&source, &mutant);
            match verdict {
                Ok(how) => {
                    // Only moved and unused instructions have none.
                    num_certified += usize::from(certificate.is_some());
                    let after = read(&mutant);
                    assert!(do_the_same(&before, &after), "accepted, but different:\n{source}\n{mutant}");
                    let is_exact = how == Equivalence::Exact;
                    assert!(!is_exact || do_exactly_the_same(&before, &after), "not exact:\n{source}\n{mutant}");
                    num_accepted += 1;
                }
                Err(refusal) => {
                    let path = &refusal.path;
                    assert!(path.is_empty() || is_path(&mutant, path), "{path:?} is no path:\n{source}\n{mutant}");
                    num_paths += usize::from(path.len() > 1);
                    num_different += 1;
                }
            }
        }
    }
    println!(
        "{num_mutants} mutants: {num_accepted} accepted, {num_certified} with a certificate; {num_different} refused, {num_paths} with \
         a path"
    );
    assert!(num_paths > num_different / 6, "{num_paths} of {num_different}");
    assert!(num_different > num_mutants / 2 && num_certified > num_accepted / 2, "{num_accepted} of {num_mutants}");
}
