//! Whether one module is the other after promotion, whoever promoted it.
//!
//! The module before is promoted here, by a construction that [the judge](ssaphire_ir::judge) accepts. Then each value of the module
//! after has to be one of those here: instruction by instruction, phi by phi, as [`prove_translation`] decides it. Constructions differ
//! in phis that they need not have, so this is tried with several results: without trivial phis, with all phis, and with the fewest,
//! where what is undefined stays so; then with those of LLVM, which gives some of it a value. A function after that is none of them is
//! tried once more without its redundant phis: an instruction may have a phi as operand there that merges only a constant, which is
//! part of the text of the instruction here. Records for debuggers and places in the source program are not compared.

mod claims;
mod explain;
mod metadata;
mod normal;
mod verdict;
mod witness;

use crate::addresses::Addresses;
use crate::dialect::{Kind, Llvm};
use crate::function::LlvmFunction;
use crate::module::{FunctionText, Item, Module};
use crate::promise;
use crate::promote::{MOST_ROUNDS, Undefined, remove_copies};
use crate::variables::{Loads, to_variables};
use explain::Explanation;
use foldhash::fast::RandomState;
use metadata::Metadata;
use ssaphire::check::{Mode, certificate};
use ssaphire::graph::{DominatorTree, FlatCfg};
use ssaphire::{Block, Certified, Options};
use ssaphire_ir::judge::{Demands, Inspector, prove_translation};
use ssaphire_ir::{Action, Function, to_ssa};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
pub use verdict::{Equivalence, Judged, NotPromotion, Refusal};

/// Judges each function of a module by what has become of it in another one, in the order of the module before; then lists the functions
/// that are new, and the globals, types and declarations that are not what they were.
///
/// Both texts have to be valid, and to be printed by LLVM, or to be spelled alike: instructions are compared as texts. The work is
/// shared among so many threads.
///
/// # Complexity
/// O(*n* log *n*) for *n* bytes, and SSA construction of each function 22 times at most.
pub fn judge_promotion(before: &Module<'_>, after: &Module<'_>, num_threads: usize) -> Vec<Judged> {
    judged(before, after, num_threads, false)
}

/// [`judge_promotion`], with a certificate of each accepted function: a program of the text form for each round of promotion, from its
/// `program` line to its `end` line.
///
/// The source of the last one is the function before, its slots and values being variables; the claims are the operands, results and
/// phis of the function after. It is accepted in [`Mode::Exact`] if the function is [exact](Equivalence::Exact), and in
/// [`Mode::Refine`] otherwise. The rounds before that free slots whose addresses other slots held; their values are those of the promotion
/// made here. A function whose other instructions were moved or removed may have no certificate.
///
/// # Complexity
/// That of [`judge_promotion`].
///
/// # Examples
/// ```
/// use ssaphire::check::certificate::{HEADER, Reader};
/// use ssaphire_llvm::{Module, certify_promotion, promote};
///
/// let before = "define i32 @f(i32 %x) {\n  %s = alloca i32\n  store i32 %x, ptr %s\n  %r = load i32, ptr %s\n  ret i32 %r\n}\n";
/// let mut after = Vec::new();
/// promote(before, &mut after)?;
/// let after = String::from_utf8(after)?;
/// let judged = certify_promotion(&Module::new(before), &Module::new(&after), 1);
/// let certificate = judged[0].certificate.as_ref().ok_or("refused")?;
/// let text = format!("{HEADER}\n{certificate}");
/// let (name, _) = Reader::new(text.lines()).next().ok_or("no program")??;
/// assert_eq!(name, "f");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn certify_promotion(before: &Module<'_>, after: &Module<'_>, num_threads: usize) -> Vec<Judged> {
    judged(before, after, num_threads, true)
}

fn judged(before: &Module<'_>, after: &Module<'_>, num_threads: usize, certifies: bool) -> Vec<Judged> {
    let originals = [before, after];
    let texts = originals.map(|module| Addresses::by_place(module).renewed(module.text()));
    let (renewed_before, renewed_after) = (before.with_text(&texts[0]), after.with_text(&texts[1]));
    let comparison = Comparison::new(originals, renewed_before, renewed_after);
    Comparison { certifies, ..comparison }.judge_all(num_threads)
}

