//! The detour over memory beside direct construction (Braun et al. 2013, Table 1 and section 6.1).
//!
//! LLVM's front ends give each variable a slot, and `mem2reg` makes values of the slots. Here the front end for
//! WebAssembly does the same to locals and the operand stack, in three stages: it keeps the variables, with a copy for
//! each read and write; the copies become loads and stores; slots become values. Direct construction
//! makes the SSA form on the way. Decoding and validation of the module are in all of them.
//!
//! # Departures
//! A front end made for the detour would emit slots at once: [`Way::Memory`] less [`Way::Variables`] is the price
//! of a conversion that it would not need, and is left out where the detour's cost is stated.

use crate::callgrind;
use crate::failure::Failure;
use crate::record::Record;
use crate::table::{Table, thousands};
use crate::whole::Refused;
use ssaphire::{Certified, Engine, Options};
use ssaphire_ir::memory::{Memory, MemoryOp, Promotion, mem2reg, to_memory};
use ssaphire_ir::{Action, Dialect, Function};
use ssaphire_wasm::{Module, TranslateOptions, Translator, Wasm};
use std::env;
use std::fs;
use std::path::Path;

/// How far functions get, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// To a form that keeps its variables.
    Variables,
    /// On to slots, loads and stores.
    Memory,
    /// On to values, by `mem2reg`.
    Mem2reg,
    /// To SSA form at once.
    Direct(Engine),
}

/// What is counted in a form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Instructions, loads and stores and phis included.
    pub instructions: u64,
    /// Slots, loads and stores.
    pub memory: u64,
    /// Phis.
    pub phis: u64,
}

impl Counts {
    fn add<D: Dialect>(&mut self, function: &Function<D>, is_memory: impl Fn(&D::Op) -> bool) {
        for block in function.blocks().map(|block| function.block(block)) {
            let phis = block.phis().len() as u64;
            self.phis += phis;
            self.instructions += phis + block.insts().len() as u64;
            let ops = block.insts().iter().filter(|inst| matches!(inst.action, Action::Op(op) if is_memory(op)));
            self.memory += ops.count() as u64;
        }
    }
}

/// What came of a module.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// In the form the way leads to.
    pub counts: Counts,
    /// What became of slots, in sum.
    pub promotion: Promotion,
}

impl Way {
    /// All ways, in the order of the table.
    pub fn all() -> Vec<Self> {
        let direct = [Engine::Auto, Engine::Marker, Engine::Braun, Engine::Pruned].map(Self::Direct);
        [Self::Variables, Self::Memory, Self::Mem2reg].into_iter().chain(direct).collect()
    }

    /// Its name, as on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Variables => "variables",
            Self::Memory => "memory",
            Self::Mem2reg => "mem2reg",
            Self::Direct(engine) => engine.name(),
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
        let engine = if let Self::Direct(engine) = self { engine } else { Engine::default() };
        let mut ssa = Certified::new(Options::with_engine(engine));
        ssa.set_recording(false);
        let mut options = TranslateOptions::default();
        options.canonical = false;
        options.keeps_variables = !matches!(self, Self::Direct(_));
        let mut translator = Translator::new(module, options);
        let mut outcome = Outcome::default();
        for index in module.defined_functions() {
            let function = translator.translate_in_place(index, &mut ssa).map_err(Refused::new)?;
            self.go_on(function, &mut outcome)?;
        }
        Ok(outcome)
    }

    fn go_on(self, function: &Function<Wasm>, outcome: &mut Outcome) -> Result<(), Refused> {
        if matches!(self, Self::Variables | Self::Direct(_)) {
            outcome.counts.add(function, |_| false);
            return Ok(());
        }
        let mut slots = to_memory(function);
        if self == Self::Mem2reg {
            let promotion = mem2reg(&mut slots).map_err(Refused::new)?;
            let sum = &mut outcome.promotion;
            sum.promoted += promotion.promoted;
            sum.unused += promotion.unused;
            sum.single_store += promotion.single_store;
            sum.single_block += promotion.single_block;
            sum.general += promotion.general;
            sum.early_loads += promotion.early_loads;
            sum.phis_placed += promotion.phis_placed;
            sum.phis_folded += promotion.phis_folded;
        }
        outcome.counts.add::<Memory<Wasm>>(&slots, |op| !matches!(op, MemoryOp::Inner(_)));
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

    /// The table, and what became of the slots.
    pub fn table(&self) -> String {
        let mut table =
            Table::new([&*self.name, "instructions", "slots, loads, stores", "phis", "executed, M", "of the detour"]);
        for (way, outcome, executed) in &self.lines {
            let Counts { instructions, memory, phis } = outcome.counts;
            let share = executed.zip(self.detour()).filter(|_| matches!(way, Way::Direct(_)));
            table.line([
                way.name().to_owned(),
                thousands(instructions),
                thousands(memory),
                thousands(phis),
                executed.map_or(String::new(), |executed| format!("{:.1}", executed as f64 / 1e6)),
                share.map_or(String::new(), |(executed, detour)| format!("{:.2}", executed as f64 / detour as f64)),
            ]);
        }
        let promotion =
            self.lines.iter().find(|(way, ..)| *way == Way::Mem2reg).map(|(_, outcome, _)| &outcome.promotion);
        let Some(Promotion { promoted, unused, single_store, single_block, general, phis_placed, phis_folded, .. }) =
            promotion
        else {
            return table.to_string();
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
            add("instructions", outcome.counts.instructions);
            add("slots, loads, stores", outcome.counts.memory);
            add("phis", outcome.counts.phis);
            if let Some(executed) = *executed {
                add("instructions executed", executed);
            }
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
    Ok(callgrind::difference(&program, arguments)?.total())
}
