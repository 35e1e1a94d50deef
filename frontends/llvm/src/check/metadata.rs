//! Metadata and attributes by what they say: promotion adds nodes and leaves out what nothing uses any more, so that numbers differ.

use crate::scan::string_len;
use foldhash::fast::RandomState;
use std::collections::HashMap;

/// By number, the texts of nodes and those of groups of attributes: parts of the module's.
#[derive(Debug)]
pub(crate) struct Metadata<'t> {
    nodes: HashMap<u32, &'t str, RandomState>,
    attributes: HashMap<u32, &'t str, RandomState>,
}

/// What says nothing about the meaning of an instruction.
const PLACES: [&str; 2] = [", !dbg !", ", !DIAssignID !"];

impl<'t> Metadata<'t> {
    /// The nodes and groups that a module defines.
    pub(crate) fn of(text: &'t str) -> Self {
        let (mut nodes, mut attributes) = (HashMap::default(), HashMap::default());
        for line in text.lines().filter(|line| line.starts_with(['!', 'a'])) {
            let Some((name, content)) = line.split_once(" = ") else { continue };
            if let Some(number) = name.strip_prefix('!').and_then(|number| number.parse().ok()) {
                nodes.insert(number, content);
            }
            if let Some(number) = name.strip_prefix("attributes #").and_then(|number| number.parse().ok()) {
                attributes.insert(number, content);
            }
        }
        Self { nodes, attributes }
    }

    /// A text with nodes and attributes in place of their numbers, and without places in the source program; `None` if it has neither.
    pub(crate) fn spelled(&self, text: &str) -> Option<String> {
        if !text.contains(['!', '#']) {
            return None;
        }
        let mut text = text.to_owned();
        for place in PLACES {
            while let Some(at) = text.find(place) {
                let digits = at + place.len();
                let len = digits_len(&text[digits..]);
                text.replace_range(at..digits + len, "");
            }
        }
        let mut spelled = String::with_capacity(text.len());
        let mut rest = &*text;
        while let Some(at) = rest.find(['!', '#', '"']) {
            spelled.push_str(&rest[..at]);
            rest = &rest[at..];
            if rest.starts_with('"') {
                let len = string_len(rest.as_bytes());
                spelled.push_str(&rest[..len]);
                rest = &rest[len..];
                continue;
            }
            let len = 1 + digits_len(&rest[1..]);
            let is_node = rest.starts_with('!');
            let known = if is_node { &self.nodes } else { &self.attributes };
            match rest[1..len].parse().ok().and_then(|number: u32| known.get(&number)) {
                Some(&content) => {
                    let content = if is_node { without_numbers(content) } else { content.to_owned() };
                    // Braces would be holes.
                    spelled.push_str(&content.replace('{', "(").replace('}', ")"));
                }
                None => spelled.push_str(&rest[..len]),
            }
            rest = &rest[len..];
        }
        spelled.push_str(rest);
        Some(spelled)
    }
}

fn digits_len(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// A node without the numbers of others.
fn without_numbers(node: &str) -> String {
    let mut text = String::with_capacity(node.len());
    let mut rest = node;
    while let Some((before, after)) = rest.split_once('!') {
        text.push_str(before);
        text.push('!');
        rest = &after[digits_len(after)..];
    }
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests {
    use super::Metadata;

    #[test]
    fn numbers_are_spelled_out() {
        let one = Metadata::of("!3 = !{i32 0, i32 5}\n!4 = !DILocation(line: 1, scope: !2)\n");
        let two = Metadata::of("!7 = !{i32 0, i32 5}\n!8 = !{i32 0, i32 6}\n");
        let spelled = one.spelled("load i32, ptr {}, !range !3, !dbg !4");
        assert_eq!(spelled, two.spelled("load i32, ptr {}, !range !7"));
        assert_ne!(spelled, two.spelled("load i32, ptr {}, !range !8"));
        assert_eq!(one.spelled("ret void"), None);
        let groups = Metadata::of("attributes #2 = { nounwind }\n");
        assert_eq!(groups.spelled("call void @\"f#2\"() #2").as_deref(), Some("call void @\"f#2\"() ( nounwind )"));
    }
}
