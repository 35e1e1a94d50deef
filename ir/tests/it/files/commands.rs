//! The commands of test files.

use super::format::Outcome;
use crate::support::json_form::json_says;
use crate::support::{check_spellings, memory_behavior};
use ssaphire::check::{self, Mode, Program, validate};
use ssaphire::fold::FoldOptions;
use ssaphire::{Certified, Options as BuilderOptions};
use ssaphire_ir::analysis::{self, Analysis, Style};
use ssaphire_ir::basic::{BasicMachine, behavior};
use ssaphire_ir::cps::{self, Cps, Layout, Nesting};
use ssaphire_ir::fold::Folding;
use ssaphire_ir::interp::Limits;
use ssaphire_ir::judge::{Demands, Inspector, prove_translation};
use ssaphire_ir::memory::{Agreement, Memory, agreement, mem2reg, to_memory};
use ssaphire_ir::passes::{
    Options, Pass, PassOptions, PhiTags, hoist_loop_invariants, number_values, propagate_constants, remove_dead_code,
    thread_jumps,
};
use ssaphire_ir::text::{
    NameStyle, Outline, PhiStyle, PrintOptions, SyntaxError, SyntaxErrors, parse, parse_all, to_string,
};
use ssaphire_ir::{Basic, Dialect, Function, Syntax, UnknownName, dot, json, to_ssa, to_ssa_folded, to_ssa_in_order};
use ssaphire_literature::{AnyBuilder, Engine};
use std::fmt::Debug;

type MemoryFunction = Function<Memory<Basic>>;
type Ran = Result<Outcome, String>;

/// Runs a command, such as `pass dead-code keep-loops`, on a text.
pub(super) fn run(command: &str, input: &str) -> Ran {
    let words: Vec<&str> = command.split_whitespace().collect();
    let (&name, options) = words.split_first().ok_or("no command")?;
    let mut options = Words(options.to_vec());
    let is_memory = Outline::new(input).is_ok_and(|text| {
        text.functions().next().is_some_and(|function| function.dialect() == Some(Memory::<Basic>::NAME))
    });
    let result = match (name, is_memory) {
        ("print", false) => print::<Basic>(&mut options, input),
        ("print", true) => print::<Memory<Basic>>(&mut options, input),
        ("errors", _) => Ok(text_only(in_lines(parse::<Basic>(input).map(|_| ())))),
        ("rules", false) => rules::<Basic>(input),
        ("rules", true) => rules::<Memory<Basic>>(input),
        ("dot", _) => read::<Basic>(input).map(|function| text_only(dot::to_dot(&function))),
        ("json", _) => read::<Basic>(input).map(|function| text_only(json::to_string(&function))),
        ("to-ssa", _) => built_by_every_engine(input),
        ("fold", _) => folded(input),
        ("pass", false) => pass::<Basic>(&mut options, input),
        ("pass", true) => pass::<Memory<Basic>>(&mut options, input),
        ("to-memory", _) => read(input).map(|function: Function<Basic>| text_only(to_memory(&function).to_string())),
        ("mem2reg", _) => promoted(input),
        ("agreement", _) => agreement_of(input),
        ("translation", _) => translation_of(input),
        ("cps", _) => continuations(&mut options, input),
        ("analysis", _) => analyzed(&mut options, input),
        ("run", _) => ran(&mut options, input, is_memory),
        _ => return Err("no such command".to_owned()),
    };
    // A misspelled option must not pass for none.
    match options.0.first() {
        Some(word) if result.is_ok() => Err(format!("`{word}` is no option of this command")),
        _ => result,
    }
}

const PHIS: [(&str, PhiStyle); 3] =
    [("list", PhiStyle::List), ("params", PhiStyle::Params), ("upsilon", PhiStyle::Upsilon)];
const NAMES: [(&str, NameStyle); 3] =
    [("source", NameStyle::Source), ("index", NameStyle::Index), ("ssaval", NameStyle::SsaVal)];
const TAGS: [(&str, PhiTags); 3] =
    [("block", PhiTags::Block), ("condition", PhiTags::Condition), ("loop", PhiTags::Loop)];
const STYLES: [(&str, Style); 3] = [("text", Style::Text), ("dot", Style::Dot), ("json", Style::Json)];
const LAYOUTS: [(&str, Layout); 2] = [("nested", Layout::Nested), ("flat", Layout::Flat)];

/// The words of a command that are not used yet.
struct Words<'c>(Vec<&'c str>);

