//! Standard output and standard error.

use crate::destination::Destination;
use crate::diagnostic::Diagnostic;
use crate::progress::Progress;
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use serde_json::{Value as Json, json};
use std::env;
use std::io::{self, BufWriter, IsTerminal, Write};

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

/// Where results go, with a buffer.
pub(crate) type Output = BufWriter<Destination>;

/// Where a command writes.
pub(crate) struct Console {
    /// Results.
    pub(crate) output: Output,
    /// How results stand out.
    pub(crate) styles: Styles,
    /// Whether results go to a terminal.
    pub(crate) is_terminal: bool,
    /// Whether everything is for machines.
    pub(crate) is_json: bool,
    error_styles: Styles,
    /// Whether a file among others could not be read.
    has_unread: bool,
}

impl Console {
    /// Standard error, and the file for results: standard output where there is none.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub(crate) fn new(file: Option<&str>, is_json: bool) -> Result<Self, Diagnostic> {
        let output = Destination::open(file)?;
        let choice = output.standard_output().map_or_else(ColorChoice::global, AutoStream::choice);
        Ok(Self {
            styles: Styles::of(choice),
            is_terminal: output.is_terminal(),
            output: BufWriter::with_capacity(1 << 16, output),
            is_json,
            error_styles: Styles::of(AutoStream::choice(&io::stderr())),
            has_unread: false,
        })
    }

    /// Standard error alone.
    pub(crate) fn say_error(diagnostic: &Diagnostic, is_json: bool) {
        say("error", Styles::of(AutoStream::choice(&io::stderr())).error, diagnostic, is_json);
    }

    /// Number of characters in a line, if something says so.
    pub(crate) fn width(&self) -> Option<usize> {
        let told = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        let stdout = self.output.get_ref().standard_output();
        told.or_else(|| terminal_size::terminal_size_of(stdout?).map(|(width, _)| usize::from(width.0)))
    }

    /// Progress on standard error, if that is a terminal on which nothing else is being written.
    ///
    /// `is_streaming` says that results are written while the work goes on.
    pub(crate) fn progress(&self, is_streaming: bool) -> Progress {
        let is_alone = !(is_streaming && self.is_terminal);
        Progress::new(is_alone && !self.is_json && io::stderr().is_terminal())
    }

    /// Says that all results are written.
    ///
    /// # Errors
    /// If they are not.
    pub(crate) fn commit(self) -> io::Result<()> {
        self.output.into_inner().map_err(io::IntoInnerError::into_error)?.commit()
    }

    /// Writes one line of JSON.
    ///
    /// # Errors
    /// If results cannot be written.
    pub(crate) fn json(&mut self, value: &Json) -> io::Result<()> {
        writeln!(self.output, "{value}")
    }

    /// Says that something is wrong.
    pub(crate) fn error(&self, diagnostic: &Diagnostic) {
        self.say("error", self.error_styles.error, diagnostic);
    }

    /// Says why a file among others cannot be read.
    pub(crate) fn unread(&mut self, diagnostic: &Diagnostic) {
        self.has_unread = true;
        self.error(diagnostic);
    }

    /// Whether a file among others could not be read.
    pub(crate) fn has_unread(&self) -> bool {
        self.has_unread
    }

    /// Says that something is doubtful.
    pub(crate) fn warning(&self, diagnostic: &Diagnostic) {
        self.say("warning", self.error_styles.warning, diagnostic);
    }

    /// Writes a line for people to standard error; nothing where everything is for machines.
    pub(crate) fn note(&self, line: &str) {
        if !self.is_json {
            tell(line);
        }
    }

    /// Writes one step of a run to standard error.
    pub(crate) fn trace(&self, line: &str) {
        tell(&if self.is_json { json!({ "trace": line }).to_string() } else { line.to_owned() });
    }

    fn say(&self, severity: &str, style: Style, diagnostic: &Diagnostic) {
        say(severity, style, diagnostic, self.is_json);
    }
}

fn say(severity: &str, style: Style, diagnostic: &Diagnostic, is_json: bool) {
    if is_json {
        return tell(&diagnostic.to_json(severity).to_string());
    }
    tell(&format!("{style}{severity}{style:#}: {diagnostic}"));
}

/// Nobody is left to hear that standard error is closed.
fn tell(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}
