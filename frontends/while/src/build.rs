//! Builds SSA form directly from the syntax tree.
//!
//! The tree is walked once, and every access goes to the builder immediately:
//! no graph in variable form is built in between. Each operator becomes one
//! instruction, constants are operands of their uses, `x := y` emits nothing,
//! and a condition with `&&`, `||` or `!` becomes branches.
//!
//! | Braun et al. 2013 | here |
//! |---|---|
//! | Fig. 3a, `while` | `begin_while`, `end_while` |
//! | Fig. 3b, `if` | `begin_if`, `begin_else`, `end_if` |
//! | section 2.3, sealing | each block is sealed with its last edge; a label's at the end of the function |
//!
//! The block after a loop or conditional is created with the first edge to it,
//! so unreachable joins do not exist. Statements after a jump are built too, in
//! a block without incoming edges: a label among them may be the target of a
//! `goto` elsewhere, and no statement disappears silently. Conditions are not
//! folded, so `while true` has an exit. If operations are folded during
//! construction ([`build_folded`]), unreachable statements are omitted.
//!
//! Every call is opaque, even of a function in the same file; an interpreter
//! that runs the functions together may resolve the calls by name.
//!
//! # Departures
//! The paper's `while` is built as drawn. Its `if` has two arms; one without
//! `else` has an edge from the condition to the join instead of an empty arm.

mod expression;

use crate::tree::{Body, ExpressionId, Function, Label, List, Program, Statement, StatementId};
use crate::warning::Warning;
use expression::Task;
use ssaphire::{Block, Certified, SsaBuilder, Value, Variable};
use ssaphire_ir::basic::Op;
use ssaphire_ir::cps::Cps;
use ssaphire_ir::fold::Folding;
use ssaphire_ir::{Basic, BuildError, FunctionBuilder};

/// A function in SSA form, with the warnings about its source.
#[derive(Clone, Debug)]
pub struct Built {
    /// The function, in canonical form.
    pub function: ssaphire_ir::Function<Basic>,
    /// Reads of variables that may not have been written, in source order; empty unless the construction options
    /// request the report.
    pub warnings: Vec<Warning>,
}

/// Builds function number `index` of `program`; `ssa` can certify it afterwards.
///
/// Its variables have the same numbers in both; the result of an operation that is assigned to a variable is a version
/// of the variable.
///
/// # Errors
/// If the work limit of `ssa` is exceeded.
///
/// # Panics
/// If there is no such function.
///
/// # Complexity
/// O(size of the function), plus the construction.
pub fn build<B: SsaBuilder>(program: &Program, index: usize, ssa: &mut Certified<B>) -> Result<Built, BuildError> {
    build_with(program, index, ssa, None)
}

/// Builds function number `index` of `program` like [`build`], and folds operations during construction.
///
/// Unreachable statements are not built. If the function has labels, they are built and removed at the end.
///
/// # Errors
/// As [`build`].
///
/// # Panics
/// If there is no such function.
///
/// # Complexity
/// Expected O(size of the function), plus the construction.
pub fn build_folded<B: SsaBuilder>(
    program: &Program,
    index: usize,
    ssa: &mut Certified<B>,
    folding: &mut Folding<Basic>,
) -> Result<Built, BuildError> {
    build_with(program, index, ssa, Some(folding))
}

/// Builds function number `index` of `program` in continuation-passing style, directly from the syntax tree; with a
/// `folding`, operations are folded during construction.
///
/// The builder keeps the arguments of jumps until the function ends: no function with phis is built in between, unless
/// operations are folded.
///
/// # Errors
/// As [`build`].
///
/// # Panics
/// If there is no such function.
///
/// # Complexity
/// O(size of the function), plus the construction.
///
/// # Examples
/// ```
/// use ssaphire::Certified;
/// use ssaphire_ir::cps::{Layout, to_string};
///
/// let source = "func f(x) { if x == 0 { a := 23; } else { a := 42; } return a; }";
/// let program = ssaphire_while::parse(source, &ssaphire_while::Options::default()).expect("the program is valid");
/// let mut ssa: Certified = Certified::default();
/// let cps = ssaphire_while::build_cps(&program, 0, &mut ssa, None)?;
/// let text = to_string(&cps, Layout::Nested);
/// assert!(text.starts_with("f(x : int, ret : int → ⊥) → ⊥ {\n  let then := () → ⊥\n        next(23)\n"));
/// # Ok::<(), ssaphire_ir::BuildError>(())
/// ```
pub fn build_cps<B: SsaBuilder>(
    program: &Program,
    index: usize,
    ssa: &mut Certified<B>,
    folding: Option<&mut Folding<Basic>>,
) -> Result<Cps<Basic>, BuildError> {
    lower(program, index, ssa, folding)?.finish_cps()
}

