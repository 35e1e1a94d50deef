//! Objects, and the names of properties and methods.

use super::Tree;
use super::expression::Level;
use super::function::Kind;

impl Tree {
    pub(super) fn object(&mut self) -> (String, Level) {
        let (mut properties, mut has_prototype) = (Vec::new(), false);
        for _ in 0..self.draws.below(4) {
            properties.push(match self.draws.below(8) {
                0 => self.name().unwrap_or_else(|| "undefined".to_owned()),
                1 => format!("...{}", self.expression(Level::Assign)),
                2 if !has_prototype => {
                    has_prototype = true;
                    format!("__proto__: {}", self.expression(Level::Assign))
                }
                3 | 4 => self.method(false),
                _ => format!("{}: {}", self.property_name(), self.expression(Level::Assign)),
            });
        }
        (format!("{{ {} }}", properties.join(", ")), Level::Primary)
    }

    /// The name of a property that is not private.
    pub(super) fn property_name(&mut self) -> String {
        match self.draws.below(5) {
            0 => match self.expression(Level::Assign) {
                // The parser takes `[async v` in a class for a signature of TypeScript.
                key if key.starts_with("async ") => format!("[({key})]"),
                key => format!("[{key}]"),
            },
            1 => self.draws.pick(&["\"a\"", "'b c'", "\"\""]).to_owned(),
            2 => self.draws.pick(&["1", "0.5", "1n"]).to_owned(),
            _ => self.draws.pick(&["a", "b", "get", "async", "if", "of"]).to_owned(),
        }
    }

    /// A method or an accessor of an object or, without its `static`, of a class.
    pub(super) fn method(&mut self, is_private: bool) -> String {
        let name = match is_private {
            true => self.private(),
            false => self.property_name(),
        };
        let (before, kind) = self.draws.pick(&[
            ("", Kind::Method),
            ("", Kind::Method),
            ("async ", Kind::Async),
            ("*", Kind::Generator),
            ("async *", Kind::AsyncGenerator),
            ("get ", Kind::Getter),
            ("set ", Kind::Setter),
        ]);
        let (parameters, body) = self.method_parts(kind);
        format!("{before}{name}({parameters}) {body}")
    }

    /// A private name that the class around has declared.
    fn private(&mut self) -> String {
        self.context.privates.last().cloned().unwrap_or_else(|| "a".to_owned())
    }
}
