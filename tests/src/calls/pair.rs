//! Two builders that hear the same calls, but for those that one of them refused.

use super::{Call, Caller, Subject};
use crate::host::TestHost;
use ssaphire::SsaBuilderExt;
use ssaphire::{Block, Event, Stopped};
use std::collections::BTreeMap;

/// The subject hears all calls, its twin those that were not refused.
#[derive(Debug)]
pub struct Pair<S> {
    /// Hears all calls.
    pub subject: S,
    twin: S,
    hosts: [TestHost; 2],
    /// What was called.
    pub calls: Vec<Call>,
    /// Number of calls that were refused.
    pub num_refused: usize,
}

impl<S: Subject> Pair<S> {
    /// Two builders with the same options, for one function.
    pub fn new(subject: S, twin: S) -> Self {
        let hosts = [TestHost::default(), TestHost::default()];
        Self { subject, twin, hosts, calls: Vec::new(), num_refused: 0 }
    }

    /// Makes one call, and looks at what has changed.
    #[track_caller]
    fn call(&mut self, call: Call, caller: &mut Caller<'_>) {
        self.calls.push(call);
        let call = self.calls.last().expect("just pushed");
        let (stopped, stats) = (self.subject.stopped(), *self.subject.stats());
        let num_events = self.subject.events().len();
        let [host, twin_host] = &mut self.hosts;
        let answer = self.subject.call(host, call);
        if let Ok(value) = answer {
            caller.note(call, value);
            let resolved = value.map(|value| self.subject.resolve(value));
            assert_eq!(value, resolved, "a read gives what stands for itself: {:?}", self.calls);
        }
        let is_refused = answer.is_err() && stopped == self.subject.stopped();
        if is_refused {
            self.num_refused += 1;
            assert_eq!(*self.subject.stats(), stats, "{:?}", self.calls);
            assert_eq!(self.subject.events().len(), num_events, "{:?}", self.calls);
        } else {
            let twin_answer = self.twin.call(twin_host, call);
            assert_eq!(answer, twin_answer, "{:?}", self.calls);
        }
        if let Some(why) = stopped {
            assert_eq!(answer, Err(why.to_string()), "{:?}", self.calls);
        }
        assert_eq!(self.hosts[0].origins, self.hosts[1].origins, "{:?}", self.calls);
    }

    /// Makes all calls of the caller, and those that end the function.
    ///
    /// # Panics
    /// If a refused call has changed something, or the two differ.
    #[track_caller]
    pub fn run(&mut self, caller: &mut Caller<'_>) {
        for _ in 0..2 {
            let value = caller.global(&mut self.hosts);
            self.subject.global(value);
            self.twin.global(value);
        }
        while let Some(call) = caller.next_call(&mut self.hosts) {
            self.call(call, caller);
        }
        for call in caller.ending(&self.subject) {
            self.call(call, caller);
        }
        assert_eq!(self.subject.events(), self.twin.events(), "{:?}", self.calls);
        self.check_expected();
        assert_eq!(self.subject.told_stop(), self.subject.stopped(), "{:?}", self.calls);
        assert!(self.subject.stopped().is_some(), "finished, or stopped by an error: {:?}", self.calls);
    }

    /// No block has more edges than it expects at the time.
    #[track_caller]
    fn check_expected(&self) {
        let mut blocks: BTreeMap<Block, (u32, Option<u32>)> = BTreeMap::new();
        for event in self.subject.events() {
            match *event {
                Event::Expected { block, edges } => blocks.entry(block).or_default().1 = Some(edges),
                Event::EdgeAdded { to, .. } => blocks.entry(to).or_default().0 += 1,
                Event::EdgeRedirected { before, to, .. } => {
                    blocks.entry(before).or_default().0 -= 1;
                    blocks.entry(to).or_default().0 += 1;
                }
                _ => continue,
            }
            let has_too_many = |&(given, expected): &(u32, Option<u32>)| expected.is_some_and(|edges| given > edges);
            assert!(!blocks.values().any(has_too_many), "{event:?}: {:?}", self.calls);
        }
    }

    /// Why the subject accepts no more calls.
    pub fn stopped(&self) -> Option<Stopped> {
        self.subject.stopped()
    }
}
