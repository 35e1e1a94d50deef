//! Writes the instructions of a block as statements.
//!
//! A value that is read once, in the same block, is inlined into the expression
//! that reads it, unless one of its operands is written in between. A value
//! whose computation may trap keeps its place among effects.

use super::expression::Written;
use super::{Names, Unwritable, WriteError};
use ssaphire::destruct::sequentialize;
use ssaphire_ir::basic::{Call, Op};
use ssaphire_ir::{Action, Arg, Basic, Block, Dest, Function, InstRef, Variable};
use std::collections::{HashMap, HashSet};

/// Larger expressions are split into statements.
const MAX_SIZE: u32 = 8;

/// The most pending computations; more are written out, so that a search through them takes constant time.
const MAX_PENDING: usize = 32;

/// The source of a block.
#[derive(Debug, Default)]
pub(super) struct Lines {
    /// Its statements.
    pub(super) statements: Vec<String>,
    /// The condition of its terminator, if it has one.
    pub(super) choice: Option<Written>,
}

/// A computed value that is not in a statement yet.
struct Pending {
    variable: Variable,
    value: Written,
}

pub(super) struct Writer<'f> {
    function: &'f Function<Basic>,
    names: &'f mut Names,
    block: Block,
    /// By instruction, whether its result is read exactly once, later in the block.
    read_once: Vec<bool>,
    pending: Vec<Pending>,
    lines: Lines,
}

impl<'f> Writer<'f> {
    /// Writes the statements of `block`, at whose end `live_out` is live.
    pub(super) fn write(
        function: &'f Function<Basic>,
        names: &'f mut Names,
        block: Block,
        live_out: &[Variable],
    ) -> Result<Lines, WriteError> {
        let read_once = read_once(function, block, live_out);
        let mut writer = Self { function, names, block, read_once, pending: Vec::new(), lines: Lines::default() };
        for (index, inst) in function.block(block).insts().iter().enumerate() {
            writer.inst(index, inst)?;
        }
        Ok(writer.lines)
    }

    fn refuse<T>(&self, what: Unwritable) -> Result<T, WriteError> {
        let (function, block) = (self.function.name().to_owned(), self.function.label(self.block));
        Err(WriteError { function, block: Some(block), what })
    }

    fn inst(&mut self, index: usize, inst: InstRef<'_, Basic>) -> Result<(), WriteError> {
        let Action::Op(op) = inst.action else { return self.copies(index, inst) };
        let args: Vec<Written> = inst.args.iter().map(|&arg| self.arg(arg)).collect();
        let dest = match *inst.results {
            [Dest::Variable(dest)] => Some(dest),
            [] => None,
            _ => return self.refuse(Unwritable::Op(op.name().to_owned())),
        };
        if let (Some(value), Some(dest)) = (computed(op, &args), dest) {
            self.assign(index, dest, value);
            return Ok(());
        }
        let list = || args.iter().map(|arg| &*arg.text).collect::<Vec<_>>().join(", ");
        match (op, dest, &args[..]) {
            (Op::Update, Some(dest), [array, at, element]) => self.store(dest, Some(array), [at, element]),
            (Op::HiddenUpdate, Some(dest), [at, element]) => self.store(dest, None, [at, element]),
            (Op::Read, ..) => self.effect(dest, "read()".to_owned()),
            (Op::Call(Call { callee, must: 0, maybe: 0, uses: 0 }), ..)
                if inst.targets.is_empty() && self.names.is_name(callee) =>
            {
                self.effect(dest, format!("{callee}({})", list()));
            }
            (Op::Print, None, [_, ..]) => self.effect(None, format!("print {}", list())),
            (Op::Return, None, []) => self.effect(None, "return".to_owned()),
            (Op::Return, None, _) => self.effect(None, format!("return {}", list())),
            (Op::Jump, None, []) => self.flush(|_| true),
            (Op::Branch | Op::Switch, None, [choice]) => {
                self.flush(|_| true);
                self.lines.choice = Some(choice.clone());
            }
            _ => return self.refuse(Unwritable::Op(op.name().to_owned())),
        }
        Ok(())
    }

    /// Stores an element in the array variable `dest`, after assigning `array` to it, if given.
    fn store(&mut self, dest: Variable, array: Option<&Written>, [at, element]: [&Written; 2]) {
        self.begin_effect(Some(dest));
        let target = self.names.variable(dest).to_owned();
        if let Some(array) = array.filter(|array| array.text != target) {
            self.statement(format!("{target} := {}", array.text));
        }
        let sign = if array.is_some() { ":=" } else { "<-" };
        self.statement(format!("{target}[{}] {sign} {}", at.text, element.text));
    }

