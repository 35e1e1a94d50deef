//! JSON compared with the function it was written of, field by field.

use serde_json::{Value as Json, json};
use ssaphire_ir::json::{FORMAT, to_string};
use ssaphire_ir::{Action, Arg, Dest, Function, Syntax, Value, ValueKind, Variable};

/// The JSON of `function` says what the function is: as a reader of JSON reads it.
///
/// What an operation and a constant are is the dialect's to say: they are read here by their text, so that no two
/// of them may be the same object.
#[track_caller]
pub(crate) fn json_says<D: Syntax>(function: &Function<D>) {
    let text = to_string(function);
    let json: Json = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let head = json!({
        "format": FORMAT, "dialect": D::NAME, "name": function.name(), "entry": function.entry().index(),
        "params": function.params().iter().map(|param| {
            json!({ "value": param.value.index(), "variable": index(param.variable) })
        }).collect::<Json>(),
        "variables": function.variables().map(|variable| {
            json!({ "name": function.variable_name(variable), "type": ty::<D>(function.variable_type(variable)) })
        }).collect::<Json>(),
    });
    for (key, expected) in head.as_object().expect("an object was made") {
        assert_eq!(json[key], *expected, "{key}: {text}");
    }
    assert_eq!(json.as_object().map(|object| object.len()), Some(8), "{text}");
    values(function, &json["values"]);
    blocks(function, &json["blocks"]);
}

fn index(variable: Option<Variable>) -> Json {
    variable.map(Variable::index).into()
}

fn ty<D: Syntax>(ty: &D::Type) -> Json {
    let mut text = String::new();
    D::print_type(ty, &mut text).expect("a string takes everything");
    if *ty == D::Type::default() { Json::Null } else { text.into() }
}

fn values<D: Syntax>(function: &Function<D>, json: &Json) {
    let list = json.as_array().expect("values are a list");
    assert_eq!(list.len(), function.num_values());
    let mut constants = Vec::new();
    for (id, json) in function.values().zip(list) {
        let data = function.value(id);
        let (kind, constant) = match data.kind {
            ValueKind::Param(_) => ("param", None),
            ValueKind::Constant(constant) => ("constant", Some(constant)),
            ValueKind::Undefined => ("undefined", None),
            ValueKind::Phi => ("phi", None),
            ValueKind::Result => ("result", None),
            ValueKind::Detached => ("detached", None),
        };
        assert_eq!((&json["kind"], &json["type"]), (&kind.into(), &ty::<D>(data.ty)), "{id}");
        assert_eq!(json["variable"], index(data.name), "{id}");
        assert_eq!(json.get("constant").is_some(), constant.is_some(), "{id}");
        if let Some(constant) = constant {
            let mut text = String::new();
            D::print_constant(constant, &mut text).expect("a string takes everything");
            assert_eq!(json["text"], text.as_str(), "{id}");
            assert!(json["constant"].as_object().is_some_and(|fields| !fields.is_empty()), "{id}");
            constants.push(json["constant"].to_string());
        }
    }
    let all = constants.len();
    constants.sort_unstable();
    constants.dedup();
    assert_eq!(constants.len(), all, "two constants are one object");
}

fn blocks<D: Syntax>(function: &Function<D>, json: &Json) {
    let list = json.as_array().expect("blocks are a list");
    assert_eq!(list.len(), function.num_blocks());
    let mut ops: Vec<(String, &D::Op)> = Vec::new();
    for (id, json) in function.blocks().zip(list) {
        let block = function.block(id);
        let incoming = block.incoming().iter().map(|edge| json!({ "source": edge.source.index(), "slot": edge.slot }));
        let phis = block.phis().iter().map(|phi| {
            let operands = phi.operands.iter().map(|operand| operand.index()).collect::<Json>();
            json!({ "value": phi.value.index(), "variable": index(phi.variable), "operands": operands })
        });
        assert_eq!(json["label"], function.label(id).as_str());
        assert_eq!(json["incoming"], incoming.collect::<Json>(), "{id}");
        assert_eq!(json["phis"], phis.collect::<Json>(), "{id}");
        let insts = json["insts"].as_array().expect("instructions are a list");
        assert_eq!(insts.len(), block.insts().len(), "{id}");
        for (inst, json) in block.insts().iter().zip(insts) {
            match inst.action {
                Action::Copy => assert_eq!(json["op"], Json::Null),
                Action::Op(op) => {
                    assert_eq!(json["op"], D::op_name(op));
                    ops.push((format!("{} {}", json["op"], json["immediates"]), op));
                }
            }
            let args = inst.args.iter().map(|arg| match *arg {
                Arg::Value(value) => mention(value),
                Arg::Variable(variable) => json!({ "variable": variable.index() }),
            });
            let results = inst.results.iter().map(|dest| match *dest {
                Dest::Value(value) => mention(value),
                Dest::Variable(variable) => json!({ "variable": variable.index() }),
            });
            let targets = inst.targets.iter().map(|target| target.index()).collect::<Json>();
            let (args, results) = (args.collect::<Json>(), results.collect::<Json>());
            assert_eq!((&json["args"], &json["results"], &json["targets"]), (&args, &results, &targets), "{id}");
            assert_eq!(json.as_object().map(|object| object.len()), Some(5), "{id}");
        }
    }
    ops.sort_by(|one, other| one.0.cmp(&other.0));
    for pair in ops.windows(2) {
        assert_eq!(pair[0].0 == pair[1].0, pair[0].1 == pair[1].1, "{:?} and {:?}", pair[0], pair[1]);
    }
}

fn mention(value: Value) -> Json {
    json!({ "value": value.index() })
}
