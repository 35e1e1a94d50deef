//! Many programs, in parallel.

use super::shrink;
use crate::Transformation;
use crate::compare::{Comparison, Difference, Make, compare};
use crate::node::{Answer, Node};
use crate::threads::on_threads;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// What came of many programs.
#[derive(Debug, Default)]
pub struct Findings {
    /// How many programs log the same.
    pub same: usize,
    /// How many lines these log.
    pub lines: usize,
    /// Seeds of programs that node refuses as they are, or that do not end, with what it says.
    pub useless: Vec<(u64, Answer)>,
    /// Seeds of programs that differ.
    pub different: Vec<(u64, Difference)>,
}

impl Findings {
    /// Adds what came of others.
    pub fn add(&mut self, others: Self) {
        self.same += others.same;
        self.lines += others.lines;
        self.useless.extend(others.useless);
        self.different.extend(others.different);
    }
}

/// Compares the programs that `make` makes of `seeds` before and after `transformation`, on `jobs` threads.
///
/// # Errors
/// If node cannot be started.
pub fn search(make: Make, seeds: Range<u64>, transformation: Transformation, jobs: usize) -> io::Result<Findings> {
    let next = AtomicU64::new(seeds.start);
    let work = || {
        let (mut node, mut findings) = (Node::default(), Findings::default());
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end {
                return Ok(findings);
            }
            let (program, realm) = make(seed);
            match compare(&mut node, &program, realm, transformation)? {
                Comparison::Same(lines) => {
                    findings.same += 1;
                    findings.lines += lines;
                }
                Comparison::Useless(answer) => findings.useless.push((seed, answer)),
                Comparison::Different(difference) => findings.different.push((seed, difference)),
            }
        }
    };
    let mut all = Findings::default();
    on_threads(jobs, work)?.into_iter().for_each(|findings| all.add(findings));
    all.useless.sort_by_key(|&(seed, _)| seed);
    all.different.sort_by_key(|&(seed, _)| seed);
    Ok(all)
}

/// The smallest program found that differs as that of `seed` does, and how it differs.
///
/// # Errors
/// If node cannot be started.
pub fn smallest(make: Make, seed: u64, transformation: Transformation) -> io::Result<Option<(String, Difference)>> {
    let mut node = Node::default();
    let (program, realm) = make(seed);
    let Comparison::Different(difference) = compare(&mut node, &program, realm, transformation)? else {
        return Ok(None);
    };
    let mut last = difference.clone();
    let mut failure = None;
    let program = shrink(&program, &mut |text| match compare(&mut node, text, realm, transformation) {
        Ok(Comparison::Different(found)) if found.is_like(&difference) => {
            last = found;
            true
        }
        Ok(_) => false,
        Err(error) => {
            failure = Some(error);
            false
        }
    });
    match failure {
        Some(error) => Err(error),
        None => Ok(Some((program, last))),
    }
}