    /// Writes copies, which may be parallel.
    fn copies(&mut self, index: usize, inst: InstRef<'_, Basic>) -> Result<(), WriteError> {
        if let ([Dest::Variable(dest)], [arg]) = (inst.results, inst.args) {
            let value = self.arg(*arg);
            self.assign(index, *dest, value);
            return Ok(());
        }
        let (mut moved, mut set) = (Vec::new(), Vec::new());
        for (dest, arg) in inst.results.iter().zip(inst.args) {
            match (*dest, *arg) {
                (Dest::Variable(to), Arg::Variable(from)) => moved.push((to, from)),
                (Dest::Variable(to), Arg::Value(_)) => set.push((to, self.arg(*arg))),
                (Dest::Value(_), _) => return self.refuse(Unwritable::Values),
            }
        }
        self.flush(|_| true);
        let temporary = Variable::new(self.function.num_variables());
        let Ok(moves) = sequentialize(&moved, temporary) else { return self.refuse(Unwritable::Values) };
        let name = |names: &mut Names, variable: Variable, like: Variable| match variable == temporary {
            true => names.temporary(like),
            false => names.variable(variable).to_owned(),
        };
        // The members of a cycle have one type, so a temporary serves a single type.
        let mut kept = temporary;
        for (to, from) in moves {
            if to == temporary {
                kept = from;
            }
            let line = format!("{} := {}", name(self.names, to, kept), name(self.names, from, kept));
            self.statement(line);
        }
        for (to, value) in set {
            self.statement(format!("{} := {}", self.names.variable(to), value.text));
        }
        Ok(())
    }

    /// The expression for a read: the pending computation, if there is one.
    fn arg(&mut self, arg: Arg) -> Written {
        match arg {
            Arg::Value(value) => match self.function.as_constant(value) {
                Some(number) => Written::primary(number.to_string(), Vec::new()),
                None => Written::primary(self.names.undefined(self.function.value(value).ty), Vec::new()),
            },
            Arg::Variable(variable) => {
                let place = self.pending.iter().position(|pending| pending.variable == variable);
                match place {
                    Some(place) => self.pending.remove(place).value,
                    None => Written::primary(self.names.variable(variable).to_owned(), vec![variable]),
                }
            }
        }
    }

    fn assign(&mut self, index: usize, dest: Variable, value: Written) {
        self.flush(|pending| pending.value.reads.contains(&dest) || pending.variable == dest);
        if value.may_trap {
            self.flush(|pending| pending.value.may_trap);
        }
        if self.read_once[index] && value.size <= MAX_SIZE {
            if self.pending.len() == MAX_PENDING {
                let Pending { variable, value } = self.pending.remove(0);
                self.write_assignment(variable, &value);
            }
            self.pending.push(Pending { variable: dest, value });
        } else {
            self.write_assignment(dest, &value);
        }
    }

    fn write_assignment(&mut self, dest: Variable, value: &Written) {
        self.statement(format!("{} := {}", self.names.variable(dest), value.text));
    }

    /// Writes a statement with an effect, whose result is assigned to `dest`.
    fn effect(&mut self, dest: Option<Variable>, call: String) {
        self.begin_effect(dest);
        self.statement(match dest {
            Some(dest) => format!("{} := {call}", self.names.variable(dest)),
            None => call,
        });
    }

    /// Writes the computations that must precede an effect that writes `dest`.
    fn begin_effect(&mut self, dest: Option<Variable>) {
        self.flush(|pending| {
            pending.value.may_trap
                || dest.is_some_and(|dest| pending.value.reads.contains(&dest) || pending.variable == dest)
        });
    }

    /// Writes the pending computations that meet a condition, in order.
    fn flush(&mut self, is_due: impl Fn(&Pending) -> bool) {
        let (due, left) = std::mem::take(&mut self.pending).into_iter().partition(is_due);
        self.pending = left;
        for Pending { variable, value } in due {
            self.write_assignment(variable, &value);
        }
    }

    fn statement(&mut self, statement: String) {
        self.lines.statements.push(statement);
    }
}

/// The expression for an operation without effects, or `None` if the language cannot express it.
fn computed(op: &Op, args: &[Written]) -> Option<Written> {
    match (op, args) {
        (Op::Unary(op), [x]) => Some(Written::unary(*op, x.clone())),
        (Op::Binary(op), [x, y]) => Written::binary(*op, x.clone(), y.clone()),
        (Op::Access, [array, at]) => Some(Written::element(array, at)),
        _ => None,
    }
}

/// By instruction, whether its single result is read once in the block, before the variable is written again, and is
/// not live-out.
fn read_once(function: &Function<Basic>, block: Block, live_out: &[Variable]) -> Vec<bool> {
    let mut num_reads: HashMap<Variable, u32> = HashMap::new();
    // Variables written again further down: at the block's end, they have a later value.
    let mut written: HashSet<Variable> = HashSet::new();
    let insts = function.block(block).insts();
    let mut read_once = vec![false; insts.len()];
    for (index, inst) in insts.iter().enumerate().rev() {
        for dest in inst.results {
            if let Dest::Variable(variable) = *dest {
                let reads = num_reads.remove(&variable).unwrap_or(0);
                let is_live = live_out.binary_search(&variable).is_ok() && !written.contains(&variable);
                read_once[index] = reads == 1 && !is_live && inst.results.len() == 1;
                written.insert(variable);
            }
        }
        for arg in inst.args {
            if let Arg::Variable(variable) = *arg {
                *num_reads.entry(variable).or_default() += 1;
            }
        }
    }
    read_once
}