impl<'c> Words<'c> {
    fn next(&mut self) -> Option<&'c str> {
        (!self.0.is_empty()).then(|| self.0.remove(0))
    }

    /// Whether `word` is among them.
    fn take(&mut self, word: &str) -> bool {
        let at = self.0.iter().position(|&other| other == word);
        at.map(|at| self.0.remove(at)).is_some()
    }

    /// The one of `choices` that is among them, or the first one.
    fn choose<T: Copy>(&mut self, choices: &[(&str, T)]) -> T {
        let chosen = choices.iter().find(|(word, _)| self.take(word));
        chosen.unwrap_or(&choices[0]).1
    }
}

fn text_only(text: String) -> Outcome {
    Outcome { text, report: None }
}

fn with_report(text: String, report: &impl Debug) -> Outcome {
    Outcome { text, report: Some(format!("{report:?}")) }
}

/// Each error, after its line and column in the input.
fn in_lines(result: Result<(), SyntaxErrors>) -> String {
    match result {
        Ok(()) => "no errors".to_owned(),
        Err(errors) => {
            let line = |error: &SyntaxError| format!("{}:{}: {}", error.line, error.column, error.kind);
            errors.errors.iter().map(line).collect::<Vec<_>>().join("\n")
        }
    }
}

fn read<D: Syntax>(input: &str) -> Result<Function<D>, String> {
    parse(input).map_err(|errors| in_lines(Err(errors)))
}

/// Reads a function in which each use is dominated by its definition.
fn read_valid<D: Dialect>(input: &str) -> Result<Function<D>, String> {
    let function = read(input)?;
    assert_eq!(check::rules(&function), []);
    Ok(function)
}

/// The line that names the dialect, if the input has one.
fn dialect_line<D: Syntax>(input: &str) -> String {
    if input.starts_with("dialect ") { format!("dialect {}\n", D::NAME) } else { String::new() }
}

/// The printed text, which is parsed back in every spelling and compared with the JSON.
fn print<D: Syntax>(options: &mut Words<'_>, input: &str) -> Ran {
    let function = read::<D>(input)?;
    check_spellings(&function);
    json_says(&function);
    let phis = options.choose(&PHIS);
    let names = options.choose(&NAMES);
    let text = to_string(&function, PrintOptions { phis, names });
    let is_default = phis == PhiStyle::List && names == NameStyle::Source;
    assert!(!is_default || text == function.to_string(), "the default of the printer");
    Ok(text_only(dialect_line::<D>(input) + &text))
}

/// The broken rules of SSA form in a function whose structure is right.
fn rules<D: Syntax>(input: &str) -> Ran {
    read::<D>(input)?;
    let outline = Outline::new(input).map_err(|errors| in_lines(Err(errors)))?;
    let function = outline.functions().next().ok_or("no function")?;
    Ok(text_only(in_lines(function.parse_valid::<D>().map(|_| ()))))
}

/// All engines build the same, each result is judged, and in the opposite order of blocks it is right, too.
fn built_by_every_engine(input: &str) -> Ran {
    let function: Function<Basic> = read(input)?;
    let mut text = None;
    for &engine in Engine::ALL {
        let mut ssa = Certified::with_builder(AnyBuilder::new(engine));
        let built = to_ssa(&function, &mut ssa).map_err(|error| error.to_string())?;
        let printed = built.to_string();
        assert_eq!(&printed, text.get_or_insert_with(|| printed.clone()), "{engine}");
        let mut program = Program::new();
        ssa.certify(&mut program).unwrap();
        assert_eq!(validate(&program, Mode::Exact), Ok(()), "{engine}");
        let mut program = Program::new();
        to_ssa_in_order(&function, &mut ssa, |blocks| blocks.into_iter().rev().collect()).unwrap();
        ssa.certify(&mut program).unwrap();
        assert_eq!(validate(&program, Mode::Exact), Ok(()), "{engine}, last block first");
    }
    text.map(text_only).ok_or_else(|| "no engine".to_owned())
}

fn folded(input: &str) -> Ran {
    let function: Function<Basic> = read(input)?;
    let (mut ssa, mut folding) = (Certified::new(), Folding::new(FoldOptions::ALL));
    let result = to_ssa_folded(&function, &mut ssa, &mut folding).map_err(|error| error.to_string())?;
    let demands = Demands::of(Mode::Exact, &BuilderOptions::default());
    let judgement = Inspector::default().judge_folded(&result, &mut ssa, &folding, demands);
    assert_eq!(judgement.refusals, [], "{function}\n{result}");
    assert_eq!(ssa.num_trusted(), 0);
    Ok(text_only(result.to_string()))
}

