//! The check that a program can be compiled: SSA form, and types that agree, also between callers and callees.

use super::held::PER_VALUE;
use crate::Error;
use ssaphire_cranelift::MAX_PARAMS;
use ssaphire_ir::basic::{BasicMachine, Op, Type};
use ssaphire_ir::{Action, Arg, Basic, Dest, Function, InstRef};

/// Checks all functions, which call each other by `names`.
pub(super) fn check(functions: &[Function<Basic>], names: &BasicMachine) -> Result<(), Error> {
    functions.iter().try_for_each(check_function)?;
    let returned: Vec<Returned> = functions.iter().map(Returned::by).collect();
    for function in functions {
        for inst in insts(function) {
            let Action::Op(Op::Call(call)) = inst.action else { continue };
            let Some(callee) = names.callee(call) else { continue };
            if !(takes(&functions[callee], function, inst) && returned[callee].fits(function, inst)) {
                let message = format!("it calls `{}` with other types", call.callee);
                return Err(Error::Refused { function: function.name().to_owned(), message });
            }
        }
    }
    Ok(())
}

/// Checks that a function is in SSA form, and has no more parameters than Cranelift can number.
fn check_function(function: &Function<Basic>) -> Result<(), Error> {
    let name = || function.name().to_owned();
    if function.has_accesses() {
        return Err(Error::NotSsa { function: name(), found: "it reads or writes variables".to_owned() });
    }
    if let Some(error) = function.check_form().first() {
        return Err(Error::NotSsa { function: name(), found: error.to_string() });
    }
    let phis = function.blocks().map(|block| function.block(block).phis().len()).max().unwrap_or(0);
    let count = PER_VALUE * phis.max(function.params().len()) + 1;
    if count > MAX_PARAMS {
        return Err(Error::TooManyParameters { function: name(), count });
    }
    Ok(())
}

fn insts(function: &Function<Basic>) -> impl Iterator<Item = InstRef<'_, Basic>> {
    function.blocks().flat_map(|block| function.block(block).insts().iter())
}

/// Whether the arguments of a call have the types of the callee's parameters, as far as both exist.
fn takes(callee: &Function<Basic>, function: &Function<Basic>, call: InstRef<'_, Basic>) -> bool {
    let mut params = callee.params().iter().zip(call.args);
    params.all(|(param, &arg)| *callee.value(param.value).ty == arg_type(function, arg))
}

/// The results of a function: by place, whether some `return` has a number there, and whether some has an array.
struct Returned(Vec<[bool; 2]>);

impl Returned {
    fn by(function: &Function<Basic>) -> Self {
        let mut places = Vec::new();
        for inst in insts(function).filter(|inst| matches!(inst.action, Action::Op(Op::Return))) {
            places.resize(places.len().max(inst.args.len()), [false; 2]);
            for (place, &arg) in places.iter_mut().zip(inst.args) {
                place[usize::from(arg_type(function, arg) == Type::Array)] = true;
            }
        }
        Self(places)
    }

    /// Whether the results have the types that the call expects.
    fn fits(&self, function: &Function<Basic>, call: InstRef<'_, Basic>) -> bool {
        self.0.iter().zip(call.results).all(|(&[number, array], &dest)| match dest_type(function, dest) {
            Type::Number => !array,
            Type::Array => !number,
        })
    }
}

fn arg_type(function: &Function<Basic>, arg: Arg) -> Type {
    match arg {
        Arg::Value(value) => *function.value(value).ty,
        Arg::Variable(variable) => *function.variable_type(variable),
    }
}

fn dest_type(function: &Function<Basic>, dest: Dest) -> Type {
    match dest {
        Dest::Value(value) => *function.value(value).ty,
        Dest::Variable(variable) => *function.variable_type(variable),
    }
}
