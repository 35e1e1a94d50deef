//! Functions and classes as expressions.

use super::ast::{ClassExpr, ExprKind, Naming};
use super::builder::Builder;
use super::code::Code;
use super::emit::Room;
use super::error::Unwritable;
use super::expr::{Effect, Expr, Throws};
use super::literal;
use crate::dialect::{Element, JsString, Opcode};
use crate::program::{Class, ClassKey, FunctionId, FunctionKind};
use ssaphire_ir::Arg;

impl Builder<'_, '_> {
    /// What closures and classes are made by.
    pub(super) fn definition(&mut self, opcode: Opcode, index: u32, args: &[Arg]) -> Result<Expr, Unwritable> {
        let is_named = matches!(opcode, Opcode::ClosureNamed | Opcode::ClassNamed);
        let is_class = matches!(opcode, Opcode::Class | Opcode::ClassNamed);
        let class = self.program.classes.get(index as usize).filter(|_| is_class);
        // Its superclass and keys are evaluated as a part of it, but its name may mean itself there.
        let num_keys = class.map_or(0, |class| args.len().saturating_sub(class.captures.len()));
        let is_hidden = class.is_some_and(|class| self.mentions_own_name(&args[..num_keys], class));
        let first = usize::from(is_named);
        let room = |index: usize| match class {
            Some(class) if !is_hidden && (first..num_keys).contains(&index) => Room::Class(class.span),
            _ => Room::Atom,
        };
        let taken = self.take(args, Throws::Never, room);
        let value = match opcode {
            Opcode::Closure | Opcode::ClosureNamed => self.function_expression(FunctionId(index))?,
            _ => self.class_expression(index, &taken[usize::from(is_named)..])?,
        };
        let mut value = value.with(&taken);
        if let (true, Some(key)) = (is_named, taken.first()) {
            // A function without a name gets it from a computed key.
            value.id = self.ast.add(ExprKind::NamedByKey { key: key.id, function: value.id });
        }
        if !is_class && self.ast.built(FunctionId(index)).is_some_and(|built| built.needs_strict_place) {
            value.id = self.ast.add(ExprKind::InStrictCode(value.id));
        }
        Ok(value)
    }

    /// Whether what waits to be an argument mentions a variable that a class hides, because it has the same name.
    fn mentions_own_name(&self, args: &[Arg], class: &Class) -> bool {
        let Some(name) = class.self_name.as_deref() else { return false };
        let is_arg = |variable| args.contains(&Arg::Variable(variable));
        let waiting = self.pending.iter().filter(|pending| is_arg(pending.variable));
        waiting.flat_map(|pending| &pending.value.reads).any(|&variable| self.name_text(variable) == name)
    }

    pub(super) fn code(&self, id: FunctionId) -> Result<&Code, Unwritable> {
        self.ast.codes.get(id.index()).and_then(Option::as_ref).ok_or(Unwritable::Function(id))
    }

    /// A function expression or arrow function.
    fn function_expression(&mut self, id: FunctionId) -> Result<Expr, Unwritable> {
        let js = self.program.functions.get(id.index()).ok_or(Unwritable::Function(id))?;
        self.code(id)?;
        let naming = match js.kind {
            _ if js.kind != FunctionKind::Arrow && js.self_name.is_some() => Naming::Own,
            _ => {
                let may_insert = js.kind != FunctionKind::Arrow && self.may_insert(js.name.as_ref(), &[id]);
                naming(js.name.as_ref(), may_insert)
            }
        };
        Ok(self.ast.expr(ExprKind::Function(id, naming)))
    }

    /// Whether a function or class with these functions may get `name` as a name of its own, since nothing in it means
    /// anything else by it.
    fn may_insert(&self, name: Option<&JsString>, functions: &[FunctionId]) -> bool {
        name.and_then(JsString::as_str).is_some_and(|name| {
            literal::is_binding_name(name) && functions.iter().all(|&function| !self.means_something(function, name))
        })
    }

    /// Whether a function, or one inside of it, may mean something by a name that it does not bind itself.
    fn means_something(&self, function: FunctionId, name: &str) -> bool {
        let plan = self.plans.plans.get(function.index()).and_then(Option::as_ref);
        self.plans.file.is_taken(function, name)
            || plan.is_none_or(|plan| plan.captured.iter().any(|(captured, _)| captured == name))
    }

    fn class_expression(&mut self, index: u32, args: &[Expr]) -> Result<Expr, Unwritable> {
        let refused = || Unwritable::Op("class".to_owned());
        let class = self.program.classes.get(index as usize).ok_or_else(refused)?;
        let (heritage, keys) = match (class.has_superclass, args.split_first()) {
            (true, Some((heritage, keys))) => (Some(heritage.id), keys),
            (true, None) => return Err(refused()),
            (false, _) => (None, args),
        };
        let functions: Vec<FunctionId> =
            class.elements.iter().filter_map(|element| element.function).chain(class.constructor).collect();
        functions.iter().try_for_each(|&function| self.code(function).map(drop))?;
        let num_keys = class.elements.iter().filter(|element| element.key == ClassKey::Computed).count();
        let keys = keys.get(..num_keys).ok_or_else(refused)?;
        let naming = if class.self_name.is_some() {
            Naming::Own
        } else {
            // A class's name is also in scope in its `extends` clause and in its computed keys.
            let is_named = |arg: &Expr| {
                let name = class.name.as_ref().and_then(JsString::as_str);
                name.is_some_and(|name| self.ast.mentions(arg.id, name, |kind| self.may_mention(kind, name)))
            };
            let may_insert = !args.iter().any(is_named) && self.may_insert(class.name.as_ref(), &functions);
            naming(class.name.as_ref(), may_insert)
        };
        let keys = keys.iter().map(|key| key.id).collect();
        let mut value = self.ast.expr(ExprKind::Class(Box::new(ClassExpr { index, naming, heritage, keys })));
        value.effect = if runs(class) { Effect::Runs } else { Effect::None };
        Ok(value)
    }

    /// Whether a function, a class or the methods of an object may mean something by a name that they do not bind.
    fn may_mention(&self, kind: &ExprKind, name: &str) -> bool {
        match kind {
            ExprKind::Function(id, _) => self.means_something(*id, name),
            ExprKind::Class(class) => self.program.classes.get(class.index as usize).is_none_or(|class| {
                let mut functions = class.elements.iter().filter_map(|element| element.function);
                class.constructor.is_some_and(|constructor| self.means_something(constructor, name))
                    || functions.any(|function| self.means_something(function, name))
            }),
            ExprKind::Object { elements, .. } => elements.iter().any(|element| match element {
                Element::Method(method) => self.means_something(method.function, name),
                _ => false,
            }),
            _ => false,
        }
    }
}

fn naming(name: Option<&JsString>, may_insert: bool) -> Naming {
    match name {
        Some(name) if !name.as_escaped().is_empty() => Naming::Wanted { may_insert },
        _ => Naming::Nameless,
    }
}

/// Whether code runs when a class is made.
fn runs(class: &Class) -> bool {
    // `extends` reads the property `prototype` of the superclass, and a computed key is converted to a property key.
    class.has_superclass || class.elements.iter().any(|element| element.is_static || element.key == ClassKey::Computed)
}
