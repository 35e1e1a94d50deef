//! Whether one module is the other after promotion, whoever promoted it.
//!
//! The module before is promoted here, by a construction that [the judge](ssaphire_ir::judge) accepts. Then each value of the module after has to be one of those here: instruction by instruction, phi by
//! phi, as [`prove_translation`] decides it. Constructions differ in phis that they need not have: so this is tried with the phis that
//! LLVM leaves, with all that a construction may have where nothing undefined has got a value, and with the fewest. What the module before leaves undefined is undefined
//! afterwards, unless LLVM would have put a value there. Records for
//! debuggers and places in the source program are not compared.

mod metadata;

use crate::addresses::Addresses;
use crate::dialect::{Constant, Kind, Llvm, Op};
use crate::function::{Label, LlvmFunction};
use crate::module::{FunctionText, Item, Module};
use crate::promote::MOST_ROUNDS;
use crate::template;
use crate::variables::{Loads, to_variables};
use foldhash::fast::RandomState;
use metadata::Metadata;
use ssaphire::check::Mode;
use ssaphire::graph::{DominatorTree, FlatCfg, IdSet};
use ssaphire::{Block, Certified, Options, Value};
use ssaphire_ir::judge::{Demands, Inspector, Unproved, prove_translation};
use ssaphire_ir::{Action, Arg, BuildError, Dest, Inst, InstRef, PhiRef, ValueKind, to_ssa};
use std::collections::{HashMap, HashSet};
use std::fmt;

/// Judges each function of a module by what has become of it in another one: the names with their sigils, each with whether it is
/// accepted; then the globals and types that are not what they were.
///
/// Both texts have to be valid, and to be printed by LLVM, or to be spelled alike: instructions are compared as texts.
///
/// # Complexity
/// O(*n* log *n*) for *n* bytes, and SSA construction of each function three times at most.
pub fn judge_promotion(before: &str, after: &str) -> Vec<(String, Result<(), NotPromotion>)> {
    let [before, after] = [before, after].map(|text| {
        let module = Module::new(text);
        Addresses::by_place(&module).renewed(text).into_owned()
    });
    Comparison::new(&before, &after).judge_all()
}

/// A module before promotion and one after it.
#[derive(Debug)]
struct Comparison<'t> {
    before: Module<'t>,
    after: Module<'t>,
    metadata: (Metadata, Metadata),
    /// Without and with minimization.
    ssa: [Certified<ssaphire::Builder>; 2],
    inspector: Inspector,
}

/// Which phis a promotion leaves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phis {
    OfLlvm,
    All,
    Fewest,
}

/// Why a function is not accepted.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum NotPromotion {
    /// The module after has no such function.
    Missing,
    /// The function before cannot be read.
    Before(crate::ReadError),
    /// The function after cannot be read.
    After(crate::ReadError),
    /// The function before cannot be promoted.
    Build(BuildError),
    /// The result of promotion here is refused.
    Refused(String),
    /// The function after is not in SSA form.
    Form(String),
    /// The headers differ.
    Header,
    /// A global or a type of the module after is not that of the module before.
    Global,
    /// A phi has flags that no phi of its block had.
    Phi,
    /// Something besides promotion has happened, or a value is another one.
    Differs(String),
}

