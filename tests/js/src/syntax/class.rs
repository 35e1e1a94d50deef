//! Classes.

use super::expression::Level;
use super::function::Kind;
use super::{Context, Tree};

impl Tree {
    pub(super) fn class_expression(&mut self) -> (String, Level) {
        let name = if self.draws.chance(30) { self.fresh() } else { String::new() };
        (self.class(&name), Level::Primary)
    }

    pub(super) fn class_declaration(&mut self) -> String {
        let name = self.declare(true);
        self.class(&name)
    }

    fn class(&mut self, name: &str) -> String {
        let strict = Context { is_strict: true, ..self.context.clone() };
        self.within(strict, |tree| {
            if !name.is_empty() {
                tree.names.push((name.to_owned(), false));
            }
            let heritage = match tree.draws.below(4) {
                0 => format!("extends {} ", tree.expression(Level::Call)),
                1 => "extends Object ".to_owned(),
                2 => "extends null ".to_owned(),
                _ => String::new(),
            };
            let private = format!("#{}", tree.fresh());
            tree.context.privates.push(private.clone());
            let mut text = format!("class {name} {heritage}{{ ");
            if tree.draws.chance(50) {
                let kind = if heritage.is_empty() { Kind::Method } else { Kind::Derived };
                let (parameters, body) = tree.method_parts(kind);
                text += &format!("constructor({parameters}) {body} ");
            }
            text += &tree.private_member(&private);
            for _ in 0..tree.draws.below(4) {
                text += &tree.class_element();
            }
            text + "}"
        })
    }

    /// What declares the private name of a class.
    fn private_member(&mut self, name: &str) -> String {
        let is_static = if self.draws.chance(30) { "static " } else { "" };
        match self.draws.below(3) {
            0 => format!("{is_static}{} ", self.method(true)),
            1 => format!("{is_static}{name} = {}; ", self.field_value()),
            _ => format!("{is_static}{name}; "),
        }
    }

    fn class_element(&mut self) -> String {
        let is_static = if self.draws.chance(30) { "static " } else { "" };
        match self.draws.below(6) {
            0 => "; ".to_owned(),
            1 => {
                let context = Context { has_super: true, can_await: false, ..self.field_context() };
                let body = self.within(context, Self::statement);
                format!("static {{ {body} }} ")
            }
            2 | 3 => format!("{is_static}{} = {}; ", self.property_name(), self.field_value()),
            _ => format!("{is_static}{} ", self.method(false)),
        }
    }

    fn field_context(&self) -> Context {
        Context {
            is_strict: true,
            has_super: true,
            is_calm: true,
            privates: self.context.privates.clone(),
            ..Context::default()
        }
    }

    fn field_value(&mut self) -> String {
        let context = self.field_context();
        self.within(context, |tree| tree.expression(Level::Assign))
    }
}
