//! The certificate of a comparison: the source is the function before, and the claims are the function after.
//!
//! Slots, and also the values of the function before, are variables of the source. Its instructions are followed one by one beside
//! those of the function after:
//!
//! | before | source | claim |
//! |---|---|---|
//! | a load of a slot, a store to it | `copy` | |
//! | an operand of another instruction | `use` of its variable | its operand after |
//! | the result of another instruction | `def` of its variable | its result after |
//! | a phi | a `copy` to a variable of its own at the end of each block before, and one from that at its head | |
//! | a constant, a parameter | `initial` | that constant or parameter |
//! | the content of a slot at first | `initial` | `undef` |
//!
//! Phis are those of the function after. So a checker that accepts the certificate has found that every operand after is, on every path,
//! what the function before has there; in [`Mode::Refine`](ssaphire::check::Mode::Refine), where that is neither `undef` nor `poison`.
//! Blocks that no path reaches have definitions only.

use crate::dialect::{Kind, Llvm, Op};
use crate::function::LlvmFunction;
use crate::promise::{self, Spelling};
use crate::template;
use foldhash::fast::RandomState;
use ssaphire::check::{Program, ProgramEvent, ProgramWriter};
use ssaphire::graph::{DominatorTree, FlatCfg, IdMap};
use ssaphire::{Block, Value, Variable};
use ssaphire_ir::{Action, Arg, Dest, Function, InstRef, ValueKind};
use std::collections::HashMap;

/// What the content of a slot is before its first store.
const UNDEFINED: &str = "undef";

/// Writes the certificate of a function with slots as variables and of that after promotion; `None` if other instructions of them
/// differ, apart from their order of phis.
///
/// # Complexity
/// O(size of both functions), expected, plus a dominator tree.
pub(super) fn write(program: &mut Program, before: &LlvmFunction, after: &LlvmFunction) -> Option<()> {
    let tree = DominatorTree::new(&FlatCfg::new(&after.body).ok()?);
    let mut claims = Claims::new(&before.body, &after.body);
    let blocks: Vec<Block> = after.body.blocks().collect();
    let copies = claims.copies_at_ends();
    let events = blocks.iter().map(|&block| match tree.is_reachable(block) {
        true => claims.events(block),
        false => Some(claims.definitions(block)),
    });
    let events = events.collect::<Option<Vec<_>>>()?;
    let mut writer = program.rewrite(after.body.entry());
    claims.write_globals(&mut writer, before);
    for (&block, events) in blocks.iter().zip(events) {
        let data = after.body.block(block);
        writer.block(block, data.incoming().iter().map(|edge| edge.source));
        data.phis().iter().for_each(|phi| writer.phi(phi.value, phi.operands.iter().copied()));
        let at_end = copies.get(block).into_iter().flatten().copied();
        events.into_iter().chain(at_end).for_each(|event| writer.event(event));
    }
    writer.finish().ok()
}

struct Claims<'f> {
    before: &'f Function<Llvm>,
    after: &'f Function<Llvm>,
    /// The constants of both functions, by their text. Values of the function after have their numbers; the others follow.
    constants: HashMap<String, Value, RandomState>,
    /// By parameter.
    params: Vec<Option<Value>>,
}

impl<'f> Claims<'f> {
    fn new(before: &'f Function<Llvm>, after: &'f Function<Llvm>) -> Self {
        let (mut constants, mut params) = (HashMap::default(), vec![None; after.params().len()]);
        for value in after.values() {
            match after.value(value).kind {
                ValueKind::Constant(constant) => {
                    constants.entry(constant.text().to_owned()).or_insert(value);
                }
                ValueKind::Param(place) => params[place as usize] = Some(value),
                _ => {}
            }
        }
        Self { before, after, constants, params }
    }

    fn constant(&mut self, text: &str) -> Value {
        if let Some(&value) = self.constants.get(text) {
            return value;
        }
        let value = Value::new(self.after.num_values() + self.constants.len());
        self.constants.insert(text.to_owned(), value);
        value
    }

    /// The variable that an argument before is.
    fn variable(&self, arg: Arg) -> Variable {
        match arg {
            Arg::Variable(variable) => variable,
            Arg::Value(value) => Variable::new(self.before.num_variables() + value.index()),
        }
    }

    fn dest(&self, dest: Dest) -> Variable {
        match dest {
            Dest::Variable(variable) => variable,
            Dest::Value(value) => self.variable(Arg::Value(value)),
        }
    }

    /// The variable that has the operand of a phi before, on the way to it.
    fn on_edge(&self, phi: Value) -> Variable {
        Variable::new(self.before.num_variables() + self.before.num_values() + phi.index())
    }

    /// A variable that is never read.
    fn unread(&self) -> Variable {
        Variable::new(self.before.num_variables() + 2 * self.before.num_values())
    }

    /// The definitions of a block after, for variables that are not read.
    fn definitions(&self, block: Block) -> Vec<ProgramEvent> {
        let mut events = Vec::new();
        self.after.block(block).insts().iter().for_each(|inst| self.define(inst, &mut events));
        events
    }

