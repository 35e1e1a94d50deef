//! Out of SSA form: the copies that remain, and what it takes to find them.
//!
//! Each function of a module is brought into SSA form, and each [`Method`] finds locations for its values and copies for
//! its phis. What that takes is counted beyond the translation, and divided by the instructions and phis.

use crate::cachegrind;
use crate::failure::Failure;
use crate::record::Record;
use crate::table::{Table, thousands};
use crate::whole::Refused;
use ssaphire::destruct::structure::{self, structure};
use ssaphire::destruct::{Counted, Method, destruct};
use ssaphire::{Certified, FlatCfg, Options, check_destruction};
use ssaphire_ir::DestructView;
use ssaphire_ir::measure::FormSize;
use ssaphire_literature::{AnyBuilder, Engine};
use ssaphire_tests::structured;
use ssaphire_wasm::{Module, TranslateOptions, Translator};
use std::env;
use std::fs;
use std::path::Path;

/// How far functions get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Into SSA form.
    Translation,
    /// And out again.
    Leave(Method),
}

/// What came of a module.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outcome {
    /// Instructions and phis.
    pub size: u64,
    /// Copies that remain.
    pub copies: Counted,
    /// Edges that need a block.
    pub split_edges: u64,
    /// Locations of all functions.
    pub locations: u64,
}

impl Way {
    /// All ways, in the order of the table.
    pub fn all() -> Vec<Self> {
        [Self::Translation].into_iter().chain(Method::ALL.iter().map(|&method| Self::Leave(method))).collect()
    }

    /// Its name, as on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Translation => "translation",
            Self::Leave(method) => method.name(),
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
        let mut ssa = Certified::with_builder(AnyBuilder::with_options(Engine::default(), Options::default()));
        ssa.set_recording(false);
        let mut options = TranslateOptions::default();
        options.canonical = false;
        let mut translator = Translator::new(module, options);
        let mut outcome = Outcome::default();
        for index in module.defined_functions() {
            let function = translator.translate_in_place(index, &mut ssa).map_err(Refused::new)?;
            let FormSize { instructions, phis, .. } = FormSize::of(function);
            outcome.size += instructions + phis;
            if let Self::Leave(method) = self {
                let left = destruct(&DestructView::new(function), method).map_err(Refused::new)?;
                let Counted { copies, executed } = left.count();
                outcome.copies.copies += copies;
                outcome.copies.executed = outcome.copies.executed.saturating_add(executed);
                outcome.split_edges += left.num_split_edges() as u64;
                outcome.locations += left.num_locations() as u64;
            }
        }
        Ok(outcome)
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

    /// What a way takes beyond translation, by instruction and phi.
    fn cost(&self, outcome: &Outcome, executed: Option<u64>) -> Option<f64> {
        let &(_, _, translation) = self.lines.first()?;
        Some(executed?.saturating_sub(translation?) as f64 / outcome.size as f64)
    }

    /// The table.
    pub fn table(&self) -> String {
        let mut table = Table::new([
            &*self.name,
            "instructions and phis",
            "copies",
            "copies executed",
            "split edges",
            "locations",
            "executed by instruction",
        ]);
        for (way, outcome, executed) in &self.lines {
            let cost = self.cost(outcome, *executed).filter(|_| *way != Way::Translation);
            table.line([
                way.name().to_owned(),
                thousands(outcome.size),
                thousands(outcome.copies.copies),
                thousands(outcome.copies.executed),
                thousands(outcome.split_edges),
                thousands(outcome.locations),
                cost.map_or(String::new(), |cost| format!("{cost:.0}")),
            ]);
        }
        table.to_string()
    }

    /// Adds every figure to the record.
    pub fn add_to(&self, record: &mut Record) {
        for (way, outcome, executed) in self.lines.iter().filter(|(way, ..)| *way != Way::Translation) {
            let mut add = |measure, value: f64| record.add("leaving", &self.name, way.name(), measure, value);
            add("instructions and phis", outcome.size as f64);
            add("copies", outcome.copies.copies as f64);
            add("copies executed", outcome.copies.executed as f64);
            add("split edges", outcome.split_edges as f64);
            add("locations", outcome.locations as f64);
            if let Some(cost) = self.cost(outcome, *executed) {
                add("instructions executed by instruction", cost);
            }
        }
    }
}

/// The instructions of going a way once more, by this program under Valgrind.
fn executed(way: Way, file: &Path) -> Result<u64, Failure> {
    let program = env::current_exe().map_err(Failure::Run)?;
    let arguments = |times: &'static str| {
        let words = ["leaving-count".as_ref(), way.name().as_ref(), times.as_ref(), file.as_os_str()];
        words.map(ToOwned::to_owned)
    };
    Ok(cachegrind::difference(&program, arguments)?.total())
}

/// What the judge says of a module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judged {
    /// Functions.
    pub functions: usize,
    /// Those with a loop that has several ways in.
    pub irreducible: usize,
    /// What was found, by function.
    pub refused: Vec<String>,
    /// Copies by method, in the order of [`Method::ALL`].
    pub copies: [u64; 4],
}

/// Judges what each method finds for each function, and compares each function's structured program with its graph.
///
/// # Errors
/// If a function is refused by the front end, or has no way out of SSA form.
pub fn judge(module: &Module) -> Result<Judged, Refused> {
    let mut ssa = Certified::default();
    ssa.set_recording(false);
    let mut translator = Translator::new(module, TranslateOptions::default());
    let mut judged = Judged::default();
    for index in module.defined_functions() {
        let function = translator.translate_in_place(index, &mut ssa).map_err(Refused::new)?;
        let view = DestructView::new(function);
        for (&method, copies) in Method::ALL.iter().zip(&mut judged.copies) {
            let left = destruct(&view, method).map_err(Refused::new)?;
            let found = check_destruction(&view, &left);
            judged.refused.extend(found.iter().map(|found| format!("function {index}, {method}: {found}")));
            *copies += left.count().copies;
        }
        let cfg = FlatCfg::new(function).map_err(Refused::new)?;
        let program = structure(&cfg, structure::Options::default());
        if let Err(error) = structured::check(&cfg, &program.to_string()) {
            judged.refused.push(format!("function {index}, structured: {error}"));
        }
        judged.functions += 1;
        judged.irreducible += usize::from(program.has_dispatch());
    }
    Ok(judged)
}
