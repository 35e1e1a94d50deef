//! What is done to a program before it runs again.

use ssaphire::check::Mode;
use ssaphire::fold::FoldOptions;
use ssaphire::{Builder, Certified, Options};
use ssaphire_ir::fold::Folding;
use ssaphire_ir::judge::{Demands, Inspector};
use ssaphire_ir::passes::{Pass, PassOptions};
use ssaphire_ir::{Arg, Inst, to_ssa_folded};
use ssaphire_js::dialect::{Op, Opcode};
use ssaphire_js::source::{Parsed, SourceKind, with_parsed};
use ssaphire_js::write::{WriteOptions, write};
use ssaphire_js::{Program, lower, lower_to_variables, lower_with};

/// The passes of `ssaphire opt`.
pub const USUAL: &[Pass] = &[Pass::Constants, Pass::Copies, Pass::DeadCode, Pass::EmptyBlocks, Pass::Unused];

/// Parses `source`, lowers it to SSA form, runs all passes or none, and writes it back.
///
/// # Errors
/// The text of all errors of a source that is refused.
pub fn round_trip(source: &str, kind: SourceKind, passes: bool) -> Result<String, String> {
    through_passes(source, kind, if passes { Pass::ALL } else { &[] })
}

/// Lowers `source` to SSA form, runs `passes`, and writes it back.
fn through_passes(source: &str, kind: SourceKind, passes: &[Pass]) -> Result<String, String> {
    through(source, kind, |parsed| Ok((optimized(&lowered(parsed)?, passes)?, None)))
}

/// Lowers `source` to SSA form, runs `passes`, and writes it back; functions that they have not changed stay as they stand.
///
/// # Errors
/// The text of all errors of a source that is refused.
pub fn keeping(source: &str, kind: SourceKind, passes: &[Pass]) -> Result<String, String> {
    through(source, kind, |parsed| {
        let original = lowered(parsed)?;
        Ok((optimized(&original, passes)?, Some(original)))
    })
}

/// Lowers `source` to SSA form, and writes it back: every second function anew, whether odd or even.
fn half(source: &str, kind: SourceKind, rest: usize) -> Result<String, String> {
    through(source, kind, |parsed| {
        let original = lowered(parsed)?;
        let mut program = original.clone();
        for function in program.functions.iter_mut().skip(rest).step_by(2) {
            // It is changed, and does the same.
            let debugger = Inst::op(Op::new(Opcode::Debugger), [] as [Arg; 0]);
            function.body.insert_inst(function.body.entry(), 0, debugger);
        }
        Ok((program, Some(original)))
    })
}

fn lowered(parsed: &Parsed<'_>) -> Result<Program, String> {
    lower(parsed).map_err(|error| format!("{}: {error}", error.span().start))
}

/// A program after some passes.
fn optimized(program: &Program, passes: &[Pass]) -> Result<Program, String> {
    let mut program = program.clone();
    let mut inspector = Inspector::default();
    for function in &mut program.functions {
        for pass in passes {
            let done = pass.run(&mut function.body, PassOptions::default());
            done.map_err(|error| format!("{}: pass {pass}: {error}", function.span.start))?;
        }
        if let Some(refusal) = inspector.broken_rules(&function.body).first() {
            return Err(format!("{}: no SSA form after the passes: {refusal}", function.span.start));
        }
    }
    Ok(program)
}

/// Lowers `source` to SSA form, folding while it is built, and writes it back.
fn through_folding(source: &str, kind: SourceKind) -> Result<String, String> {
    through(source, kind, |parsed| {
        let lowered = lower_to_variables(parsed);
        let mut program = lowered.map_err(|error| format!("{}: {error}", error.span().start))?;
        let mut ssa = Certified::<Builder>::default();
        let mut folding = Folding::new(FoldOptions::ALL);
        for function in &mut program.functions {
            let built = to_ssa_folded(&function.body, &mut ssa, &mut folding);
            function.body = built.map_err(|error| format!("{}: {error}", function.span.start))?;
        }
        Ok((program, None))
    })
}