    fn define(&self, inst: InstRef<'f, Llvm>, events: &mut Vec<ProgramEvent>) {
        let variable = self.unread();
        events.extend(values(inst).map(|value| ProgramEvent::Def { variable, value }));
    }

    fn events(&mut self, block: Block) -> Option<Vec<ProgramEvent>> {
        let (before, after) = (self.before.block(block), self.after.block(block));
        let mut events = Vec::new();
        for phi in before.phis().iter() {
            let (dst, src) = (self.variable(Arg::Value(phi.value)), self.on_edge(phi.value));
            events.push(ProgramEvent::Copy { dst, src });
        }
        let (mut insts, mut rest) = (before.insts().iter(), after.insts().iter());
        while let Some(inst) = insts.next() {
            match inst.action {
                Action::Copy => {
                    let (&[dest], &[arg]) = (inst.results, inst.args) else { return None };
                    events.push(ProgramEvent::Copy { dst: self.dest(dest), src: self.variable(arg) });
                }
                Action::Op(op) if matches!(op.kind(), Kind::Debug | Kind::Declare) => {}
                Action::Op(op) if op.kind() == Kind::Promise => {
                    let variable = self.variable(*inst.args.first()?);
                    match promise::spelling(op, texts(insts.clone()), texts(rest.clone())) {
                        Spelling::Nothing => {}
                        Spelling::Mark => {
                            rest.next();
                            events.push(ProgramEvent::Use { variable, value: self.constant(UNDEFINED) });
                        }
                        Spelling::Assumption => {
                            let (comparison, _) = (rest.next()?, rest.next()?);
                            let constants = template::constants_in(&promise::comparison(op.text()), text(comparison))?;
                            let value = match (constants.into_iter().next()?, comparison.args) {
                                (Some(text), []) => self.constant(&text),
                                (None, &[Arg::Value(value)]) => value,
                                _ => return None,
                            };
                            events.push(ProgramEvent::Use { variable, value });
                            self.define(comparison, &mut events);
                        }
                    }
                }
                Action::Op(op) => self.follow(op, inst, rest.next()?, &mut events)?,
            }
        }
        rest.next().is_none().then_some(events)
    }

    /// Claims the operands and results of an instruction to be those of the one after.
    fn follow(
        &mut self,
        op: &Op,
        before: InstRef<'f, Llvm>,
        after: InstRef<'f, Llvm>,
        events: &mut Vec<ProgramEvent>,
    ) -> Option<()> {
        let Action::Op(op_after) = after.action else { return None };
        let is_alike = before.targets == after.targets && before.results.len() == after.results.len();
        let constants = template::constants_in(op.text(), op_after.text()).filter(|_| is_alike)?;
        let mut args = after.args.iter();
        for (&arg, constant) in before.args.iter().zip(constants) {
            let value = match constant {
                Some(text) => self.constant(&text),
                None => match args.next()? {
                    Arg::Value(value) => *value,
                    Arg::Variable(_) => return None,
                },
            };
            events.push(ProgramEvent::Use { variable: self.variable(arg), value });
        }
        let results = before.results.iter().zip(values(after));
        events.extend(results.map(|(&dest, value)| ProgramEvent::Def { variable: self.dest(dest), value }));
        args.next().is_none().then_some(())
    }

    /// By block, the copies at its end of what the phis of its successors merge.
    fn copies_at_ends(&self) -> IdMap<Block, Vec<ProgramEvent>> {
        let mut copies = IdMap::filled(self.before.num_blocks(), Vec::new());
        for block in self.before.blocks() {
            let data = self.before.block(block);
            for phi in data.phis().iter() {
                let dst = self.on_edge(phi.value);
                for (edge, &operand) in data.incoming().iter().zip(phi.operands) {
                    let src = self.variable(Arg::Value(operand));
                    copies[edge.source].push(ProgramEvent::Copy { dst, src });
                }
            }
        }
        copies
    }

    /// What is there before the entry: constants and parameters, and what the variables of the source have then.
    fn write_globals(mut self, writer: &mut ProgramWriter<'_>, before: &LlvmFunction) {
        let undefined = self.constant(UNDEFINED);
        for value in self.before.values() {
            let found = match self.before.value(value).kind {
                ValueKind::Constant(constant) => Some(self.constant(constant.text())),
                ValueKind::Param(place) => self.params.get(place as usize).copied().flatten(),
                ValueKind::Undefined => Some(undefined),
                _ => None,
            };
            if let Some(found) = found {
                writer.initial(self.variable(Arg::Value(value)), found);
            }
        }
        for (variable, info) in self.before.variables().zip(&before.frame.variables) {
            if info.is_slot {
                writer.initial(variable, undefined);
            }
        }
        let mut constants: Vec<(Value, String)> =
            std::mem::take(&mut self.constants).into_iter().map(|(text, value)| (value, text)).collect();
        constants.sort_unstable();
        for (value, text) in constants {
            match &*text {
                UNDEFINED | "poison" => writer.undefined(value),
                _ => writer.global(value),
            }
            writer.name_global(value, &text);
        }
        for (place, value) in self.params.iter().enumerate() {
            if let Some(value) = *value {
                writer.global(value);
                writer.name_global(value, &format!("parameter {place}"));
            }
        }
    }
}

