//! Reading programs from text, one at a time.

use super::line::Line;
use super::{HEADER, ParseError, ParseErrorKind};
use crate::program::{Equation, EquationId, Grounds, Program, ProgramEvent, ProgramWriter, Rank};
use alloc::string::String;
use ssaphire_graph::Block;

/// The greatest number that a reader admits by default.
///
/// The judge keeps a few words per id up to the greatest one, so this bounds the memory that a short text can make it
/// allocate.
pub const DEFAULT_LIMIT: u32 = 1 << 24;

/// Number of ids admitted for all programs of a text together, whatever its length.
const SPARE_IDS: usize = 1 << 20;

/// Number of ids admitted for each byte of a program's text, beyond the [spare ones](SPARE_IDS).
///
/// A compiler that numbers the values of each function has a few of them for each line. A number far beyond that is a
/// mistake, or an attack on the time and the memory of reader and judge, which keep a few words per id.
const IDS_PER_BYTE: usize = 16;

/// Reads the programs of a text, one after the other.
///
/// The text comes line by line, without line breaks, so that it need not be in
/// memory. As an iterator it returns names and programs; [`Reader::read_into`]
/// uses the same memory for each. After an error it returns nothing more.
#[derive(Debug)]
pub struct Reader<L> {
    lines: L,
    /// Number of lines taken.
    line: usize,
    limit: u32,
    /// Number of ids that programs may still have beyond what their lengths admit.
    spare_ids: usize,
    has_header: bool,
    is_done: bool,
}

/// The state of reading the current program.
#[derive(Default)]
struct State {
    has_entry: bool,
    in_block: bool,
    has_event: bool,
    name: String,
}

impl<L: Iterator<Item: AsRef<str>>> Reader<L> {
    /// A reader of `lines`.
    pub fn new(lines: L) -> Self {
        Self::with_limit(lines, DEFAULT_LIMIT)
    }

    /// A reader of `lines` that refuses numbers greater than `limit`.
    pub fn with_limit(lines: L, limit: u32) -> Self {
        Self { lines, line: 0, limit, spare_ids: SPARE_IDS, has_header: false, is_done: false }
    }

    /// Reads the next program, or returns `None` at the end of the text.
    ///
    /// # Errors
    /// At the first line that does not fit. The program is then without blocks.
    pub fn read_into(&mut self, name: &mut String, program: &mut Program) -> Option<Result<(), ParseError>> {
        if self.is_done {
            return None;
        }
        let result = self.read(name, program);
        self.is_done = !matches!(result, Ok(true));
        match result {
            Ok(true) => Some(Ok(())),
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    }

    /// Reads the next program; returns whether there is one.
    fn read(&mut self, name: &mut String, program: &mut Program) -> Result<bool, ParseError> {
        // Until its entry is read, the program is one without blocks.
        let mut writer = program.rewrite(Block::new(0));
        if !self.has_header {
            self.read_header()?;
        }
        let Some(text) = self.next_line() else { return Ok(false) };
        let mut line = Line::new(text.as_ref(), self.line, self.limit);
        match line.token() {
            Some("program") => line.name(name)?,
            Some(word) => return line.error(misplaced(word)),
            None => return line.error(ParseErrorKind::UnknownLine),
        }
        line.end()?;
        let mut num_bytes = 0;
        let mut state = State::default();
        while let Some(text) = self.next_line() {
            num_bytes += text.as_ref().len();
            let mut line = Line::new(text.as_ref(), self.line, self.limit);
            if state.read_line(&mut line, &mut writer)? {
                continue;
            }
            if !state.has_entry {
                return self.error(ParseErrorKind::EntryMissing);
            }
            self.admit_ids(writer.num_ids(), num_bytes)?;
            return match writer.finish() {
                Ok(()) => Ok(true),
                Err(error) => self.error(ParseErrorKind::Program(error)),
            };
        }
        self.line += 1;
        self.error(ParseErrorKind::EndMissing)
    }

    /// Checks that a program of this length may have this number of ids.
    ///
    /// All programs together have at most [`IDS_PER_BYTE`] for each byte of the text and [`SPARE_IDS`] more: many short
    /// programs have no more than a long one.
    fn admit_ids(&mut self, num_ids: usize, num_bytes: usize) -> Result<(), ParseError> {
        let of_length = num_bytes.saturating_mul(IDS_PER_BYTE);
        let limit = of_length.saturating_add(self.spare_ids);
        let Some(spare_ids) = limit.checked_sub(num_ids) else {
            return self.error(ParseErrorKind::SparseIds { given: num_ids as u64, limit: limit as u64 });
        };
        // A program that has fewer ids than admitted leaves the rest to others.
        self.spare_ids = spare_ids;
        Ok(())
    }

    /// An error at the line taken last.
    fn error<T>(&self, kind: ParseErrorKind) -> Result<T, ParseError> {
        Err(ParseError { line: self.line.max(1), column: 1, kind })
    }

    fn read_header(&mut self) -> Result<(), ParseError> {
        let line = self.next_line();
        let text = line.as_ref().map_or("", AsRef::as_ref);
        // Some editors begin a text with a byte-order mark.
        let kind = match text.strip_prefix('\u{feff}').unwrap_or(text) {
            HEADER => {
                self.has_header = true;
                return Ok(());
            }
            text if text.starts_with("ssacert ") => ParseErrorKind::UnknownFormat,
            _ => ParseErrorKind::NotACertificate,
        };
        self.error(kind)
    }

    fn next_line(&mut self) -> Option<L::Item> {
        let line = self.lines.next()?;
        self.line += 1;
        Some(line)
    }
}

impl<L: Iterator<Item: AsRef<str>>> Iterator for Reader<L> {
    type Item = Result<(String, Program), ParseError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (mut name, mut program) = (String::new(), Program::new());
        Some(self.read_into(&mut name, &mut program)?.map(|()| (name, program)))
    }
}