fn build_with<B: SsaBuilder>(
    program: &Program,
    index: usize,
    ssa: &mut Certified<B>,
    folding: Option<&mut Folding<Basic>>,
) -> Result<Built, BuildError> {
    let built = lower(program, index, ssa, folding)?.finish()?;
    let mut warnings: Vec<Warning> =
        ssa.undefined_reads().iter().map(|read| Warning::new(program, index, read)).collect();
    warnings.sort_by_key(|warning| warning.span);
    Ok(Built { function: built, warnings })
}

/// Passes all of a function to a builder except its end.
fn lower<'b, B: SsaBuilder>(
    program: &Program,
    index: usize,
    ssa: &'b mut Certified<B>,
    folding: Option<&'b mut Folding<Basic>>,
) -> Result<FunctionBuilder<'b, Basic, B>, BuildError> {
    let function = &program.functions()[index];
    let mut builder = FunctionBuilder::new(ssa, function.name.as_str());
    let is_folded = folding.is_some();
    if let Some(folding) = folding {
        builder.fold_with(folding);
    }
    let mut lowering = Lowering::new(program, function, builder);
    lowering.skips_unreachable = is_folded && function.labels.is_empty();
    lowering.lower_function()?;
    Ok(lowering.builder)
}

/// Builds function number `index` of `program` in variable form: reads and writes of variables are copies.
///
/// # Errors
/// None in practice: see [`build`].
///
/// # Panics
/// If there is no such function.
///
/// # Complexity
/// O(size of the function).
pub fn build_variable_form(program: &Program, index: usize) -> Result<ssaphire_ir::Function<Basic>, BuildError> {
    let function = &program.functions()[index];
    let mut ssa = Certified::default();
    ssa.set_recording(false);
    let mut builder = FunctionBuilder::new(&mut ssa, function.name.as_str());
    builder.keep_variables();
    let mut lowering = Lowering::new(program, function, builder);
    lowering.lower_function()?;
    lowering.builder.finish()
}

/// A pending step of the walk over the statements.
#[derive(Clone, Copy)]
enum Step {
    Body(Body),
    /// The first arm is done; the second is `otherwise`, which begins in block `fails`.
    Else {
        otherwise: Body,
        fails: Block,
    },
    /// Both arms are done; the join exists if an edge leads to it.
    EndIf(Option<Block>),
    EndWhile,
    EndRepeat(ExpressionId),
}

/// An enclosing loop.
struct Loop {
    header: Block,
    /// The target of `continue`; the first `continue` creates it.
    condition: Option<Block>,
    /// The target of `break`; the first `break` or the condition creates it.
    exit: Option<Block>,
}

struct Lowering<'p, 'b, B: SsaBuilder> {
    program: &'p Program,
    function: &'p Function,
    builder: FunctionBuilder<'b, Basic, B>,
    steps: Vec<Step>,
    loops: Vec<Loop>,
    /// By label, its block, if the label has been mentioned.
    labels: Vec<Option<Block>>,
    tasks: Vec<Task>,
    /// Results of finished expressions, which are operands of unfinished ones.
    operands: Vec<Value>,
    /// The result of `&&` and `||`, which is read immediately.
    truth: Option<Variable>,
    /// Whether unreachable statements are omitted: the function has no labels.
    skips_unreachable: bool,
}

