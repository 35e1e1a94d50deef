//! A tighter bound on the nesting of a source, for a stack that cannot grow.
//!
//! A level of nesting costs stack, and has a bracket or an operator of its own. The costs of the brackets that are open add
//! up, and with each of them the costs of the statement or list element in it that has begun and not ended.
//! This needs tokens, but no grammar: an end that is missed only makes the bound larger.
//!
//! If the text alone does not determine the tokens (a `/` that may be a
//! division or begin a regular expression, JSX, mismatched brackets), there is
//! no answer.

use super::depth::{Costs, WORDS, is_operator};

/// Words that continue a statement after a `;`, a `}` or a line break.
const CONTINUING: &[&[u8]] = &[
    b"as",
    b"catch",
    b"else",
    b"extends",
    b"finally",
    b"from",
    b"implements",
    b"in",
    b"instanceof",
    b"is",
    b"of",
    b"satisfies",
];

/// Words with a statement or a class after them, in which a `,` may stand.
const BINDING: &[&[u8]] = &[b"do", b"else", b"for", b"if", b"implements", b"while", b"with"];

/// Reserved words before an operand.
const KEYWORDS: &[&[u8]] = &[
    b"case",
    b"class",
    b"default",
    b"delete",
    b"do",
    b"else",
    b"extends",
    b"function",
    b"in",
    b"instanceof",
    b"new",
    b"return",
    b"throw",
    b"typeof",
    b"void",
];

/// The token before, as far as it decides what may follow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// An operator, an opening bracket, or the beginning.
    Operator,
    /// A word of [`KEYWORDS`].
    Keyword,
    /// A name that may be a word before an operand.
    Contextual,
    /// The `.` before a name.
    Dot,
    /// `if`, `for`, `while` or `with`, which a head in parentheses follows.
    Control,
    /// The end of an operand.
    Operand,
    /// The `)` that ends such a head.
    Head,
    /// `}`.
    Brace,
    /// `;`.
    Semicolon,
}

/// An open bracket.
#[derive(Clone, Copy)]
struct Level {
    /// What closes it; the text of a template is a level that a backtick closes.
    end: u8,
    is_head: bool,
    /// The costs in the statement or element that has not ended.
    cost: u64,
    /// Whether a `,` does not end it: there is a statement in it, or there are type arguments.
    is_bound: bool,
    /// Whether a `:` with nothing but a word after it comes last, so that another `:` makes labels of both.
    has_colon: bool,
    /// Whether there is a `do` in it, so that a `while` continues it.
    has_do: bool,
}

impl Level {
    fn new(end: u8, is_head: bool) -> Self {
        Self { end, is_head, cost: 0, is_bound: false, has_colon: false, has_do: false }
    }
}

struct Scan<'s> {
    bytes: &'s [u8],
    at: usize,
    costs: Costs,
    has_types: bool,
    /// Whether what looks like JSX may be JSX.
    has_jsx: bool,
    levels: Vec<Level>,
    before: Before,
    is_new_line: bool,
    /// The costs of all levels together, and the most that they have been.
    sum: u64,
    most: u64,
}

/// The most that brackets and operators around each other cost, or `None` if the text does not tell.
pub(super) fn deepest(source: &str, costs: Costs, has_types: bool, has_jsx: bool) -> Option<u64> {
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    let has_jsx = has_jsx && (source.contains("</") || source.contains("/>"));
    let mut scan = Scan {
        bytes: source.as_bytes(),
        at: 0,
        costs,
        has_types,
        has_jsx,
        levels: vec![Level::new(0, false)],
        before: Before::Operator,
        is_new_line: true,
        sum: 0,
        most: 0,
    };
    if source.starts_with("#!") {
        scan.skip_line()?;
    }
    scan.run()?;
    (scan.levels.len() == 1).then_some(scan.most)
}

