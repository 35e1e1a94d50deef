//! Whole modules: promotion from text to text.

use crate::addresses::{Addresses, mentioned, plain};
use crate::error::ReadError;
use crate::function::LlvmFunction;
use crate::module::{FunctionText, Item, Module};
use crate::promise;
use crate::read::{Numbers, read};
use ssaphire::Certified;
use ssaphire_ir::BuildError;
use std::fmt;
use std::io;
use std::slice;

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
}

/// The declaration of the function for records of values, without its types.
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
    /// Numbers of the functions of which blocks are mentioned by number, as in `blockaddress(@f, %7)`, ascending.
    pub fn functions_with_addresses(&self) -> Vec<usize> {
        let mentioned = mentioned(self);
        let functions = self.functions().enumerate();
        functions.filter(|(_, function)| mentioned.contains(plain(function.name))).map(|(number, _)| number).collect()
    }

    /// Writes the module with the functions that `new` returns in place of its own; `None` for one that stays as it is.
    /// `new` is called once for each function with its number, but not in order. [`Rewriter`] does the same step by step.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn rewrite(
        &self,
        out: &mut dyn io::Write,
        mut new: impl FnMut(usize, &FunctionText<'t>) -> Result<Option<LlvmFunction>, Skipped>,
    ) -> io::Result<Promotion<'t>> {
        let (mut promotion, mut rewriter) = (Promotion::default(), Rewriter::new(self));
        let mut early: Vec<(usize, Option<String>)> = Vec::new();
        let mut numbers = self.functions_with_addresses().into_iter().peekable();
        for (number, function) in self.functions().enumerate() {
            if numbers.next_if_eq(&number).is_none() {
                continue;
            }
            let new = promotion.add(function, new(number, &function));
            if let Some(new) = &new {
                rewriter.note(&function, &new.renumbered_blocks());
            }
            early.push((number, new.map(|new| new.to_string())));
        }
        let mut early = early.into_iter().peekable();
        for (number, function) in self.functions().enumerate() {
            let text = match early.next_if(|&(early, _)| early == number) {
                Some((_, text)) => text,
                None => promotion.add(function, new(number, &function)).map(|new| new.to_string()),
            };
            if let Some(text) = text {
                rewriter.write(number, &text, out)?;
            }
        }
        rewriter.finish(out)?;
        Ok(promotion)
    }
}

impl<'t> Promotion<'t> {
    /// Counts a function: the new one, if there is one.
    fn add(&mut self, function: FunctionText<'t>, new: Result<Option<LlvmFunction>, Skipped>) -> Option<LlvmFunction> {
        match new {
            Ok(Some(new)) => {
                self.promoted += 1;
                Some(new)
            }
            Ok(None) => {
                self.unchanged += 1;
                None
            }
            Err(reason) => {
                self.skipped.push((function, reason));
                None
            }
        }
    }
}

/// Writes a module from its beginning to its end, with new texts in place of some of its functions. It keeps none of them, so that
/// functions can be made and forgotten one by one.
#[derive(Debug)]
pub struct Rewriter<'m, 't> {
    module: &'m Module<'t>,
    /// The parts that are not written yet.
    rest: slice::Iter<'m, Item<'t>>,
    /// The number of the next function of these.
    next: usize,
    addresses: Addresses<'t>,
    /// Whether a new text calls the function for records of values, which a module has to declare.
    calls_records: bool,
    /// Whether a new text calls `llvm.assume`.
    calls_assume: bool,
}

impl<'m, 't> Rewriter<'m, 't> {
    /// Nothing is written so far.
    pub fn new(module: &'m Module<'t>) -> Self {
        let addresses = Addresses::default();
        Self { module, rest: module.items().iter(), next: 0, addresses, calls_records: false, calls_assume: false }
    }

    /// Notes [how blocks of a function are numbered](LlvmFunction::renumbered_blocks) in its new text. This has to be known of all
    /// [functions with addresses](Module::functions_with_addresses) before anything is written.
    pub fn note(&mut self, function: &FunctionText<'t>, renumbered: &[(u32, u32)]) {
        self.addresses.note(function.name, renumbered);
    }

    /// Writes everything before function number `number` as it was, unless that is written already, and `text` in place of the function.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn write(&mut self, number: usize, text: &str, out: &mut dyn io::Write) -> io::Result<()> {
        for item in self.rest.by_ref() {
            let old = match item {
                Item::Text(old) => old,
                Item::Function(old) => {
                    self.next += 1;
                    if self.next > number {
                        break;
                    }
                    old.text
                }
            };
            out.write_all(self.addresses.renewed(old).as_bytes())?;
        }
        self.calls_records |= text.contains("call void @llvm.dbg.value(");
        self.calls_assume |= text.contains(promise::ASSUME_START);
        out.write_all(self.addresses.renewed(text).as_bytes())
    }

    /// Writes the rest of the module as it was, and the declarations that new texts need.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn finish(self, out: &mut dyn io::Write) -> io::Result<()> {
        for item in self.rest {
            let (Item::Text(old) | Item::Function(FunctionText { text: old, .. })) = item;
            out.write_all(self.addresses.renewed(old).as_bytes())?;
        }
        let text = self.module.text();
        if self.calls_records && !text.contains(DECLARATION) {
            let end = if text.ends_with('\n') { "" } else { "\n" };
            write!(out, "{end}\n{DECLARATION}metadata, metadata, metadata)\n")?;
        }
        if self.calls_assume && !text.contains("@llvm.assume(") {
            let end = if text.ends_with('\n') { "" } else { "\n" };
            write!(out, "{end}\n{}\n", promise::DECLARATION)?;
        }
        Ok(())
    }
}
