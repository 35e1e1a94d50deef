//! Metadata and attributes by what they say: promotion adds nodes and leaves out what nothing uses any more, so that numbers differ.

use crate::scan::string_len;
use foldhash::fast::{FixedState, RandomState};
use std::collections::HashMap;
use std::hash::BuildHasher;

/// By number, the texts of nodes, with a digest of what the numbers in them stand for, and those of groups of attributes.
#[derive(Debug)]
pub(crate) struct Metadata {
    nodes: HashMap<u32, String, RandomState>,
    attributes: HashMap<u32, String, RandomState>,
}

/// So many nodes behind each other are compared.
const DEPTH: usize = 5;

/// What says nothing about the meaning of an instruction.
const PLACES: [&str; 2] = [", !dbg !", ", !DIAssignID !"];

impl Metadata {
    /// The nodes and groups that a module defines.
    pub(crate) fn of(text: &str) -> Self {
        let (mut contents, mut attributes) = (Vec::new(), HashMap::default());
        for line in text.lines().filter(|line| line.starts_with(['!', 'a'])) {
            let Some((name, content)) = line.split_once(" = ") else { continue };
            if let Some(number) = name.strip_prefix('!').and_then(|number| number.parse().ok()) {
                contents.push((number, content));
            }
            if let Some(number) = name.strip_prefix("attributes #").and_then(|number| number.parse().ok()) {
                attributes.insert(number, content.to_owned());
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
            let known = if rest.starts_with('!') { &self.nodes } else { &self.attributes };
            match rest[1..len].parse().ok().and_then(|number: u32| known.get(&number)) {
                // Braces would be holes.
                Some(content) => spelled.push_str(&content.replace('{', "(").replace('}', ")")),
                None => spelled.push_str(&rest[..len]),
            }
            rest = &rest[len..];
        }
        spelled.push_str(rest);
        Some(spelled)
    }
}

/// The texts of nodes by number. Cycles have no end, so that a digest goes so many nodes deep.
fn nodes(contents: &[(u32, &str)]) -> HashMap<u32, String, RandomState> {
    let places: HashMap<u32, usize, RandomState> =
        contents.iter().enumerate().map(|(place, &(number, _))| (number, place)).collect();
    let texts: Vec<String> = contents.iter().map(|&(_, content)| without_numbers(content)).collect();
    let others: Vec<Vec<usize>> = contents
        .iter()
        .map(|&(_, content)| numbers_in(content).filter_map(|number| places.get(&number).copied()).collect())
        .collect();
    // Nodes of two modules have to give the same.
    let hasher = FixedState::default();
    let mut digests: Vec<u64> = texts.iter().map(|text| hasher.hash_one(text)).collect();
    for _ in 0..DEPTH {
        let digest = |place: usize| {
            let others: Vec<u64> = others[place].iter().map(|&other| digests[other]).collect();
            hasher.hash_one((&texts[place], others))
        };
        digests = (0..texts.len()).map(digest).collect();
    }
    let spelled = |(place, text): (usize, String)| match others[place].is_empty() {
        true => text,
        false => format!("{text}~{:x}", digests[place]),
    };
    contents.iter().map(|&(number, _)| number).zip(texts.into_iter().enumerate().map(spelled)).collect()
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
            let types = "!3 = !{!4, !4, i64 0}\n!4 = !{!\"int\", !5, i64 0}\n!5 = distinct !{!5, !\"NAME\"}\n"
                .replace("NAME", name);
            Metadata::of(&types).spelled("load i32, ptr {}, !tbaa !3")
        };
        assert_eq!(
            deep("a"),
            Metadata::of("!1 = distinct !{!1, !\"a\"}\n!2 = !{!9, !9, i64 0}\n!9 = !{!\"int\", !1, i64 0}\n")
                .spelled("load i32, ptr {}, !tbaa !2")
        );
        assert_ne!(deep("a"), deep("b"));
        let groups = Metadata::of("attributes #2 = { nounwind }\n");
        assert_eq!(groups.spelled("call void @\"f#2\"() #2").as_deref(), Some("call void @\"f#2\"() ( nounwind )"));
    }
}