impl Scan<'_> {
    fn run(&mut self) -> Option<()> {
        while let Some(&byte) = self.bytes.get(self.at) {
            if self.level()?.end == b'`' {
                self.template_text(byte)?;
            } else if !self.skip_space(byte)? {
                if self.has_ended() {
                    self.end()?;
                }
                self.token(byte)?;
            }
        }
        Some(())
    }

    /// Skips white space or a comment, and says whether there was one.
    fn skip_space(&mut self, byte: u8) -> Option<bool> {
        match (byte, self.bytes.get(self.at + 1)) {
            (b'\n' | b'\r', _) => {
                self.is_new_line = true;
                self.at += 1;
            }
            (b' ' | b'\t' | 0x0b | 0x0c, _) => self.at += 1,
            (b'/', Some(b'/')) => self.skip_line()?,
            (b'/', Some(b'*')) => {
                let end = self.bytes[self.at + 2..].windows(2).position(|pair| pair == b"*/")?;
                let comment = &self.bytes[self.at..self.at + 2 + end];
                self.is_new_line |= comment.iter().any(|byte| matches!(byte, b'\n' | b'\r'));
                require_usual_lines(comment)?;
                self.at += end + 4;
            }
            _ => return Some(false),
        }
        Some(true)
    }

    fn skip_line(&mut self) -> Option<()> {
        let line = self.line();
        require_usual_lines(line)?;
        self.at += line.len();
        Some(())
    }

    /// What is left of the line.
    fn line(&self) -> &[u8] {
        let rest = &self.bytes[self.at..];
        &rest[..rest.iter().take_while(|byte| !matches!(byte, b'\n' | b'\r')).count()]
    }

    fn token(&mut self, byte: u8) -> Option<()> {
        match byte {
            b'/' => self.slash()?,
            b'"' | b'\'' => self.string(byte)?,
            b'`' => {
                self.pay(self.costs.operator)?;
                self.open(b'`', false);
            }
            b'(' => self.bracket(b')')?,
            b'[' => self.bracket(b']')?,
            b'{' => self.bracket(b'}')?,
            b')' | b']' | b'}' => self.close(byte)?,
            b';' => {
                self.at += 1;
                self.seen(Before::Semicolon);
            }
            b',' => {
                if !self.level()?.is_bound {
                    self.end()?;
                }
                self.at += 1;
                self.seen(Before::Operator);
            }
            _ if is_operator(byte) => self.operator(byte)?,
            _ => self.word()?,
        }
        Some(())
    }

    /// Whether the token that comes next is not in the statement of the one before.
    fn has_ended(&self) -> bool {
        let word = self.next_word();
        let has_do = self.levels.last().is_some_and(|level| level.has_do);
        let continues = CONTINUING.contains(&word) || has_do && word == b"while";
        match self.before {
            Before::Semicolon => !continues,
            Before::Operand if !self.is_new_line => false,
            Before::Operand | Before::Brace => !word.is_empty() && !continues,
            _ => false,
        }
    }

    fn next_word(&self) -> &[u8] {
        let is_part =
            |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'\\' | b'#' | b'@' | 0x80..);
        let rest = &self.bytes[self.at..];
        &rest[..rest.iter().take_while(is_part).count()]
    }

    fn level(&mut self) -> Option<&mut Level> {
        self.levels.last_mut()
    }

    fn pay(&mut self, cost: u64) -> Option<()> {
        self.level()?.cost += cost;
        self.sum += cost;
        self.most = self.most.max(self.sum);
        Some(())
    }

    fn bracket(&mut self, end: u8) -> Option<()> {
        self.pay(self.costs.bracket)?;
        self.open(end, self.before == Before::Control);
        Some(())
    }

    fn open(&mut self, end: u8, is_head: bool) {
        self.levels.push(Level::new(end, is_head));
        self.seen(Before::Operator);
        self.at += 1;
    }

    fn close(&mut self, byte: u8) -> Option<()> {
        let level = self.levels.pop().filter(|level| level.end == byte)?;
        self.sum -= level.cost;
        self.at += 1;
        self.seen(match byte {
            b')' if level.is_head => Before::Head,
            b'}' => Before::Brace,
            _ => Before::Operand,
        });
        Some(())
    }

    fn seen(&mut self, before: Before) {
        self.before = before;
        self.is_new_line = false;
    }

    /// Ends the statement or element.
    fn end(&mut self) -> Option<()> {
        let level = self.level()?;
        let cost = level.cost;
        *level = Level::new(level.end, level.is_head);
        self.sum -= cost;
        Some(())
    }

    fn operator(&mut self, byte: u8) -> Option<()> {
        let rest = &self.bytes[self.at..];
        let is_shift = self.bytes[..self.at].ends_with(b"<");
        let is_jsx = byte == b'<' && self.has_jsx && self.before != Before::Operand && !is_shift;
        // A comment, as in HTML.
        let is_comment = rest.starts_with(b"<!--") || rest.starts_with(b"-->") && self.is_new_line;
        if is_jsx || is_comment {
            return None;
        }
        self.pay(self.costs.operator)?;
        let has_types = self.has_types;
        let level = self.level()?;
        level.is_bound |= byte == b'<' && has_types || byte == b':' && level.has_colon;
        level.has_colon = byte == b':';
        if matches!(byte, b'+' | b'-') && rest.get(1) == Some(&byte) {
            // What was an operand before it is one after it, and nothing else is.
            self.at += 2;
            return self.pay(self.costs.operator);
        }
        let before = if byte == b'.' && !rest.starts_with(b"...") { Before::Dot } else { Before::Operator };
        self.at += if rest.starts_with(b"...") { 3 } else { 1 };
        self.seen(before);
        Some(())
    }

    fn word(&mut self) -> Option<()> {
        let word = self.next_word();
        let has_space = |word: &str| word.contains(|part: char| part.is_whitespace() || part == '\u{feff}');
        if !word.is_ascii() && std::str::from_utf8(word).is_ok_and(has_space) {
            return None;
        }
        let nests = WORDS.contains(&word);
        let before = match word {
            _ if self.before == Before::Dot => Before::Operand,
            b"if" | b"for" | b"while" | b"with" => Before::Control,
            // `for await (`
            b"await" if self.before == Before::Control => Before::Control,
            _ if KEYWORDS.contains(&word) => Before::Keyword,
            b"break" | b"continue" | b"debugger" | b"of" => Before::Contextual,
            _ if nests => Before::Contextual,
            _ => Before::Operand,
        };
        let (is_binding, is_do) = (BINDING.contains(&word), word == b"do");
        // Anything else that is no token on its own.
        self.at += word.len().max(1);
        if nests {
            self.pay(self.costs.operator)?;
        }
        let level = self.level()?;
        level.is_bound |= is_binding;
        level.has_do |= is_do;
        self.seen(before);
        Some(())
    }

    fn slash(&mut self) -> Option<()> {
        let text = self.bytes[..self.at].trim_ascii_end();
        // They may end an operand.
        let is_of_types = self.has_types && (text.ends_with(b">") || text.ends_with(b"!"));
        match self.before {
            Before::Operand if !self.is_new_line => self.operator(b'/'),
            Before::Operator | Before::Semicolon | Before::Head | Before::Keyword if !is_of_types => self.regexp(),
            // A regular expression would end on the line.
            _ if !self.line()[1..].contains(&b'/') => self.operator(b'/'),
            _ => None,
        }
    }

    fn regexp(&mut self) -> Option<()> {
        self.at += 1;
        let mut is_class = false;
        loop {
            match *self.bytes.get(self.at)? {
                b'\n' | b'\r' => return None,
                b'\\' => self.at += 1,
                b'[' => is_class = true,
                b']' => is_class = false,
                b'/' if !is_class => break,
                _ => {}
            }
            self.at += 1;
        }
        self.at += 1;
        self.seen(Before::Operand);
        Some(())
    }

    fn string(&mut self, quote: u8) -> Option<()> {
        self.at += 1;
        loop {
            match *self.bytes.get(self.at)? {
                b'\n' | b'\r' => return None,
                b'\\' => self.at += 1 + usize::from(self.bytes[self.at + 1..].starts_with(b"\r\n")),
                byte if byte == quote => break,
                _ => {}
            }
            self.at += 1;
        }
        self.at += 1;
        self.seen(Before::Operand);
        Some(())
    }

    fn template_text(&mut self, byte: u8) -> Option<()> {
        match byte {
            b'\\' => self.at += 2,
            b'`' => self.close(b'`')?,
            b'$' if self.bytes.get(self.at + 1) == Some(&b'{') => {
                self.pay(self.costs.bracket)?;
                self.at += 1;
                self.open(b'}', false);
            }
            _ => self.at += 1,
        }
        Some(())
    }
}

/// Nothing, where a line may end by what is not ASCII.
fn require_usual_lines(text: &[u8]) -> Option<()> {
    let is_unusual = |part: &[u8]| matches!(part, [0xe2, 0x80, 0xa8 | 0xa9]);
    (!text.windows(3).any(is_unusual)).then_some(())
}
