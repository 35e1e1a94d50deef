//! The tokens of one line.

use super::{ParseError, ParseErrorKind};
use crate::program::Symbol;
use alloc::string::String;
use alloc::vec::Vec;
use ssaphire_graph::Id;

/// One line, read from left to right.
pub(super) struct Line<'a> {
    text: &'a str,
    /// The line, counted from 1.
    number: usize,
    /// Bytes of `text` before the last token, and up to its end.
    start: usize,
    end: usize,
    /// The greatest number admitted.
    limit: u32,
}

impl<'a> Line<'a> {
    pub(super) fn new(text: &'a str, number: usize, limit: u32) -> Self {
        Self { text, number, start: 0, end: 0, limit }
    }

    /// An error at the last token read, or at the end of the line after the last one.
    pub(super) fn error<T>(&self, kind: ParseErrorKind) -> Result<T, ParseError> {
        let column = self.text[..self.start].chars().count() + 1;
        Err(ParseError { line: self.number, column, kind })
    }

    /// The next token.
    pub(super) fn token(&mut self) -> Option<&'a str> {
        let is_blank = |char| char == ' ' || char == '\t';
        let rest = self.text[self.end..].trim_start_matches(is_blank);
        self.start = self.text.len() - rest.len();
        let token = rest.split(is_blank).next().unwrap_or_default();
        self.end = self.start + token.len();
        (!token.is_empty()).then_some(token)
    }

    /// The number that comes next.
    pub(super) fn number(&mut self) -> Result<u32, ParseError> {
        match self.try_number()? {
            Some(number) => Ok(number),
            None => self.error(ParseErrorKind::LineTooShort),
        }
    }

    /// The id that comes next.
    pub(super) fn id<K: Id>(&mut self) -> Result<K, ParseError> {
        match self.try_id()? {
            Some(id) => Ok(id),
            None => self.error(ParseErrorKind::LineTooShort),
        }
    }

    /// The id that comes next, or `None` at the end of the line.
    pub(super) fn try_id<K: Id>(&mut self) -> Result<Option<K>, ParseError> {
        match self.try_number()? {
            None => Ok(None),
            Some(0) => self.error(ParseErrorKind::NoId),
            Some(number) => self.make_id(number).map(Some),
        }
    }

    /// The id that comes next, or `None` for `word`, which ends the list.
    pub(super) fn id_before<K: Id>(&mut self, word: &str) -> Result<Option<K>, ParseError> {
        let end = self.end;
        if self.token() == Some(word) {
            return Ok(None);
        }
        self.end = end;
        self.id().map(Some)
    }

    /// The id that comes next, or `None` for 0.
    pub(super) fn id_or_zero<K: Id>(&mut self) -> Result<Option<K>, ParseError> {
        match self.number()? {
            0 => Ok(None),
            number => self.make_id(number).map(Some),
        }
    }

    /// The symbol that comes next, or `None` for `=` and at the end of the line.
    pub(super) fn symbol(&mut self) -> Result<Option<Symbol>, ParseError> {
        let Some(token) = self.token().filter(|&token| token != "=") else { return Ok(None) };
        let pair = |text: &'a str| text.split_once('/');
        Ok(Some(if let Some(any) = token.strip_prefix('?') {
            match any.split_once(':') {
                None => Symbol::Any(self.part(any)?),
                Some((number, operator)) => Symbol::Result(self.part_id(operator)?, self.part(number)?),
            }
        } else if let Some((slot, of)) = token.strip_prefix('@').and_then(pair) {
            Symbol::Slot(self.part(slot)?, self.part(of)?)
        } else if let Some((operator, count)) = pair(token) {
            Symbol::Apply(self.part_id(operator)?, self.part(count)?)
        } else {
            Symbol::Global(self.part_id(token)?)
        }))
    }

    /// A number that is part of the last token.
    fn part(&self, text: &str) -> Result<u32, ParseError> {
        match text.parse() {
            Ok(number) if text.bytes().all(|byte| byte.is_ascii_digit()) && number <= self.limit => Ok(number),
            _ => self.error(ParseErrorKind::NotASymbol),
        }
    }

    fn part_id<K: Id>(&self, text: &str) -> Result<K, ParseError> {
        match self.part(text)? {
            0 => self.error(ParseErrorKind::NoId),
            number => self.make_id(number),
        }
    }

    /// Checks that nothing follows.
    pub(super) fn end(&mut self) -> Result<(), ParseError> {
        match self.token() {
            None => Ok(()),
            Some(_) => self.error(ParseErrorKind::LineTooLong),
        }
    }

    /// The name that comes next.
    pub(super) fn name(&mut self, name: &mut String) -> Result<(), ParseError> {
        name.clear();
        let Some(token) = self.token() else { return self.error(ParseErrorKind::LineTooShort) };
        if token == "%" {
            return Ok(());
        }
        let mut parts = token.split('%');
        let mut bytes = Vec::from(parts.next().unwrap_or_default());
        for part in parts {
            let code = part.get(..2).filter(|code| code.bytes().all(|byte| byte.is_ascii_hexdigit()));
            match code.map(|code| u8::from_str_radix(code, 16)) {
                Some(Ok(byte)) => bytes.push(byte),
                _ => return self.error(ParseErrorKind::BadName),
            }
            bytes.extend_from_slice(&part.as_bytes()[2..]);
        }
        match core::str::from_utf8(&bytes) {
            Ok(text) => name.push_str(text),
            Err(_) => return self.error(ParseErrorKind::BadName),
        }
        Ok(())
    }

    fn try_number(&mut self) -> Result<Option<u32>, ParseError> {
        let Some(token) = self.token() else { return Ok(None) };
        if !token.bytes().all(|byte| byte.is_ascii_digit()) {
            return self.error(ParseErrorKind::NotANumber);
        }
        // Only digits: a number that does not parse does not fit.
        let given = token.parse().unwrap_or(u64::MAX);
        match u32::try_from(given) {
            Ok(number) if number <= self.limit => Ok(Some(number)),
            _ => self.too_large(given, self.limit as usize),
        }
    }

    fn make_id<K: Id>(&self, number: u32) -> Result<K, ParseError> {
        let index = number as usize - 1;
        if index < K::LIMIT { Ok(K::new(index)) } else { self.too_large(u64::from(number), K::LIMIT) }
    }

    fn too_large<T>(&self, given: u64, limit: usize) -> Result<T, ParseError> {
        self.error(ParseErrorKind::TooLarge { given, limit: limit as u64 })
    }
}