/// A module before promotion and one after it.
#[derive(Debug)]
struct Comparison<'o, 't> {
    /// As they are spelled.
    originals: [&'o Module<'t>; 2],
    /// With addresses of blocks by place.
    before: Module<'o>,
    after: Module<'o>,
    metadata: [Metadata<'o>; 2],
    pointer_bits: u64,
    /// By name, the functions after, as they are spelled and with addresses by place.
    functions_after: HashMap<&'o str, [FunctionText<'o>; 2], RandomState>,
    /// Whether certificates are written.
    certifies: bool,
}

/// A result of promotion with which a function is compared.
#[derive(Clone, Copy)]
struct Way {
    loads: Loads,
    /// `None` if trivial phis stay as well.
    undefined: Option<Undefined>,
    minimize: bool,
}

/// What is undefined stays so.
const EXACT: [Way; 3] = [
    Way { loads: Loads::Exact, undefined: Some(Undefined::Kept), minimize: false },
    Way { loads: Loads::Exact, undefined: None, minimize: false },
    Way { loads: Loads::Exact, undefined: Some(Undefined::Kept), minimize: true },
];

/// As LLVM does it.
const OF_LLVM: [Way; 2] = [
    Way { loads: Loads::Variables, undefined: Some(Undefined::Folded), minimize: false },
    Way { loads: Loads::Variables, undefined: Some(Undefined::Folded), minimize: true },
];

impl<'o, 't> Comparison<'o, 't> {
    fn new(originals: [&'o Module<'t>; 2], before: Module<'o>, after: Module<'o>) -> Self {
        let both = originals[1].functions().zip(after.functions());
        let functions_after = both.map(|(original, function)| (function.name, [original, function])).collect();
        let metadata = [Metadata::of(before.text()), Metadata::of(after.text())];
        let pointer_bits = before.pointer_bits();
        Self { originals, before, after, metadata, pointer_bits, functions_after, certifies: false }
    }

    fn judge_all(&self, num_threads: usize) -> Vec<Judged> {
        let functions: Vec<[FunctionText<'_>; 2]> = self.originals[0]
            .functions()
            .zip(self.before.functions())
            .map(|(original, function)| [original, function])
            .collect();
        let next = AtomicUsize::new(0);
        let work = || {
            let mut judge = Judge::new(self);
            let mut judged = Vec::new();
            while let Some((number, function)) =
                Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|number| Some((number, functions.get(number)?)))
            {
                judged.push((number, judge.judged(function)));
            }
            judged
        };
        let mut judged = thread::scope(|scope| {
            let others: Vec<_> = (1..num_threads.min(functions.len())).map(|_| scope.spawn(work)).collect();
            let mut judged = work();
            for other in others {
                judged.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
            }
            judged
        });
        judged.sort_unstable_by_key(|&(number, _)| number);
        judged.into_iter().map(|(_, judged)| judged).chain(self.new_functions()).chain(self.changed_globals()).collect()
    }

    /// The functions that only the module after has.
    fn new_functions(&self) -> impl Iterator<Item = Judged> {
        let known: HashSet<&str, RandomState> = self.originals[0].functions().map(|function| function.name).collect();
        let new = self.originals[1].functions().filter(move |function| !known.contains(function.name));
        new.map(|function| {
            let after = Some(function.offset);
            let result = Err(Refusal { reason: NotPromotion::Added, before: None, after, path: Vec::new() });
            Judged { name: function.name.to_owned(), result, certificate: None }
        })
    }

