//! The functions that a run is made of, each judged before anything runs.

use super::{NotRun, Run, Translator, Untranslated};
use crate::built::Built;
use crate::construction::CertifiedBuilder;
use crate::judge::{self, Refusal};
use ssaphire_ir::judge::Inspector;
use ssaphire_ir::{Dialect, Function};

/// Makes functions in SSA form as a [`Run`] says: directly or over memory, judged or not.
pub(super) struct Maker<'s> {
    translator: Box<dyn Translator + 's>,
    ssa: CertifiedBuilder,
    inspector: Inspector,
    is_over_memory: bool,
    is_judged: bool,
}

/// Why a function is not run.
pub(super) enum Unmade {
    /// It has no SSA form.
    Untranslated(Untranslated),
    /// The judge refuses it.
    Refused(Vec<Refusal>),
}

impl Unmade {
    /// The error of a run that needs function `name`.
    pub(super) fn of(self, name: &str) -> NotRun {
        match self {
            Self::Untranslated(error) => NotRun::new(format!("function `{name}`: {}", error.reason)),
            Self::Refused(refusals) => {
                let refusals: Vec<String> = refusals.iter().map(ToString::to_string).collect();
                NotRun::refused(name, &refusals.join("; "))
            }
        }
    }
}

impl From<Untranslated> for Unmade {
    fn from(error: Untranslated) -> Self {
        Self::Untranslated(error)
    }
}

impl<'s> Maker<'s> {
    /// Makes functions by `translator`.
    pub(super) fn new(translator: Box<dyn Translator + 's>, run: &Run<'_>) -> Self {
        let mut ssa = run.construction.builder();
        ssa.set_recording(run.is_judged);
        let &Run { is_over_memory, is_judged, .. } = run;
        Self { translator, ssa, inspector: Inspector::default(), is_over_memory, is_judged }
    }

    /// Function number `index`.
    ///
    /// # Errors
    /// If it has no SSA form, or a wrong one.
    pub(super) fn make<D: Dialect>(&mut self, index: usize) -> Result<Function<D>, Unmade> {
        let (function, refusals) = if self.is_over_memory { self.over_memory(index)? } else { self.directly(index)? };
        if !refusals.is_empty() {
            return Err(Unmade::Refused(refusals));
        }
        let dialect = function.dialect();
        let function = function.into_any().downcast::<Function<D>>();
        let other = || Untranslated::because(format!("of dialect `{dialect}`, which cannot be run as `{}`", D::NAME));
        Ok(*function.map_err(|_| other())?)
    }

    fn directly(&mut self, index: usize) -> Result<(Box<dyn Built>, Vec<Refusal>), Untranslated> {
        let Self { translator, ssa, inspector, .. } = self;
        let function = translator.build(index, ssa)?.function;
        let refusals = match self.is_judged {
            true => judge::refusals(inspector, &*function, translator.folded(), ssa, judge::SOUND),
            false => Vec::new(),
        };
        Ok((function, refusals))
    }

    /// What mem2reg makes has no certificate: it is judged beside direct construction.
    fn over_memory(&mut self, index: usize) -> Result<(Box<dyn Built>, Vec<Refusal>), Untranslated> {
        let Self { translator, ssa, inspector, .. } = self;
        let promoted = translator.over_memory(index)?;
        let refusals = match self.is_judged {
            true => {
                let direct = translator.build(index, ssa)?.function;
                judge::judge_over_memory(inspector, &promoted, &*direct, ssa).0.refusals
            }
            false => Vec::new(),
        };
        Ok((promoted.function, refusals))
    }
}

#[cfg(test)]
mod tests {
    use super::{Maker, Unmade};
    use crate::arguments::{Form, ReadingArguments};
    use crate::construction::{CertifiedBuilder, Construction};
    use crate::language::Language;
    use crate::source::{Folded, Promoted, Run, Translated, Translator, Untranslated, load};
    use ssaphire_ir::Basic;
    use ssaphire_ir::measure::{Detour, Measurements};
    use ssaphire_wasm::Pool;

    /// Loses the journal of what it builds, so that the judge refuses it, whatever has built it.
    struct Loser<'s>(Box<dyn Translator + 's>);

    impl Translator for Loser<'_> {
        fn build(&mut self, index: usize, ssa: &mut CertifiedBuilder) -> Result<Translated, Untranslated> {
            let built = self.0.build(index, ssa);
            ssa.clear();
            built
        }

        fn folded(&self) -> Option<&dyn Folded> {
            self.0.folded()
        }

        fn over_memory(&mut self, index: usize) -> Result<Promoted, Untranslated> {
            self.0.over_memory(index)
        }

        fn measure(&mut self, index: usize, steps: u64) -> Result<Measurements, Untranslated> {
            self.0.measure(index, steps)
        }

        fn detour(&mut self, index: usize, ssa: &mut CertifiedBuilder) -> Result<Detour, Untranslated> {
            self.0.detour(index, ssa)
        }
    }

    #[test]
    fn what_is_refused_is_made_only_without_the_judge() {
        let reading =
            ReadingArguments { lang: None, strict_while: false, slots_by_size: false, llvm_version: None, warn: None };
        let text = "func f(x) {\na:\n  return x\n}\n";
        let source = load("f.ssa", Language::Ssa, text.into(), &reading, &Pool::alone())
            .unwrap_or_else(|_| panic!("a good text"));
        let construction = Construction::default();
        for (is_over_memory, is_judged) in [(false, true), (false, false), (true, true), (true, false)] {
            let run = Run {
                entry: 0,
                args: &[],
                input: &[],
                seed: 0,
                fuel: 0,
                form: Form::Ssa,
                construction: &construction,
                is_over_memory,
                is_traced: false,
                is_compiled: false,
                is_judged,
            };
            let mut maker = Maker::new(Box::new(Loser(source.translator(None))), &run);
            match maker.make::<Basic>(0) {
                Ok(_) => assert!(!is_judged),
                Err(unmade) => {
                    assert!(is_judged && matches!(unmade, Unmade::Refused(_)));
                    let not_run = unmade.of("f");
                    assert!(not_run.is_refused && not_run.reason.starts_with("function `f`: refused: "));
                }
            }
        }
    }
}
