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

use crate::cachegrind;
use crate::failure::Failure;
use crate::record::Record;
use crate::table::{Table, thousands};
use crate::whole::Refused;
use ssaphire::Certified;
use ssaphire::fold::FoldOptions;
use ssaphire_ir::Function;
use ssaphire_ir::measure::FormSize;
use ssaphire_ir::memory::{Memory, Promotion, mem2reg, to_memory};
use ssaphire_literature::{AnyBuilder, Engine};
use ssaphire_wasm::{Module, Pool, TranslateOptions, Translator, Wasm};
use std::env;
use std::fs;
use std::path::Path;

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

impl Way {
    /// All ways, in the order of the table.
    pub fn all() -> Vec<Self> {
        let detour = [Self::Validation, Self::Variables, Self::Memory, Self::Mem2reg];
        let direct = [Engine::Auto, Engine::Marker, Engine::Braun, Engine::Pruned].map(Self::Direct);
        detour.into_iter().chain(direct).chain([Self::Folded]).collect()
    }

    /// Its name, as on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Validation => "validation",
            Self::Variables => "variables",
            Self::Memory => "memory",
            Self::Mem2reg => "mem2reg",
            Self::Direct(engine) => engine.name(),
            Self::Folded => "folded",
        }
    }

    /// The way of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().into_iter().find(|way| way.name() == name)
    }

    /// All functions of a module, one after the other.
    ///
    /// # Errors
    /// If one is refused.
    pub fn go(self, module: &Module) -> Result<Outcome, Refused> {
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

/// A module with what came of it, each way.
#[derive(Clone, Debug)]
pub struct Comparison {
    name: String,
    lines: Vec<(Way, Outcome, Option<u64>)>,
}

impl Comparison {
    /// Goes all ways, and counts the instructions of each if that is asked for.
    ///
    /// # Errors
    /// If the module cannot be read or is refused.
    pub fn measure(name: &str, file: &Path, counts: bool) -> Result<Self, Failure> {
        let failed = |message: String| Failure::Program { program: name.to_owned(), message };
        let bytes = fs::read(file).map_err(Failure::file(file))?;
        let module = Module::parse_without_bodies(bytes).map_err(|error| failed(error.to_string()))?;
        let mut lines = Vec::new();
        for way in Way::all() {
            let outcome = way.go(&module).map_err(|refused| failed(refused.to_string()))?;
            let executed = if counts { Some(executed(way, file)?) } else { None };
            lines.push((way, outcome, executed));
        }
        Ok(Self { name: name.to_owned(), lines })
    }

    fn executed(&self, way: Way) -> Option<u64> {
        self.lines.iter().find(|(other, ..)| *other == way).and_then(|&(.., executed)| executed)
    }

    /// What the detour takes, less the conversion that a front end made for it would not need.
    pub fn detour(&self) -> Option<u64> {
        let [variables, memory, mem2reg] = [Way::Variables, Way::Memory, Way::Mem2reg].map(|way| self.executed(way));
        Some(variables? + mem2reg?.saturating_sub(memory?))
    }

    /// What a direct way takes by what the detour does: all, and beyond reading and validating the module.
    fn shares(&self, way: Way) -> Option<[f64; 2]> {
        let Way::Direct(_) = way else { return None };
        let [direct, validation] = [way, Way::Validation].map(|way| self.executed(way));
        let (direct, validation, detour) = (direct?, validation?, self.detour()?);
        let beyond = direct.saturating_sub(validation) as f64 / detour.saturating_sub(validation) as f64;
        Some([direct as f64 / detour as f64, beyond])
    }

    /// Operations that folding was asked for, and the instructions that it executes for each.
    pub fn folding(&self) -> Option<(u64, u64)> {
        let (_, outcome, executed) = self.lines.iter().find(|(way, ..)| *way == Way::Folded)?;
        let beyond = (*executed)?.saturating_sub(self.executed(Way::Direct(Engine::Auto))?);
        Some((outcome.operations, beyond.checked_div(outcome.operations)?))
    }

    /// The table, and what became of the slots.
    pub fn table(&self) -> String {
        let mut table = Table::new([
            &*self.name,
            "instructions",
            "slots, loads, stores",
            "phis",
            "executed, M",
            "of the detour",
            "beyond validation",
        ]);
        let share = |share: Option<f64>| share.map_or(String::new(), |share| format!("{share:.2}"));
        for (way, outcome, executed) in &self.lines {
            let FormSize { instructions, memory, phis } = outcome.size;
            let shares = self.shares(*way);
            table.line([
                way.name().to_owned(),
                thousands(instructions),
                thousands(memory),
                thousands(phis),
                executed.map_or(String::new(), |executed| format!("{:.1}", executed as f64 / 1e6)),
                share(shares.map(|[all, _]| all)),
                share(shares.map(|[_, beyond]| beyond)),
            ]);
        }
        let mut table = table.to_string();
        if let Some((operations, each)) = self.folding() {
            table += &format!("folding: {} operations, {each} instructions executed for each\n", thousands(operations));
        }
        let promotion =
            self.lines.iter().find(|(way, ..)| *way == Way::Mem2reg).map(|(_, outcome, _)| &outcome.promotion);
        let Some(Promotion { promoted, unused, single_store, single_block, general, phis_placed, phis_folded, .. }) =
            promotion
        else {
            return table;
        };
        format!(
            "{table}{} slots: {} not loaded, {} stored once, {} in one block, {} others with {} phis, {} of which folded\n",
            thousands(*promoted as u64),
            thousands(*unused as u64),
            thousands(*single_store as u64),
            thousands(*single_block as u64),
            thousands(*general as u64),
            thousands(*phis_placed as u64),
            thousands(*phis_folded as u64),
        )
    }

    /// Adds every figure to the record.
    pub fn add_to(&self, record: &mut Record) {
        for (way, outcome, executed) in &self.lines {
            let mut add = |measure, value: u64| record.add("detour", &self.name, way.name(), measure, value as f64);
            add("instructions", outcome.size.instructions);
            add("memory operations", outcome.size.memory);
            add("phis", outcome.size.phis);
            if let Some(executed) = *executed {
                add("instructions executed", executed);
            }
            if outcome.operations > 0 {
                add("operations", outcome.operations);
            }
        }
        if let Some((_, each)) = self.folding() {
            record.add("detour", &self.name, Way::Folded.name(), "instructions executed by operation", each as f64);
        }
    }
}

/// The instructions of going a way once more, by this program under Valgrind.
fn executed(way: Way, file: &Path) -> Result<u64, Failure> {
    let program = env::current_exe().map_err(Failure::Run)?;
    let arguments = |times: &'static str| {
        let words = ["detour-count".as_ref(), way.name().as_ref(), times.as_ref(), file.as_os_str()];
        words.map(ToOwned::to_owned)
    };
    Ok(cachegrind::difference(&program, arguments)?.total())
}
