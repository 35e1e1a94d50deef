//! A compiler from While to textual LLVM IR, in SSA form from the start: no slot, no `alloca`, no `mem2reg`.
//!
//! `to_llvm FILE.while > FILE.ll` writes the functions of a program, and a `main` that calls the first one with numbers from the command
//! line and prints what it returns: `lli FILE.ll 100`, or `clang FILE.ll -o file && ./file 100`. Arrays and calls of functions that the
//! program does not have are refused.

use ssaphire::{Block, Certified, Value};
use ssaphire_ir::basic::{BinaryOp, Op, UnaryOp};
use ssaphire_ir::{Action, Arg, Basic, Dest, Function, InstRef, ValueKind};
use ssaphire_while::{Options, build, parse};
use std::error::Error;
use std::fmt::Write;

/// What every program needs: divisions that trap on zero and wrap around, as in While; input and output.
const PRELUDE: &str = "\
declare void @llvm.trap()
declare i32 @printf(ptr, ...)
declare i32 @scanf(ptr, ...)
declare i64 @atoll(ptr)

@number = private constant [5 x i8] c\"%lld\\00\"
@comma = private constant [3 x i8] c\", \\00\"
@line = private constant [2 x i8] c\"\\0A\\00\"

define private i64 @divided(i64 %x, i64 %y) {
  %is_zero = icmp eq i64 %y, 0
  br i1 %is_zero, label %trap, label %defined
trap:
  call void @llvm.trap()
  unreachable
defined:
  %is_negation = icmp eq i64 %y, -1
  br i1 %is_negation, label %negation, label %division
negation:
  %negated = sub i64 0, %x
  ret i64 %negated
division:
  %quotient = sdiv i64 %x, %y
  ret i64 %quotient
}

define private i64 @remainder(i64 %x, i64 %y) {
  %quotient = call i64 @divided(i64 %x, i64 %y)
  %product = mul i64 %quotient, %y
  %rest = sub i64 %x, %product
  ret i64 %rest
}

define private i64 @input() {
  %place = alloca i64
  store i64 0, ptr %place
  %count = call i32 (ptr, ...) @scanf(ptr @number, ptr %place)
  %read = load i64, ptr %place
  ret i64 %read
}
";

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: to_llvm FILE.while")?;
    let source = std::fs::read_to_string(&path)?;
    print!("{}", compile(&source).map_err(|message| format!("{path}: {message}"))?);
    Ok(())
}

/// The program in LLVM IR.
///
/// # Errors
/// The first thing that cannot be compiled.
pub(crate) fn compile(source: &str) -> Result<String, String> {
    let program = parse(source, &Options::default()).map_err(|errors| errors[0].to_string())?;
    let mut ssa = Certified::<ssaphire::Builder>::default();
    let mut functions = Vec::new();
    for index in 0..program.functions().len() {
        let built = build(&program, index, &mut ssa).map_err(|error| error.to_string())?;
        functions.push(Callee { num_results: num_results(&built.function), function: built.function });
    }
    let mut text = PRELUDE.to_owned();
    for callee in &functions {
        Writer { functions: &functions, callee, text: &mut text, num_names: 0 }
            .write()
            .map_err(|message| format!("function `{}`: {message}", callee.function.name()))?;
    }
    write_main(functions.first().ok_or("no function")?, &mut text);
    Ok(text)
}

/// A function in SSA form.
struct Callee {
    function: Function<Basic>,
    /// It returns an array of so many numbers.
    num_results: usize,
}

/// The most numbers that a function returns.
fn num_results(function: &Function<Basic>) -> usize {
    let insts = function.blocks().flat_map(|block| function.block(block).insts().iter());
    let returned = |inst: InstRef<'_, Basic>| matches!(inst.action, Action::Op(Op::Return)).then_some(inst.args.len());
    insts.filter_map(returned).max().unwrap_or(0)
}

/// `main` calls the first function.
fn write_main(callee: &Callee, text: &mut String) {
    let (name, num_results) = (callee.function.name(), callee.num_results);
    let mut args = Vec::new();
    *text += "\ndefine i32 @main(i32 %argc, ptr %argv) {\n";
    for number in 0..callee.function.params().len() {
        // What the command line does not have is beyond its end: a null pointer.
        *text += &format!("  %place{number} = getelementptr ptr, ptr %argv, i64 {}\n", number + 1);
        *text += &format!("  %text{number} = load ptr, ptr %place{number}\n");
        *text += &format!("  %arg{number} = call i64 @atoll(ptr %text{number})\n");
        args.push(format!("i64 %arg{number}"));
    }
    *text += &format!("  %results = call [{num_results} x i64] @while.{name}({})\n", args.join(", "));
    for number in 0..num_results {
        if number > 0 {
            *text += &format!("  %comma{number} = call i32 (ptr, ...) @printf(ptr @comma)\n");
        }
        *text += &format!("  %result{number} = extractvalue [{num_results} x i64] %results, {number}\n");
        *text += &format!("  %printed{number} = call i32 (ptr, ...) @printf(ptr @number, i64 %result{number})\n");
    }
    *text += "  %ended = call i32 (ptr, ...) @printf(ptr @line)\n  ret i32 0\n}\n";
}

