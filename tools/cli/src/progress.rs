//! How far long work has come, as one line on a terminal.
//!
//! The line is drawn by whichever thread has just finished a function: nothing
//! else has to run beside the work.

use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Work that takes no longer shows no line.
const PATIENCE: Duration = Duration::from_secs(1);

/// Time between two drawings of the line.
const INTERVAL: Duration = Duration::from_millis(100);

/// Goes back to the beginning of the line, and erases it.
const ERASE: &str = "\r\x1b[K";

/// Counts functions, and shows the count on standard error.
pub(crate) struct Progress {
    start: Instant,
    done: AtomicU64,
    total: AtomicU64,
    /// `None` where nobody would see it.
    line: Option<Mutex<Line>>,
}

impl Progress {
    /// Nothing done so far.
    pub(crate) fn new(is_shown: bool) -> Self {
        let line = is_shown.then(|| Mutex::new(Line { next: PATIENCE, is_drawn: false }));
        Self { start: Instant::now(), done: AtomicU64::new(0), total: AtomicU64::new(0), line }
    }

    /// Says how many functions there are.
    pub(crate) fn expect(&self, total: u64) {
        self.total.store(total, Ordering::Relaxed);
    }

    /// One more function is done.
    pub(crate) fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        let Some(line) = &self.line else { return };
        // A thread that would have to wait leaves the line to the one that draws it.
        if let Ok(mut line) = line.try_lock() {
            line.draw(self.start.elapsed(), done, self.total.load(Ordering::Relaxed), &mut io::stderr().lock());
        }
    }

    /// Takes the line away.
    pub(crate) fn clear(&self) {
        if let Some(line) = &self.line {
            line.lock().unwrap_or_else(PoisonError::into_inner).clear(&mut io::stderr().lock());
        }
    }
}

/// The line.
struct Line {
    /// It is not drawn again before that time.
    next: Duration,
    is_drawn: bool,
}

impl Line {
    fn draw(&mut self, elapsed: Duration, done: u64, total: u64, out: &mut dyn Write) {
        if elapsed < self.next {
            return;
        }
        (self.next, self.is_drawn) = (elapsed + INTERVAL, true);
        // Work goes on where standard error is closed.
        let _ = write!(out, "{ERASE}{done} of {total} functions, {} s", elapsed.as_secs());
        let _ = out.flush();
    }

    fn clear(&mut self, out: &mut dyn Write) {
        if self.is_drawn {
            self.is_drawn = false;
            let _ = write!(out, "{ERASE}");
            let _ = out.flush();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ERASE, Line, PATIENCE};
    use std::time::Duration;

    /// What is written when functions are done at these milliseconds.
    fn drawn(times: &[u64]) -> String {
        let mut line = Line { next: PATIENCE, is_drawn: false };
        let mut out = Vec::new();
        for (done, &time) in (1..).zip(times) {
            line.draw(Duration::from_millis(time), done, 9, &mut out);
        }
        line.clear(&mut out);
        line.clear(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn short_work_shows_nothing() {
        assert_eq!(drawn(&[0, 3, 999]), "");
    }

    #[test]
    fn the_line_is_drawn_now_and_then_and_taken_away_once() {
        let expected = format!("{ERASE}2 of 9 functions, 1 s{ERASE}4 of 9 functions, 2 s{ERASE}");
        assert_eq!(drawn(&[500, 1950, 2000, 2050, 2149]), expected);
    }
}