impl<'p, 'b, B: SsaBuilder> Lowering<'p, 'b, B> {
    fn new(program: &'p Program, function: &'p Function, builder: FunctionBuilder<'b, Basic, B>) -> Self {
        Self {
            program,
            function,
            builder,
            steps: Vec::new(),
            loops: Vec::new(),
            labels: vec![None; function.labels.len()],
            tasks: Vec::new(),
            operands: Vec::new(),
            truth: None,
            skips_unreachable: false,
        }
    }

    fn lower_function(&mut self) -> Result<(), BuildError> {
        for (name, &ty) in self.function.variables.iter().zip(&self.function.types) {
            self.builder.declare(name.as_str(), ty);
        }
        let entry = self.builder.create_block();
        self.begin(entry)?;
        for &param in &self.function.params {
            self.builder.param(param)?;
        }
        self.steps.push(Step::Body(self.function.body));
        while let Some(step) = self.steps.pop() {
            self.lower_step(step)?;
        }
        if self.builder.current().is_some() {
            self.builder.terminate(Op::Return, &[], &[])?;
        }
        for label in std::mem::take(&mut self.labels).into_iter().flatten() {
            self.builder.seal(label)?;
        }
        Ok(())
    }

    fn lower_step(&mut self, step: Step) -> Result<(), BuildError> {
        match step {
            Step::Body(Body { start, end }) => {
                let first = Body { start, end: end.min(start + 1) };
                if let &[statement] = self.program.body(first) {
                    self.steps.push(Step::Body(Body { start: start + 1, end }));
                    self.lower_statement(statement)?;
                }
                Ok(())
            }
            Step::Else { otherwise, fails } => self.begin_else(otherwise, fails),
            Step::EndIf(join) => self.end_if(join),
            Step::EndWhile => self.end_while(),
            Step::EndRepeat(condition) => self.end_repeat(condition),
        }
    }

    fn lower_statement(&mut self, id: StatementId) -> Result<(), BuildError> {
        let statement = self.program.statement(id);
        if self.builder.current().is_none() && !matches!(statement, Statement::Label(_)) {
            if self.skips_unreachable {
                return Ok(());
            }
            let unreachable = self.builder.create_block();
            self.begin(unreachable)?;
        }
        match statement {
            Statement::Skip => Ok(()),
            Statement::Assign(variable, expression) => self.lower_assignment(variable, expression),
            Statement::Update(array, index, element) => self.lower_update(array, index, element),
            Statement::HiddenUpdate(array, index, element) => self.lower_hidden_update(array, index, element),
            Statement::Evaluate(expression) => self.lower_evaluation(expression),
            Statement::Print(list) => self.lower_print(list),
            Statement::If(condition, then, otherwise) => self.begin_if(condition, then, otherwise),
            Statement::While(condition, body) => self.begin_while(condition, body),
            Statement::Repeat(body, condition) => self.begin_repeat(body, condition),
            Statement::Break => self.lower_break(),
            Statement::Continue => self.lower_continue(),
            Statement::Label(label) => self.lower_label(label),
            Statement::Goto(label) => {
                let target = self.label_block(label);
                self.jump(target)
            }
            Statement::Return(list) => self.lower_return(list),
        }
    }

    /// Continues in `block`, whose incoming edges are all known; or nowhere, if it has none and unreachable code is
    /// omitted.
    fn begin(&mut self, block: Block) -> Result<(), BuildError> {
        self.builder.seal(block)?;
        if self.skips_unreachable && self.builder.is_unreachable(block) {
            return self.builder.skip(block);
        }
        self.builder.switch_to(block);
        Ok(())
    }

    fn jump(&mut self, target: Block) -> Result<(), BuildError> {
        self.builder.terminate(Op::Jump, &[], &[target])
    }

    /// Ends the current block, if any, with a jump to `target`, which is created if it is `None`.
    fn fall_into(&mut self, target: Option<Block>) -> Result<Option<Block>, BuildError> {
        if self.builder.current().is_none() {
            return Ok(target);
        }
        let target = target.unwrap_or_else(|| self.builder.create_block());
        self.jump(target)?;
        Ok(Some(target))
    }