impl fmt::Display for NotPromotion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("not in the file after promotion"),
            Self::Before(error) => write!(f, "before promotion: {error}"),
            Self::After(error) => write!(f, "after promotion: {error}"),
            Self::Build(error) => error.fmt(f),
            Self::Refused(reason) => write!(f, "promoted here: {reason}"),
            Self::Form(reason) => write!(f, "after promotion: {reason}"),
            Self::Header => f.write_str("not a promotion: the headers differ"),
            Self::Global => f.write_str("not a promotion: defined otherwise before"),
            Self::Phi => f.write_str("not a promotion: a phi has flags that it did not have"),
            Self::Differs(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for NotPromotion {}

impl<'t> Comparison<'t> {
    fn new(before: &'t str, after: &'t str) -> Self {
        Self {
            before: Module::new(before),
            after: Module::new(after),
            metadata: (Metadata::of(before), Metadata::of(after)),
            ssa: [false, true].map(|minimize| Certified::with_options(Options::default().with_minimize(minimize))),
            inspector: Inspector::default(),
        }
    }

    fn judge_all(&mut self) -> Vec<(String, Result<(), NotPromotion>)> {
        let before: Vec<FunctionText<'t>> = self.before.functions().collect();
        let after: HashMap<&'t str, FunctionText<'t>, RandomState> =
            self.after.functions().map(|function| (function.name, function)).collect();
        let judged = before.iter().map(|function| {
            let other = after.get(function.name).ok_or(NotPromotion::Missing);
            (function.name.to_owned(), other.and_then(|other| self.judge(function, other)))
        });
        let mut judged: Vec<_> = judged.collect();
        judged.extend(self.changed_globals().into_iter().map(|name| (name.to_owned(), Err(NotPromotion::Global))));
        judged
    }

    /// The globals, types, declarations and targets of the module after that the module before does not have so.
    fn changed_globals(&self) -> Vec<&'t str> {
        let spelled = |line: &str, metadata: &Metadata| metadata.spelled(line).unwrap_or_else(|| line.to_owned());
        let before: HashSet<String, RandomState> =
            globals(&self.before).map(|line| spelled(line, &self.metadata.0)).collect();
        let is_changed = |line: &&'t str| !before.contains(&spelled(line, &self.metadata.1));
        let changed = globals(&self.after).filter(is_changed);
        changed.map(|line| line.split_once(" =").map_or(line, |(name, _)| name)).collect()
    }

    fn judge(&mut self, read_before: &FunctionText<'t>, read_after: &FunctionText<'t>) -> Result<(), NotPromotion> {
        let before = self.before.read(read_before).map_err(NotPromotion::Before)?;
        let after = self.after.read(read_after).map_err(NotPromotion::After)?;
        let (mut before, mut after) = (before, after);
        normalize(&mut before, &self.metadata.0);
        normalize(&mut after, &self.metadata.1);
        remove_records(&mut after);
        spell_undefined(&mut after);
        if !is_same_header(&before, &after, &self.metadata) {
            return Err(NotPromotion::Header);
        }
        if let Some(refusal) = self.inspector.broken_rules(&after.body).first() {
            return Err(NotPromotion::Form(refusal.to_string()));
        }
        require_same_phis(&before, &after)?;
        let mut first = None;
        for phis in [Phis::OfLlvm, Phis::All, Phis::Fewest] {
            let promoted = self.promoted(before.clone(), phis)?;
            match prove_translation(&promoted.body, &after.body) {
                Ok(()) => return Ok(()),
                Err(unproved) => drop(first.get_or_insert((unproved, promoted))),
            }
        }
        let reason = first.map(|(unproved, promoted)| explain(unproved, &promoted, &after));
        reason.map_or(Ok(()), |reason| Err(NotPromotion::Differs(reason)))
    }

    /// The function promoted here.
    fn promoted(&mut self, mut function: LlvmFunction, phis: Phis) -> Result<LlvmFunction, NotPromotion> {
        let build = |error: BuildError| NotPromotion::Build(error);
        let Self { ssa, inspector, .. } = self;
        let ssa = &mut ssa[usize::from(phis == Phis::Fewest)];
        for _ in 0..MOST_ROUNDS {
            let loads = if phis == Phis::All { Loads::Exact } else { Loads::Variables };
            let variables = to_variables(&function, loads).map_err(|error| build(error.into()))?;
            let Some(variables) = variables else { break };
            let body = to_ssa(&variables.body, ssa).map_err(build)?;
            let demands = Demands { mode: Mode::Exact, irredundant: false, pruned: false };
            let judgement = inspector.judge(&body, ssa, demands);
            if let Some(refusal) = judgement.refusals.first() {
                return Err(NotPromotion::Refused(refusal.to_string()));
            }
            function = LlvmFunction { frame: variables.frame, body };
            match phis {
                Phis::All => crate::promote::remove_copies(&mut function.body),
                Phis::OfLlvm | Phis::Fewest => function = function.cleaned().map_err(build)?,
            }
        }
        remove_records(&mut function);
        spell_undefined(&mut function);
        inline_constants(&mut function);
        Ok(function)
    }
}

