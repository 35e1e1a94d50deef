//! Out of SSA form: the copies that remain, and what it takes to find them.
//!
//! Each function of a module is brought into SSA form, and each [`Method`] finds locations for its values and copies for
//! its phis. What that takes is counted beyond the translation, and divided by the instructions and phis.

use crate::table::thousands;
use crate::ways::{self, Comparison, Line};
use crate::whole::Refused;
use ssaphire::destruct::structure::{self, structure};
use ssaphire::destruct::{Counted, Method, destruct};
use ssaphire::{Certified, FlatCfg, Options, check_destruction};
use ssaphire_ir::DestructView;
use ssaphire_ir::measure::FormSize;
use ssaphire_literature::{AnyBuilder, Engine};
use ssaphire_tests::structured;
use ssaphire_wasm::{Module, TranslateOptions, Translator};

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

impl ways::Way for Way {
    type Outcome = Outcome;

    const TABLE: &'static str = "leaving";

    const HEADINGS: [&'static str; 6] =
        ["instructions and phis", "copies", "copies executed", "split edges", "locations", "executed by instruction"];

    fn all() -> Vec<Self> {
        [Self::Translation].into_iter().chain(Method::ALL.iter().map(|&method| Self::Leave(method))).collect()
    }

    fn name(self) -> &'static str {
        match self {
            Self::Translation => "translation",
            Self::Leave(method) => method.name(),
        }
    }

    fn go(self, module: &Module) -> Result<Outcome, Refused> {
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

    fn cells(line: &Line<Self>, comparison: &Comparison<Self>) -> [String; 6] {
        let Outcome { size, copies: Counted { copies, executed }, split_edges, locations } = line.outcome;
        let cost = cost(line, comparison).map_or(String::new(), |cost| format!("{cost:.0}"));
        let [size, copies, executed, split_edges, locations] =
            [size, copies, executed, split_edges, locations].map(thousands);
        [size, copies, executed, split_edges, locations, cost]
    }

    fn figures(line: &Line<Self>, comparison: &Comparison<Self>) -> Vec<(&'static str, f64)> {
        if line.way == Self::Translation {
            return Vec::new();
        }
        let Outcome { size, copies, split_edges, locations } = line.outcome;
        let mut figures = vec![
            ("instructions and phis", size as f64),
            ("copies", copies.copies as f64),
            ("copies executed", copies.executed as f64),
            ("split edges", split_edges as f64),
            ("locations", locations as f64),
        ];
        figures.extend(cost(line, comparison).map(|cost| ("instructions executed by instruction", cost)));
        figures
    }
}

/// What a way takes beyond translation, by instruction and phi.
fn cost(line: &Line<Way>, comparison: &Comparison<Way>) -> Option<f64> {
    let translation = comparison.executed(Way::Translation).filter(|_| line.way != Way::Translation)?;
    Some(line.executed?.saturating_sub(translation) as f64 / line.outcome.size as f64)
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
