//! Reads a function into the reference IR, with its slots as the source has them.

mod header;
mod insts;
mod names;
mod ops;
mod phis;
mod places;
mod statements;

use crate::dialect::{Llvm, Type};
use crate::error::{ReadError, ReadErrorKind};
use crate::function::{Frame, Label, LlvmFunction, VariableInfo};
use crate::module::{Context, FunctionText};
use crate::scan::is_name_byte;
use crate::template::push_text;
use foldhash::fast::RandomState;
use header::Header;
pub(crate) use header::end_in_line;
use names::{Names, number_of};
use ops::Ops;
pub(crate) use places::{At, offset_of};
use ssaphire::{Block, Value, Variable};
use ssaphire_ir::{Function, Inst, Name};
use statements::Outline;
use std::collections::HashMap;
use std::sync::Arc;

/// What becomes of numbers of values and blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Numbers {
    /// They are given anew when the function is written.
    Given,
    /// They are names, by which things can be found in the source.
    Names,
}

/// Reads a function.
///
/// # Complexity
/// O(*n*) for *n* bytes.
pub(crate) fn read<'t>(
    context: &Context<'t>,
    text: &FunctionText<'t>,
    numbers: Numbers,
) -> Result<LlvmFunction, ReadError> {
    let mut reader = Reader::new(context, *text, numbers);
    if !text.is_closed {
        return reader.error(text.text, ReadErrorKind::NoEnd);
    }
    let Some(header) = Header::of(text.text) else { return reader.error(text.text, ReadErrorKind::Header) };
    if let Some(comment) = context.block_comment_in(text.text) {
        return reader.error(comment, ReadErrorKind::BlockComment);
    }
    let mut outline = Outline::of(header.body);
    if outline.blocks.is_empty() {
        return reader.error(text.text, ReadErrorKind::Empty);
    }
    reader.declare_params(&header)?;
    outline.number(reader.next_number);
    reader.declare_blocks(&outline)?;
    reader.declare_results(&mut outline)?;
    reader.fill_blocks(&outline)?;
    reader.fill_phis(&outline)?;
    let has_hole = header.params.iter().map(Option::is_some).collect();
    let Reader { function, variables, labels, .. } = reader;
    let of_params = header;
    let (header, params) = (template_of(&of_params).into(), of_params.infos);
    let (rules, by_size) = (context.rules(), context.by_size);
    let frame = Frame { header, has_hole, params, rules, by_size, labels, variables };
    Ok(LlvmFunction { frame: frame.into(), body: function })
}

/// The header with holes for names of parameters.
fn template_of(header: &Header<'_>) -> String {
    let mut template = String::new();
    let mut at = 0;
    for name in header.params.iter().flatten() {
        let start = offset_in(header.text, name);
        push_text(&header.text[at..start], &mut template);
        template.push_str("{}");
        at = start + name.len();
    }
    push_text(&header.text[at..], &mut template);
    template
}

/// Where `part`, which is a part of `text`, is in it.
fn offset_in(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize).min(text.len())
}

/// A name without its sigil, and without quotes that it does not need: `%"s"` is `%s`, but `%"5"` is not `%5`.
fn bare(name: &str) -> &str {
    let name = name.strip_prefix('%').unwrap_or(name);
    let quoted = name.strip_prefix('"').and_then(|name| name.strip_suffix('"'));
    let is_plain = |inner: &&str| {
        inner.bytes().all(is_name_byte) && inner.bytes().next().is_some_and(|first| !first.is_ascii_digit())
    };
    quoted.filter(is_plain).unwrap_or(name)
}

struct Reader<'c, 't> {
    context: &'c Context<'t>,
    text: FunctionText<'t>,
    numbers: Numbers,
    function: Function<Llvm>,
    variables: Vec<VariableInfo>,
    labels: Vec<Label>,
    values: Names<'t, Value>,
    blocks: Names<'t, Block>,
    /// Room for the text of an instruction.
    template: String,
    ops: Ops,
    /// Constant operands, by their texts.
    constants: HashMap<&'t str, Value, RandomState>,
    /// The next number of a block without a label.
    next_number: u32,
}

impl<'c, 't> Reader<'c, 't> {
    fn new(context: &'c Context<'t>, text: FunctionText<'t>, numbers: Numbers) -> Self {
        let name = text.name.strip_prefix('@').unwrap_or(text.name);
        Self {
            context,
            text,
            numbers,
            function: Function::new(name),
            variables: Vec::new(),
            labels: Vec::new(),
            values: Names::new(),
            blocks: Names::new(),
            template: String::new(),
            ops: Ops::default(),
            constants: HashMap::default(),
            next_number: 0,
        }
    }

    fn error<T>(&self, part: &str, kind: ReadErrorKind) -> Result<T, ReadError> {
        Err(ReadError { offset: self.text.offset + offset_in(self.text.text, part), kind })
    }

    /// Adds a variable with a name, or called by a word if it has none, and a type.
    fn add_variable(&mut self, info: VariableInfo, ty: Type, word: &'static str) -> Variable {
        let name = info.name.clone().map_or(Name::fixed(word), Name::from);
        self.variables.push(info);
        self.function.add_variable(name, ty)
    }