/// The lines of a module that define globals and types.
fn globals<'t>(module: &Module<'t>) -> impl Iterator<Item = &'t str> {
    let texts = module.items().iter().filter_map(|item| match item {
        Item::Text(text) => Some(*text),
        Item::Function(_) => None,
    });
    let is_definition = |line: &&str| {
        // What intrinsics are is known.
        let is_declared = line.starts_with("declare ") && !line.contains("@llvm.");
        line.starts_with(['@', '%']) || line.starts_with("target ") || is_declared
    };
    texts.flat_map(str::lines).filter(is_definition).collect::<Vec<_>>().into_iter()
}

/// Requires that phis have no flags but those that a phi of their block had.
fn require_same_phis(before: &LlvmFunction, after: &LlvmFunction) -> Result<(), NotPromotion> {
    let flags = |function: &LlvmFunction, phi: PhiRef<'_>| {
        phi.variable.and_then(|variable| Some(function.frame.info(variable)?.flags.clone())).unwrap_or_default()
    };
    let tree = FlatCfg::new(&after.body).map(|cfg| DominatorTree::new(&cfg));
    let is_taken = |source: Block| tree.as_ref().is_ok_and(|tree| tree.is_reachable(source));
    for block in after.body.blocks().filter(|&block| is_taken(block)) {
        let old = before.body.blocks().nth(block.index()).map(|block| before.body.block(block).phis());
        for phi in after.body.block(block).phis().iter() {
            let new_flags = flags(after, phi);
            let had_flags = old.is_some_and(|old| old.iter().any(|old| flags(before, old) == new_flags));
            if !new_flags.is_empty() && !had_flags {
                return Err(NotPromotion::Phi);
            }
        }
    }
    Ok(())
}

/// Writes constants that promotion has made operands into the texts of instructions, where a reader finds them.
fn inline_constants(function: &mut LlvmFunction) {
    let body = &mut function.body;
    let blocks: Vec<Block> = body.blocks().collect();
    for block in blocks {
        let inlined = |inst: InstRef<'_, Llvm>| {
            let Action::Op(op) = inst.action else { return inst.to_inst() };
            let constant = |arg: &Arg| match *arg {
                Arg::Value(value) => match body.value(value).kind {
                    ValueKind::Constant(constant) => Some(constant.text()),
                    ValueKind::Undefined => Some("undef"),
                    _ => None,
                },
                Arg::Variable(_) => None,
            };
            // What is stored is an operand in any case.
            let is_store = matches!(op.kind(), Kind::Store(_));
            if is_store || !inst.args.iter().any(|arg| constant(arg).is_some()) {
                return inst.to_inst();
            }
            let text = template::with_constants(op.text(), inst.args.iter().map(constant));
            let args = inst.args.iter().filter(|arg| constant(arg).is_none()).copied().collect();
            Inst { action: Action::Op(Op::new(&text)), args, ..inst.to_inst() }
        };
        let insts = body.block(block).insts().iter().map(inlined).collect();
        body.set_insts(block, insts);
    }
}

/// Removes what is not compared.
fn remove_records(function: &mut LlvmFunction) {
    let body = &mut function.body;
    let blocks: Vec<Block> = body.blocks().collect();
    for block in blocks {
        body.retain_insts(
            block,
            |inst| !matches!(inst.action, Action::Op(op) if matches!(op.kind(), Kind::Debug | Kind::Declare)),
        );
    }
}

/// Makes constants of undefined values: an undefined value may not become one that may be poison, and only LLVM's own clean-up
/// replaces one with anything else.
fn spell_undefined(function: &mut LlvmFunction) {
    let body = &mut function.body;
    let is_undefined = |&value: &Value| matches!(body.value(value).kind, ValueKind::Undefined);
    let undefined: IdSet<Value> = body.values().filter(is_undefined).collect();
    let constant = body.constant(Constant::new("undef"));
    body.map_uses(|value| if undefined.contains(value) { constant } else { value });
}

/// Spells metadata by what it says.
fn normalize(function: &mut LlvmFunction, metadata: &Metadata) {
    let body = &mut function.body;
    let blocks: Vec<Block> = body.blocks().collect();
    for block in blocks {
        let spelled = |inst: InstRef<'_, Llvm>| {
            let text = match inst.action {
                Action::Op(op) => metadata.spelled(op.text()),
                Action::Copy => None,
            };
            let inst = inst.to_inst();
            match text {
                Some(text) => Inst { action: Action::Op(Op::new(&text)), ..inst },
                None => inst,
            }
        };
        let insts = body.block(block).insts().iter().map(spelled).collect();
        body.set_insts(block, insts);
    }
}

