//! Continuations as programs in Scheme do what the interpreter does with the SSA form.

use ssaphire::Certified;
use ssaphire::fold::FoldOptions;
use ssaphire_ir::basic::{BasicMachine, BinaryOp, UnaryOp, behavior_of};
use ssaphire_ir::cps::{Cps, scheme};
use ssaphire_ir::fold::Folding;
use ssaphire_ir::interp::{Limits, TrapKind};
use ssaphire_ir::{Basic, Function, text, to_ssa};
use ssaphire_tests::corpus::parse_header;
use ssaphire_tests::functions;
use ssaphire_tests::fuzzing::cps::program;
use ssaphire_tests::programs::Shape;
use ssaphire_tests::{corpus_cases, files_below, seeds, share, skipped};
use ssaphire_while::{Program, build, build_folded, parse};
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// The Scheme that programs are written for.
const SCHEME: &str = "guile";

/// What stands between the cases in the output.
const END: &str = "----\n";

/// Runs cases one after the other, and shows all that can be seen of each.
const HARNESS: &str = r#"
(define test:input '())
(set! ssa:next-input
  (lambda ()
    (if (pair? test:input)
        (let ((x (car test:input))) (set! test:input (cdr test:input)) x)
        #f)))
(define (test:show . parts) (for-each display parts) (newline))
(set! ssa:on-print (lambda (xs) (test:show "print " (ssa:join xs))))
(set! ssa:on-read (lambda (x) (test:show "read " x)))
(set! ssa:on-call (lambda (name xs) (test:show "call " name "(" (ssa:join xs) ")")))
(define (test:case name args input seed define-all)
  (set! ssa:functions '())
  (set! ssa:num-calls 0)
  (set! ssa:seed seed)
  (set! test:input input)
  (call-with-current-continuation
    (lambda (end)
      (set! ssa:on-trap (lambda (message) (test:show "trap: " message) (end #f)))
      (define-all)
      (ssa:enter (assoc name ssa:functions) args
                 (lambda xs (test:show "return " (ssa:join xs)) (end #t)))))
  (test:show "----"))
"#;

/// Programs, and what their runs are to show.
#[derive(Default)]
struct Cases {
    script: String,
    expected: Vec<(String, String)>,
}

impl Cases {
    fn new() -> Self {
        Self { script: format!("{}{HARNESS}", scheme::RUNTIME), expected: Vec::new() }
    }

    /// Adds a run of the first of `functions`, unless it takes too many steps.
    fn add(&mut self, name: &str, functions: &[Function<Basic>], args: &[i64], input: &[i64], seed: u64) {
        let limits = Limits { steps: 20_000, ..Limits::default() };
        let machine = BasicMachine::new(seed, input.to_vec()).with_functions(functions);
        let expected = behavior_of(functions, 0, args, machine, limits);
        if matches!(expected.outcome, Err(TrapKind::OutOfSteps { .. } | TrapKind::TooManyFrames { .. })) {
            return;
        }
        let list = |numbers: &[i64]| numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
        let (args, input) = (list(args), list(input));
        let first = functions[0].name();
        writeln!(self.script, "(test:case {first:?} '({args}) '({input}) {seed} (lambda ()").expect("it is a string");
        for function in functions {
            let cps = Cps::of(function).expect("the function is in SSA form");
            scheme::print(&cps, &mut self.script).expect("it is a string");
        }
        self.script.push_str("))\n");
        self.expected.push((name.to_owned(), expected.to_string()));
    }

    /// All runs in one process, or a skip where there is no Scheme.
    fn run(self) {
        let Some(output) = run_scheme(&self.script) else { return };
        let found: Vec<&str> = output.split_terminator(END).collect();
        for ((name, expected), found) in self.expected.iter().zip(&found) {
            assert_eq!(found, expected, "{name}");
        }
        assert_eq!(found.len(), self.expected.len(), "all cases end");
    }
}

/// What a script writes; `None` where there is no Scheme.
fn run_scheme(script: &str) -> Option<String> {
    let spawned = Command::new(SCHEME)
        .args(["--no-auto-compile", "/dev/stdin"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = spawned else {
        skipped("no Scheme (guile)");
        return None;
    };
    let mut input = child.stdin.take().expect("it is a pipe");
    let script = script.to_owned();
    let writer = std::thread::spawn(move || input.write_all(script.as_bytes()));
    let output = child.wait_with_output().expect("the process ends");
    writer.join().expect("it does not panic").expect("the script is read to its end");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).expect("it is text"))
}

/// All functions of a program in SSA form.
fn functions(program: &Program, fold: Option<FoldOptions>) -> Vec<Function<Basic>> {
    let mut ssa: Certified = Certified::default();
    let function = |index| {
        let built = match fold.map(Folding::new) {
            Some(mut folding) => build_folded(program, index, &mut ssa, &mut folding),
            None => build(program, index, &mut ssa),
        };
        built.expect("there is no limit").function
    };
    (0..program.functions().len()).map(function).collect()
}

#[test]
fn programs_of_the_corpus_give_their_results() {
    let mut cases = Cases::new();
    let (mut num_files, mut num_runs) = (0, 0);
    for path in files_below("corpus/while").into_iter().filter(|path| path.extension().is_some_and(|e| e == "while")) {
        let source = fs::read_to_string(&path).expect("the file can be read");
        let comments = source.lines().filter_map(|line| line.strip_prefix("//"));
        let header: String = comments.map(|comment| format!(";{comment}\n")).collect();
        let header = parse_header(&header).expect("the header is valid");
        let is_strict = path.parent().is_some_and(|folder| folder.ends_with("strict"));
        let options = if is_strict { ssaphire_while::Options::strict() } else { ssaphire_while::Options::default() };
        let program = parse(&source, &options).expect("the program is valid");
        num_files += 1;
        for fold in [None, Some(FoldOptions::ALL)] {
            let functions = functions(&program, fold);
            for run in &header.runs {
                num_runs += 1;
                cases.add(&path.display().to_string(), &functions, &run.args, &run.input, 0);
            }
        }
    }
    assert!(num_files >= 20 && num_runs >= 60, "{num_files} files, {num_runs} runs");
    for (path, case) in corpus_cases() {
        let mut ssa: Certified = Certified::default();
        let function = to_ssa(&case.function, &mut ssa).expect("there is no limit");
        for run in &case.header.runs {
            cases.add(&path.display().to_string(), std::slice::from_ref(&function), &run.args, &run.input, 0);
        }
    }
    cases.run();
}

#[test]
fn random_programs_give_their_results() {
    let mut cases = Cases::new();
    for seed in seeds(0..150) {
        let shape = Shape::ALL[seed as usize % 3];
        let program = program(shape, 8 + seed as usize % 40, seed);
        let fold = (seed % 2 == 0).then_some(FoldOptions::ALL);
        let functions = functions(&program, fold);
        let args = &[3, -2][..program.functions()[0].params.len()];
        cases.add(&program.to_string(), &functions, args, &[4, 1, 0, 7, 2, 9, -3, 5], seed);
    }
    for seed in seeds(0..200) {
        let shape = functions::Shape::ALL[seed as usize % functions::Shape::ALL.len()];
        let mut ssa: Certified = Certified::default();
        let source = functions::generate(shape, 1 + seed as usize % 12, seed);
        let function = to_ssa(&source, &mut ssa).expect("there is no limit");
        let args = vec![seed as i64 % 7; function.params().len()];
        cases.add(&function.to_string(), &[function], &args, &[5, -1, 0], seed);
    }
    assert!(cases.expected.len() > share(250), "{}", cases.expected.len());
    let ends = |what: &str| cases.expected.iter().filter(|(_, expected)| expected.contains(what)).count();
    let counts = ["return ", "trap: ", "call ", "undef"].map(ends);
    assert!(counts.iter().all(|&count| count > 15), "{counts:?}");
    cases.run();
}

/// A program that is started from its file, with arguments and input: what it writes, and its exit code.
fn run_program(name: &str, source: &str, args: &[&str], input: &str) -> Option<(String, String, i32)> {
    let program = parse(source, &ssaphire_while::Options::default()).expect("the program is valid");
    let mut script = scheme::RUNTIME.to_owned();
    for function in functions(&program, None) {
        let cps = Cps::of(&function).expect("the function is in SSA form");
        scheme::print(&cps, &mut script).expect("it is a string");
    }
    scheme::start("main", &mut script).expect("it is a string");
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, script).expect("the file can be written");
    let mut command = Command::new(SCHEME);
    command.arg("--no-auto-compile").arg(path).args(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let Ok(mut child) = command.spawn() else {
        skipped("no Scheme (guile)");
        return None;
    };
    let mut stdin = child.stdin.take().expect("it is a pipe");
    // A program that reads nothing may be gone already.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let output = child.wait_with_output().expect("the process ends");
    let text = |bytes| String::from_utf8(bytes).expect("it is text");
    Some((text(output.stdout), text(output.stderr), output.status.code().unwrap_or(-1)))
}

#[test]
fn a_program_takes_arguments_and_input_and_ends_with_a_code() {
    let source = "func gcd(a, b) { while b != 0 { r := a % b; a := b; b := r; } return a; }
        func main(n) { x := read(); print gcd(x, n), u; return x / n, gcd(n, 6); }";
    let Some(ended) = run_program("gcd.scm", source, &["4"], "18") else { return };
    assert_eq!(ended, ("2, undef\n4\n2\n".to_owned(), String::new(), 0));
    let trapped = run_program("division.scm", source, &["0"], "18").expect("it is there");
    assert_eq!(trapped, ("18, undef\n".to_owned(), "trap: division by zero\n".to_owned(), 1));
    let hungry = run_program("input.scm", source, &["4"], "").expect("it is there");
    assert_eq!(hungry, (String::new(), "trap: end of input\n".to_owned(), 1));
}

/// A loop of a million rounds: calls of continuations are tail calls.
#[test]
fn a_long_loop_takes_no_stack() {
    let source = "func main(n) { s := 0; while n > 0 { s := s + n; n := n - 1; } return s; }";
    let Some(ended) = run_program("loop.scm", source, &["1000000"], "") else { return };
    assert_eq!(ended, ("500000500000\n".to_owned(), String::new(), 0));
}

/// Numbers at the edges of their range, and what is undefined.
const NUMBERS: [i64; 11] = [0, 1, -1, 2, -7, 63, 64, 65, 1 << 40, i64::MAX, i64::MIN];

#[test]
fn operators_compute_what_the_interpreter_computes() {
    let mut cases = Cases::new();
    let operands = NUMBERS.map(|number| number.to_string()).into_iter().chain(["undef".to_owned()]);
    let operands: Vec<String> = operands.collect();
    let mut add = |inst: String| {
        let text = format!("func f() {{\nblock0:\n  %0 = {inst}\n  return %0\n}}\n");
        let function: Function<Basic> = text::parse(&text).expect("the text is valid");
        cases.add(&inst, &[function], &[], &[], 0);
    };
    for x in &operands {
        UnaryOp::ALL.iter().for_each(|op| add(format!("{} {x}", op.name())));
        for y in &operands {
            BinaryOp::ALL.iter().for_each(|op| add(format!("{} {x}, {y}", op.name())));
        }
    }
    assert_eq!(cases.expected.len(), operands.len() * (UnaryOp::ALL.len() + operands.len() * BinaryOp::ALL.len()));
    cases.run();
}
