//! Patterns: of declarations and parameters, and of assignments.

use super::Tree;
use super::expression::Level;

impl Tree {
    /// A name, or a pattern of new names.
    pub(super) fn binding(&mut self, may_write: bool) -> String {
        if self.draws.chance(60) || !self.spend() {
            return self.declare(may_write);
        }
        self.pattern(&mut |tree| tree.binding(may_write), &mut |tree| tree.declare(may_write))
    }

    /// A parameter, perhaps with a default.
    pub(super) fn element(&mut self) -> String {
        // Its default does not see it.
        let default =
            if self.draws.chance(25) { format!(" = {}", self.expression(Level::Assign)) } else { String::new() };
        format!("{}{default}", self.binding(true))
    }

    /// A pattern of targets that there are.
    pub(super) fn target_pattern(&mut self) -> String {
        let part = |tree: &mut Self| match tree.draws.chance(20) && tree.spend() {
            true => tree.target_pattern(),
            false => tree.target(),
        };
        self.pattern(&mut { part }, &mut |tree| tree.written().unwrap_or_else(|| "globalThis.a".to_owned()))
    }

    /// A pattern whose parts are written by `part`, and what takes the rest of an object by `rest`.
    fn pattern(
        &mut self,
        part: &mut dyn FnMut(&mut Self) -> String,
        rest: &mut dyn FnMut(&mut Self) -> String,
    ) -> String {
        let is_object = self.draws.chance(50);
        let mut parts = Vec::new();
        for _ in 0..self.draws.below(3) {
            if !is_object && self.draws.chance(15) {
                parts.push(String::new());
                continue;
            }
            let key = if is_object { format!("{}: ", self.property_name()) } else { String::new() };
            let default =
                if self.draws.chance(30) { format!(" = {}", self.expression(Level::Assign)) } else { String::new() };
            // V8 evaluates the object of a first target before it looks whether there is anything to destructure.
            let target = if is_object && parts.is_empty() { rest(self) } else { part(self) };
            parts.push(format!("{key}{target}{default}"));
        }
        if self.draws.chance(20) {
            let name = if is_object { rest(self) } else { part(self) };
            parts.push(format!("...{name}"));
        } else if parts.last().is_some_and(String::is_empty) {
            parts.push(String::new());
        }
        let parts = parts.join(", ");
        if is_object { format!("{{ {parts} }}") } else { format!("[{parts}]") }
    }
}