/// Whether headers are the same but for the numbers of metadata.
fn is_same_header(before: &LlvmFunction, after: &LlvmFunction, metadata: &(Metadata, Metadata)) -> bool {
    let spelled = |function: &LlvmFunction, metadata: &Metadata| {
        metadata.spelled(&function.frame.header).unwrap_or_else(|| function.frame.header.to_string())
    };
    spelled(before, &metadata.0) == spelled(after, &metadata.1)
}

/// What is wrong, in names of the source.
fn explain(unproved: Unproved, before: &LlvmFunction, after: &LlvmFunction) -> String {
    let block_name = |block: Block| match after.frame.labels.get(block.index()) {
        Some(Label::Name(name)) => format!("block `{name}`"),
        Some(Label::Number(number)) => format!("block `{number}`"),
        None => block.to_string(),
    };
    match unproved {
        Unproved::Blocks => "not a promotion: other blocks".to_owned(),
        Unproved::Edges { block } => {
            format!("not a promotion: {} ends otherwise, or has other predecessors", block_name(block))
        }
        Unproved::Operations { block } => {
            format!("not a promotion: {} has other instructions with an effect", block_name(block))
        }
        Unproved::Values { before: value, after: other } => {
            let (was, place) = described(before, value);
            let (is, other_place) = described(after, other);
            format!("{was}{place} has become {is}{other_place}, which is not known to be equal")
        }
        other => other.to_string(),
    }
}

/// A value and where it is defined.
fn described(function: &LlvmFunction, value: Value) -> (String, String) {
    let names = crate::write::names_of(function);
    for block in function.body.blocks() {
        let data = function.body.block(block);
        let is_phi = data.phis().iter().any(|phi| phi.value == value);
        let defines = |dest: &Dest| matches!(*dest, Dest::Value(defined) if defined == value);
        if is_phi || data.insts().iter().any(|inst| inst.results.iter().any(defines)) {
            let kind = if is_phi { "the phi" } else { "the result" };
            return (
                format!("{kind} `{}`", names.spelled(function, value)),
                format!(" in block `{}`", names.label(block)),
            );
        }
    }
    (format!("`{}`", names.spelled(function, value)), String::new())
}

#[cfg(test)]
mod tests {
    use super::Comparison;

    const BEFORE: &str = "\
define i32 @f(i1 %c, i32 %x) {
entry:
  %s = alloca i32, align 4
  store i32 %x, ptr %s, align 4
  br i1 %c, label %then, label %end

then:
  store i32 7, ptr %s, align 4
  br label %end

end:
  %v = load i32, ptr %s, align 4
  %w = add i32 %v, 1
  ret i32 %w
}
";

    fn judged(after: &str) -> Result<(), String> {
        let mut comparison = Comparison::new(BEFORE, after);
        comparison.judge_all().remove(0).1.map_err(|error| error.to_string())
    }

    fn after(phi: &str, used: &str) -> String {
        format!(
            "define i32 @f(i1 %c, i32 %x) {{\nentry:\n  br i1 %c, label %then, label %end\n\nthen:\n  br label %end\n\n\
             end:\n  {phi}\n  %w = add i32 {used}, 1\n  ret i32 %w\n}}\n"
        )
    }

    #[test]
    fn a_promotion_is_accepted_and_mistakes_are_refused() {
        assert_eq!(judged(&after("%p = phi i32 [ %x, %entry ], [ 7, %then ]", "%p")), Ok(()));
        assert_eq!(judged(BEFORE).unwrap_err(), "not a promotion: block `entry` has other instructions with an effect");
        let swapped = judged(&after("%p = phi i32 [ 7, %entry ], [ %x, %then ]", "%p")).unwrap_err();
        assert!(swapped.contains("has become"), "{swapped}");
        assert!(judged(&after("%p = phi i32 [ %x, %entry ], [ 7, %then ]", "%x")).is_err());
        assert!(judged(&after("%p = phi i32 [ %x, %entry ], [ undef, %then ]", "%p")).is_err());
        assert!(judged("define void @g() {\n  ret void\n}\n").unwrap_err().contains("not in the file"));
    }
}
