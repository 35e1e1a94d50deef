//! Metadata and attributes by what they say: promotion adds nodes and leaves out what nothing uses any more, so that numbers differ.

use crate::scan::string_len;
use foldhash::fast::{FixedState, RandomState};
use std::collections::HashMap;
use std::hash::BuildHasher;

/// By number, the texts of nodes, with a digest of what the numbers in them stand for, and those of groups of attributes.
#[derive(Debug)]
pub(crate) struct Metadata<'t> {
    nodes: HashMap<u32, (&'t str, Option<u64>), RandomState>,
    attributes: HashMap<u32, &'t str, RandomState>,
}

/// So many nodes behind each other are compared.
const DEPTH: usize = 5;

/// What says nothing about the meaning of an instruction.
const PLACES: [&str; 2] = [", !dbg !", ", !DIAssignID !"];

impl<'t> Metadata<'t> {
    /// The nodes and groups that a module defines.
    pub(crate) fn of(text: &'t str) -> Self {
        let (mut contents, mut attributes) = (Vec::new(), HashMap::default());
        for line in text.lines().filter(|line| line.starts_with(['!', 'a'])) {
            let Some((name, content)) = line.split_once(" = ") else { continue };
            if let Some(number) = name.strip_prefix('!').and_then(|number| number.parse().ok()) {
                contents.push((number, content));
            }
            if let Some(number) = name.strip_prefix("attributes #").and_then(|number| number.parse().ok()) {
                attributes.insert(number, content);
            }
        }
        Self { nodes: nodes(&contents), attributes }
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
            let number: Option<u32> = rest[1..len].parse().ok();
            let known = number.and_then(|number| match is_node {
                true => self.nodes.get(&number).copied(),
                false => self.attributes.get(&number).map(|&content| (content, None)),
            });
            match known {
                Some((content, digest)) => {
                    let mut content = if is_node { without_numbers(content) } else { content.to_owned() };
                    content.extend(digest.map(|digest| format!("~{digest:x}")));
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

/// By number, nodes with a digest, if they mention others. Nodes may mention each other in a circle, so a digest goes some nodes deep.
fn nodes<'t>(contents: &[(u32, &'t str)]) -> HashMap<u32, (&'t str, Option<u64>), RandomState> {
    let places: HashMap<u32, usize, RandomState> =
        contents.iter().enumerate().map(|(place, &(number, _))| (number, place)).collect();
    let mentioned =
        |content: &'t str| numbers_in(content).filter_map(|number| places.get(&number).copied()).collect::<Vec<_>>();
    // Nodes of two modules have to give the same.
    let hasher = FixedState::default();
    let texts: Vec<u64> = contents.iter().map(|&(_, content)| hasher.hash_one(without_numbers(content))).collect();
    let mut digests = texts.clone();
    for _ in 0..DEPTH {
        let digest = |(place, &(_, content)): (usize, &(u32, &'t str))| {
            let others: Vec<u64> = mentioned(content).into_iter().map(|other| digests[other]).collect();
            hasher.hash_one((texts[place], others))
        };
        digests = contents.iter().enumerate().map(digest).collect();
    }
    let with_digest = |(&(number, content), digest): (&(u32, &'t str), u64)| {
        (number, (content, numbers_in(content).next().map(|_| digest)))
    };
    contents.iter().zip(digests).map(with_digest).collect()
}

/// The numbers behind exclamation marks.
fn numbers_in(node: &str) -> impl Iterator<Item = u32> {
    node.split('!').skip(1).filter_map(|rest| rest[..digits_len(rest)].parse().ok())
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
        let deep = |name: &str| {
            let types = "!3 = !{!4, !4, i64 0}\n!4 = !{!\"int\", !5, i64 0}\n!5 = distinct !{!5, !\"NAME\"}\n";
            Metadata::of(&types.replace("NAME", name)).spelled("load i32, ptr {}, !tbaa !3")
        };
        let other = "!1 = distinct !{!1, !\"a\"}\n!2 = !{!9, !9, i64 0}\n!9 = !{!\"int\", !1, i64 0}\n";
        assert_eq!(deep("a"), Metadata::of(other).spelled("load i32, ptr {}, !tbaa !2"));
        assert_ne!(deep("a"), deep("b"));
        let groups = Metadata::of("attributes #2 = { nounwind }\n");
        assert_eq!(groups.spelled("call void @\"f#2\"() #2").as_deref(), Some("call void @\"f#2\"() ( nounwind )"));
    }
}
