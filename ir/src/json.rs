//! A function as JSON, written incrementally.
//!
//! Ids are numbers: positions in the lists `blocks`, `variables`, `values`.
//! Keys come in the order of the table; `docs/function-json.md` shows an example.
//!
//! | key | what |
//! |---|---|
//! | `format` | [`FORMAT`]: a reader refuses what it does not know |
//! | `dialect`, `name`, `entry` | |
//! | `params` | `value`, and `variable` or null |
//! | `variables` | `name`, and `type` or null for the default type |
//! | `values` | `kind` (param, constant, undefined, phi, result, detached), `text` as printed, `type`, `variable`; of a constant also `constant`, an object of the dialect |
//! | `blocks` | `label`, `incoming` (`source`, `slot`) in operand order, `phis`, `insts` |
//! | `phis` | `value`, `variable`, `operands` in the order of `incoming` |
//! | `insts` | `op`, null for a copy; `immediates`, an object of the dialect; `args` and `results` (each `{"value": id}` or `{"variable": id}`); `targets` by slot |

mod fields;

pub use fields::Fields;

use crate::dialect::Syntax;
use crate::function::{Action, Arg, Dest, Function, InstRef, PhiRef, ValueData, ValueKind};
use crate::text::{NameStyle, PhiStyle, Speller};
use fields::object;
use ssaphire_graph::{Block, Value, Variable};
use std::fmt::{self, Write};

/// The format identifier in the JSON.
pub const FORMAT: &str = "ssaphire-function/2";

/// Writes the JSON of `function`, without a line end. Equal functions give equal text, to the last byte.
///
/// # Complexity
/// O(size of the function); the memory of a number per value.
///
/// # Errors
/// If the writer fails.
pub fn print<D: Syntax>(function: &Function<D>, out: &mut dyn Write) -> fmt::Result {
    let spell = Speller::new(function, NameStyle::Source, PhiStyle::List);
    object(out, |fields| {
        fields.string("format", FORMAT)?;
        fields.string("dialect", D::NAME)?;
        fields.string("name", function.name())?;
        fields.index("entry", Some(function.entry().index()))?;
        fields.objects("params", function.params(), |param, fields| {
            fields.index("value", Some(param.value.index()))?;
            write_variable(param.variable, fields)
        })?;
        fields.objects("variables", function.variables(), |variable, fields| {
            fields.string("name", function.variable_name(variable))?;
            write_type::<D>(function.variable_type(variable), fields)
        })?;
        let values = function.values().zip(function.values.iter());
        fields.objects("values", values, |(id, data), fields| write_value(&spell, id, data, fields))?;
        fields.objects("blocks", function.blocks(), |block, fields| write_block(function, block, fields))
    })
}

/// The JSON of `function`.
pub fn to_string<D: Syntax>(function: &Function<D>) -> String {
    let mut text = String::new();
    // A string takes everything.
    let _ = print(function, &mut text);
    text
}

fn write_variable(variable: Option<Variable>, fields: &mut Fields<'_>) -> fmt::Result {
    fields.index("variable", variable.map(Variable::index))
}

fn write_type<D: Syntax>(ty: &D::Type, fields: &mut Fields<'_>) -> fmt::Result {
    if *ty == D::Type::default() { fields.null("type") } else { fields.text("type", |out| D::print_type(ty, out)) }
}

fn write_value<D: Syntax>(
    spell: &Speller<'_, D>,
    id: Value,
    data: ValueData<'_, D>,
    fields: &mut Fields<'_>,
) -> fmt::Result {
    let kind = match data.kind {
        ValueKind::Param(_) => "param",
        ValueKind::Constant(_) => "constant",
        ValueKind::Undefined => "undefined",
        ValueKind::Phi => "phi",
        ValueKind::Result => "result",
        ValueKind::Detached => "detached",
    };
    fields.string("kind", kind)?;
    fields.text("text", |out| spell.value(id, out))?;
    write_type::<D>(data.ty, fields)?;
    write_variable(data.name, fields)?;
    match data.kind {
        ValueKind::Constant(constant) => fields.object("constant", |fields| D::constant_fields(constant, fields)),
        _ => Ok(()),
    }
}

fn write_block<D: Syntax>(function: &Function<D>, block: Block, fields: &mut Fields<'_>) -> fmt::Result {
    let data = function.block(block);
    fields.string("label", &function.label(block))?;
    fields.objects("incoming", data.incoming(), |edge, fields| {
        fields.index("source", Some(edge.source.index()))?;
        fields.integer("slot", edge.slot)
    })?;
    fields.objects("phis", data.phis().iter(), write_phi)?;
    fields.objects("insts", data.insts().iter(), write_inst)
}

fn write_phi(phi: PhiRef<'_>, fields: &mut Fields<'_>) -> fmt::Result {
    fields.index("value", Some(phi.value.index()))?;
    write_variable(phi.variable, fields)?;
    fields.integers("operands", phi.operands.iter().map(|operand| operand.index() as u64))
}

fn write_inst<D: Syntax>(inst: InstRef<'_, D>, fields: &mut Fields<'_>) -> fmt::Result {
    match inst.action {
        Action::Op(op) => {
            fields.string("op", D::op_name(op))?;
            fields.object("immediates", |fields| D::op_fields(op, fields))?;
        }
        Action::Copy => {
            fields.null("op")?;
            fields.object("immediates", |_| Ok(()))?;
        }
    }
    fields.objects("args", inst.args, |arg, fields| match *arg {
        Arg::Value(value) => fields.index("value", Some(value.index())),
        Arg::Variable(variable) => fields.index("variable", Some(variable.index())),
    })?;
    fields.objects("results", inst.results, |dest, fields| match *dest {
        Dest::Value(value) => fields.index("value", Some(value.index())),
        Dest::Variable(variable) => fields.index("variable", Some(variable.index())),
    })?;
    fields.integers("targets", inst.targets.iter().map(|target| target.index() as u64))
}
