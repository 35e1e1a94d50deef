//! What a translation asks of a builder of Cranelift functions.

use crate::Options;
use cranelift_codegen::ir::{Block, Function, InstBuilder, Type, Value};
use cranelift_codegen::isa::TargetFrontendConfig;
use ssaphire_cranelift::{FinalizeError, Undefined};

/// A builder of Cranelift functions, with the names that `cranelift-frontend` has given to its calls.
///
/// So one translation can be compared on two builders.
pub trait Front<'f>: Sized {
    /// A variable.
    type Variable: Copy;
    /// What is kept from function to function.
    type Context;
    /// What appends an instruction.
    type Ins<'s>: InstBuilder<'s>
    where
        Self: 's;

    /// A builder for `func`, which has no blocks.
    fn begin(func: &'f mut Function, context: &'f mut Self::Context) -> Self;

    /// The function so far.
    fn func(&self) -> &Function;

    /// The function so far, to be changed.
    fn func_mut(&mut self) -> &mut Function;

    /// A new variable.
    fn declare_var(&mut self, ty: Type) -> Self::Variable;

    /// From here on the variable holds the value.
    fn def_var(&mut self, variable: Self::Variable, value: Value);

    /// What the variable holds here.
    fn use_var(&mut self, variable: Self::Variable) -> Value;

    /// A new block.
    fn create_block(&mut self) -> Block;

    /// Goes on in `block`.
    fn switch_to_block(&mut self, block: Block);

    /// All branches to `block` are there.
    fn seal_block(&mut self, block: Block);

    /// Appends an instruction.
    fn ins(&mut self) -> Self::Ins<'_>;

    /// Ends the function.
    ///
    /// # Errors
    /// If the builder or the judge finds something wrong.
    fn finalize(self, config: TargetFrontendConfig) -> Result<(), FrontError>;
}

/// Why a function does not end well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FrontError {
    /// In the words of the builder: the calls break its contract.
    Builder(String),
    /// In the words of the judge: the SSA form does something else than the calls said.
    Judge(String),
}

/// A kind of builder, whatever function it builds.
pub trait Builders: Clone + Send + Sync + 'static {
    /// What is kept from function to function.
    type Context: Send;
    /// The builder of one function.
    type Builder<'f>: Front<'f, Context = Self::Context>;

    /// What is kept before the first function.
    fn context(&self, options: &Options) -> Self::Context;
}

/// [`ssaphire_cranelift`]'s builder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OurBuilder;

impl Builders for OurBuilder {
    type Context = ssaphire_cranelift::FunctionBuilderContext;
    type Builder<'f> = ssaphire_cranelift::FunctionBuilder<'f>;

    fn context(&self, options: &Options) -> Self::Context {
        Self::Context::with_options(Undefined::Error, options.construction.clone())
    }
}

/// `cranelift-frontend`'s builder.
#[cfg(feature = "cranelift-frontend")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CraneliftsBuilder;

#[cfg(feature = "cranelift-frontend")]
impl Builders for CraneliftsBuilder {
    type Context = cranelift_frontend::FunctionBuilderContext;
    type Builder<'f> = cranelift_frontend::FunctionBuilder<'f>;

    fn context(&self, _: &Options) -> Self::Context {
        Self::Context::new()
    }
}

/// Implements [`Front`] for a builder that has these calls.
macro_rules! implement_front {
    ($krate:ident$(<$B:ident: $bound:path>)?, |$builder:ident, $config:ident| $finalize:expr) => {
        impl<'f$(, $B: $bound)?> Front<'f> for $krate::FunctionBuilder<'f$(, $B)?> {
            type Variable = $krate::Variable;
            type Context = $krate::FunctionBuilderContext$(<$B>)?;
            type Ins<'s>
                = $krate::FuncInstBuilder<'s, 'f$(, $B)?>
            where
                Self: 's;

            fn begin(func: &'f mut Function, context: &'f mut Self::Context) -> Self {
                Self::new(func, context)
            }

            fn func(&self) -> &Function {
                self.func
            }

            fn func_mut(&mut self) -> &mut Function {
                self.func
            }

            fn declare_var(&mut self, ty: Type) -> Self::Variable {
                self.declare_var(ty)
            }

            fn def_var(&mut self, variable: Self::Variable, value: Value) {
                self.def_var(variable, value);
            }

            fn use_var(&mut self, variable: Self::Variable) -> Value {
                self.use_var(variable)
            }

            fn create_block(&mut self) -> Block {
                self.create_block()
            }

            fn switch_to_block(&mut self, block: Block) {
                self.switch_to_block(block);
            }

            fn seal_block(&mut self, block: Block) {
                self.seal_block(block);
            }

            fn ins(&mut self) -> Self::Ins<'_> {
                self.ins()
            }

            fn finalize(self, $config: TargetFrontendConfig) -> Result<(), FrontError> {
                let $builder = self;
                $finalize
            }
        }
    };
}

implement_front!(ssaphire_cranelift<B: ssaphire::SsaBuilder>, |builder, config| {
    builder.try_finalize(config).map_err(|error| match error {
        FinalizeError::Refused(_) | FinalizeError::NotCertified(_) => FrontError::Judge(error.to_string()),
        _ => FrontError::Builder(error.to_string()),
    })
});

#[cfg(feature = "cranelift-frontend")]
implement_front!(cranelift_frontend, |builder, config| {
    builder.finalize(config);
    Ok(())
});
