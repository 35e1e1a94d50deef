//! Reading a trace; the first thing wrong is told with its line.

use super::VERSION_LINE;
use crate::trace::check::Checker;
use crate::trace::{Calls, Misuse, NUMBER_LIMIT, Trace, TraceWriter, Type};
use std::fmt;
use std::str::SplitAsciiWhitespace;

/// What is wrong with a trace, and in which line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// The line, counted from 1; one more than there are where something is missing at the end.
    pub line: usize,
    /// What is wrong.
    pub error: SyntaxError,
}

/// What is wrong with a line of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SyntaxError {
    /// The first line is not that of a trace of this version.
    NotATrace,
    /// There is no such call.
    UnknownCall {
        /// The line's first word.
        word: String,
    },
    /// There is no such type.
    UnknownType {
        /// What stands in its place.
        name: String,
    },
    /// The line ends where a number or a type should stand.
    Short,
    /// The line goes on after the call.
    Long {
        /// What it goes on with.
        word: String,
    },
    /// Something stands where a number should.
    NotANumber {
        /// What it is.
        word: String,
    },
    /// A number is larger than any trace needs.
    TooLarge {
        /// The number.
        given: u32,
        /// One more than the largest there is.
        limit: u32,
    },
    /// A call stands outside any function.
    OutsideFunction,
    /// A function begins in another.
    InsideFunction,
    /// The text ends inside a function.
    NoEnd,
    /// The call cannot be made.
    Misuse(Misuse),
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.error)
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotATrace => write!(f, "not a trace of this version: expected `{VERSION_LINE}`"),
            Self::UnknownCall { word } => write!(f, "`{word}`: there is no such call"),
            Self::UnknownType { name } => write!(f, "`{name}`: there is no such type"),
            Self::Short => f.write_str("the line ends too early"),
            Self::Long { word } => write!(f, "`{word}`: the line should have ended here"),
            Self::NotANumber { word } => write!(f, "`{word}`: expected a number"),
            Self::TooLarge { given, limit } => write!(f, "{given}: numbers are below {limit}"),
            Self::OutsideFunction => f.write_str("a call outside any function"),
            Self::InsideFunction => f.write_str("a function in a function: `end` is missing"),
            Self::NoEnd => f.write_str("the text ends inside a function"),
            Self::Misuse(misuse) => misuse.fmt(f),
        }
    }
}

impl std::error::Error for TextError {}

impl From<Misuse> for SyntaxError {
    fn from(misuse: Misuse) -> Self {
        Self::Misuse(misuse)
    }
}

/// The trace in `text`.
///
/// # Errors
/// If it is none, or has a call that cannot be made.
pub fn parse(text: &str) -> Result<Trace, TextError> {
    let mut reader = Reader::default();
    let mut lines = (1..).zip(text.lines());
    if lines.next().is_none_or(|(_, line)| line.trim_end() != VERSION_LINE) {
        return Err(TextError { line: 1, error: SyntaxError::NotATrace });
    }
    let mut last = 1;
    for (number, line) in lines {
        reader.line(line).map_err(|error| TextError { line: number, error })?;
        last = number;
    }
    if reader.is_inside {
        return Err(TextError { line: last + 1, error: SyntaxError::NoEnd });
    }
    Ok(reader.writer.into_trace())
}