fn pass<D: Dialect>(options: &mut Words<'_>, input: &str) -> Ran {
    let name = options.next().ok_or("which pass?")?;
    let pass: Pass = name.parse().map_err(|error: UnknownName| error.to_string())?;
    let mut function = read_valid::<D>(input)?;
    let report = match pass {
        Pass::Constants => propagate_constants(&mut function).map(|report| format!("{report:?}")),
        Pass::JumpThreading => thread_jumps(&mut function, Default::default()).map(|report| format!("{report:?}")),
        Pass::ValueNumbering => number_values(&mut function, options.choose(&TAGS)).map(|report| format!("{report:?}")),
        Pass::LoopInvariants => hoist_loop_invariants(&mut function).map(|report| format!("{report:?}")),
        Pass::DeadCode => {
            let options = Options { keep_loops: options.take("keep-loops"), ..Options::default() };
            remove_dead_code(&mut function, options).map(|report| format!("{report:?}"))
        }
        pass => pass.run(&mut function, PassOptions::default()).map(|count| count.to_string()),
    };
    let report = report.map_err(|error| error.to_string())?;
    assert_eq!((function.check_form(), check::rules(&function)), (vec![], vec![]));
    function.canonicalize();
    Ok(Outcome { text: dialect_line::<D>(input) + &function.to_string(), report: Some(report) })
}

fn promoted(input: &str) -> Ran {
    let mut function: MemoryFunction = read(input)?;
    assert_eq!(read(&function.to_string()).as_ref(), Ok(&function), "what is printed is read back");
    let promotion = mem2reg(&mut function).map_err(|error| error.to_string())?;
    assert_eq!((function.check_form(), check::rules(&function)), (vec![], vec![]));
    function.canonicalize();
    Ok(with_report(function.to_string(), &promotion))
}

/// The two functions of the input.
fn pair(input: &str) -> Result<[Function<Basic>; 2], String> {
    let functions = parse_all(input).map_err(|errors| in_lines(Err(errors)))?;
    functions.try_into().map_err(|functions: Vec<_>| format!("{} functions where there should be two", functions.len()))
}

fn agreement_of(input: &str) -> Ran {
    let [direct, other] = pair(input)?;
    assert_eq!((check::rules(&direct), check::rules(&other)), (vec![], vec![]));
    Ok(text_only(match agreement(&direct, &other).map_err(|error| error.to_string())? {
        Agreement::Same => "the same".to_owned(),
        Agreement::Refines => "refines".to_owned(),
        Agreement::Differs(disagreement) => format!("differs: {disagreement}\n{disagreement:?}"),
    }))
}

fn translation_of(input: &str) -> Ran {
    let [before, after] = pair(input)?;
    Ok(text_only(match prove_translation(&before, &after) {
        Ok(()) => "proven".to_owned(),
        Err(unproved) => format!("{unproved}\n{unproved:?}"),
    }))
}

/// The continuations of a function, which is put in SSA form first if it has variables.
fn continuations(options: &mut Words<'_>, input: &str) -> Ran {
    let mut function: Function<Basic> = read(input)?;
    if function.has_accesses() {
        function = to_ssa(&function, &mut Certified::default()).map_err(|error| error.to_string())?;
    }
    let cps = match Cps::of(&function) {
        Ok(cps) => cps,
        Err(error) => return Ok(text_only(error.to_string())),
    };
    assert_eq!(Nesting::new(&cps).broken_rules(&cps), []);
    let layout = options.choose(&LAYOUTS);
    Ok(text_only(cps::to_string(&cps, layout)))
}

/// An analysis of the SSA form.
fn analyzed(options: &mut Words<'_>, input: &str) -> Ran {
    let name = options.next().ok_or("which analysis?")?;
    let analysis: Analysis = name.parse().map_err(|error: UnknownName| error.to_string())?;
    let style = options.choose(&STYLES);
    let names = options.choose(&NAMES);
    let function = to_ssa(&read::<Basic>(input)?, &mut Certified::default()).map_err(|error| error.to_string())?;
    let mut text = String::new();
    analysis::print(&function, analysis, style, names, &mut text).map_err(|error| error.to_string())?;
    Ok(text_only(text))
}

/// The behavior on these arguments, with the input 40, 2, and for up to 20 steps.
fn ran(options: &mut Words<'_>, input: &str, is_memory: bool) -> Ran {
    let args = std::mem::take(&mut options.0);
    let args: Vec<i64> =
        args.iter().map(|arg| arg.parse().map_err(|_| format!("`{arg}` is no number"))).collect::<Result<_, _>>()?;
    let (machine, limits) = (BasicMachine::new(1, vec![40, 2]), Limits { steps: 20, frames: 5 });
    let behavior = match is_memory {
        true => memory_behavior(&read(input)?, &args, machine, limits),
        false => behavior(&read(input)?, &args, machine, limits),
    };
    Ok(text_only(behavior.to_string()))
}
