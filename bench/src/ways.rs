//! Whole modules of WebAssembly, each gone through in several ways: what comes of it, and the instructions executed.

use crate::cachegrind;
use crate::failure::Failure;
use crate::record::Record;
use crate::table::Table;
use crate::whole::Refused;
use ssaphire_wasm::Module;
use std::env;
use std::fmt;
use std::fs;
use std::path::Path;

/// One of several ways with a module, which a table compares.
pub trait Way: Copy + Eq + fmt::Debug + Send + Sync + 'static {
    /// What comes of a module.
    type Outcome: Clone + fmt::Debug;

    /// The table's name in the record. The command of this name with `-count` goes a way and does nothing else.
    const TABLE: &'static str;

    /// The headings of the table, after the module's name.
    const HEADINGS: [&'static str; 6];

    /// All ways, in the order of the table.
    fn all() -> Vec<Self>;

    /// Its name, as on the command line.
    fn name(self) -> &'static str;

    /// All functions of a module, one after the other.
    ///
    /// # Errors
    /// If one is refused.
    fn go(self, module: &Module) -> Result<Self::Outcome, Refused>;

    /// The cells of a line, below the headings.
    fn cells(line: &Line<Self>, comparison: &Comparison<Self>) -> [String; 6];

    /// What the record keeps of a line.
    fn figures(line: &Line<Self>, comparison: &Comparison<Self>) -> Vec<(&'static str, f64)>;

    /// Lines of text below the table.
    fn notes(_comparison: &Comparison<Self>) -> String {
        String::new()
    }
}

/// What came of a module, one way.
#[derive(Clone, Debug)]
pub struct Line<W: Way> {
    /// The way.
    pub way: W,
    /// What came of it.
    pub outcome: W::Outcome,
    /// The instructions executed, if they were counted.
    pub executed: Option<u64>,
}

/// A module with what came of it, each way.
#[derive(Clone, Debug)]
pub struct Comparison<W: Way> {
    name: String,
    lines: Vec<Line<W>>,
}

impl<W: Way> Comparison<W> {
    /// Goes all ways, and counts the instructions of each if that is asked for.
    ///
    /// # Errors
    /// If the module cannot be read or is refused.
    pub fn measure(name: &str, file: &Path, counts: bool) -> Result<Self, Failure> {
        let module = load(name, file)?;
        let mut lines = Vec::new();
        for way in W::all() {
            let outcome = way.go(&module).map_err(|refused| failed(name, &refused))?;
            let executed = if counts { Some(executed(way, file)?) } else { None };
            lines.push(Line { way, outcome, executed });
        }
        Ok(Self { name: name.to_owned(), lines })
    }

    /// What came of that way.
    pub fn line(&self, way: W) -> Option<&Line<W>> {
        self.lines.iter().find(|line| line.way == way)
    }

    /// The instructions of that way, if they were counted.
    pub fn executed(&self, way: W) -> Option<u64> {
        self.line(way)?.executed
    }

    /// The table, and the notes below it.
    pub fn table(&self) -> String {
        let mut table = Table::new([self.name.as_str()].into_iter().chain(W::HEADINGS));
        for line in &self.lines {
            table.line([line.way.name().to_owned()].into_iter().chain(W::cells(line, self)));
        }
        table.to_string() + &W::notes(self)
    }

    /// Adds every figure to the record.
    pub fn add_to(&self, record: &mut Record) {
        for line in &self.lines {
            for (measure, value) in W::figures(line, self) {
                record.add(W::TABLE, &self.name, line.way.name(), measure, value);
            }
        }
    }
}

/// The module in `file`, which errors call by `name`.
///
/// # Errors
/// If it cannot be read.
pub fn load(name: &str, file: &Path) -> Result<Module, Failure> {
    let bytes = fs::read(file).map_err(Failure::file(file))?;
    Module::parse_without_bodies(bytes).map_err(|error| failed(name, &error))
}

/// The module `name` is not what it has to be.
pub fn failed(name: &str, error: &impl ToString) -> Failure {
    Failure::Program { program: name.to_owned(), message: error.to_string() }
}

/// The instructions of going a way once more, by this program under Valgrind.
fn executed<W: Way>(way: W, file: &Path) -> Result<u64, Failure> {
    let program = env::current_exe().map_err(Failure::Run)?;
    let command = format!("{}-count", W::TABLE);
    let arguments = |times: &'static str| {
        let words = [command.as_ref(), way.name().as_ref(), times.as_ref(), file.as_os_str()];
        words.map(ToOwned::to_owned)
    };
    Ok(cachegrind::difference(&program, arguments)?.total())
}