#[derive(Default)]
struct Reader {
    writer: TraceWriter,
    checker: Checker,
    is_inside: bool,
    targets: Vec<u32>,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), SyntaxError> {
        let code = line.split_once('#').map_or(line, |(code, _)| code);
        let mut words = Words(code.split_ascii_whitespace());
        let Some(call) = words.0.next() else { return Ok(()) };
        if call == "function" {
            self.begin_function()?;
        } else if self.is_inside {
            self.call(call, &mut words)?;
        } else if is_call(call) {
            return Err(SyntaxError::OutsideFunction);
        } else {
            return Err(SyntaxError::UnknownCall { word: call.to_owned() });
        }
        words.end()?;
        Ok(self.checker.so_far()?)
    }

    fn begin_function(&mut self) -> Result<(), SyntaxError> {
        if self.is_inside {
            return Err(SyntaxError::InsideFunction);
        }
        self.is_inside = true;
        self.checker.begin();
        Ok(())
    }

    fn end_function(&mut self) -> Result<(), SyntaxError> {
        self.checker.end()?;
        self.writer.end_function();
        self.is_inside = false;
        Ok(())
    }

    fn call(&mut self, call: &str, words: &mut Words<'_>) -> Result<(), SyntaxError> {
        match call {
            "variable" => {
                let ty = words.ty()?;
                self.writer.variable(ty);
                self.checker.variable(ty);
            }
            "block" => self.both(Calls::new_block, Calls::new_block),
            "fresh" => {
                let ty = words.ty()?;
                self.both(|calls| calls.fresh(ty), |calls| calls.fresh(ty));
            }
            "return" => self.both(Calls::leave, Calls::leave),
            "table" => self.table(words)?,
            "write" | "branch" => {
                let numbers = [words.number()?, words.number()?];
                self.with_two(call, numbers);
            }
            "switch" | "seal" | "read" | "jump" => {
                let number = words.number()?;
                self.with_one(call, number);
            }
            "end" => self.end_function()?,
            _ => return Err(SyntaxError::UnknownCall { word: call.to_owned() }),
        }
        Ok(())
    }

    /// Makes a call of the checker and of the writer.
    fn both(&mut self, check: impl FnOnce(&mut Checker), write: impl FnOnce(&mut TraceWriter)) {
        check(&mut self.checker);
        write(&mut self.writer);
    }

    fn with_one(&mut self, call: &str, number: u32) {
        fn make(calls: &mut impl Calls, call: &str, number: u32) {
            match call {
                "switch" => calls.switch_to(number),
                "seal" => calls.seal(number),
                "read" => calls.read(number),
                _ => calls.jump(number),
            }
        }
        self.both(|calls| make(calls, call, number), |calls| make(calls, call, number));
    }

    fn with_two(&mut self, call: &str, [first, second]: [u32; 2]) {
        fn make(calls: &mut impl Calls, call: &str, first: u32, second: u32) {
            match call {
                "write" => calls.write(first, second),
                _ => calls.branch([first, second]),
            }
        }
        self.both(|calls| make(calls, call, first, second), |calls| make(calls, call, first, second));
    }

    fn table(&mut self, words: &mut Words<'_>) -> Result<(), SyntaxError> {
        self.targets.clear();
        for word in words.0.by_ref() {
            self.targets.push(number(word)?);
        }
        let given = self.targets.len() as u32;
        if given >= NUMBER_LIMIT {
            return Err(SyntaxError::TooLarge { given, limit: NUMBER_LIMIT });
        }
        self.checker.table(&self.targets);
        self.writer.table(&self.targets);
        Ok(())
    }
}

/// The words of a line after the call.
struct Words<'a>(SplitAsciiWhitespace<'a>);

impl Words<'_> {
    fn number(&mut self) -> Result<u32, SyntaxError> {
        number(self.0.next().ok_or(SyntaxError::Short)?)
    }

    fn ty(&mut self) -> Result<Type, SyntaxError> {
        let name = self.0.next().ok_or(SyntaxError::Short)?;
        let found = Type::ALL.into_iter().find(|ty| ty.name() == name);
        found.ok_or_else(|| SyntaxError::UnknownType { name: name.to_owned() })
    }

    fn end(mut self) -> Result<(), SyntaxError> {
        self.0.next().map_or(Ok(()), |word| Err(SyntaxError::Long { word: word.to_owned() }))
    }
}

fn number(word: &str) -> Result<u32, SyntaxError> {
    let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
    let parsed = word.parse().ok().filter(|_| is_number);
    let given: u32 = parsed.ok_or_else(|| SyntaxError::NotANumber { word: word.to_owned() })?;
    if given < NUMBER_LIMIT { Ok(given) } else { Err(SyntaxError::TooLarge { given, limit: NUMBER_LIMIT }) }
}

fn is_call(word: &str) -> bool {
    const CALLS: [&str; 12] =
        ["variable", "block", "switch", "seal", "fresh", "read", "write", "jump", "branch", "table", "return", "end"];
    CALLS.contains(&word)
}
