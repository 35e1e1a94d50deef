//! The header of a corpus file: its purpose, and its properties.
//!
//! A corpus file is a text with one function, in variable form, after comment
//! lines. A comment line that begins with one word in lower case and a colon, and
//! the lines `; reducible` and `; irreducible`, are headers; the others state why
//! the file exists, and there is at least one of them.
//!
//! | header | property |
//! |---|---|
//! | `; engines: all` | every engine can build it; or a list of names with commas |
//! | `; reducible`, `; irreducible` | of the reachable part of the graph |
//! | `; phis: 2` | the number of phis in its pruned SSA form without redundant sets of phis |
//! | `; phis: 0, braun 2` | also, the number of phis that this engine leaves before `minimize` |
//! | `; run: (10) -> 55` | called with these arguments, it returns this; `undef` and `trap` are possible |
//! | `; input: 3, 4` | the input of the `run` lines after it |
//! | `; idom: b = a` | the block `a` is the immediate dominator of `b` |
//! | `; passes: value-numbering, dead-code` | there is a snapshot of its SSA form after these [passes](ssaphire_ir::passes::Pass) |
//! | `; tags: condition` | value numbering distinguishes phis by this, or by `loop` |
//! | `; folded: 0` | there is a snapshot of its SSA form with folded operations, for which `auto` creates this many phis |
//! | `; frontier: b = c, d` | the dominance frontier of `b`; possibly nothing |
//!
//! A header that is not in this list is an error, and so is one given twice
//! (but for `run`, `input`, `idom` and `frontier`).

use ssaphire_ir::basic::{BasicMachine, Behavior, Datum, behavior};
use ssaphire_ir::interp::{Content, Limits};
use ssaphire_ir::passes::{Pass, PhiTags};
use ssaphire_ir::text::{self, SyntaxErrors};
use ssaphire_ir::{Basic, Function};
use std::fmt;

/// A corpus file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Its header.
    pub header: Header,
    /// Its function.
    pub function: Function<Basic>,
}

/// The header of a corpus file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// Why the file exists: a sentence or more.
    pub reason: String,
    /// Which engines can build it.
    pub engines: Engines,
    /// Whether the graph is reducible, if it says so.
    pub is_reducible: Option<bool>,
    /// Number of phis in the pruned SSA form without redundant sets.
    pub phis: Option<usize>,
    /// Number of phis that an engine leaves before `minimize`, by its name.
    pub engine_phis: Vec<(String, usize)>,
    /// Passes to run on it.
    pub passes: Vec<Pass>,
    /// Number of phis that are created if operations are folded, if given.
    pub folded: Option<usize>,
    /// How value numbering distinguishes phis.
    pub phi_tags: PhiTags,
    /// Its calls, with their results.
    pub runs: Vec<Run>,
    /// Blocks with their immediate dominators, by label.
    pub idoms: Vec<(String, String)>,
    /// Blocks with their dominance frontiers, by label, in the order of the file.
    pub frontiers: Vec<(String, Vec<String>)>,
}

/// Engines, by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Engines {
    /// Every one.
    #[default]
    All,
    /// These.
    Only(Vec<String>),
}

impl Engines {
    /// Whether `engine` is among them.
    pub fn contains(&self, engine: &str) -> bool {
        match self {
            Self::All => true,
            Self::Only(engines) => engines.iter().any(|name| name == engine),
        }
    }
}

/// A call and its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The arguments.
    pub args: Vec<i64>,
    /// Its input.
    pub input: Vec<i64>,
    /// The value that it returns, or `None` if it traps.
    pub returns: Option<Vec<Content<Datum>>>,
}

impl Run {
    /// How `function` behaves when called like this.
    pub fn behavior(&self, function: &Function<Basic>) -> Behavior {
        behavior(function, &self.args, BasicMachine::new(0, self.input.clone()), Limits::default())
    }

    /// Whether `behavior` ends as the line says.
    pub fn is_met_by(&self, behavior: &Behavior) -> bool {
        behavior.outcome.as_ref().ok() == self.returns.as_ref()
    }
}

/// The kind of an error in a header.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HeaderErrorKind {
    /// There is no such header.
    Unknown,
    /// The header was given before.
    Twice,
    /// The text after the colon is malformed.
    Malformed,
    /// No line says why the file exists.
    NoReason,
}

/// An error in a corpus file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CorpusError {
    /// A header line.
    Header {
        /// Number of the line, from 1.
        line: usize,
        /// The line.
        source: String,
        /// The kind of error.
        kind: HeaderErrorKind,
    },
    /// The function.
    Syntax(SyntaxErrors),
}