struct Writer<'w> {
    functions: &'w [Callee],
    callee: &'w Callee,
    text: &'w mut String,
    /// How many names there are of values that the function does not have.
    num_names: u32,
}

impl Writer<'_> {
    fn write(mut self) -> Result<(), String> {
        let function = &self.callee.function;
        let params: Vec<String> =
            function.params().iter().map(|param| format!("i64 {}", self.operand(param.value))).collect();
        self.line(&format!(
            "\ndefine private [{} x i64] @while.{}({}) {{",
            self.callee.num_results,
            function.name(),
            params.join(", ")
        ));
        // The first block of a function of LLVM IR is its entry.
        let entry = function.entry();
        let others = function.blocks().filter(|&block| block != entry);
        for block in std::iter::once(entry).chain(others) {
            self.line(&format!("{}:", label(block)));
            self.phis(block);
            for inst in function.block(block).insts().iter() {
                self.inst(&inst)?;
            }
        }
        self.line("}");
        Ok(())
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// A phi of this crate has its operands in the order of the incoming edges, as LLVM's may.
    fn phis(&mut self, block: Block) {
        let data = self.callee.function.block(block);
        for phi in data.phis().iter() {
            let pairs = data.incoming().iter().zip(phi.operands);
            let pairs = pairs.map(|(edge, &operand)| format!("[ {}, %{} ]", self.operand(operand), label(edge.source)));
            let pairs = pairs.collect::<Vec<_>>().join(", ");
            self.line(&format!("  {} = phi i64 {pairs}", self.operand(phi.value)));
        }
    }

    fn operand(&self, value: Value) -> String {
        match self.callee.function.value(value).kind {
            ValueKind::Constant(number) => number.to_string(),
            ValueKind::Undefined => "undef".to_owned(),
            _ => format!("%v{}", value.index()),
        }
    }

    /// A name for a value that the function does not have.
    fn new_name(&mut self) -> String {
        self.num_names += 1;
        format!("%t{}", self.num_names)
    }

    fn inst(&mut self, inst: &InstRef<'_, Basic>) -> Result<(), String> {
        let Action::Op(op) = inst.action else { return Err("a copy".to_owned()) };
        let arg = |arg: &Arg| match *arg {
            Arg::Value(value) => Ok(self.operand(value)),
            Arg::Variable(_) => Err("a variable".to_owned()),
        };
        let args: Vec<String> = inst.args.iter().map(arg).collect::<Result<_, _>>()?;
        let result = match inst.results {
            [Dest::Value(value)] => self.operand(*value),
            _ => self.new_name(),
        };
        match (op, &*args) {
            (Op::Unary(op), [x]) => self.unary(*op, &result, x),
            (Op::Binary(op), [x, y]) => self.binary(*op, &result, x, y),
            (Op::Read, []) => self.line(&format!("  {result} = call i64 @input()")),
            (Op::Print, args) => self.print(args),
            (Op::Call(call), args) => {
                let found = self.functions.iter().find(|callee| callee.function.name() == call.callee);
                let found = found.filter(|callee| callee.function.params().len() == args.len());
                let num_results = found.ok_or(format!("`{}` is no function of the program", call.callee))?.num_results;
                let args: Vec<String> = args.iter().map(|arg| format!("i64 {arg}")).collect();
                let (results, ty) = (self.new_name(), format!("[{num_results} x i64]"));
                self.line(&format!("  {results} = call {ty} @while.{}({})", call.callee, args.join(", ")));
                for (number, dest) in inst.results.iter().enumerate() {
                    if let Dest::Value(value) = *dest {
                        let result = self.operand(value);
                        self.line(&format!("  {result} = extractvalue {ty} {results}, {number}"));
                    }
                }
            }
            (Op::Jump, []) => self.line(&format!("  br label %{}", label(inst.targets[0]))),
            (Op::Branch, [x]) => {
                let (condition, [yes, no]) = (self.new_name(), [label(inst.targets[0]), label(inst.targets[1])]);
                self.line(&format!("  {condition} = icmp ne i64 {x}, 0"));
                self.line(&format!("  br i1 {condition}, label %{yes}, label %{no}"));
            }
            (Op::Switch, [x]) => {
                let (last, cases) = inst.targets.split_last().ok_or("a switch without targets")?;
                let case = |(number, target): (usize, &Block)| format!("i64 {number}, label %{}", label(*target));
                let cases = cases.iter().enumerate().map(case).collect::<Vec<_>>().join(" ");
                self.line(&format!("  switch i64 {x}, label %{} [ {cases} ]", label(*last)));
            }
            (Op::Return, args) => {
                let ty = format!("[{} x i64]", self.callee.num_results);
                let mut results = "undef".to_owned();
                for (number, arg) in args.iter().enumerate() {
                    let with = self.new_name();
                    self.line(&format!("  {with} = insertvalue {ty} {results}, i64 {arg}, {number}"));
                    results = with;
                }
                self.line(&format!("  ret {ty} {results}"));
            }
            (Op::Unreachable, _) => self.line("  unreachable"),
            _ => return Err(format!("`{}` is not compiled", op.name())),
        }
        Ok(())
    }

    fn unary(&mut self, op: UnaryOp, result: &str, x: &str) {
        match op {
            UnaryOp::Neg => self.line(&format!("  {result} = sub i64 0, {x}")),
            UnaryOp::Not => self.line(&format!("  {result} = xor i64 {x}, -1")),
            UnaryOp::LogicalNot => self.comparison("eq", result, x, "0"),
        }
    }

    fn binary(&mut self, op: BinaryOp, result: &str, x: &str, y: &str) {
        let name = match op {
            BinaryOp::Add => "add",
            BinaryOp::Sub => "sub",
            BinaryOp::Mul => "mul",
            BinaryOp::And => "and",
            BinaryOp::Or => "or",
            BinaryOp::Xor => "xor",
            BinaryOp::Shl | BinaryOp::Shr => return self.shift(op, result, x, y),
            BinaryOp::Div => return self.line(&format!("  {result} = call i64 @divided(i64 {x}, i64 {y})")),
            BinaryOp::Rem => return self.line(&format!("  {result} = call i64 @remainder(i64 {x}, i64 {y})")),
            BinaryOp::Eq => return self.comparison("eq", result, x, y),
            BinaryOp::Ne => return self.comparison("ne", result, x, y),
            BinaryOp::Lt => return self.comparison("slt", result, x, y),
            BinaryOp::Le => return self.comparison("sle", result, x, y),
            BinaryOp::Gt => return self.comparison("sgt", result, x, y),
            BinaryOp::Ge => return self.comparison("sge", result, x, y),
            BinaryOp::LogicalAnd | BinaryOp::LogicalOr => {
                let (one, other, both) = (self.new_name(), self.new_name(), self.new_name());
                let name = if op == BinaryOp::LogicalAnd { "and" } else { "or" };
                self.line(&format!("  {one} = icmp ne i64 {x}, 0"));
                self.line(&format!("  {other} = icmp ne i64 {y}, 0"));
                self.line(&format!("  {both} = {name} i1 {one}, {other}"));
                return self.line(&format!("  {result} = zext i1 {both} to i64"));
            }
        };
        self.line(&format!("  {result} = {name} i64 {x}, {y}"));
    }

    /// Only the low bits of a distance count.
    fn shift(&mut self, op: BinaryOp, result: &str, x: &str, y: &str) {
        let (distance, name) = (self.new_name(), if op == BinaryOp::Shl { "shl" } else { "ashr" });
        self.line(&format!("  {distance} = and i64 {y}, 63"));
        self.line(&format!("  {result} = {name} i64 {x}, {distance}"));
    }

    fn comparison(&mut self, predicate: &str, result: &str, x: &str, y: &str) {
        let holds = self.new_name();
        self.line(&format!("  {holds} = icmp {predicate} i64 {x}, {y}"));
        self.line(&format!("  {result} = zext i1 {holds} to i64"));
    }

    /// The numbers in one line, with commas between them.
    fn print(&mut self, args: &[String]) {
        for (place, arg) in args.iter().enumerate() {
            if place > 0 {
                let name = self.new_name();
                self.line(&format!("  {name} = call i32 (ptr, ...) @printf(ptr @comma)"));
            }
            let name = self.new_name();
            self.line(&format!("  {name} = call i32 (ptr, ...) @printf(ptr @number, i64 {arg})"));
        }
        let name = self.new_name();
        self.line(&format!("  {name} = call i32 (ptr, ...) @printf(ptr @line)"));
    }
}

fn label(block: Block) -> String {
    let mut label = String::from("b");
    // A `String` takes everything.
    let _ = write!(label, "{}", block.index());
    label
}
