//! A function as JSON.
//!
//! Ids are numbers: positions in the lists `blocks`, `variables`, `values`.
//!
//! | key | what |
//! |---|---|
//! | `format` | [`FORMAT`]: a reader refuses what it does not know |
//! | `dialect`, `name`, `entry` | |
//! | `params` | `value`, and `variable` or null |
//! | `variables` | `name`, and `type` or null for the default type |
//! | `values` | `kind` (param, constant, undefined, phi, result, detached), `text` as printed, `type`, `variable` |
//! | `blocks` | `label`, `incoming` (`source`, `slot`) in operand order, `phis`, `insts` |
//! | `phis` | `value`, `variable`, `operands` in the order of `incoming` |
//! | `insts` | `text` as printed, `copy`, `args` and `results` (each `{"value": id}` or `{"variable": id}`), `targets` by slot |

use crate::dialect::Dialect;
use crate::function::{Action, Arg, Dest, Function, InstRef, PhiRef, ValueData, ValueKind};
use crate::text::{NameStyle, PhiStyle, Speller, print_inst};
use serde_json::{Value as Json, json};
use ssaphire_graph::{Block, Value, Variable};

/// What the JSON says it is.
pub const FORMAT: &str = "ssaphire-function/1";

/// The JSON of `function`. Equal functions give equal text, to the last byte.
pub fn to_json<D: Dialect>(function: &Function<D>) -> Json {
    let spell = Speller::new(function, NameStyle::Source, PhiStyle::List);
    let params = function
        .params
        .iter()
        .map(|param| json!({ "value": param.value.index(), "variable": variable(param.variable) }));
    let variables = function
        .variables()
        .map(|id| json!({ "name": function.variable_name(id), "type": ty::<D>(function.variable_type(id)) }));
    let values = function.values().zip(function.values.iter()).map(|(id, data)| value(&spell, id, data));
    let blocks = function.blocks().map(|id| block(&spell, id));
    json!({
        "format": FORMAT,
        "dialect": D::NAME,
        "name": function.name,
        "entry": function.entry.index(),
        "params": params.collect::<Json>(),
        "variables": variables.collect::<Json>(),
        "values": values.collect::<Json>(),
        "blocks": blocks.collect::<Json>(),
    })
}

fn variable(variable: Option<Variable>) -> Json {
    variable.map(Variable::index).into()
}

fn ty<D: Dialect>(ty: &D::Type) -> Json {
    if *ty == D::Type::default() {
        return Json::Null;
    }
    // What a dialect does not manage to print is left empty.
    let mut text = String::new();
    let _ = D::print_type(ty, &mut text);
    text.into()
}

fn value<D: Dialect>(spell: &Speller<'_, D>, id: Value, data: ValueData<'_, D>) -> Json {
    let kind = match data.kind {
        ValueKind::Param(_) => "param",
        ValueKind::Constant(_) => "constant",
        ValueKind::Undefined => "undefined",
        ValueKind::Phi => "phi",
        ValueKind::Result => "result",
        ValueKind::Detached => "detached",
    };
    let mut text = String::new();
    let _ = spell.value(id, &mut text);
    json!({ "kind": kind, "text": text, "type": ty::<D>(data.ty), "variable": variable(data.name) })
}

fn block<D: Dialect>(spell: &Speller<'_, D>, id: Block) -> Json {
    let data = spell.function.block(id);
    let incoming = data.incoming().iter().map(|edge| json!({ "source": edge.source.index(), "slot": edge.slot }));
    json!({
        "label": spell.function.label(id),
        "incoming": incoming.collect::<Json>(),
        "phis": data.phis().iter().map(phi).collect::<Json>(),
        "insts": data.insts().iter().map(|one| inst(spell, id, one)).collect::<Json>(),
    })
}

fn phi(phi: PhiRef<'_>) -> Json {
    let operands = phi.operands.iter().map(|operand| operand.index());
    json!({ "value": phi.value.index(), "variable": variable(phi.variable), "operands": operands.collect::<Json>() })
}

fn inst<D: Dialect>(spell: &Speller<'_, D>, block: Block, inst: InstRef<'_, D>) -> Json {
    let mut text = String::new();
    let _ = print_inst(spell, block, inst, &mut text);
    let args = inst.args.iter().map(|&arg| match arg {
        Arg::Value(value) => json!({ "value": value.index() }),
        Arg::Variable(variable) => json!({ "variable": variable.index() }),
    });
    let results = inst.results.iter().map(|&dest| match dest {
        Dest::Value(value) => json!({ "value": value.index() }),
        Dest::Variable(variable) => json!({ "variable": variable.index() }),
    });
    json!({
        "text": text,
        "copy": matches!(inst.action, Action::Copy),
        "args": args.collect::<Json>(),
        "results": results.collect::<Json>(),
        "targets": inst.targets.iter().map(|target| target.index()).collect::<Json>(),
    })
}
