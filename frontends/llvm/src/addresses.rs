//! Addresses of blocks: `blockaddress(@f, %7)` mentions a block of a function by its number, anywhere in the module.

use crate::function::LlvmFunction;
use crate::module::Module;
use crate::scan::name_len;
use crate::write::renumbered_blocks;
use foldhash::fast::RandomState;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

const START: &str = "blockaddress(";

/// By function, with its sigil, the numbers of blocks before and after.
#[derive(Default)]
pub(crate) struct Addresses<'t> {
    new: HashMap<&'t str, HashMap<u32, u32, RandomState>, RandomState>,
}

/// The functions of which blocks are mentioned by number, with their sigils.
pub(crate) fn mentioned<'t>(module: &Module<'t>) -> HashSet<&'t str, RandomState> {
    if !module.context().has_block_addresses {
        return HashSet::default();
    }
    mentions(module.text()).map(|mention| mention.function).collect()
}

/// An address in a text.
struct Mention<'t> {
    function: &'t str,
    /// Where the number is in the text.
    start: usize,
    number: &'t str,
}

/// The addresses of numbered blocks.
fn mentions(text: &str) -> impl Iterator<Item = Mention<'_>> {
    text.match_indices(START).filter_map(|(at, _)| {
        let rest = &text[at + START.len()..];
        let function = &rest[..1 + name_len(rest.get(1..)?.as_bytes())];
        let number = rest[function.len()..].trim_start().strip_prefix(',')?.trim_start().strip_prefix('%')?;
        let number = &number[..name_len(number.as_bytes())];
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| Mention { function, start: number.as_ptr() as usize - text.as_ptr() as usize, number })
    })
}

impl<'t> Addresses<'t> {
    /// Notes what became of the numbers of a function.
    pub(crate) fn note(&mut self, name: &'t str, function: &LlvmFunction) {
        self.new.insert(name, renumbered_blocks(function).into_iter().collect());
    }

    /// A text with its addresses as they are after the functions were written.
    pub(crate) fn renewed<'s>(&self, text: &'s str) -> Cow<'s, str> {
        if self.new.is_empty() || !text.contains(START) {
            return text.into();
        }
        let mut renewed = String::with_capacity(text.len());
        let mut copied = 0;
        for Mention { function, start, number } in mentions(text) {
            let new = self.new.get(function).and_then(|numbers| numbers.get(&number.parse().ok()?));
            if let Some(new) = new {
                renewed.push_str(&text[copied..start]);
                renewed.push_str(&new.to_string());
                copied = start + number.len();
            }
        }
        renewed.push_str(&text[copied..]);
        renewed.into()
    }
}
