//! The interface between a translation and a builder of Cranelift functions.

use crate::Options;
use cranelift_codegen::ir::{Block, Function, InstBuilder, Type, Value};
use cranelift_codegen::isa::TargetFrontendConfig;
use ssaphire_cranelift::{FinalizeError, Undefined};

/// A builder of Cranelift functions, with the method names of `cranelift-frontend`.
///
/// One translation can therefore be compared on two builders.
pub trait Front<'f>: Sized {
    /// A variable.
    type Variable: Copy;
    /// The state that is kept from function to function.
    type Context;
    /// The type that appends an instruction.
    type Ins<'s>: InstBuilder<'s>
    where
        Self: 's;

    /// Creates a builder for `func`, which has no blocks.
    fn begin(func: &'f mut Function, context: &'f mut Self::Context) -> Self;

    /// The function under construction.
    fn func(&self) -> &Function;

    /// The function under construction, to be changed.
    fn func_mut(&mut self) -> &mut Function;

    /// Declares a new variable.
    fn declare_var(&mut self, ty: Type) -> Self::Variable;

    /// Assigns `value` to the variable.
    fn def_var(&mut self, variable: Self::Variable, value: Value);

    /// The value of the variable at this point.
    fn use_var(&mut self, variable: Self::Variable) -> Value;

    /// Creates a block.
    fn create_block(&mut self) -> Block;

    /// Makes `block` the current block.
    fn switch_to_block(&mut self, block: Block);

    /// Seals `block`: all branches to it exist.
    fn seal_block(&mut self, block: Block);

    /// Appends an instruction.
    fn ins(&mut self) -> Self::Ins<'_>;

    /// Ends the function.
    ///
    /// # Errors
    /// If the builder or the judge finds something wrong.
    fn finalize(self, config: TargetFrontendConfig) -> Result<(), FrontError>;
}

/// The reason why a function cannot be finalized.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FrontError {
    /// The builder's message: the calls violate its contract.
    Builder(String),
    /// The judge's message: the SSA form differs from the program that the calls describe.
    Judge(String),
}

/// A kind of builder, for functions of any lifetime.
pub trait Builders: Clone + Send + Sync + 'static {
    /// The state that is kept from function to function.
    type Context: Send;
    /// The builder of one function.
    type Builder<'f>: Front<'f, Context = Self::Context>;

    /// The state before the first function.
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

/// Implements [`Front`] for a builder with these methods.
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
