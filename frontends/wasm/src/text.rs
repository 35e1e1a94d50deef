//! Maps byte offsets of a module back to the text that it was assembled from.
//!
//! The encoding has no source locations. But the parts of a section are in the
//! order of their fields in the text, and the operators of a body in the order
//! of the instructions: the position in one order is the position in the other.

mod fields;
mod lines;

pub use lines::TextPlace;

use fields::{FunctionText, Part, read};
pub(crate) use lines::Lines;
use std::collections::BTreeMap;
use wasmparser::{FromReader, FunctionBody, Parser, Payload, SectionLimited};

/// The places in a text of the parts of its module.
pub struct TextMap {
    lines: Lines,
    /// Offsets in the text, in encoding order.
    parts: BTreeMap<Part, Vec<usize>>,
    functions: Vec<FunctionText>,
    num_imported: u32,
}

/// A place in a text, and the function that it is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// The place.
    pub place: TextPlace,
    /// The number of the function, imported ones included, and its name.
    pub function: Option<(u32, String)>,
}

impl TextMap {
    /// Parses a text; `None` if it contains no module in the text format.
    ///
    /// # Complexity
    /// Linear in the text.
    pub fn new(text: &str) -> Option<Self> {
        let fields::Fields { parts, functions, num_imported } = read(text)?;
        Some(Self { lines: Lines::new(text), parts, functions, num_imported })
    }

    /// The place in the text of the part encoded at byte `offset` of `module`, the text's own; `None` if there is no
    /// such part.
    ///
    /// # Complexity
    /// Linear in the number of parts before it.
    pub fn locate(&self, module: &[u8], offset: u64) -> Option<Located> {
        let mut bodies = (self.num_imported..).zip(&self.functions);
        for payload in Parser::new(0).parse_all(module) {
            match payload.ok()? {
                Payload::CodeSectionEntry(body) => {
                    let (index, function) = bodies.next()?;
                    let range = body.range();
                    if range.start <= offset && offset < range.end {
                        let name = function.name.clone().unwrap_or_else(|| format!("func{index}"));
                        let place = self.lines.place(function.offset_of(&body, offset));
                        return Some(Located { place, function: Some((index, name)) });
                    }
                }
                payload => {
                    if let Some((part, index)) = part_at(payload, offset) {
                        let place = self.lines.place(*self.parts.get(&part)?.get(index)?);
                        return Some(Located { place, function: None });
                    }
                }
            }
        }
        None
    }
}

impl FunctionText {
    /// The offset in the text of the instruction encoded at `offset`, or of the function if there is none.
    fn offset_of(&self, body: &FunctionBody<'_>, offset: u64) -> usize {
        let operators = body.get_operators_reader().map(|operators| operators.into_iter_with_offsets());
        let begun = operators.into_iter().flatten().map_while(Result::ok).take_while(|&(_, begin)| begin <= offset);
        let count = begun.count();
        // The last operator, which ends the function, has no instruction in the text.
        count.checked_sub(1).and_then(|place| self.instructions.get(place)).copied().unwrap_or(self.offset)
    }
}

/// The part of a section at `offset`, with its number among its kind.
fn part_at(payload: Payload<'_>, offset: u64) -> Option<(Part, usize)> {
    let (part, index) = match payload {
        Payload::TypeSection(section) => (Part::Type, index_at(section, offset)),
        Payload::ImportSection(section) => (Part::Import, index_at(section, offset)),
        Payload::FunctionSection(section) => (Part::Function, index_at(section, offset)),
        Payload::TableSection(section) => (Part::Table, index_at(section, offset)),
        Payload::MemorySection(section) => (Part::Memory, index_at(section, offset)),
        Payload::TagSection(section) => (Part::Tag, index_at(section, offset)),
        Payload::GlobalSection(section) => (Part::Global, index_at(section, offset)),
        Payload::ExportSection(section) => (Part::Export, index_at(section, offset)),
        Payload::ElementSection(section) => (Part::Element, index_at(section, offset)),
        Payload::DataSection(section) => (Part::Data, index_at(section, offset)),
        Payload::StartSection { range, .. } => (Part::Start, range.contains(&offset).then_some(0)),
        _ => return None,
    };
    Some((part, index?))
}

fn index_at<'a, T: FromReader<'a>>(section: SectionLimited<'a, T>, offset: u64) -> Option<usize> {
    if !section.range().contains(&offset) {
        return None;
    }
    let begun = section.into_iter_with_offsets().map_while(Result::ok).take_while(|&(begin, _)| begin <= offset);
    begun.count().checked_sub(1)
}