impl fmt::Display for HeaderErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unknown => "unknown header",
            Self::Twice => "duplicate header",
            Self::Malformed => "malformed header",
            Self::NoReason => "no comment line says why the file exists",
        })
    }
}

impl fmt::Display for CorpusError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header { line, source, kind } => write!(f, "{line}:1: {kind}\n{line:>5} | {source}"),
            Self::Syntax(errors) => errors.fmt(f),
        }
    }
}

impl std::error::Error for HeaderErrorKind {}

impl std::error::Error for CorpusError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Header { kind, .. } => Some(kind),
            Self::Syntax(errors) => errors.source(),
        }
    }
}

/// Reads a corpus file.
///
/// # Errors
/// If the header or the function is not as it must be.
pub fn parse(text: &str) -> Result<Case, CorpusError> {
    let header = parse_header(text)?;
    let function = text::parse(text).map_err(CorpusError::Syntax)?;
    Ok(Case { header, function })
}

/// Reads the header of a corpus file: the comment lines before the function.
///
/// # Errors
/// If there is a header that is none, or not as it must be.
pub fn parse_header(text: &str) -> Result<Header, CorpusError> {
    let mut reader = Reader::default();
    for (index, source) in text.lines().enumerate() {
        let Some(comment) = source.trim_start().strip_prefix(';') else { break };
        reader.line(comment.trim()).map_err(|kind| {
            let source = source.to_owned();
            CorpusError::Header { line: index + 1, source, kind }
        })?;
    }
    if reader.header.reason.is_empty() {
        let source = text.lines().next().unwrap_or("").to_owned();
        return Err(CorpusError::Header { line: 1, source, kind: HeaderErrorKind::NoReason });
    }
    Ok(reader.header)
}

#[derive(Default)]
struct Reader {
    header: Header,
    input: Vec<i64>,
    seen: Vec<String>,
}

impl Reader {
    fn line(&mut self, comment: &str) -> Result<(), HeaderErrorKind> {
        match comment {
            "reducible" => return self.reducible(true),
            "irreducible" => return self.reducible(false),
            _ => {}
        }
        let is_key = |key: &str| !key.is_empty() && key.chars().all(|c| c.is_ascii_lowercase());
        let Some((key, rest)) = comment.split_once(':').filter(|(key, _)| is_key(key)) else {
            let separator = if self.header.reason.is_empty() { "" } else { " " };
            self.header.reason.push_str(separator);
            self.header.reason.push_str(comment);
            return Ok(());
        };
        if matches!(key, "engines" | "phis" | "passes" | "folded" | "tags") {
            self.once(key)?;
        }
        self.keyed(key, rest.trim())?.ok_or(HeaderErrorKind::Malformed)
    }

    fn once(&mut self, key: &str) -> Result<(), HeaderErrorKind> {
        if self.seen.iter().any(|seen| seen == key) {
            return Err(HeaderErrorKind::Twice);
        }
        self.seen.push(key.to_owned());
        Ok(())
    }

    fn reducible(&mut self, is_reducible: bool) -> Result<(), HeaderErrorKind> {
        self.once("reducible")?;
        self.header.is_reducible = Some(is_reducible);
        Ok(())
    }

    /// `None` if the text after the colon is malformed.
    fn keyed(&mut self, key: &str, rest: &str) -> Result<Option<()>, HeaderErrorKind> {
        Ok(match key {
            "engines" => self.engines(rest),
            "phis" => self.phis(rest),
            "passes" => self.passes(rest),
            "folded" => rest.parse().ok().map(|phis| self.header.folded = Some(phis)),
            "tags" => self.tags(rest),
            "run" => self.run(rest),
            "input" => numbers(rest).map(|input| self.input = input),
            "idom" => assigned(rest).map(|(block, idom)| self.header.idoms.push((block, idom.to_owned()))),
            "frontier" => assigned(rest).map(|(block, frontier)| {
                self.header.frontiers.push((block, list(frontier).map(str::to_owned).collect()));
            }),
            _ => return Err(HeaderErrorKind::Unknown),
        })
    }

    fn engines(&mut self, rest: &str) -> Option<()> {
        let names: Vec<_> = list(rest).map(str::to_owned).collect();
        self.header.engines = match &names[..] {
            [] => return None,
            [all] if all == "all" => Engines::All,
            _ => Engines::Only(names),
        };
        Some(())
    }