    /// The globals, types, declarations, comdats, lines of assembly, flags and targets that one of the modules does not have as the other.
    fn changed_globals(&self) -> Vec<Judged> {
        let before: HashSet<Cow<'_, str>, RandomState> =
            globals(&self.before).map(|line| spelled(line, &self.metadata[0])).collect();
        let lines = globals(self.originals[1]).zip(globals(&self.after));
        let changed = lines.filter(|(_, line)| !before.contains(&spelled(line, &self.metadata[1])));
        let after: HashSet<Cow<'_, str>, RandomState> =
            globals(&self.after).map(|line| spelled(line, &self.metadata[1])).collect();
        // Types that nothing uses any more are not printed.
        let lines = globals(self.originals[0]).zip(globals(&self.before)).filter(|(line, _)| !line.starts_with('%'));
        let lost = lines.filter(|(_, line)| !after.contains(&spelled(line, &self.metadata[0])));
        let judged = |line: &str, original: &str, number: usize| {
            let at = Some(original.as_ptr() as usize - self.originals[number].text().as_ptr() as usize);
            let [before, after] = if number == 0 { [at, None] } else { [None, at] };
            let reason = NotPromotion::Global;
            let name = line.split_once(" =").map_or(line, |(name, _)| name).to_owned();
            Judged { name, result: Err(Refusal { reason, before, after, path: Vec::new() }), certificate: None }
        };
        let mut all: Vec<Judged> = changed.map(|(original, line)| judged(line, original, 1)).collect();
        let names: HashSet<String, RandomState> = all.iter().map(|judged| judged.name.clone()).collect();
        let lost = lost.map(|(original, line)| judged(line, original, 0));
        all.extend(lost.filter(|judged| !names.contains(&judged.name)));
        all
    }
}

/// Judges functions, one by one.
struct Judge<'c, 'o, 't> {
    comparison: &'c Comparison<'o, 't>,
    /// Without and with minimization.
    ssa: [Certified<ssaphire::Builder>; 2],
    inspector: Inspector,
    /// Those of the last promotion, if they are written.
    certificates: String,
    /// What the last round of it started from, and how many bytes the certificates of the rounds before have.
    last_round: Option<(LlvmFunction, usize)>,
    /// Whether these certificates are accepted.
    is_certified: bool,
}

impl<'c, 'o, 't> Judge<'c, 'o, 't> {
    fn new(comparison: &'c Comparison<'o, 't>) -> Self {
        let ssa = [false, true].map(|minimize| Certified::with_options(Options::default().with_minimize(minimize)));
        let (inspector, certificates) = (Inspector::default(), String::new());
        Self { comparison, ssa, inspector, certificates, last_round: None, is_certified: true }
    }

