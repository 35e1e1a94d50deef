//! Addresses of blocks: `blockaddress(@f, %7)` mentions a block of a function by its number, anywhere in the module.

use crate::function::Label;
use crate::module::Module;
use crate::scan::{comment_len, name_len, string_len};
use foldhash::fast::RandomState;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

const WORD: &str = "blockaddress";

/// By function, without sigil and quotes, the numbers of blocks before and after.
#[derive(Debug, Default)]
pub(crate) struct Addresses<'t> {
    new: HashMap<&'t str, HashMap<u32, u32, RandomState>, RandomState>,
}

/// The functions of which blocks are mentioned by number, without sigils and quotes.
pub(crate) fn mentioned<'t>(module: &Module<'t>) -> HashSet<&'t str, RandomState> {
    if !module.context().has_block_addresses {
        return HashSet::default();
    }
    mentions(module.text()).map(|mention| mention.function).collect()
}

/// A name without sigil and quotes.
pub(crate) fn plain(name: &str) -> &str {
    let name = name.strip_prefix('@').unwrap_or(name);
    name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name)
}

/// An address in a text.
struct Mention<'t> {
    function: &'t str,
    /// Where the number is in the text.
    start: usize,
    number: &'t str,
}

/// The addresses of numbered blocks, outside of strings and comments.
fn mentions(text: &str) -> impl Iterator<Item = Mention<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let found = text.as_bytes()[at..].iter().position(|byte| matches!(byte, b'"' | b';' | b'b'))?;
            at += found;
            let rest = &text[at..];
            match rest.as_bytes()[0] {
                b'"' => at += string_len(rest.as_bytes()),
                b';' => at += comment_len(rest.as_bytes()),
                _ => {
                    at += 1;
                    if let Some(mention) = rest.strip_prefix(WORD).and_then(|inner| mention(text, inner)) {
                        at = mention.start;
                        return Some(mention);
                    }
                }
            }
        }
    })
}

/// The address whose parenthesis `inner` starts with.
fn mention<'t>(text: &'t str, inner: &'t str) -> Option<Mention<'t>> {
    let name = without_blanks(without_blanks(inner).strip_prefix('(')?).strip_prefix('@')?;
    let function = &name[..name_len(name.as_bytes())];
    let after = without_blanks(without_blanks(&name[function.len()..]).strip_prefix(',')?).strip_prefix('%')?;
    let number = &after[..name_len(after.as_bytes())];
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let start = number.as_ptr() as usize - text.as_ptr() as usize;
    is_number.then_some(Mention { function: plain(function), start, number })
}

fn without_blanks(text: &str) -> &str {
    let mut rest = text.trim_ascii_start();
    while rest.starts_with(';') {
        rest = rest[comment_len(rest.as_bytes())..].trim_ascii_start();
    }
    rest
}

impl<'t> Addresses<'t> {
    /// Notes what became of the numbers of blocks of a function.
    pub(crate) fn note(&mut self, name: &'t str, renumbered: &[(u32, u32)]) {
        self.new.insert(plain(name), renumbered.iter().copied().collect());
    }

    /// With the places of blocks in their functions for numbers, in which two modules can be compared.
    pub(crate) fn by_place(module: &Module<'t>) -> Self {
        let mut addresses = Self::default();
        let mentioned = mentioned(module);
        for text in module.functions().filter(|text| mentioned.contains(plain(text.name))) {
            let Ok(function) = module.read(&text) else { continue };
            let numbers = (0..).zip(&function.frame.labels).filter_map(|(place, label)| match label {
                Label::Number(number) => Some((*number, place)),
                Label::Name(_) => None,
            });
            addresses.new.insert(plain(text.name), numbers.collect());
        }
        addresses
    }

    /// A text with its addresses as they are after the functions were written.
    pub(crate) fn renewed<'s>(&self, text: &'s str) -> Cow<'s, str> {
        if self.new.is_empty() || !text.contains(WORD) {
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

#[cfg(test)]
mod tests {
    use super::mentions;

    #[test]
    fn addresses_are_found_outside_of_strings() {
        let text = "c\"blockaddress(@f, %1)\" ; blockaddress(@f, %2)\nblockaddress(@f, %3) blockaddress( @\"g\" ,\n %4 ) blockaddress(@h, %x)";
        let found: Vec<_> = mentions(text).map(|mention| (mention.function, mention.number)).collect();
        assert_eq!(found, [("f", "3"), ("g", "4")]);
    }
}
