//! Writes functions of the reference IR as source of the language.
//!
//! A function that has left SSA form is structured
//! ([`structure`](ssaphire::destruct::structure)), and its blocks are written
//! as statements. Exits that `break` and `continue` cannot express become
//! `goto`s to labels before or after the construct that they repeat or leave.

mod block;
mod expression;
mod names;
mod steps;

use block::Writer;
use names::Names;
use ssaphire::destruct::structure::{Options, structure};
use ssaphire::graph::{CfgError, FlatCfg, Liveness, Order};
use ssaphire_ir::basic::{Op, Type};
use ssaphire_ir::{Action, Arg, Basic, Function};
use std::fmt;
use steps::Text;

/// The reason why a function cannot be written in the language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteError {
    /// The function.
    pub function: String,
    /// The label of the offending block, if the reason concerns one.
    pub block: Option<String>,
    /// The construct that the language cannot express.
    pub what: Unwritable,
}

/// A construct that the language cannot express.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unwritable {
    /// The graph breaks its contract.
    Cfg(CfgError),
    /// A loop has several entries.
    Irreducible,
    /// The function has values, or phis: it has not left SSA form.
    Values,
    /// An operation, by name.
    Op(String),
    /// The name of a function, or of an unused parameter, is not allowed.
    Name(String),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.function)?;
        if let Some(block) = &self.block {
            write!(f, "{block}: ")?;
        }
        match &self.what {
            Unwritable::Cfg(error) => error.fmt(f),
            Unwritable::Irreducible => f.write_str("has a loop with several entries, which While cannot express"),
            Unwritable::Values => f.write_str("has not left SSA form"),
            Unwritable::Op(op) => write!(f, "{op}: While has no such operation"),
            Unwritable::Name(name) => write!(f, "{name:?}: not a valid name in While"),
        }
    }
}

impl std::error::Error for WriteError {}

/// Writes a function in variable form as source: `func` and a body, or the body alone if it `is_bare`.
///
/// Values that are read once are inlined into expressions. An undefined value becomes a variable that is never written.
///
/// # Errors
/// If the language cannot express the function: a loop with several entries, or an operation without a spelling in
/// While.
///
/// # Examples
/// ```
/// use ssaphire::destruct::Method;
/// use ssaphire_ir::{Basic, Function, leave_ssa, text};
///
/// let source = "\
/// func sum(%n.0) {
/// var n, i, s
/// block0:
///   jump block1
/// block1: <- block0, block2
///   %i.0 = phi 0, %i.1
///   %s.0 = phi 0, %s.1
///   %1 = lt %i.0, %n.0
///   branch %1, block2, block3
/// block2:
///   %s.1 = add %s.0, %i.0
///   %i.1 = add %i.0, 1
///   jump block1
/// block3:
///   return %s.0
/// }
/// ";
/// let function: Function<Basic> = text::parse(source)?;
/// let left = leave_ssa(&function, Method::PerVariable)?;
/// let expected = "\
/// func sum(n) {
///   i := 0;
///   s := 0;
///   while i < n {
///     s := s + i;
///     i := i + 1;
///   }
///   return s;
/// }
/// ";
/// assert_eq!(ssaphire_while::write(&left.function, false)?, expected);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(function: &Function<Basic>, is_bare: bool) -> Result<String, WriteError> {
    let refuse = |what| WriteError { function: function.name().to_owned(), block: None, what };
    let cfg = FlatCfg::new(function).map_err(|error| refuse(Unwritable::Cfg(error)))?;
    let structured = structure(&cfg, Options::default());
    if structured.has_dispatch() {
        return Err(refuse(Unwritable::Irreducible));
    }
    let mut names = Names::new(function);
    if !is_bare && !names.is_name(function.name()) {
        return Err(refuse(Unwritable::Name(function.name().to_owned())));
    }
    let order = Order::new(&cfg);
    let live = Liveness::of_variables(function, &cfg, &order);
    let mut blocks = Vec::new();
    for block in function.blocks() {
        let live_out = live.live_out(block);
        let is_reachable = order.is_reachable(block);
        let lines = is_reachable.then(|| Writer::write(function, &mut names, block, live_out)).transpose()?;
        blocks.push(lines.unwrap_or_default());
    }
    let mut text = Text::new(&structured, &blocks, &cfg, usize::from(!is_bare));
    text.write_all();
    let params = params(function, &names).ok_or_else(|| refuse(Unwritable::Values))?;
    let mut out = String::new();
    if !is_bare {
        let returned = if returns_array(function) { "[]" } else { "" };
        out += &format!("func {}({}){returned} {{\n", function.name(), params.join(", "));
    } else if !params.is_empty() {
        return Err(refuse(Unwritable::Name(params[0].clone())));
    }
    let arrays = names.arrays(function);
    if !arrays.is_empty() {
        out += &format!("{}array {};\n", if is_bare { "" } else { "  " }, arrays.join(", "));
    }
    out += &text.finish();
    if !is_bare {
        out += "}\n";
    }
    Ok(out)
}

fn params(function: &Function<Basic>, names: &Names) -> Option<Vec<String>> {
    let param = |param: &ssaphire_ir::Param| {
        let variable = param.variable?;
        let mark = if *function.variable_type(variable) == Type::Array { "[]" } else { "" };
        Some(format!("{}{mark}", names.variable(variable)))
    };
    function.params().iter().map(param).collect()
}

/// Whether the first result of the function is an array.
fn returns_array(function: &Function<Basic>) -> bool {
    let is_array = |arg: &Arg| match *arg {
        Arg::Variable(variable) => *function.variable_type(variable) == Type::Array,
        Arg::Value(value) => *function.value(value).ty == Type::Array,
    };
    let returns = |inst: ssaphire_ir::InstRef<'_, Basic>| matches!(inst.action, Action::Op(Op::Return));
    let mut terminators = function.blocks().filter_map(|block| function.block(block).terminator());
    terminators.any(|inst| returns(inst) && inst.args.first().is_some_and(is_array))
}