    fn begin_if(&mut self, condition: ExpressionId, then: Body, otherwise: Body) -> Result<(), BuildError> {
        let holds = self.builder.create_block();
        let fails = self.builder.create_block();
        self.branch(condition, holds, fails)?;
        self.begin(holds)?;
        let has_else = !self.program.body(otherwise).is_empty();
        self.steps.push(if has_else { Step::Else { otherwise, fails } } else { Step::EndIf(Some(fails)) });
        self.steps.push(Step::Body(then));
        Ok(())
    }

    fn begin_else(&mut self, otherwise: Body, fails: Block) -> Result<(), BuildError> {
        let join = self.fall_into(None)?;
        self.steps.extend([Step::EndIf(join), Step::Body(otherwise)]);
        self.begin(fails)
    }

    fn end_if(&mut self, join: Option<Block>) -> Result<(), BuildError> {
        match self.fall_into(join)? {
            Some(join) => self.begin(join),
            None => Ok(()),
        }
    }

    fn begin_while(&mut self, condition: ExpressionId, body: Body) -> Result<(), BuildError> {
        let header = self.builder.create_block();
        self.jump(header)?;
        self.builder.switch_to(header);
        let inside = self.builder.create_block();
        let exit = self.builder.create_block();
        self.branch(condition, inside, exit)?;
        self.begin(inside)?;
        self.loops.push(Loop { header, condition: Some(header), exit: Some(exit) });
        self.steps.extend([Step::EndWhile, Step::Body(body)]);
        Ok(())
    }

    fn end_while(&mut self) -> Result<(), BuildError> {
        let Some(Loop { header, exit, .. }) = self.loops.pop() else { return Ok(()) };
        self.fall_into(Some(header))?;
        self.builder.seal(header)?;
        exit.map_or(Ok(()), |exit| self.begin(exit))
    }

    fn begin_repeat(&mut self, body: Body, condition: ExpressionId) -> Result<(), BuildError> {
        let header = self.builder.create_block();
        self.jump(header)?;
        self.builder.switch_to(header);
        self.loops.push(Loop { header, condition: None, exit: None });
        self.steps.extend([Step::EndRepeat(condition), Step::Body(body)]);
        Ok(())
    }

    fn end_repeat(&mut self, condition: ExpressionId) -> Result<(), BuildError> {
        let Some(Loop { header, condition: continued, mut exit }) = self.loops.pop() else { return Ok(()) };
        if let Some(block) = continued {
            self.fall_into(Some(block))?;
            self.begin(block)?;
        }
        if self.builder.current().is_some() {
            let target = exit.unwrap_or_else(|| self.builder.create_block());
            self.branch(condition, target, header)?;
            exit = Some(target);
        }
        self.builder.seal(header)?;
        exit.map_or(Ok(()), |exit| self.begin(exit))
    }

    fn lower_break(&mut self) -> Result<(), BuildError> {
        let exit = self.loops.last().and_then(|innermost| innermost.exit);
        let exit = self.fall_into(exit)?;
        if let Some(innermost) = self.loops.last_mut() {
            innermost.exit = exit;
        }
        Ok(())
    }

    fn lower_continue(&mut self) -> Result<(), BuildError> {
        let condition = self.loops.last().and_then(|innermost| innermost.condition);
        let condition = self.fall_into(condition)?;
        if let Some(innermost) = self.loops.last_mut() {
            innermost.condition = condition;
        }
        Ok(())
    }

    fn lower_label(&mut self, label: Label) -> Result<(), BuildError> {
        let block = self.label_block(label);
        self.fall_into(Some(block))?;
        self.builder.switch_to(block);
        Ok(())
    }

    fn label_block(&mut self, label: Label) -> Block {
        let index = label.0 as usize;
        *self.labels[index].get_or_insert_with(|| self.builder.create_named_block(&self.function.labels[index]))
    }

    fn lower_print(&mut self, list: List) -> Result<(), BuildError> {
        let values = self.values(list)?;
        self.builder.push(Op::Print, &values, &[]).map(drop)
    }

    fn lower_return(&mut self, list: List) -> Result<(), BuildError> {
        let values = self.values(list)?;
        self.builder.terminate(Op::Return, &values, &[])
    }
}