    fn phis(&mut self, rest: &str) -> Option<()> {
        let mut parts = list(rest);
        self.header.phis = Some(parts.next()?.parse().ok()?);
        for part in parts {
            let (engine, count) = part.split_once(' ')?;
            self.header.engine_phis.push((engine.to_owned(), count.trim().parse().ok()?));
        }
        Some(())
    }

    fn passes(&mut self, rest: &str) -> Option<()> {
        self.header.passes = list(rest).map(|name| name.parse().ok()).collect::<Option<_>>()?;
        (!self.header.passes.is_empty()).then_some(())
    }

    fn tags(&mut self, rest: &str) -> Option<()> {
        self.header.phi_tags = match rest {
            "condition" => PhiTags::Condition,
            "loop" => PhiTags::Loop,
            _ => return None,
        };
        Some(())
    }

    fn run(&mut self, rest: &str) -> Option<()> {
        let (args, returns) = rest.split_once("->")?;
        let args = numbers(args.trim().strip_prefix('(')?.strip_suffix(')')?)?;
        let content = |text| {
            if text == "undef" {
                Some(Content::Undefined)
            } else {
                number(text).map(|number| Content::Known(Datum::Number(number)))
            }
        };
        let returns = match returns.trim() {
            "trap" => None,
            returns => Some(list(returns).map(content).collect::<Option<_>>()?),
        };
        self.header.runs.push(Run { args, input: self.input.clone(), returns });
        Some(())
    }
}

/// The items between commas; none for a blank text.
fn list(text: &str) -> impl Iterator<Item = &str> {
    let parts = (!text.trim().is_empty()).then(|| text.split(',').map(str::trim));
    parts.into_iter().flatten()
}

fn number(text: &str) -> Option<i64> {
    text.parse().ok()
}

fn numbers(text: &str) -> Option<Vec<i64>> {
    list(text).map(number).collect()
}

/// `a = b`.
fn assigned(text: &str) -> Option<(String, &str)> {
    let (left, right) = text.split_once('=')?;
    Some((left.trim().to_owned(), right.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(text: &str) -> Result<Header, HeaderErrorKind> {
        parse_header(text).map_err(|error| match error {
            CorpusError::Header { kind, .. } => kind,
            CorpusError::Syntax(_) => unreachable!("only the header was read"),
        })
    }

    #[test]
    fn a_header_says_what_holds() {
        let text = "; Fig. 1: why.\n; engines: braun, scc\n; irreducible\n; phis: 0, braun 2\n; input: 4\n\
                    ; run: (1, -2) -> 3, undef\n; run: () -> trap\n; frontier: a = b, c\n; frontier: b =\n; idom: b = a\n\
                    ; passes: constants, dead-code\n; tags: condition\n; folded: 0\n";
        let header = header(text).expect("a good header");
        assert_eq!(header.reason, "Fig. 1: why.");
        assert!(header.engines.contains("scc") && !header.engines.contains("pruned"));
        assert_eq!((header.is_reducible, header.phis), (Some(false), Some(0)));
        assert_eq!(header.engine_phis, [("braun".to_owned(), 2)]);
        let returns = Some(vec![Content::Known(3.into()), Content::Undefined]);
        assert_eq!(header.runs[0], Run { args: vec![1, -2], input: vec![4], returns });
        assert_eq!(header.runs[1].returns, None);
        assert_eq!(header.frontiers[1], ("b".to_owned(), vec![]));
        assert_eq!(header.idoms, [("b".to_owned(), "a".to_owned())]);
        assert_eq!(header.folded, Some(0));
        assert_eq!((header.passes, header.phi_tags), (vec![Pass::Constants, Pass::DeadCode], PhiTags::Condition));
    }

    #[test]
    fn a_header_that_is_none_is_refused() {
        assert_eq!(header("; why\n; phies: 2"), Err(HeaderErrorKind::Unknown));
        assert_eq!(header("; why\n; phis: 2\n; phis: 2"), Err(HeaderErrorKind::Twice));
        assert_eq!(header("; why\n; reducible\n; irreducible"), Err(HeaderErrorKind::Twice));
        assert_eq!(header("; why\n; phis: two"), Err(HeaderErrorKind::Malformed));
        assert_eq!(header("; why\n; run: 10 -> 55"), Err(HeaderErrorKind::Malformed));
        assert_eq!(header("; why\n; passes: inlining"), Err(HeaderErrorKind::Malformed));
        assert_eq!(header("; why\n; tags: color"), Err(HeaderErrorKind::Malformed));
        assert_eq!(header("; phis: 2"), Err(HeaderErrorKind::NoReason));
    }
}