    fn judged(&mut self, [original, before]: &[FunctionText<'o>; 2]) -> Judged {
        let after = self.comparison.functions_after.get(before.name);
        let result = match after {
            Some([_, after]) => self.judge(before, after),
            None => Err(NotPromotion::Missing.into()),
        };
        let located = |explanation: Explanation| Refusal {
            before: Some(explanation.offset_before(original)),
            after: after.map(|[original_after, _]| explanation.offset_after(original_after)),
            reason: explanation.reason,
            path: explanation.path,
        };
        let is_certified = self.comparison.certifies && self.is_certified && result.is_ok();
        let certificate = is_certified.then(|| std::mem::take(&mut self.certificates));
        Judged { name: before.name.to_owned(), result: result.map_err(located), certificate }
    }

    fn judge(
        &mut self,
        before_text: &FunctionText<'o>,
        after_text: &FunctionText<'o>,
    ) -> Result<Equivalence, Explanation> {
        let Comparison { before, after, metadata, .. } = self.comparison;
        let before = before.read(before_text).map_err(NotPromotion::Before)?;
        let after = after.read(after_text).map_err(NotPromotion::After)?;
        let (before, after) = (normalized(before, &metadata[0]), without_records(normalized(after, &metadata[1])));
        if !is_same_header(&before, &after, metadata) {
            return Err(NotPromotion::Header.into());
        }
        if let Some(refusal) = self.inspector.broken_rules(&after.body).first() {
            return Err(NotPromotion::Form(refusal.to_string()).into());
        }
        if let Some(block) = phi_with_new_flags(&before, &after) {
            return Err(Explanation::at_block(&after, block, NotPromotion::Phi));
        }
        let [before, after] = [before, after].map(with_spelled_flags);
        let mut found = self.equivalence(&before, &after, None)?;
        if found.is_none()
            && let Some(fewer) = normal::without_redundant_phis(&after)
        {
            found = self.equivalence(&before, &after, Some(&fewer))?;
        }
        if let Some(equivalence) = found {
            return Ok(equivalence);
        }
        if self.is_unchanged(before.clone(), &after) {
            return Ok(Equivalence::Unchanged);
        }
        Err(self.explanation(before_text, after_text)?)
    }

    /// What the function after is to the one before, if it is one of the promotions made here; or if `fewer`, which computes the same
    /// without redundant phis, is one of them without those.
    fn equivalence(
        &mut self,
        before: &LlvmFunction,
        after: &LlvmFunction,
        fewer: Option<&LlvmFunction>,
    ) -> Result<Option<Equivalence>, Explanation> {
        let ways = EXACT.map(|way| (way, Equivalence::Exact)).into_iter();
        let ways = ways.chain(OF_LLVM.map(|way| (way, Equivalence::Refining)));
        // What `mem2reg` leaves in memory, `sroa` may have promoted.
        let by_size = before.with_slots_by_size(self.comparison.pointer_bits);
        for function in std::iter::once(before).chain(&by_size) {
            for (way, equivalence) in ways.clone() {
                let promoted = self.promoted(function.clone(), way)?;
                let other_type = phi_of_other_type(&promoted, after);
                if is_proved(promoted, after, fewer) {
                    if self.comparison.certifies {
                        self.claim(after, equivalence)?;
                    }
                    return match other_type {
                        None => Ok(Some(equivalence)),
                        Some(block) => Err(Explanation::at_block(after, block, NotPromotion::PhiType)),
                    };
                }
            }
        }
        Ok(None)
    }

    /// Writes a certificate of the last round whose values are those of the function after, in place of those here; forgets the
    /// certificates of all rounds if the judge refuses it.
    fn claim(&mut self, after: &LlvmFunction, equivalence: Equivalence) -> Result<(), NotPromotion> {
        let Self { certificates, inspector, last_round, .. } = self;
        let Some((function, len)) = last_round.take() else { return Ok(()) };
        let variables = to_variables(&function, Loads::Exact).map_err(|error| NotPromotion::Build(error.into()))?;
        let is_written =
            variables.is_some_and(|variables| claims::write(inspector.program_mut(), &variables, after).is_some());
        let mode = if equivalence == Equivalence::Exact { Mode::Exact } else { Mode::Refine };
        self.is_certified = is_written && inspector.judge_program(mode).0.is_accepted();
        certificates.truncate(if self.is_certified { len } else { 0 });
        if self.is_certified {
            // A `String` takes everything.
            let _ = certificate::write_program(certificates, after.body.name(), inspector.program_mut());
        }
        Ok(())
    }

    /// Whether the function after is the one before, slots included: then nothing is certified.
    fn is_unchanged(&mut self, before: LlvmFunction, after: &LlvmFunction) -> bool {
        self.certificates.clear();
        self.is_certified = true;
        let before = without_records(before);
        phi_of_other_type(&before, after).is_none() && prove_translation(&before.body, &after.body).is_ok()
    }

    /// What differs from the promotion as LLVM does it, in the names of the sources.
    fn explanation(&mut self, before: &FunctionText<'o>, after: &FunctionText<'o>) -> Result<Explanation, Explanation> {
        let Comparison { before: module, after: module_after, metadata, .. } = self.comparison;
        let before = normalized(module.read_named(before).map_err(NotPromotion::Before)?, &metadata[0]);
        let all_after = normalized(module_after.read_named(after).map_err(NotPromotion::After)?, &metadata[1]);
        let after = without_records(all_after.clone());
        let by_size = before.with_slots_by_size(self.comparison.pointer_bits);
        let mut promoted = self.promoted(before, OF_LLVM[0])?;
        if let Some(function) = by_size.filter(|_| num_slots(&after) < num_slots(&promoted)) {
            promoted = self.promoted(function, OF_LLVM[0])?;
        }
        let promoted = finished(promoted, Some(&after.body));
        let Err(unproved) = prove_translation(&promoted.body, &after.body) else {
            // With the flags of phis, it is not.
            return Ok(NotPromotion::Phi.into());
        };
        Ok(explain::explain(unproved, &promoted, &after, &all_after))
    }

    /// The function promoted here.
    fn promoted(&mut self, mut function: LlvmFunction, way: Way) -> Result<LlvmFunction, NotPromotion> {
        let Self { comparison, ssa, inspector, certificates, last_round, is_certified } = self;
        certificates.clear();
        (*last_round, *is_certified) = (None, true);
        let ssa = &mut ssa[usize::from(way.minimize)];
        for _ in 0..MOST_ROUNDS {
            let variables = to_variables(&function, way.loads).map_err(|error| NotPromotion::Build(error.into()))?;
            let Some(variables) = variables else { break };
            let body = to_ssa(&variables.body, ssa).map_err(NotPromotion::Build)?;
            let demands = Demands { mode: Mode::Exact, irredundant: false, pruned: false };
            let judgement = inspector.judge(&body, ssa, demands);
            if let Some(refusal) = judgement.refusals.first() {
                return Err(NotPromotion::Refused(refusal.to_string()));
            }
            if comparison.certifies {
                *last_round = Some((function, certificates.len()));
                // A `String` takes everything.
                let _ = certificate::write_program(certificates, body.name(), inspector.program_mut());
            }
            function = LlvmFunction { frame: variables.frame, body };
            match way.undefined {
                None => remove_copies(&mut function.body),
                Some(undefined) => function = function.cleaned_of(undefined).map_err(NotPromotion::Build)?,
            }
        }
        normal::remove_records(&mut function);
        Ok(function)
    }
}

/// Whether a function promoted here is the one after, with those assumptions for removed loads that the latter has, or without any;
/// both without redundant phis, if `fewer` is the one after without them.
fn is_proved(promoted: LlvmFunction, after: &LlvmFunction, fewer: Option<&LlvmFunction>) -> bool {
    let proves = |promoted: LlvmFunction| match fewer {
        None => prove_translation(&promoted.body, &after.body).is_ok(),
        Some(fewer) => {
            let promoted = normal::without_redundant_phis(&promoted).unwrap_or(promoted);
            prove_translation(&promoted.body, &fewer.body).is_ok()
        }
    };
    match promise::has_promises(&promoted.body) {
        true => proves(finished(promoted.clone(), Some(&after.body))) || proves(finished(promoted, None)),
        false => proves(finished(promoted, None)),
    }
}

/// A function promoted here, spelled as a reader spells it, with the promises that are kept in another one.
fn finished(mut function: LlvmFunction, kept: Option<&Function<Llvm>>) -> LlvmFunction {
    promise::spell_as(&mut function.body, kept);
    normal::spell_undefined(&mut function);
    normal::inline_constants(&mut function);
    function
}

/// The number of slots in the first block.
fn num_slots(function: &LlvmFunction) -> usize {
    let insts = function.body.block(function.body.entry()).insts();
    insts.iter().filter(|inst| matches!(inst.action, Action::Op(op) if matches!(op.kind(), Kind::Alloca(_)))).count()
}

fn normalized(mut function: LlvmFunction, metadata: &Metadata<'_>) -> LlvmFunction {
    normal::normalize(&mut function, metadata);
    function
}

fn with_spelled_flags(mut function: LlvmFunction) -> LlvmFunction {
    normal::spell_flags(&mut function);
    function
}

fn without_records(mut function: LlvmFunction) -> LlvmFunction {
    normal::remove_records(&mut function);
    normal::spell_undefined(&mut function);
    function
}

/// A line with what metadata and attributes say in place of their numbers.
fn spelled<'l>(line: &'l str, metadata: &Metadata<'_>) -> Cow<'l, str> {
    metadata.spelled(line).map_or(Cow::Borrowed(line), Cow::Owned)
}

/// The lines of a module that define what is not a function.
fn globals<'t>(module: &Module<'t>) -> impl Iterator<Item = &'t str> {
    let texts = module.items().iter().filter_map(|item| match item {
        Item::Text(text) => Some(*text),
        Item::Function(_) => None,
    });
    let is_definition = |line: &&str| {
        // What intrinsics are is known.
        let is_declared = line.starts_with("declare ") && !line.contains("@llvm.");
        let starts = ["target ", "module asm ", "!llvm.module.flags "].iter().any(|start| line.starts_with(start));
        line.starts_with(['@', '%', '$']) || starts || is_declared
    };
    texts.flat_map(str::lines).filter(is_definition).collect::<Vec<_>>().into_iter()
}

