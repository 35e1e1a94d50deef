//! The detour over memory beside direct construction (Braun et al. 2013, Table 1 and section 6.1).
//!
//! LLVM's front ends give each variable a slot, and `mem2reg` makes values of the slots. Here the front end for
//! WebAssembly does the same to locals and the operand stack, in three stages: it keeps the variables, with a copy for
//! each read and write; the copies become loads and stores; slots become values. Direct construction
//! makes the SSA form on the way. Decoding and validation of the module are in all of them.
//! What folding adds to that ([`Way::Folded`]) is stated by operation.
//!
//! # Departures
//! A front end made for the detour would emit slots at once: [`Way::Memory`] less [`Way::Variables`] is the price
//! of a conversion that it would not need, and is left out where the detour's cost is stated.
//! What reading and validating takes ([`Way::Validation`]) is no construction: shares are stated with it and without.

use crate::table::thousands;
use crate::ways::{self, Comparison, Line};
use crate::whole::Refused;
use ssaphire::Certified;
use ssaphire::fold::FoldOptions;
use ssaphire_ir::Function;
use ssaphire_ir::measure::FormSize;
use ssaphire_ir::memory::{Memory, Promotion, mem2reg, to_memory};
use ssaphire_literature::{AnyBuilder, Engine};
use ssaphire_wasm::{Module, Pool, TranslateOptions, Translator, Wasm};

/// How far functions get, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Nowhere: the module is read and validated.
    Validation,
    /// To a form that keeps its variables.
    Variables,
    /// On to slots, loads and stores.
    Memory,
    /// On to values, by `mem2reg`.
    Mem2reg,
    /// To SSA form at once.
    Direct(Engine),
    /// To SSA form at once, by the default engine, with operations folded.
    Folded,
}

/// What came of a module.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// In the form the way leads to.
    pub size: FormSize,
    /// What became of slots, in sum.
    pub promotion: Promotion,
    /// Operations that folding was asked for.
    pub operations: u64,
}

impl ways::Way for Way {
    type Outcome = Outcome;

    const TABLE: &'static str = "detour";

    const HEADINGS: [&'static str; 6] =
        ["instructions", "slots, loads, stores", "phis", "executed, M", "of the detour", "beyond validation"];

    fn all() -> Vec<Self> {
        let detour = [Self::Validation, Self::Variables, Self::Memory, Self::Mem2reg];
        let direct = [Engine::Auto, Engine::Marker, Engine::Braun, Engine::Pruned].map(Self::Direct);
        detour.into_iter().chain(direct).chain([Self::Folded]).collect()
    }

    fn name(self) -> &'static str {
        match self {
            Self::Validation => "validation",
            Self::Variables => "variables",
            Self::Memory => "memory",
            Self::Mem2reg => "mem2reg",
            Self::Direct(engine) => engine.name(),
            Self::Folded => "folded",
        }
    }

    fn go(self, module: &Module) -> Result<Outcome, Refused> {
        if self == Self::Validation {
            module.validate_bodies(&Pool::alone()).map_err(Refused::new)?;
            return Ok(Outcome::default());
        }
        let engine = if let Self::Direct(engine) = self { engine } else { Engine::default() };
        let mut ssa = Certified::with_builder(AnyBuilder::new(engine));
        ssa.set_recording(false);
        let mut options = TranslateOptions::default();
        options.canonical = false;
        options.keeps_variables = !matches!(self, Self::Direct(_) | Self::Folded);
        options.fold = (self == Self::Folded).then_some(FoldOptions::ALL);
        let mut translator = Translator::new(module, options);
        let mut outcome = Outcome::default();
        for index in module.defined_functions() {
            let function = translator.translate_in_place(index, &mut ssa).map_err(Refused::new)?;
            self.go_on(function, &mut outcome)?;
            outcome.operations += translator.folding().map_or(0, |folding| folding.stats().operations);
        }
        Ok(outcome)
    }

