//! Reading, writing and initializing what names are bound to.

use super::function::Lowering;
use crate::accesses::{Access, AccessKind, Context, SymbolId};
use crate::dialect::{Constant, Immediates, Op, Opcode, Type};
use crate::scopes::{BindingId, BindingKind, Storage, place_of};
use crate::source::Span;
use oxc_ast::ast;
use ssaphire::{SsaBuilder, Value, Variable};

/// The binding that an identifier declares.
pub(super) fn of_symbol(id: &ast::BindingIdentifier<'_>) -> Option<BindingId> {
    id.symbol_id.get().map(|symbol| BindingId(symbol.index() as u32))
}

/// The binding that an identifier mentions; `None` for a global name.
pub(super) fn of_reference(id: &ast::IdentifierReference<'_>) -> Option<BindingId> {
    id.reference_id.get().map(|reference| BindingId(reference.index() as u32))
}

impl<'a, B: SsaBuilder> Lowering<'_, '_, '_, 'a, B> {
    /// The variable of a binding that this function declares.
    pub(super) fn variable(&mut self, id: BindingId) -> Variable {
        if let Some(variable) = self.shared.places[id.index()].variable {
            return variable;
        }
        let variable = self.builder.declare(&self.scopes.binding(id).name, Type::Any);
        self.shared.places[id.index()].variable = Some(variable);
        variable
    }

    fn is_home(&self, id: BindingId) -> bool {
        self.scopes.binding(id).function == self.number
    }

    /// The cell of a binding: made here, or captured.
    pub(super) fn cell(&mut self, id: BindingId) -> Value {
        if self.is_home(id) {
            if let Some(cell) = self.shared.places[id.index()].cell {
                return cell;
            }
            // No path from where it is made leads here, so nothing runs here either.
            self.make_cell(id, None);
            return self.shared.places[id.index()].cell.unwrap_or_else(|| self.undefined());
        }
        let (function, place) = self.shared.captured[id.index()];
        debug_assert_eq!(function, self.number, "what is not captured is not mentioned");
        let op = Op { opcode: Opcode::Captured, span: Span::NOWHERE, immediates: Immediates::Index(place) };
        let cell = self.op_typed(op, &[], Type::Cell(id.0));
        self.name_cell(id, cell);
        cell
    }

    fn name_cell(&mut self, id: BindingId, cell: Value) {
        let variable = self.builder.declare(&self.scopes.binding(id).name, Type::Cell(id.0));
        self.builder.function_mut().set_value_name(cell, Some(variable));
    }

    /// Makes a cell: with `value` in it, or uninitialized.
    pub(super) fn make_cell(&mut self, id: BindingId, value: Option<Value>) {
        self.make_cell_at(id, value, Span::NOWHERE);
    }

    fn make_cell_at(&mut self, id: BindingId, value: Option<Value>, span: Span) {
        let name = self.scopes.binding(id).name.clone();
        let op = Op { opcode: Opcode::NewCell, span, immediates: Immediates::Name(name) };
        let args: Vec<Value> = value.into_iter().collect();
        let cell = self.op_typed(op, &args, Type::Cell(id.0));
        self.name_cell(id, cell);
        self.shared.places[id.index()].cell = Some(cell);
        if self.scopes.binding(id).is_exported {
            self.effect(Opcode::Export, &[cell], Span::NOWHERE);
        }
    }

    pub(super) fn alias_param(&mut self, id: BindingId, number: u32) {
        let op = Op { opcode: Opcode::ParamCell, span: Span::NOWHERE, immediates: Immediates::Index(number) };
        let cell = self.op_typed(op, &[], Type::Cell(id.0));
        self.name_cell(id, cell);
        self.shared.places[id.index()].cell = Some(cell);
    }

    /// A `var` when its function begins: `undefined`.
    pub(super) fn begin_var(&mut self, id: BindingId) {
        match self.scopes.binding(id).storage {
            Storage::Local => {
                let (variable, undefined) = (self.variable(id), self.undefined());
                if self.accesses.is_some() {
                    let value = self.define(id, undefined, self.scopes.binding(id).span, AccessKind::Begin);
                    return self.write(variable, value);
                }
                let result = self.builder.set_initial(variable, undefined);
                self.note(result);
            }
            Storage::Cell => {
                let undefined = self.undefined();
                self.make_cell(id, Some(undefined));
            }
            // Nothing assigns it.
            Storage::Shared { .. } => {
                let (variable, undefined) = (self.variable(id), self.undefined());
                let value = self.define(id, undefined, self.scopes.binding(id).span, AccessKind::Begin);
                self.write(variable, value);
                self.make_cell(id, Some(undefined));
            }
            Storage::Aliased(_) | Storage::Named | Storage::Native => {}
        }
    }

    /// A binding with a dead zone when its scope begins.
    pub(super) fn begin_dead_zone(&mut self, id: BindingId) {
        let binding = self.scopes.binding(id);
        let is_early = binding.is_used_early || binding.is_captured_early;
        match binding.storage {
            Storage::Local | Storage::Shared { .. } if binding.is_used_early => {
                let (variable, hole) = (self.variable(id), self.constant(Constant::Uninitialized));
                let hole = self.define(id, hole, binding.span, AccessKind::Begin);
                self.write(variable, hole);
            }
            _ => {}
        }
        match binding.storage {
            Storage::Shared { is_early: true } => self.make_cell(id, None),
            Storage::Cell if is_early => self.make_cell(id, None),
            Storage::Cell | Storage::Shared { .. } => self.shared.places[id.index()].cell = None,
            _ => {}
        }
    }

    /// Gives a binding its first value.
    pub(super) fn initialize(&mut self, id: BindingId, value: Value, span: Span) {
        self.initialize_as(id, value, span, AccessKind::Initialize);
    }

    /// `let x;`
    pub(super) fn declare_without_value(&mut self, id: BindingId, span: Span) {
        let undefined = self.undefined();
        self.initialize_as(id, undefined, span, AccessKind::Declare);
    }

    fn initialize_as(&mut self, id: BindingId, value: Value, span: Span, kind: AccessKind) {
        let binding = self.scopes.binding(id);
        match binding.storage {
            Storage::Local => {
                let variable = self.variable(id);
                let value = self.define(id, value, span, kind);
                self.write_as(variable, value);
            }
            Storage::Shared { .. } => {
                let variable = self.variable(id);
                let defined = self.define(id, value, span, kind);
                self.write_as(variable, defined);
                self.initialize_cell(id, value, span);
            }
            Storage::Cell => self.initialize_cell(id, value, span),
            Storage::Aliased(_) => {
                let cell = self.cell(id);
                self.effect(Opcode::CellSet, &[cell, value], Span::NOWHERE);
            }
            Storage::Named => {
                let is_lexical = binding.kind.has_dead_zone() && !self.scope().is_verbatim;
                let opcode = if is_lexical { Opcode::InitName } else { Opcode::SetName };
                let name = binding.name.clone();
                self.effect_with(opcode, Immediates::Name(name), &[value], span);
            }
            Storage::Native => {}
        }
    }

    fn initialize_cell(&mut self, id: BindingId, value: Value, span: Span) {
        match self.shared.places[id.index()].cell {
            Some(cell) => self.effect(Opcode::CellSet, &[cell, value], span),
            None => self.make_cell_at(id, Some(value), span),
        }
    }

    /// What a name means where it stands.
    pub(super) fn read_reference(&mut self, id: &ast::IdentifierReference<'a>) -> Value {
        match of_reference(id) {
            Some(binding) => self.read_binding(binding, id.span.into(), place_of(id.span)),
            None if id.name == "undefined" => self.undefined(),
            None => self.op_named(Opcode::GetName, id.name, &[], id.span),
        }
    }

    /// What a binding holds, for a mention of it at this byte of the source.
    pub(super) fn read_binding(&mut self, id: BindingId, span: Span, at: u32) -> Value {
        let binding = self.scopes.binding(id);
        let is_early = at != u32::MAX && self.scopes.may_be_early(id, at, self.number);
        match binding.storage {
            Storage::Local => self.read_checked(id, is_early, span),
            Storage::Shared { .. } if self.is_home(id) => self.read_checked(id, is_early, span),
            Storage::Shared { .. } | Storage::Cell => {
                if self.shared.places[id.index()].is_aside && self.is_home(id) {
                    let variable = self.variable(id);
                    return self.read(variable);
                }
                let is_const = matches!(binding.storage, Storage::Shared { .. });
                let cell = self.cell(id);
                if is_early {
                    let name = binding.name.clone();
                    return self.op_with(Opcode::CellGetChecked, Immediates::Name(name), &[cell], span);
                }
                self.op(if is_const { Opcode::CellGetConst } else { Opcode::CellGet }, &[cell], span)
            }
            Storage::Aliased(_) => {
                let cell = self.cell(id);
                self.op(Opcode::CellGet, &[cell], span)
            }
            Storage::Named => {
                let name = binding.name.clone();
                self.op_with(Opcode::GetName, Immediates::Name(name), &[], span)
            }
            Storage::Native if binding.kind == BindingKind::Arguments => self.op(Opcode::Arguments, &[], span),
            Storage::Native => {
                let name = binding.name.clone();
                self.op_with(Opcode::Native, Immediates::Name(name), &[], span)
            }
        }
    }

    /// What is assigned by an access that is noted, if anybody wants to know.
    pub(super) fn define(&mut self, id: BindingId, value: Value, span: Span, kind: AccessKind) -> Value {
        let Some(accesses) = &mut self.accesses else { return value };
        let number = accesses.len() as u32;
        accesses.push(Access { symbol: SymbolId(id.0), span, kind, context: Context::Plain });
        self.op_with(Opcode::Define, Immediates::Index(number), &[value], span)
    }

    fn mention(&mut self, id: BindingId, value: Value, span: Span) {
        let Some(accesses) = &mut self.accesses else { return };
        let number = accesses.len() as u32;
        let kind = AccessKind::Read;
        accesses.push(Access { symbol: SymbolId(id.0), span, kind, context: Context::Plain });
        self.effect_with(Opcode::Mention, Immediates::Index(number), &[value], span);
    }

    fn read_checked(&mut self, id: BindingId, is_early: bool, span: Span) -> Value {
        let variable = self.variable(id);
        let value = self.read(variable);
        self.mention(id, value, span);
        if !is_early {
            return value;
        }
        let name = self.scopes.binding(id).name.clone();
        self.op_with(Opcode::CheckInitialized, Immediates::Name(name), &[value], span)
    }

    /// Assigns a name where it stands.
    pub(super) fn write_reference(&mut self, id: &ast::IdentifierReference<'a>, value: Value) {
        match of_reference(id) {
            Some(binding) => self.assign(binding, value, id.span.into(), place_of(id.span)),
            None => self.effect_named(Opcode::SetName, id.name, &[value], id.span),
        }
    }

    /// Assigns a binding again.
    pub(super) fn assign(&mut self, id: BindingId, value: Value, span: Span, at: u32) {
        let binding = self.scopes.binding(id);
        if binding.storage == Storage::Named {
            let name = binding.name.clone();
            return self.effect_with(Opcode::SetName, Immediates::Name(name), &[value], span);
        }
        let is_early = self.scopes.may_be_early(id, at, self.number);
        match binding.kind {
            BindingKind::Const | BindingKind::ClassSelf | BindingKind::Import => {
                if is_early || binding.kind == BindingKind::ClassSelf {
                    self.read_binding(id, span, at);
                }
                self.throw_error("TypeError", "Assignment to constant variable.", span);
                return;
            }
            BindingKind::FunctionSelf if self.scope().is_strict => {
                self.throw_error("TypeError", "Assignment to constant variable.", span);
                return;
            }
            BindingKind::FunctionSelf => return,
            _ => {}
        }
        if is_early && binding.storage == Storage::Local {
            self.read_checked(id, true, span);
        }
        if is_early && binding.storage == Storage::Cell && !self.is_aside(id) {
            let (name, cell) = (binding.name.clone(), self.cell(id));
            return self.effect_with(Opcode::CellSetChecked, Immediates::Name(name), &[cell, value], span);
        }
        self.write_binding(id, value, span);
    }

    fn is_aside(&self, id: BindingId) -> bool {
        self.is_home(id) && self.shared.places[id.index()].is_aside
    }

    /// Assigns a binding that is initialized and may be assigned.
    pub(super) fn write_binding(&mut self, id: BindingId, value: Value, span: Span) {
        self.write_binding_as(id, value, span, AccessKind::Assign);
    }

    /// A variable of the body begins with the value of the parameter of the same name.
    pub(super) fn take_param(&mut self, id: BindingId, value: Value) {
        self.write_binding_as(id, value, self.scopes.binding(id).span, AccessKind::Param);
    }

    fn write_binding_as(&mut self, id: BindingId, value: Value, span: Span, kind: AccessKind) {
        match self.scopes.binding(id).storage {
            Storage::Local => {
                let variable = self.variable(id);
                let value = self.define(id, value, span, kind);
                self.write_as(variable, value);
            }
            Storage::Cell | Storage::Aliased(_) | Storage::Shared { .. } => {
                if self.is_aside(id) {
                    let variable = self.variable(id);
                    return self.write_as(variable, value);
                }
                let cell = self.cell(id);
                self.effect(Opcode::CellSet, &[cell, value], Span::NOWHERE);
            }
            Storage::Named => {
                let name = self.scopes.binding(id).name.clone();
                self.effect_with(Opcode::SetName, Immediates::Name(name), &[value], Span::NOWHERE);
            }
            Storage::Native => {}
        }
    }
}