/// A block with a phi that has flags, of which no phi of the block before had the same.
fn phi_with_new_flags(before: &LlvmFunction, after: &LlvmFunction) -> Option<Block> {
    let tree = FlatCfg::new(&after.body).map(|cfg| DominatorTree::new(&cfg));
    let is_taken = |source: Block| tree.as_ref().is_ok_and(|tree| tree.is_reachable(source));
    for block in after.body.blocks().filter(|&block| is_taken(block)) {
        let old = before.body.blocks().nth(block.index()).map(|block| before.body.block(block).phis());
        for phi in after.body.block(block).phis().iter() {
            let new_flags = after.flags_of(phi);
            let had_flags = old.is_some_and(|old| old.iter().any(|old| before.flags_of(old) == new_flags));
            if !new_flags.is_empty() && !had_flags {
                return Some(block);
            }
        }
    }
    None
}

/// A block with a phi of a type that no phi of the block has here, if it has no more phis than here.
fn phi_of_other_type(here: &LlvmFunction, after: &LlvmFunction) -> Option<Block> {
    // Braces of types of slots may be doubled.
    let types = |function: &LlvmFunction, block: Block| -> Vec<String> {
        let variables = function.body.block(block).phis().iter().filter_map(|phi| phi.variable);
        variables
            .map(|variable| function.body.variable_type(variable).text().replace("{{", "{").replace("}}", "}"))
            .collect()
    };
    let both = here.body.blocks().zip(after.body.blocks());
    let has_other = |&(block, other): &(Block, Block)| {
        let (mut known, found) = (types(here, block), types(after, other));
        known.sort_unstable();
        found.len() <= known.len() && found.iter().any(|ty| known.binary_search(ty).is_err())
    };
    both.filter(|&(block, _)| !here.body.block(block).phis().is_empty()).find(has_other).map(|(block, _)| block)
}