fn text<'f>(inst: InstRef<'f, Llvm>) -> &'f str {
    match inst.action {
        Action::Op(op) => op.text(),
        Action::Copy => "",
    }
}

/// The texts of the next two instructions.
fn texts<'f>(mut insts: impl Iterator<Item = InstRef<'f, Llvm>>) -> [&'f str; 2] {
    [(); 2].map(|()| insts.next().map_or("", text))
}

/// The results of an instruction.
fn values<'f>(inst: InstRef<'f, Llvm>) -> impl Iterator<Item = Value> + 'f {
    inst.results.iter().filter_map(|dest| match *dest {
        Dest::Value(value) => Some(value),
        Dest::Variable(_) => None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::normal::spell_undefined;
    use super::write;
    use crate::module::Module;
    use crate::variables::{Loads, to_variables};
    use ssaphire::check::certificate::{HEADER, write_program};
    use ssaphire::check::{Mode, Program, validate};

    const BEFORE: &str = "\
define i32 @f(i1 %c, i32 %x, ptr %q) {
entry:
  %s = alloca i32
  %t = alloca i32
  store i32 %x, ptr %s
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %i, %loop ]
  %i = load i32, ptr %s
  %j = load i32, ptr %t
  %n = add i32 %i, %k
  store i32 %n, ptr %s
  store i32 %i, ptr %t
  store i32 %j, ptr %q
  br i1 %c, label %loop, label %end

end:
  %r = load i32, ptr %s
  %u = load i32, ptr %t
  %z = sub i32 %r, %u
  ret i32 %z
}
";

    const AFTER: &str = "\
define i32 @f(i1 %c, i32 %x, ptr %q) {
entry:
  br label %loop

loop:
  %t.0 = phi i32 [ undef, %entry ], [ %s.0, %loop ]
  %s.0 = phi i32 [ %x, %entry ], [ %n, %loop ]
  %k = phi i32 [ 0, %entry ], [ %s.0, %loop ]
  %n = add i32 %s.0, %k
  store i32 %t.0, ptr %q
  br i1 %c, label %loop, label %end

end:
  %z = sub i32 %n, %s.0
  ret i32 %z
}
";

    /// The certificate; `None` if there is none.
    fn certificate(before: &str, after: &str) -> Option<Program> {
        let (before, after) = (Module::new(before), Module::new(after));
        let read = |module: &Module<'_>| module.read(&module.functions().next().unwrap()).unwrap();
        let variables = to_variables(&read(&before), Loads::Exact).unwrap().unwrap();
        let mut after = read(&after);
        spell_undefined(&mut after);
        let mut program = Program::default();
        write(&mut program, &variables, &after).map(|()| program)
    }

    fn is_certified(after: &str, mode: Mode) -> bool {
        certificate(BEFORE, after).is_some_and(|program| validate(&program, mode).is_ok())
    }

    #[test]
    fn every_operand_after_is_claimed() {
        assert!(is_certified(AFTER, Mode::Exact));
        let mut num_refused = 0;
        let values = ["%x", "%n", "%s.0", "%t.0", "%k", "undef", "7"];
        for (at, old) in values.iter().flat_map(|old| AFTER.match_indices(old)) {
            let is_whole = !AFTER[at + old.len()..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '.');
            let is_use = !AFTER[at + old.len()..].starts_with(" = ") && AFTER[..at].lines().count() > 1;
            for new in values.iter().filter(|new| is_whole && is_use && **new != old) {
                let changed = format!("{}{new}{}", &AFTER[..at], &AFTER[at + old.len()..]);
                assert!(!is_certified(&changed, Mode::Exact), "{changed}");
                num_refused += 1;
            }
        }
        assert!(num_refused >= 50, "{num_refused}");
        for (old, new) in [("sub i32", "add i32"), ("  store i32 %t.0, ptr %q\n", "")] {
            assert!(!is_certified(&AFTER.replacen(old, new, 1), Mode::Exact), "{new}");
        }
    }

    #[test]
    fn any_value_may_stand_for_what_is_undefined_where_that_is_asked_for() {
        let other = AFTER.replace("undef", "7");
        assert!(!is_certified(&other, Mode::Exact) && is_certified(&other, Mode::Refine));
        let wrong = other.replace("[ %x, %entry ]", "[ 7, %entry ]");
        assert!(!is_certified(&wrong, Mode::Refine));
    }

    #[test]
    fn constants_have_their_names() {
        let program = certificate(BEFORE, AFTER).unwrap();
        let mut text = format!("{HEADER}\n");
        write_program(&mut text, "f", &program).unwrap();
        for name in [" 0\n", " undef\n", " parameter%200\n"] {
            assert!(
                text.lines().any(|line| line.starts_with("constant ") && line.ends_with(name.trim_end())),
                "{text}"
            );
        }
    }
}
