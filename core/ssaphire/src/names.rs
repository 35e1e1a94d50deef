//! Names of blocks and variables, for the messages of errors and reports.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use ssaphire_construct::{
    CallError, Observed, Options, PhiHost, Recorder, Ssa, SsaBuilder, Stats, Stopped, UndefinedRead, with_calls,
};
use ssaphire_graph::{Block, FlatCfg, Value, Variable};

/// Names of blocks and variables.
///
/// Errors, violations and reports hold ids, and show `block4` and `x2`; [`describe`](Self::describe) shows `header` and
/// `i` instead. [`Named`] is a builder that does so automatically.
///
/// # Examples
/// ```
/// use ssaphire::{Block, Builder, Names, SsaBuilder, Value, Variable};
///
/// let (mut names, mut ssa) = (Names::default(), Builder::default());
/// let (header, i) = (Block::new(0), Variable::new(0));
/// names.name_block(header, "header");
/// names.name_variable(i, "i");
/// ssa.terminate(header, &[]);
/// let error = ssa.try_write_variable(header, i, Value::new(0)).unwrap_err();
/// assert_eq!(error.to_string(), "block0: x0 is written after the block was filled");
/// assert_eq!(names.describe(&error), "header: i is written after the block was filled");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    blocks: Vec<Option<String>>,
    variables: Vec<Option<String>>,
}

impl Names {
    /// Names `block`. Two blocks may have the same name, and a block may be renamed.
    ///
    /// # Complexity
    /// Amortized O(1); memory grows with the largest id.
    pub fn name_block(&mut self, block: Block, name: impl Into<String>) {
        put(&mut self.blocks, block.index(), name.into());
    }

    /// Names `variable`. Two variables may have the same name, and a variable may be renamed.
    ///
    /// # Complexity
    /// As [`name_block`](Self::name_block).
    pub fn name_variable(&mut self, variable: Variable, name: impl Into<String>) {
        put(&mut self.variables, variable.index(), name.into());
    }

    /// The name of `block`, if it has one.
    pub fn block(&self, block: Block) -> Option<&str> {
        self.blocks.get(block.index())?.as_deref()
    }

    /// The name of `variable`, if it has one.
    pub fn variable(&self, variable: Variable) -> Option<&str> {
        self.variables.get(variable.index())?.as_deref()
    }

    /// Forgets all names.
    pub fn clear(&mut self) {
        self.blocks.clear();
        self.variables.clear();
    }

    /// The text of `message`, with the ids of blocks and variables replaced by their names, if they have any.
    ///
    /// For messages of this library: every word `block4` or `x2` is taken for an id.
    ///
    /// # Complexity
    /// O(length of the message).
    pub fn describe(&self, message: &dyn fmt::Display) -> String {
        replace_ids(message, &|kind, index| {
            let names = match kind {
                "block" => &self.blocks,
                "x" => &self.variables,
                _ => return None,
            };
            names.get(index)?.clone()
        })
    }
}

/// The text of `message`, with each word that is an id, such as `block4`, replaced with the name that `name_of` returns
/// for its letters and its number.
pub(crate) fn replace_ids(message: &dyn fmt::Display, name_of: &dyn Fn(&str, usize) -> Option<String>) -> String {
    let words = message.to_string();
    let mut described = String::with_capacity(words.len());
    let mut rest = words.as_str();
    while !rest.is_empty() {
        let is_of_word = |c: char| c.is_alphanumeric() || c == '_';
        let len = rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
        let (word, others) = rest.split_at(len);
        let digits = word.find(|c: char| c.is_ascii_digit()).unwrap_or(len);
        let number = word[digits..].parse().ok();
        match number.and_then(|number| name_of(&word[..digits], number)) {
            Some(name) => described.push_str(&name),
            None => described.push_str(word),
        }
        let gap = others.find(is_of_word).unwrap_or(others.len());
        described.push_str(&others[..gap]);
        rest = &others[gap..];
    }
    described
}

fn put(names: &mut Vec<Option<String>>, index: usize, name: String) {
    if names.len() <= index {
        names.resize(index + 1, None);
    }
    names[index] = Some(name);
}

/// A builder with [`Names`], which its panics and [`describe`](SsaBuilder::describe) show in place of ids.
///
/// If it wraps a `Certified` builder, `names` can also describe that builder's `complaints`, and the judge's
/// violations.
///
/// # Examples
/// ```should_panic
/// use ssaphire::{Block, Builder, Named, SsaBuilderExt, Value, Variable};
///
/// let mut ssa = Named::new(Builder::default());
/// let (header, i) = (Block::new(0), Variable::new(0));
/// ssa.names.name_block(header, "header");
/// ssa.names.name_variable(i, "i");
/// ssa.terminate(header, &[]);
/// ssa.write_variable(header, i, Value::new(0)); // header: i is written after the block was filled
/// ```
#[derive(Clone, Debug, Default)]
pub struct Named<B> {
    /// The builder.
    pub builder: B,
    /// The names; [`clear`](SsaBuilder::clear) forgets them with the function.
    pub names: Names,
}

impl<B: SsaBuilder> Named<B> {
    /// Wraps `builder`, with no names yet.
    pub fn new(builder: B) -> Self {
        Self { builder, names: Names::default() }
    }
}

impl<B: SsaBuilder + Observed> Observed for Named<B> {
    type Observer = B::Observer;

    fn observer(&self) -> &B::Observer {
        self.builder.observer()
    }

    fn observer_mut(&mut self) -> &mut B::Observer {
        self.builder.observer_mut()
    }
}

/// Forwards each call to the inner builder; `clear` forgets the names, too.
macro_rules! implement {
    (
        shared { $($ask:ident($($arg:ident: $ty:ty),*) -> $answer:ty;)* }
        exclusive { clear(); $($call:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)* }
    ) => {
        impl<B: SsaBuilder> SsaBuilder for Named<B> {
            $(
                #[inline]
                fn $ask(&self, $($arg: $ty),*) -> $answer {
                    self.builder.$ask($($arg),*)
                }
            )*
            $(
                #[inline]
                fn $call(&mut self, $($argument: $type),*) $(-> $result)? {
                    self.builder.$call($($argument),*)
                }
            )*
            fn clear(&mut self) {
                self.names.clear();
                self.builder.clear();
            }

            fn describe(&self, error: &dyn fmt::Display) -> String {
                self.names.describe(&self.builder.describe(error))
            }
        }
    };
}

with_calls!(implement);