/// Whether headers are the same but for the numbers of metadata.
fn is_same_header(before: &LlvmFunction, after: &LlvmFunction, metadata: &[Metadata<'_>; 2]) -> bool {
    spelled(&before.frame.header, &metadata[0]) == spelled(&after.frame.header, &metadata[1])
}

#[cfg(test)]
mod tests {
    use super::{Equivalence, Module, NotPromotion, Refusal, judge_promotion};

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

    fn judged(after: &str) -> Result<Equivalence, String> {
        judge_promotion(&Module::new(BEFORE), &Module::new(after), 1)
            .remove(0)
            .result
            .map_err(|refusal| refusal.to_string())
    }

    fn after(phi: &str, used: &str) -> String {
        format!(
            "define i32 @f(i1 %c, i32 %x) {{\nentry:\n  br i1 %c, label %then, label %end\n\nthen:\n  br label %end\n\n\
             end:\n  {phi}\n  %w = add i32 {used}, 1\n  ret i32 %w\n}}\n"
        )
    }

    #[test]
    fn a_promotion_is_accepted_and_mistakes_are_refused() {
        assert_eq!(judged(&after("%p = phi i32 [ %x, %entry ], [ 7, %then ]", "%p")), Ok(Equivalence::Exact));
        assert_eq!(judged(BEFORE), Ok(Equivalence::Unchanged));
        assert_eq!(
            judged(&BEFORE.replace("i32 7", "i32 8")).unwrap_err(),
            "not a promotion: `%s = alloca i32, align 4` in block `entry` was not there"
        );
        let swapped = judged(&after("%p = phi i32 [ 7, %entry ], [ %x, %then ]", "%p")).unwrap_err();
        let expected =
            "not a promotion: `ret i32 %w` in block `end` depends on `%x` instead of `7`, on the path entry, then, end";
        assert_eq!(swapped, expected);
        assert!(judged(&after("%p = phi i32 [ %x, %entry ], [ 7, %then ]", "%x")).is_err());
        assert!(judged(&after("%p = phi i32 [ %x, %entry ], [ undef, %then ]", "%p")).is_err());
        assert!(judged("define void @g() {\n  ret void\n}\n").unwrap_err().contains("not in the file"));
        let more = format!(
            "{}define void @g() {{\n  ret void\n}}\n",
            after("%p = phi i32 [ %x, %entry ], [ 7, %then ]", "%p")
        );
        let all = judge_promotion(&Module::new(BEFORE), &Module::new(&more), 1);
        let refused: Vec<_> = all.iter().filter_map(|judged| judged.result.as_ref().err()).collect();
        assert!(matches!(refused[..], [Refusal { reason: NotPromotion::Added, after: Some(place), .. }]
            if more[*place..].starts_with("define void @g()")));
    }
}
