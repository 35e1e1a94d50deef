//! The fields of a text, in encoding order.

use std::collections::BTreeMap;
use wast::Wat;
use wast::core::{ExportKind, Func, FuncKind, Imports, ItemKind, Module, ModuleField, ModuleKind};
use wast::parser::{ParseBuffer, parse};
use wast::token::{Id, Index};

/// The kinds of items in sections.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    Type,
    Import,
    Function,
    Table,
    Memory,
    Tag,
    Global,
    Export,
    Start,
    Element,
    Data,
}

/// A function that the text defines.
pub(super) struct FunctionText {
    pub(super) name: Option<String>,
    /// The offset where it begins.
    pub(super) offset: usize,
    /// The offsets of its instructions, in encoding order.
    pub(super) instructions: Box<[usize]>,
}

/// The fields of a module.
pub(super) struct Fields {
    /// Offsets in the text.
    pub(super) parts: BTreeMap<Part, Vec<usize>>,
    pub(super) functions: Vec<FunctionText>,
    pub(super) num_imported: u32,
}

/// Parses a text; `None` if it contains no module in the text format.
pub(super) fn read(text: &str) -> Option<Fields> {
    let mut buffer = ParseBuffer::new(text).ok()?;
    buffer.track_instr_spans(true);
    let Wat::Module(mut module) = parse::<Wat<'_>>(&buffer).ok()? else { return None };
    let names = names(&module);
    // `resolve` separates what is written in one field, such as inline imports and exports.
    module.resolve().ok()?;
    let ModuleKind::Text(fields) = module.kind else { return None };
    let mut read = Fields { parts: BTreeMap::new(), functions: Vec::new(), num_imported: 0 };
    let mut names = names.into_iter();
    for field in &fields {
        if let Some((part, offset)) = read.field(field) {
            read.parts.entry(part).or_default().push(offset);
        }
        if let ModuleField::Func(function) = field {
            read.functions.push(FunctionText::new(function, names.next().flatten()));
        }
    }
    fields.iter().for_each(|field| read.export(field));
    Some(read)
}

/// The names of the functions that a module defines, in order. Called before `resolve`, which names the nameless ones.
fn names(module: &Module<'_>) -> Vec<Option<String>> {
    let ModuleKind::Text(fields) = &module.kind else { return Vec::new() };
    let defined = fields.iter().filter_map(|field| match field {
        ModuleField::Func(function) if matches!(function.kind, FuncKind::Inline { .. }) => Some(function),
        _ => None,
    });
    let name = |function: &Func<'_>| {
        let given = function.name.as_ref().map(|name| name.name);
        given.or(function.id.as_ref().map(Id::name)).map(str::to_owned)
    };
    defined.map(name).collect()
}

impl Fields {
    fn field(&mut self, field: &ModuleField<'_>) -> Option<(Part, usize)> {
        let (part, span) = match field {
            ModuleField::Type(ty) => (Part::Type, ty.span),
            ModuleField::Rec(group) => (Part::Type, group.span),
            ModuleField::Import(imports) => {
                self.num_imported += count_functions(imports);
                (Part::Import, imports.span)
            }
            ModuleField::Func(function) => (Part::Function, function.span),
            ModuleField::Table(table) => (Part::Table, table.span),
            ModuleField::Memory(memory) => (Part::Memory, memory.span),
            ModuleField::Tag(tag) => (Part::Tag, tag.span),
            ModuleField::Global(global) => (Part::Global, global.span),
            ModuleField::Export(export) => (Part::Export, export.span),
            ModuleField::Start(function) => (Part::Start, function.span()),
            ModuleField::Elem(element) => (Part::Element, element.span),
            ModuleField::Data(data) => (Part::Data, data.span),
            ModuleField::Custom(_) => return None,
        };
        Some((part, span.offset()))
    }

    /// Names an otherwise nameless function after its first export.
    fn export(&mut self, field: &ModuleField<'_>) {
        let ModuleField::Export(export) = field else { return };
        let (ExportKind::Func, Index::Num(index, _)) = (export.kind, export.item) else { return };
        let place = index.checked_sub(self.num_imported);
        if let Some(function) = place.and_then(|place| self.functions.get_mut(place as usize)) {
            function.name.get_or_insert_with(|| export.name.to_owned());
        }
    }
}

fn count_functions(imports: &Imports<'_>) -> u32 {
    let is_function = |kind: &ItemKind<'_>| matches!(kind, ItemKind::Func(_) | ItemKind::FuncExact(_));
    imports.item_sigs().iter().filter(|item| is_function(&item.kind)).count() as u32
}

impl FunctionText {
    fn new(function: &Func<'_>, name: Option<String>) -> Self {
        let spans = match &function.kind {
            FuncKind::Inline { expression, .. } => expression.instr_spans.as_deref().unwrap_or_default(),
            FuncKind::Import(..) => &[],
        };
        let instructions = spans.iter().map(|span| span.offset()).collect();
        Self { name, offset: function.span.offset(), instructions }
    }
}
