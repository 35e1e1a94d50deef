//! Whole modules: promotion from text to text.

use crate::addresses::{Addresses, mentioned, plain};
use crate::error::ReadError;
use crate::function::LlvmFunction;
use crate::module::{FunctionText, Item, Module};
use crate::promise;
use crate::read::{Numbers, read};
use crate::write::write;
use ssaphire::Certified;
use ssaphire_ir::BuildError;
use std::fmt;
use std::io;

/// What became of the functions of a module.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Promotion<'t> {
    /// Functions in which slots were promoted.
    pub promoted: usize,
    /// Functions without promotable slots: they stay as they are, byte for byte.
    pub unchanged: usize,
    /// Functions that stay as they are because they could not be read or promoted, with the reason.
    pub skipped: Vec<(FunctionText<'t>, Skipped)>,
    /// Whether a new text calls the function for records of values, which a module has to declare.
    calls_records: bool,
    /// Whether a new text calls `llvm.assume`.
    calls_assume: bool,
}

const DECLARATION: &str = "declare void @llvm.dbg.value(";

/// Why a function stays as it is.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Skipped {
    /// It cannot be read.
    Read(ReadError),
    /// SSA construction refuses it.
    Build(BuildError),
}

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Build(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Skipped {}

impl From<ReadError> for Skipped {
    fn from(error: ReadError) -> Self {
        Self::Read(error)
    }
}

impl From<BuildError> for Skipped {
    fn from(error: BuildError) -> Self {
        Self::Build(error)
    }
}

impl<'t> Module<'t> {
    /// Reads a function of the module.
    ///
    /// # Errors
    /// The first thing in it that cannot be read.
    ///
    /// # Complexity
    /// O(*n*) for *n* bytes.
    pub fn read(&self, function: &FunctionText<'t>) -> Result<LlvmFunction, ReadError> {
        read(self.context(), function, Numbers::Given)
    }

    /// Reads a function of the module, with numbers as names.
    pub(crate) fn read_named(&self, function: &FunctionText<'t>) -> Result<LlvmFunction, ReadError> {
        read(self.context(), function, Numbers::Names)
    }
}

/// Promotes all slots of a module that can be promoted, and writes the module.
///
/// # Errors
/// If the writer fails. A function that cannot be read is written as it stands, and listed.
///
/// # Complexity
/// That of SSA construction for each function; in memory the largest function, besides the text.
pub fn promote<'t>(text: &'t str, out: &mut dyn io::Write) -> io::Result<Promotion<'t>> {
    let module = Module::new(text);
    let mut ssa = Certified::<ssaphire::Builder>::default();
    ssa.set_recording(false);
    module.rewrite(out, |_, function| Ok(module.read(function)?.promote(&mut ssa)?))
}

impl<'t> Module<'t> {
    /// Writes the module with the functions that `new` returns in place of its own; `None` for one that stays as it is.
    /// `new` is called once for each function with its number, but not in order.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn rewrite(
        &self,
        out: &mut dyn io::Write,
        mut new: impl FnMut(usize, &FunctionText<'t>) -> Result<Option<LlvmFunction>, Skipped>,
    ) -> io::Result<Promotion<'t>> {
        let mut promotion = Promotion::default();
        // The numbers of blocks whose addresses are taken have to be known wherever they are mentioned.
        let (mentioned, mut addresses) = (mentioned(self), Addresses::default());
        let mut early: Vec<(usize, Option<String>)> = Vec::new();
        for (number, function) in
            self.functions().enumerate().filter(|(_, function)| mentioned.contains(plain(function.name)))
        {
            let written = promotion.add(function, new(number, &function), |new| addresses.note(function.name, new))?;
            early.push((number, written));
        }
        let mut early = early.into_iter().peekable();
        let mut number = 0;
        for item in self.items() {
            let function = match item {
                Item::Text(text) => {
                    out.write_all(addresses.renewed(text).as_bytes())?;
                    continue;
                }
                Item::Function(function) => function,
            };
            let written = match early.next_if(|&(early, _)| early == number) {
                Some((_, written)) => written,
                None => promotion.add(*function, new(number, function), |_| {})?,
            };
            let text = written.as_deref().unwrap_or(function.text);
            out.write_all(addresses.renewed(text).as_bytes())?;
            number += 1;
        }
        if promotion.calls_records && !self.text().contains(DECLARATION) {
            let end = if self.text().ends_with('\n') { "" } else { "\n" };
            write!(out, "{end}\n{DECLARATION}metadata, metadata, metadata)\n")?;
        }
        if promotion.calls_assume && !self.text().contains("@llvm.assume(") {
            let end = if self.text().ends_with('\n') { "" } else { "\n" };
            write!(out, "{end}\n{}\n", promise::DECLARATION)?;
        }
        Ok(promotion)
    }
}

impl<'t> Promotion<'t> {
    /// Counts a function; its text, if it has a new one.
    fn add(
        &mut self,
        function: FunctionText<'t>,
        new: Result<Option<LlvmFunction>, Skipped>,
        mut note: impl FnMut(&LlvmFunction),
    ) -> io::Result<Option<String>> {
        match new {
            Ok(Some(new)) => {
                self.promoted += 1;
                note(&new);
                let mut text = String::with_capacity(function.text.len());
                write(&new, &mut text).map_err(|fmt::Error| io::ErrorKind::Other)?;
                self.calls_records |= text.contains("call void @llvm.dbg.value(");
                self.calls_assume |= text.contains(promise::ASSUME_START);
                Ok(Some(text))
            }
            Ok(None) => {
                self.unchanged += 1;
                Ok(None)
            }
            Err(reason) => {
                self.skipped.push((function, reason));
                Ok(None)
            }
        }
    }
}