    fn cells(line: &Line<Self>, comparison: &Comparison<Self>) -> [String; 6] {
        let FormSize { instructions, memory, phis } = line.outcome.size;
        let shares = shares(comparison, line.way);
        let share = |share: Option<f64>| share.map_or(String::new(), |share| format!("{share:.2}"));
        [
            thousands(instructions),
            thousands(memory),
            thousands(phis),
            line.executed.map_or(String::new(), |executed| format!("{:.1}", executed as f64 / 1e6)),
            share(shares.map(|[all, _]| all)),
            share(shares.map(|[_, beyond]| beyond)),
        ]
    }

    fn figures(line: &Line<Self>, comparison: &Comparison<Self>) -> Vec<(&'static str, f64)> {
        let Outcome { size, operations, .. } = &line.outcome;
        let always = [
            ("instructions", Some(size.instructions)),
            ("memory operations", Some(size.memory)),
            ("phis", Some(size.phis)),
            ("instructions executed", line.executed),
            ("operations", (*operations > 0).then_some(*operations)),
        ];
        let by_operation = folding(comparison).filter(|_| line.way == Self::Folded).map(|(_, each)| each);
        let figures = always.into_iter().chain([("instructions executed by operation", by_operation)]);
        figures.filter_map(|(measure, value)| Some((measure, value? as f64))).collect()
    }

    fn notes(comparison: &Comparison<Self>) -> String {
        let mut notes = String::new();
        if let Some((operations, each)) = folding(comparison) {
            let operations = thousands(operations);
            notes += &format!("folding: {operations} operations, {each} instructions executed for each\n");
        }
        if let Some(line) = comparison.line(Self::Mem2reg) {
            let Promotion { promoted, unused, single_store, single_block, general, phis_placed, phis_folded, .. } =
                line.outcome.promotion;
            let [slots, unused, stored_once, in_one_block, others, phis, folded] =
                [promoted, unused, single_store, single_block, general, phis_placed, phis_folded]
                    .map(|count| thousands(count as u64));
            notes += &format!(
                "{slots} slots: {unused} not loaded, {stored_once} stored once, {in_one_block} in one block, \
                 {others} others with {phis} phis, {folded} of which folded\n"
            );
        }
        notes
    }
}

impl Way {
    fn go_on(self, function: &Function<Wasm>, outcome: &mut Outcome) -> Result<(), Refused> {
        if matches!(self, Self::Variables | Self::Direct(_) | Self::Folded) {
            outcome.size += FormSize::of(function);
            return Ok(());
        }
        let mut slots: Function<Memory<Wasm>> = to_memory(function);
        if self == Self::Mem2reg {
            let promotion = mem2reg(&mut slots).map_err(Refused::new)?;
            outcome.promotion += &promotion;
        }
        outcome.size += FormSize::of_memory(&slots);
        Ok(())
    }
}

/// What the detour takes, less the conversion that a front end made for it would not need.
fn detour(comparison: &Comparison<Way>) -> Option<u64> {
    let [variables, memory, mem2reg] = [Way::Variables, Way::Memory, Way::Mem2reg].map(|way| comparison.executed(way));
    Some(variables? + mem2reg?.saturating_sub(memory?))
}

/// What a direct way takes by what the detour does: all, and beyond reading and validating the module.
fn shares(comparison: &Comparison<Way>, way: Way) -> Option<[f64; 2]> {
    let Way::Direct(_) = way else { return None };
    let [direct, validation] = [way, Way::Validation].map(|way| comparison.executed(way));
    let (direct, validation, detour) = (direct?, validation?, detour(comparison)?);
    let beyond = direct.saturating_sub(validation) as f64 / detour.saturating_sub(validation) as f64;
    Some([direct as f64 / detour as f64, beyond])
}

/// Operations that folding was asked for, and the instructions that it executes for each.
fn folding(comparison: &Comparison<Way>) -> Option<(u64, u64)> {
    let Line { outcome: Outcome { operations, .. }, executed, .. } = comparison.line(Way::Folded)?;
    let beyond = (*executed)?.saturating_sub(comparison.executed(Way::Direct(Engine::Auto))?);
    Some((*operations, beyond.checked_div(*operations)?))
}
