//! The text form of the HIR.

mod terminal;
mod value;

use super::function::{BlockId, ClosureId, HirFunction, Instruction, Phi, Place};
use std::fmt;

/// Whose text form it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// That of `babel-plugin-react-compiler` 1.0.0.
    #[default]
    React100,
    /// That of 2024, in which articles about the compiler print it: without most effects, with less of functions and returns, and
    /// without a number for what a function returns.
    React2024,
}

/// The text of a function and of all functions in it.
///
/// # Examples
/// ```
/// use ssaphire_react::{Roots, Style, lower, print};
/// use ssaphire_js::source::{SourceKind, with_parsed};
///
/// let roots = with_parsed("function one() { return 1 }", SourceKind::SCRIPT, |parsed| lower(&parsed, Roots::TopLevel));
/// let text = print(roots.unwrap()[0].hir.as_ref().unwrap(), Style::React100);
/// assert_eq!(
///     text,
///     "one(): <unknown> $2\nbb0 (block):\n  [1] <unknown> $0 = 1\n  [2] Return Explicit <unknown> $0"
/// );
/// ```
pub fn print(nest: &HirFunction, style: Style) -> String {
    let lines = lines(nest, style);
    lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n")
}

/// A line, and what it is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) kind: LineKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    /// The first lines of a function or block.
    Header,
    Phi,
    Instruction,
    Terminal,
}

/// The text of a function, line by line.
pub(super) fn lines(nest: &HirFunction, style: Style) -> Vec<Line> {
    let mut printer = Printer { nest, style, lines: Vec::new(), indent: 0, returns: Vec::new() };
    if style == Style::React2024 {
        printer.returns = nest.functions.iter().map(|function| function.returns).collect();
        printer.returns.sort_unstable();
    }
    let mut frames = vec![Frame { function: ClosureId::OUTERMOST, position: 0, next: None }];
    printer.function_header(ClosureId::OUTERMOST);
    while let Some(frame) = frames.last_mut() {
        match printer.advance(frame) {
            Some(closure) => {
                printer.indent += 1;
                printer.function_header(closure);
                frames.push(Frame { function: closure, position: 0, next: None });
            }
            None => {
                printer.indent = printer.indent.saturating_sub(1);
                frames.pop();
            }
        }
    }
    printer.lines
}

/// A function that is being printed.
struct Frame {
    function: ClosureId,
    position: usize,
    /// The position of the next instruction, from when the header is there.
    next: Option<usize>,
}

struct Printer<'n> {
    nest: &'n HirFunction,
    style: Style,
    lines: Vec<Line>,
    /// How many functions there are around.
    indent: usize,
    /// Places that have no number in this style, in order.
    returns: Vec<Place>,
}

/// How deep the text of a closure stands in that of the function around it.
const INDENT: &str = "      ";

impl Printer<'_> {
    fn line(&mut self, kind: LineKind, text: &str) {
        let indent = INDENT.repeat(self.indent);
        self.lines.extend(text.split('\n').map(|text| Line { text: format!("{indent}{text}"), kind }));
    }

    fn place(&self, place: Place) -> PlaceText<'_> {
        let number = place.index() - self.returns.partition_point(|&returns| returns < place);
        PlaceText { nest: self.nest, style: self.style, place, number }
    }

    fn function_header(&mut self, id: ClosureId) {
        let function = self.nest.function(id);
        let name = function.name.as_deref().unwrap_or("<<anonymous>>");
        let text = match self.style {
            Style::React100 => {
                let params = function.params.iter().map(|param| {
                    let rest = if param.is_rest { "..." } else { "" };
                    format!("{rest}{}", self.place(param.place))
                });
                format!("{name}({}): {}", params.collect::<Vec<_>>().join(", "), self.place(function.returns))
            }
            Style::React2024 => format!("function {name}"),
        };
        self.line(LineKind::Header, &text);
        for directive in &function.directives {
            self.line(LineKind::Header, directive);
        }
    }

    /// Prints until the next closure, or to the end of the function.
    fn advance(&mut self, frame: &mut Frame) -> Option<ClosureId> {
        while let Some(&id) = self.nest.function(frame.function).order.get(frame.position) {
            let Some(block) = self.nest.block(id) else {
                frame.position += 1;
                continue;
            };
            let mut next = frame.next.unwrap_or_else(|| {
                self.block_header(id);
                0
            });
            while let Some(instruction) = block.instructions.get(next) {
                next += 1;
                self.instruction(instruction);
                if let Some(closure) = instruction.value.closure() {
                    frame.next = Some(next);
                    return Some(closure);
                }
            }
            let text = terminal::text(self, block);
            self.line(LineKind::Terminal, &text);
            (frame.position, frame.next) = (frame.position + 1, None);
        }
        None
    }

    fn block_header(&mut self, id: BlockId) {
        let Some(block) = self.nest.block(id) else { return };
        self.line(LineKind::Header, &format!("{id} ({}):", block.kind));
        if !block.predecessors.is_empty() {
            let predecessors: Vec<String> = block.predecessors.iter().map(ToString::to_string).collect();
            self.line(LineKind::Header, &format!("  predecessor blocks: {}", predecessors.join(" ")));
        }
        for phi in &block.phis {
            let text = self.phi(phi);
            self.line(LineKind::Phi, &text);
        }
    }

    fn phi(&self, phi: &Phi) -> String {
        let operands = phi.operands.iter().map(|&(block, place)| format!("{block}: {}", self.place(place)));
        format!("  {}: phi({})", self.place(phi.place), operands.collect::<Vec<_>>().join(", "))
    }

    fn instruction(&mut self, instruction: &Instruction) {
        let mut text = format!("  [{}] {} = ", instruction.order, self.place(instruction.place));
        // A `String` takes all that is written to it.
        let _ = value::write(&mut text, self, &instruction.value);
        self.line(LineKind::Instruction, &text);
    }
}

/// A place as it is printed.
struct PlaceText<'n> {
    nest: &'n HirFunction,
    style: Style,
    place: Place,
    number: usize,
}

impl PlaceText<'_> {
    /// The identifier alone.
    fn without_effect(&self) -> String {
        let name = self.nest.identifiers[self.place.index()].name.as_deref().unwrap_or_default();
        format!("{name}${}", self.number)
    }
}

impl fmt::Display for PlaceText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let effect = if self.style == Style::React100 { "<unknown> " } else { "" };
        let name = self.nest.identifiers[self.place.index()].name.as_deref().unwrap_or_default();
        write!(f, "{effect}{name}${}", self.number)
    }
}