/// Writes what `lower` makes of `source`, and how it was before.
fn through(
    source: &str,
    kind: SourceKind,
    lower: impl FnOnce(&Parsed<'_>) -> Result<(Program, Option<Program>), String> + Send,
) -> Result<String, String> {
    let written = with_parsed(source, kind, |parsed| {
        let (program, original) = lower(&parsed)?;
        let mut options = WriteOptions::default();
        options.original = original.as_ref();
        let written = write(&program, source, &options);
        written.map(|written| written.text).map_err(|error| error.to_string())
    });
    written.map_err(|errors| errors.to_string())?
}

/// Lowers `source` to SSA form, and judges each function: the source as it is.
fn judged(source: &str, kind: SourceKind) -> Result<String, String> {
    let judged = with_parsed(source, kind, |parsed| judge_all(&parsed));
    judged.map_err(|errors| errors.to_string())??;
    Ok(source.to_owned())
}

fn judge_all(parsed: &Parsed<'_>) -> Result<(), String> {
    let options = Options::default();
    let demands = Demands::of(Mode::Exact, &options);
    let mut ssa = Certified::<Builder>::with_options(options);
    let (mut inspector, mut refused) = (Inspector::default(), None);
    let program = lower_with(parsed, &mut ssa, |function, ssa| {
        let judgement = inspector.judge(&function.body, ssa, demands);
        if let Some(refusal) = judgement.refusals.first() {
            refused.get_or_insert_with(|| format!("{}: not SSA form: {refusal}", function.span.start));
        }
    });
    program.map_err(|error| format!("{}: {error}", error.span().start))?;
    refused.map_or(Ok(()), Err)
}

/// What is done to a program before it runs again.
///
/// [`Transformation::WRONG`] are wrong: they show that the tests find mistakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transformation {
    /// Through SSA form, with all passes or none.
    RoundTrip {
        /// Whether the passes run.
        passes: bool,
    },
    /// Through SSA form, with all passes; what they have not changed stays as it stands in the source.
    Keeping,
    /// As `ssaphire opt` does it: the same, with the passes of that command.
    AsOpt,
    /// Through SSA form, every second function; the others stay as they stand in the source.
    Half {
        /// Whether it is those with odd numbers.
        odd: bool,
    },
    /// Through SSA form, with one pass.
    OnePass(Pass),
    /// Through SSA form, folded while it is built.
    Folded,
    /// Into SSA form, which is judged, and not back: the program as it is.
    Judged,
    /// Nothing.
    Identity,
    /// The empty program in place of any that the parser accepts: a test for a syntax error fails if the parser does not find it.
    Nothing,
    /// Each `===` becomes `==`.
    LooseEquality,
    /// Each `let` becomes `var`.
    LetToVar,
    /// Each `-0` becomes `0`.
    ForgetNegativeZero,
    /// Each `finally` becomes an ordinary block that exceptions and jumps pass by.
    ForgetFinally,
}

impl Transformation {
    /// Those that write a program back with functions as they stand in the source.
    pub const KEEPING: &[Self] = &[Self::Keeping, Self::Half { odd: false }, Self::Half { odd: true }];

    /// Those that are wrong.
    pub const WRONG: &[Self] =
        &[Self::Nothing, Self::LooseEquality, Self::LetToVar, Self::ForgetNegativeZero, Self::ForgetFinally];

    /// What it is called on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::RoundTrip { passes: false } => "without-passes",
            Self::RoundTrip { passes: true } => "with-passes",
            Self::Keeping => "keeping",
            Self::AsOpt => "as-opt",
            Self::Half { odd: false } => "even-functions",
            Self::Half { odd: true } => "odd-functions",
            Self::OnePass(pass) => pass.name(),
            Self::Folded => "folded",
            Self::Judged => "judged",
            Self::Identity => "identity",
            Self::Nothing => "nothing",
            Self::LooseEquality => "loose-equality",
            Self::LetToVar => "let-to-var",
            Self::ForgetNegativeZero => "forget-negative-zero",
            Self::ForgetFinally => "forget-finally",
        }
    }

    /// All transformations, right ones first.
    pub fn all() -> impl Iterator<Item = Self> {
        let right = [
            Self::RoundTrip { passes: false },
            Self::RoundTrip { passes: true },
            Self::Folded,
            Self::AsOpt,
            Self::Judged,
            Self::Identity,
        ];
        right
            .into_iter()
            .chain(Self::KEEPING.iter().copied())
            .chain(Pass::ALL.iter().map(|&pass| Self::OnePass(pass)))
            .chain(Self::WRONG.iter().copied())
    }

    /// The transformation called `name`.
    ///
    /// # Errors
    /// The names that there are.
    pub fn named(name: &str) -> Result<Self, String> {
        Self::all().find(|transformation| transformation.name() == name).ok_or_else(|| {
            let names: Vec<&str> = Self::all().map(Self::name).collect();
            format!("there are {}", names.join(", "))
        })
    }

    /// The transformed program.
    ///
    /// # Errors
    /// Why it is refused.
    pub fn apply(self, source: &str, kind: SourceKind) -> Result<String, String> {
        Ok(match self {
            Self::RoundTrip { passes } => return round_trip(source, kind, passes),
            Self::Keeping => keeping(source, kind, Pass::ALL)?,
            Self::AsOpt => keeping(source, kind, USUAL)?,
            Self::Half { odd } => half(source, kind, usize::from(odd))?,
            Self::OnePass(pass) => through_passes(source, kind, &[pass])?,
            Self::Folded => through_folding(source, kind)?,
            Self::Judged => judged(source, kind)?,
            Self::Identity => source.to_owned(),
            Self::Nothing => with_parsed(source, kind, |_| String::new()).map_err(|errors| errors.to_string())?,
            Self::LooseEquality => source.replace("===", "=="),
            Self::LetToVar => source.replace("let ", "var "),
            Self::ForgetNegativeZero => source.replace("-0", "0"),
            Self::ForgetFinally => source.replace("finally {", "finally {} {"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Transformation;
    use ssaphire_js::source::SourceKind;

    #[test]
    fn names_are_distinct_and_found() {
        for transformation in Transformation::all() {
            assert_eq!(Transformation::named(transformation.name()), Ok(transformation));
        }
        assert!(Transformation::named("anything").unwrap_err().contains("identity"));
    }

    #[test]
    fn a_source_that_is_refused_says_where() {
        let refused = Transformation::RoundTrip { passes: true }.apply("let x; let x;", SourceKind::SCRIPT);
        assert!(refused.unwrap_err().starts_with("4: "));
    }
}
