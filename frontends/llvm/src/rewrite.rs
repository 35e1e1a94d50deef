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
    /// Orders of uses (`uselistorder`) that are dropped, because the uses have changed.
    pub dropped_orders: usize,
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
        promotion.dropped_orders = rewriter.finish(out)?;
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
    /// Whether a new text was written.
    has_changed: bool,
    dropped_orders: usize,
}

/// How an order of uses begins.
const ORDER: &str = "uselistorder";

impl<'m, 't> Rewriter<'m, 't> {
    /// Nothing is written so far.
    pub fn new(module: &'m Module<'t>) -> Self {
        Self {
            module,
            rest: module.items().iter(),
            next: 0,
            addresses: Addresses::default(),
            calls_records: false,
            calls_assume: false,
            has_changed: false,
            dropped_orders: 0,
        }
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
        let mut replaced = "";
        while let Some(item) = self.rest.next() {
            if let Item::Function(old) = item {
                self.next += 1;
                if self.next > number {
                    replaced = old.text;
                    self.dropped_orders += num_orders(old.text);
                    break;
                }
            }
            self.keep(item, out)?;
        }
        self.has_changed = true;
        self.calls_records |= text.contains("call void @llvm.dbg.value(");
        self.calls_assume |= text.contains(promise::ASSUME_START);
        let renewed = self.addresses.renewed(text);
        match ends_with_cr(replaced) {
            true => out.write_all(with_cr(&renewed).as_bytes()),
            false => out.write_all(renewed.as_bytes()),
        }
    }

    /// Writes a part as it was, but for orders of the uses of globals: where a function has changed, LLVM refuses them.
    fn keep(&mut self, item: &Item<'t>, out: &mut dyn io::Write) -> io::Result<()> {
        let (Item::Text(old) | Item::Function(FunctionText { text: old, .. })) = item;
        let renewed = self.addresses.renewed(old);
        if !(self.has_changed && matches!(item, Item::Text(_)) && old.contains(ORDER)) {
            return out.write_all(renewed.as_bytes());
        }
        for line in renewed.split_inclusive('\n') {
            match is_order(line) {
                true => self.dropped_orders += 1,
                false => out.write_all(line.as_bytes())?,
            }
        }
        Ok(())
    }

    /// Writes the rest of the module as it was, and the declarations that new texts need. The number of orders of uses
    /// (`uselistorder`) that were dropped: those of functions with a new text, and those of globals after the first of these.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn finish(mut self, out: &mut dyn io::Write) -> io::Result<usize> {
        while let Some(item) = self.rest.next() {
            self.keep(item, out)?;
        }
        let text = self.module.text();
        let end = if ends_with_cr(text) { "\r\n" } else { "\n" };
        let gap = if text.ends_with('\n') { "" } else { end };
        if self.calls_records && !text.contains(DECLARATION) {
            write!(out, "{gap}{end}{DECLARATION}metadata, metadata, metadata){end}")?;
        }
        if self.calls_assume && !text.contains("@llvm.assume(") {
            write!(out, "{gap}{end}{}{end}", promise::DECLARATION)?;
        }
        Ok(self.dropped_orders)
    }
}

/// Whether the first line of a text ends with a carriage return and a line feed.
fn ends_with_cr(text: &str) -> bool {
    text.split_once('\n').is_some_and(|(line, _)| line.ends_with('\r'))
}

/// A text with a carriage return before each line feed, but in strings, of which they are part.
fn with_cr(text: &str) -> String {
    let mut written = String::with_capacity(text.len() + text.len() / 16);
    let mut is_in_string = false;
    for line in text.split_inclusive('\n') {
        is_in_string ^= line.matches('"').count() % 2 == 1;
        match line.strip_suffix('\n') {
            Some(rest) if !is_in_string && !rest.ends_with('\r') => written.extend([rest, "\r\n"]),
            _ => written.push_str(line),
        }
    }
    written
}

/// The number of orders of uses in a function.
fn num_orders(text: &str) -> usize {
    if text.contains(ORDER) { text.lines().filter(|line| is_order(line)).count() } else { 0 }
}

/// Whether a line is an order of uses, of a value or of a block.
fn is_order(line: &str) -> bool {
    let rest = line.trim_ascii_start().strip_prefix(ORDER);
    rest.is_some_and(|rest| rest.strip_prefix("_bb").unwrap_or(rest).starts_with([' ', '\t']))
}