impl State {
    /// Reads one line of a program; returns whether the program goes on.
    fn read_line(&mut self, line: &mut Line<'_>, writer: &mut ProgramWriter<'_>) -> Result<bool, ParseError> {
        let word = line.token().unwrap_or_default();
        match word {
            "block" | "phi" | "dropped" => self.read_row(word, line, writer)?,
            "def" | "use" | "copy" => self.read_event(word, line, writer)?,
            "compute" | "opaque" | "op" | "late" | "branch" => self.read_application(word, line, writer)?,
            "equation" => read_equation(line, writer)?,
            "operator" => {
                let operator = line.id()?;
                line.name(&mut self.name)?;
                writer.name_operator(operator, &self.name);
            }
            "constant" => {
                let value = line.id()?;
                line.name(&mut self.name)?;
                writer.name_global(value, &self.name);
            }
            "entry" if self.has_entry => return line.error(ParseErrorKind::EntryTwice),
            "entry" => {
                self.has_entry = true;
                writer.entry(line.id()?);
            }
            "global" => writer.global(line.id()?),
            "undef" => writer.undefined(line.id()?),
            "initial" => writer.initial(line.id()?, line.id()?),
            "num" => writer.number(line.id()?, line.number()?),
            "live" => writer.rank(Rank { phi: line.id()?, rank: line.number()?, user: line.id_or_zero()? }),
            "end" => {
                line.end()?;
                return Ok(false);
            }
            "program" => return line.error(ParseErrorKind::InsideProgram),
            _ => return line.error(ParseErrorKind::UnknownLine),
        }
        line.end()?;
        Ok(true)
    }

    /// Reads a line with a list at its end.
    fn read_row(&mut self, word: &str, line: &mut Line<'_>, writer: &mut ProgramWriter<'_>) -> Result<(), ParseError> {
        if word == "block" {
            (self.in_block, self.has_event) = (true, false);
            writer.block(line.id()?, []);
            while let Some(source) = line.try_id()? {
                writer.incoming(source);
            }
            return Ok(());
        }
        if !self.in_block {
            return line.error(ParseErrorKind::OutsideBlock);
        }
        if self.has_event {
            return line.error(ParseErrorKind::PhiAfterEvent);
        }
        match word {
            "phi" => writer.phi(line.id()?, []),
            _ => writer.dropped_phi(line.id()?, []),
        }
        while let Some(operand) = line.try_id()? {
            writer.operand(operand);
        }
        Ok(())
    }

    /// Reads an application.
    fn read_application(
        &mut self,
        word: &str,
        line: &mut Line<'_>,
        writer: &mut ProgramWriter<'_>,
    ) -> Result<(), ParseError> {
        if !self.in_block {
            return line.error(ParseErrorKind::OutsideBlock);
        }
        self.has_event = true;
        let name = if word == "late" { Some(line.id()?) } else { None };
        let (value, grounds) = match word {
            "compute" => (Some(line.id()?), Grounds::Computed),
            "opaque" => (Some(line.id()?), Grounds::Opaque),
            "branch" => (None, Grounds::Equation(line.id()?)),
            _ => {
                let value = Some(line.id()?);
                let equation = line.id_or_zero::<EquationId>()?;
                (value, equation.map_or(Grounds::Congruent, Grounds::Equation))
            }
        };
        writer.application(line.id()?, value, grounds, []);
        if let Some(name) = name {
            writer.late(name);
        }
        if word != "branch" {
            while let Some(arg) = line.try_id()? {
                writer.argument(arg);
            }
            return Ok(());
        }
        while let Some(arg) = line.id_before("to")? {
            writer.argument(arg);
        }
        while let Some(target) = line.try_id()? {
            writer.target(target);
        }
        Ok(())
    }

    fn read_event(
        &mut self,
        word: &str,
        line: &mut Line<'_>,
        writer: &mut ProgramWriter<'_>,
    ) -> Result<(), ParseError> {
        if !self.in_block {
            return line.error(ParseErrorKind::OutsideBlock);
        }
        self.has_event = true;
        writer.event(match word {
            "def" => ProgramEvent::Def { variable: line.id()?, value: line.id()? },
            "use" => ProgramEvent::Use { variable: line.id()?, value: line.id()? },
            _ => ProgramEvent::Copy { dst: line.id()?, src: line.id()? },
        });
        Ok(())
    }
}

/// Reads an equation.
fn read_equation(line: &mut Line<'_>, writer: &mut ProgramWriter<'_>) -> Result<(), ParseError> {
    let mut equation = Equation::default();
    for side in [&mut equation.left, &mut equation.right] {
        while let Some(symbol) = line.symbol()? {
            side.push(symbol);
        }
    }
    if !equation.is_well_formed() {
        return line.error(ParseErrorKind::NotAnEquation);
    }
    writer.equation(equation);
    Ok(())
}

/// The error of a line between two programs.
fn misplaced(word: &str) -> ParseErrorKind {
    match word {
        "entry" | "global" | "undef" | "initial" | "block" | "phi" | "dropped" | "def" | "use" | "copy" | "num"
        | "live" | "end" | "compute" | "opaque" | "op" | "late" | "branch" | "equation" | "operator" | "constant" => {
            ParseErrorKind::OutsideProgram
        }
        _ => ParseErrorKind::UnknownLine,
    }
}
