//! How results are built: by which constructor, and with what options.

use ssaphire::check::Mode;
use ssaphire::fold::FoldOptions;
use ssaphire::{Certified, Options};
use ssaphire_ir::judge::Demands;
use ssaphire_literature::{AnyBuilder, Engine};

/// A builder by any constructor, with its journal.
pub(crate) type CertifiedBuilder = Certified<AnyBuilder>;

/// A constructor and its options.
#[derive(Clone, Debug, Default)]
pub(crate) struct Construction {
    pub(crate) engine: Engine,
    pub(crate) options: Options,
    /// What is folded on the way, if anything.
    pub(crate) fold: Option<FoldOptions>,
}

impl Construction {
    /// A builder that works like this.
    pub(crate) fn builder(&self) -> CertifiedBuilder {
        let mut builder = Certified::with_builder(AnyBuilder::with_options(self.engine, self.options.clone()));
        // The command asks the judge itself, and prints what it says.
        builder.set_judging(false);
        builder
    }

    /// What its results promise.
    pub(crate) fn demands(&self, mode: Mode) -> Demands {
        let demands = Demands::of(mode, &self.options);
        Demands { pruned: self.options.minimize || !self.engine.decides_at_end(), ..demands }
    }
}
