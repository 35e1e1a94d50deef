//! Snippets run as they are, and transformed.

use super::Snippet;
use crate::Transformation;
use crate::compare::{Comparison, Realm, compare_to, run};
use crate::node::{Answer, Node, Phase};
use crate::threads::on_threads;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What came of all snippets, by their numbers.
pub type Outcomes = Vec<(usize, Transformation, Comparison)>;

/// Runs all snippets under each transformation, on `jobs` threads.
///
/// # Errors
/// If node cannot be started.
pub fn run_all(snippets: &[Snippet], transformations: &[Transformation], jobs: usize) -> io::Result<Outcomes> {
    let next = AtomicUsize::new(0);
    let work = || {
        let (mut node, mut outcomes) = (Node::default(), Vec::new());
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(snippet) = snippets.get(number) else { return Ok(outcomes) };
            let (realm, original) = as_it_is(&mut node, &snippet.text)?;
            for &transformation in transformations {
                let comparison = compare_to(&mut node, &snippet.text, realm, &original, transformation)?;
                outcomes.push((number, transformation, comparison));
            }
        }
    };
    let mut all = on_threads(jobs, work)?.concat();
    all.sort_by_key(|&(number, ..)| number);
    Ok(all)
}

/// What node says of a program, as a script, or as a module if it is none.
fn as_it_is(node: &mut Node, text: &str) -> io::Result<(Realm, Answer)> {
    let answer = run(node, text, Realm::Script)?;
    match answer.phase {
        Phase::Parse => Ok((Realm::Module, run(node, text, Realm::Module)?)),
        _ => Ok((Realm::Script, answer)),
    }
}
