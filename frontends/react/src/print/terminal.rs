//! The text of terminals.

use super::{Printer, Style};
use crate::function::Block;
use crate::terminal::{GotoVariant, ReturnVariant, Terminal};

pub(super) fn text(printer: &Printer<'_>, block: &Block) -> String {
    let order = block.terminal_order;
    let text = match &block.terminal {
        Terminal::Switch { test, cases, fallthrough } => {
            let mut text = format!("Switch ({})", printer.place(*test));
            for (test, block) in cases {
                match test {
                    Some(test) => text += &format!("\n    Case {}: {block}", printer.place(*test)),
                    None => text += &format!("\n    Default: {block}"),
                }
            }
            text + &format!("\n    Fallthrough: {fallthrough}")
        }
        terminal => line(printer, terminal),
    };
    format!("  [{order}] {text}")
}

fn line(printer: &Printer<'_>, terminal: &Terminal) -> String {
    match terminal {
        Terminal::Goto { block, variant: GotoVariant::Continue } => format!("Goto(Continue) {block}"),
        Terminal::Goto { block, .. } => format!("Goto {block}"),
        Terminal::If { test, consequent, alternate, fallthrough } => {
            format!("If ({}) then:{consequent} else:{alternate} fallthrough={fallthrough}", printer.place(*test))
        }
        Terminal::Branch { test, consequent, alternate, fallthrough } => {
            let test = printer.place(*test);
            match printer.style {
                Style::React100 => {
                    format!("Branch ({test}) then:{consequent} else:{alternate} fallthrough:{fallthrough}")
                }
                Style::React2024 => format!("Branch (<unknown> {test}) then:{consequent} else:{alternate}"),
            }
        }
        Terminal::Logical { operator, test, fallthrough } => {
            format!("Logical {} test:{test} fallthrough={fallthrough}", operator.as_str())
        }
        Terminal::Ternary { test, fallthrough } => format!("Ternary test:{test} fallthrough={fallthrough}"),
        Terminal::Optional { is_optional, test, fallthrough } => {
            format!("Optional (optional={is_optional}) test:{test} fallthrough={fallthrough}")
        }
        Terminal::Throw { value } => format!("Throw {}", printer.place(*value)),
        Terminal::Return { variant, value } => match printer.style {
            Style::React100 => format!("Return {} {}", variant_text(*variant), printer.place(*value)),
            Style::React2024 => format!("Return {}", printer.place(*value)),
        },
        Terminal::While { test, body, fallthrough } => {
            format!("While test={test} loop={body} fallthrough={fallthrough}")
        }
        Terminal::DoWhile { body, test, fallthrough } => {
            format!("DoWhile loop={body} test={test} fallthrough={fallthrough}")
        }
        Terminal::For { init, test, update, body, fallthrough } => {
            let update = update.map_or_else(|| "bbnull".into(), |update| update.to_string());
            format!("For init={init} test={test} loop={body} update={update} fallthrough={fallthrough}")
        }
        Terminal::ForOf { init, test, body, fallthrough } => {
            format!("ForOf init={init} test={test} loop={body} fallthrough={fallthrough}")
        }
        Terminal::ForIn { init, body, fallthrough } => {
            format!("ForIn init={init} loop={body} fallthrough={fallthrough}")
        }
        Terminal::Label { block, fallthrough } => format!("Label block={block} fallthrough={fallthrough}"),
        Terminal::Sequence { block, fallthrough } => format!("Sequence block={block} fallthrough={fallthrough}"),
        Terminal::MaybeThrow { continuation, handler } => {
            format!("MaybeThrow continuation={continuation} handler={handler}")
        }
        Terminal::Try { block, binding, handler, fallthrough } => {
            let binding =
                binding.map(|place| format!(" handlerBinding=({})", printer.place(place))).unwrap_or_default();
            format!("Try block={block} handler={handler}{binding} fallthrough={fallthrough}")
        }
        Terminal::Unreachable => "Unreachable".into(),
        Terminal::Unsupported | Terminal::Switch { .. } => "Unsupported".into(),
    }
}

fn variant_text(variant: ReturnVariant) -> &'static str {
    match variant {
        ReturnVariant::Void => "Void",
        ReturnVariant::Implicit => "Implicit",
        ReturnVariant::Explicit => "Explicit",
    }
}
