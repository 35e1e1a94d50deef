//! The reasons why a program has no machine code.

use cranelift_codegen::CodegenError;
use ssaphire_cranelift::MAX_PARAMS;
use std::fmt;

/// The reason why a program has no machine code.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// Code cannot be generated for this machine, or the machine refuses the memory for it.
    Machine(String),
    /// A function is not in SSA form.
    NotSsa {
        /// Its name.
        function: String,
        /// A construct that SSA form does not have.
        found: String,
    },
    /// A function has more parameters, or a block more phis, than Cranelift can number.
    TooManyParameters {
        /// Its name.
        function: String,
        /// The number of parameters.
        count: usize,
    },
    /// A function needs a larger stack frame than one function may have.
    TooLargeFrame {
        /// Its name.
        function: String,
        /// The size of the frame, in bytes.
        bytes: u64,
    },
    /// Cranelift refuses a function.
    Refused {
        /// Its name.
        function: String,
        /// Cranelift's message.
        message: String,
    },
    /// The judge refuses the SSA form of a function. Only after
    /// [`set_judging`](ssaphire_cranelift::FunctionBuilderContext::set_judging).
    Judged {
        /// Its name.
        function: String,
        /// The judge's message.
        message: String,
    },
}

impl Error {
    pub(crate) fn machine(error: impl fmt::Display) -> Self {
        Self::Machine(error.to_string())
    }

    /// Cranelift's error about `function`.
    pub(crate) fn refused(function: &str, error: &CodegenError) -> Self {
        let message = match error {
            CodegenError::Verifier(errors) => errors.to_string(),
            other => other.to_string(),
        };
        Self::Refused { function: function.to_owned(), message }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Machine(message) => write!(f, "machine code is not available: {message}"),
            Self::NotSsa { function, found } => write!(f, "function `{function}` is not in SSA form: {found}"),
            Self::TooManyParameters { function, count } => {
                write!(f, "function `{function}`: {count} block parameters, but Cranelift's limit is {MAX_PARAMS}")
            }
            Self::TooLargeFrame { function, bytes } => {
                write!(f, "function `{function}` needs a stack frame of {bytes} bytes, which is too large")
            }
            Self::Refused { function, message } | Self::Judged { function, message } => {
                write!(f, "function `{function}`: {}", message.trim_end())
            }
        }
    }
}

impl std::error::Error for Error {}
