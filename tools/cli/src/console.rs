//! Standard output and standard error.

use crate::diagnostic::Diagnostic;
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use serde_json::{Value as Json, json};
use std::env;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

/// How things stand out on a terminal.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Styles {
    pub(crate) heading: Style,
    pub(crate) error: Style,
    pub(crate) warning: Style,
    pub(crate) good: Style,
}

impl Styles {
    /// Colors where the stream shows them: on a terminal, and if the environment does not forbid it.
    fn of(choice: ColorChoice) -> Self {
        if matches!(choice, ColorChoice::Never | ColorChoice::Auto) {
            return Self::default();
        }
        let color = |color: AnsiColor| color.on_default().bold();
        Self {
            heading: Style::new().bold(),
            error: color(AnsiColor::Red),
            warning: color(AnsiColor::Yellow),
            good: color(AnsiColor::Green),
        }
    }
}

/// Standard output, with a buffer.
pub(crate) type Output = BufWriter<StdoutLock<'static>>;

/// Where a command writes.
pub(crate) struct Console {
    /// Standard output.
    pub(crate) output: Output,
    /// What standard output shows.
    pub(crate) styles: Styles,
    /// Whether standard output is a terminal.
    pub(crate) is_terminal: bool,
    /// Whether everything is for machines.
    pub(crate) is_json: bool,
    error_styles: Styles,
}

impl Console {
    /// The streams of this process.
    pub(crate) fn new(is_json: bool) -> Self {
        let stdout = io::stdout();
        Self {
            styles: Styles::of(AutoStream::choice(&stdout)),
            is_terminal: stdout.is_terminal(),
            output: BufWriter::with_capacity(1 << 16, stdout.lock()),
            is_json,
            error_styles: Styles::of(AutoStream::choice(&io::stderr())),
        }
    }

    /// Number of characters in a line, if something says so.
    pub(crate) fn width(&self) -> Option<usize> {
        let told = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        told.or_else(|| terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0)))
    }

    /// Writes one line of JSON.
    ///
    /// # Errors
    /// If standard output takes no more.
    pub(crate) fn json(&mut self, value: &Json) -> io::Result<()> {
        writeln!(self.output, "{value}")
    }

    /// Says that something is wrong.
    pub(crate) fn error(&self, diagnostic: &Diagnostic) {
        self.say("error", self.error_styles.error, diagnostic);
    }

    /// Says that something is doubtful.
    pub(crate) fn warning(&self, diagnostic: &Diagnostic) {
        self.say("warning", self.error_styles.warning, diagnostic);
    }

    /// Writes a line for people to standard error; nothing where everything is for machines.
    pub(crate) fn note(&self, line: &str) {
        if !self.is_json {
            self.tell(line);
        }
    }

    /// Writes one step of a run to standard error.
    pub(crate) fn trace(&self, line: &str) {
        self.tell(&if self.is_json { json!({ "trace": line }).to_string() } else { line.to_owned() });
    }

    fn say(&self, severity: &str, style: Style, diagnostic: &Diagnostic) {
        if self.is_json {
            return self.tell(&diagnostic.to_json(severity).to_string());
        }
        self.tell(&format!("{style}{severity}{style:#}: {diagnostic}"));
    }

    /// Nobody is left to hear that standard error is closed.
    fn tell(&self, line: &str) {
        let _ = writeln!(io::stderr().lock(), "{line}");
    }
}