    /// A name of a value without its sigil; `None` for a number that is given anew.
    fn name_of(&mut self, name: &str) -> Option<Arc<str>> {
        if let Some(number) = number_of(bare(name)) {
            self.next_number = self.next_number.max(number.saturating_add(1));
            if self.numbers == Numbers::Given {
                return None;
            }
        }
        Some(bare(name).into())
    }

    /// The name of a value with a number; `None` if it is given anew.
    fn name_of_number(&self, number: u32) -> Option<Arc<str>> {
        (self.numbers == Numbers::Names).then(|| number.to_string().into())
    }

    /// The label of a block with a number.
    fn numbered(&self, number: u32) -> Label {
        match self.numbers {
            Numbers::Given => Label::Number(number),
            Numbers::Names => Label::Name(number.to_string().into()),
        }
    }

    /// The variable that stands for the name of a value; numbers have none.
    fn variable_of(&mut self, name: &str) -> Option<Variable> {
        let name = self.name_of(name);
        self.variable_named(name)
    }

    /// The variable that stands for a name.
    fn variable_named(&mut self, name: Option<Arc<str>>) -> Option<Variable> {
        let name = name?;
        Some(self.add_variable(VariableInfo { name: Some(name), ..VariableInfo::default() }, Type::default(), "v"))
    }

    fn define(&mut self, name: &'t str, value: Value) -> Result<(), ReadError> {
        match self.values.insert(bare(name), value) {
            true => Ok(()),
            false => self.error(name, ReadErrorKind::Twice(name.to_owned())),
        }
    }

    fn declare_params(&mut self, header: &Header<'t>) -> Result<(), ReadError> {
        for param in &header.params {
            let variable = param.and_then(|name| self.variable_of(name));
            let value = self.function.add_value_param(variable, Type::default());
            match param {
                Some(name) => self.define(name, value)?,
                None => {
                    self.values.insert_number(self.next_number, value);
                    self.next_number += 1;
                }
            }
        }
        Ok(())
    }

    fn declare_blocks(&mut self, outline: &Outline<'t>) -> Result<(), ReadError> {
        for block in &outline.blocks {
            let Some(label) = block.label else {
                let id = self.function.create_block();
                self.labels.push(self.numbered(block.number));
                self.blocks.insert_number(block.number, id);
                continue;
            };
            let name = bare(label);
            let (id, label_of) = match number_of(name) {
                Some(number) => (self.function.create_block(), self.numbered(number)),
                None => (self.function.create_named_block(name), Label::Name(name.into())),
            };
            self.labels.push(label_of);
            if !self.blocks.insert(name, id) {
                return self.error(label, ReadErrorKind::Twice(label.to_owned()));
            }
        }
        Ok(())
    }

    fn declare_results(&mut self, outline: &mut Outline<'t>) -> Result<(), ReadError> {
        for statement in &mut outline.statements {
            let name = match (statement.result, statement.number) {
                (Some(name), _) => self.name_of(name),
                (None, Some(number)) => self.name_of_number(number),
                (None, None) => continue,
            };
            let value = if statement.is_phi() {
                let variable = self.variable_of_phi(name, statement.body)?;
                self.function.new_version(variable)
            } else if let Some(ty) = statement.slot_type() {
                // A slot may become a variable.
                let info = VariableInfo { name, ..VariableInfo::default() };
                let variable = self.add_variable(info, Type::new(ty), "slot");
                self.function.new_value(Some(variable), Type::default())
            } else {
                let variable = self.variable_named(name);
                self.function.new_value(variable, Type::default())
            };
            statement.value = Some(value);
            match (statement.result, statement.number) {
                (Some(name), _) => self.define(name, value)?,
                (None, Some(number)) if !self.values.insert_number(number, value) => {
                    return self.error(statement.body, ReadErrorKind::Twice(format!("%{number}")));
                }
                (None, _) => {}
            }
        }
        Ok(())
    }

    /// Adds the instructions but for phis.
    fn fill_blocks(&mut self, outline: &Outline<'t>) -> Result<(), ReadError> {
        for (number, block) in outline.blocks.iter().enumerate() {
            let statements = &outline.statements[block.statements.clone()];
            let mut insts: Vec<Inst<Llvm>> = Vec::with_capacity(statements.len() + 1);
            for statement in statements.iter().filter(|statement| !statement.is_phi()) {
                if insts.last().is_some_and(Inst::is_terminator) {
                    return self.error(statement.body, ReadErrorKind::AfterTerminator);
                }
                self.read_inst(statement, &mut insts)?;
            }
            if !insts.last().is_some_and(Inst::is_terminator) {
                let last = statements.last().map(|statement| statement.body).or(block.label);
                return self.error(last.unwrap_or(self.text.text), ReadErrorKind::NoTerminator);
            }
            self.function.set_insts(Block::new(number), insts);
        }
        match self.function.block(Block::new(0)).incoming() {
            [] => Ok(()),
            _ => self.error(self.text.text, ReadErrorKind::EntryHasEdges),
        }
    }
}
