//! Times of replays, taken in turn.

use crate::measure;
use crate::subject::Subject;
use crate::trace::Trace;
use std::time::Duration;

/// The shortest of `runs` times that each subject takes for the whole trace.
///
/// The subjects take turns, so that a machine that is slow for a while is slow
/// for all. One replay before the first makes each subject's memory as large as
/// it has to be.
pub fn shortest(subjects: &[Subject], trace: &Trace, runs: usize) -> Vec<Duration> {
    let mut replayers: Vec<_> = subjects.iter().map(|subject| (subject.start(), Duration::MAX)).collect();
    replayers.iter_mut().for_each(|(replayer, _)| replayer.replay(trace));
    for _ in 0..runs.max(1) {
        for (replayer, best) in &mut replayers {
            let ((), time) = measure::time(|| replayer.replay(trace));
            *best = time.min(*best);
        }
    }
    replayers.into_iter().map(|(_, best)| best).collect()
}
