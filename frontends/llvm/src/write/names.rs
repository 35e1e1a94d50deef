//! The names of values and blocks in the text: those of the source, numbers in the order of the text, and new ones for new phis.

use crate::function::{Label, LlvmFunction};
use foldhash::fast::RandomState;
use ssaphire::graph::IdMap;
use ssaphire::{Block, Value, Variable};
use ssaphire_ir::{Dest, ValueKind};
use std::collections::{HashMap, HashSet};

/// A name.
#[derive(Clone, Copy)]
enum Name<'f> {
    None,
    Number(u32),
    Text(&'f str),
    /// A name with a number behind a dot.
    Version(&'f str, u32),
}

/// The names of a function.
pub(crate) struct Names<'f> {
    values: IdMap<Value, Name<'f>>,
    blocks: IdMap<Block, Name<'f>>,
}

impl<'f> Names<'f> {
    pub(super) fn of(function: &'f LlvmFunction) -> Self {
        let body = &function.body;
        let names = Self {
            values: IdMap::filled(body.num_values(), Name::None),
            blocks: IdMap::filled(body.num_blocks(), Name::None),
        };
        let mut namer = Namer { function, names, next: 0, taken: None, versions: HashMap::default() };
        for param in body.params() {
            namer.name_value(param.value);
        }
        for block in body.blocks() {
            namer.name_block(block);
            for phi in body.block(block).phis().iter() {
                let info = phi.variable.and_then(|variable| Some((variable, function.frame.info(variable)?)));
                match info {
                    Some((variable, info)) if info.is_slot => namer.name_phi(phi.value, variable),
                    _ => namer.name_value(phi.value),
                }
            }
            for inst in body.block(block).insts().iter() {
                for dest in inst.results {
                    if let Dest::Value(value) = *dest {
                        namer.name_value(value);
                    }
                }
            }
        }
        namer.names
    }

    /// Whether a block has a name and no number.
    pub(super) fn is_named(&self, block: Block) -> bool {
        matches!(self.blocks[block], Name::Text(_))
    }

    /// The number of a block.
    pub(super) fn number_of(&self, block: Block) -> Option<u32> {
        match self.blocks[block] {
            Name::Number(number) => Some(number),
            _ => None,
        }
    }

    /// Writes an operand: a name with its sigil, or a constant.
    pub(super) fn operand(&self, function: &LlvmFunction, value: Value, out: &mut String) {
        match function.body.value(value).kind {
            ValueKind::Constant(constant) => out.push_str(constant.text()),
            ValueKind::Undefined => out.push_str("undef"),
            _ => {
                out.push('%');
                print(self.values[value], out);
            }
        }
    }

    /// An operand as it is written.
    pub(crate) fn spelled(&self, function: &LlvmFunction, value: Value) -> String {
        let mut text = String::new();
        self.operand(function, value, &mut text);
        text
    }

    /// The label of a block.
    pub(crate) fn label(&self, block: Block) -> String {
        let mut text = String::new();
        self.block(block, &mut text);
        text
    }

    pub(super) fn block(&self, block: Block, out: &mut String) {
        print(self.blocks[block], out);
    }
}

fn print(name: Name<'_>, out: &mut String) {
    match name {
        Name::None => {}
        Name::Number(number) => print_number(number, out),
        Name::Text(text) => out.push_str(text),
        Name::Version(text, number) => {
            let bare = text.strip_suffix('"');
            out.push_str(bare.unwrap_or(text));
            out.push('.');
            print_number(number, out);
            if bare.is_some() {
                out.push('"');
            }
        }
    }
}

/// Writes a number in decimal.
fn print_number(mut number: u32, out: &mut String) {
    let mut digits = [b'0'; 10];
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    out.extend(digits[start..].iter().map(|&digit| char::from(digit)));
}

struct Namer<'f> {
    function: &'f LlvmFunction,
    names: Names<'f>,
    next: u32,
    /// The names of the source, once a new phi needs one.
    taken: Option<HashSet<&'f str, RandomState>>,
    /// By name of a slot, the next number for a phi.
    versions: HashMap<&'f str, u32, RandomState>,
}

impl<'f> Namer<'f> {
    fn number(&mut self) -> Name<'f> {
        self.next += 1;
        Name::Number(self.next - 1)
    }

    fn name_value(&mut self, value: Value) {
        let function = self.function;
        let variable = function.body.value(value).name;
        let text = variable.and_then(|variable| function.frame.info(variable)?.name.as_deref());
        self.names.values[value] = match text {
            Some(text) => Name::Text(text),
            None => self.number(),
        };
    }

    fn name_block(&mut self, block: Block) {
        let function = self.function;
        self.names.blocks[block] = match function.frame.labels.get(block.index()) {
            Some(Label::Name(name)) => Name::Text(name),
            _ => self.number(),
        };
    }

    /// A phi of a promoted slot is called by the slot.
    fn name_phi(&mut self, value: Value, variable: Variable) {
        let function = self.function;
        let Some(base) = function.frame.info(variable).and_then(|info| info.name.as_deref()) else {
            self.names.values[value] = self.number();
            return;
        };
        let taken = self.taken.get_or_insert_with(|| taken_names(function));
        let next = self.versions.entry(base).or_default();
        let mut text = String::new();
        let name = loop {
            let name = Name::Version(base, *next);
            *next += 1;
            text.clear();
            print(name, &mut text);
            if !taken.contains(&*text) {
                break name;
            }
        };
        self.names.values[value] = name;
    }
}

/// All names of the source, also of what is gone.
fn taken_names(function: &LlvmFunction) -> HashSet<&str, RandomState> {
    let values = function.frame.variables.iter().filter_map(|info| info.name.as_deref());
    let labels = function.frame.labels.iter().filter_map(|label| match label {
        Label::Name(name) => Some(&**name),
        Label::Number(_) => None,
    });
    values.chain(labels).collect()
}
