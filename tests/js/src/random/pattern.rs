//! Destructuring, with defaults that are logged.

use super::context::Holds;
use super::generator::Generator;

impl Generator {
    /// A pattern that declares variables, whose names begin with `letter`.
    pub(super) fn pattern(&mut self, depth: usize, letter: &str) -> String {
        if self.rng.chance(50) {
            self.array_pattern(&mut |g, depth| g.binding(depth, letter), depth)
        } else {
            self.object_pattern(&mut |g, depth| g.binding(depth, letter), depth)
        }
    }

    /// What to destructure, so that it fits `pattern` most of the time.
    pub(super) fn destructured(&mut self, pattern: &str, depth: usize) -> String {
        if pattern.starts_with('[') { self.iterable(depth) } else { self.some_object(depth) }
    }

    /// An assignment to a pattern of variables and properties.
    pub(super) fn destructuring_assignment(&mut self, depth: usize) -> String {
        let pattern = if self.rng.chance(60) {
            self.array_pattern(&mut Self::assigned, 1)
        } else {
            self.object_pattern(&mut Self::assigned, 1)
        };
        let value = self.destructured(&pattern, depth);
        format!("({pattern} = {value})")
    }

    fn binding(&mut self, depth: usize, letter: &str) -> String {
        if depth > 0 && self.rng.chance(20) {
            return self.pattern(depth - 1, letter);
        }
        let name = self.fresh(letter);
        self.declare(&name, Holds::Primitive, false);
        name
    }

    fn assigned(&mut self, depth: usize) -> String {
        match self.written() {
            Some(name) if self.rng.chance(70) => name,
            _ => {
                let property = self.property(depth.min(1));
                // A call of the tracer is no target by itself, its properties are.
                if property.starts_with("super") { "({}).p".to_owned() } else { property }
            }
        }
    }

    fn array_pattern(&mut self, target: &mut dyn FnMut(&mut Self, usize) -> String, depth: usize) -> String {
        let mut parts = Vec::new();
        for _ in 0..self.rng.below(4) {
            let part = if self.rng.chance(15) { String::new() } else { self.with_default(target, depth) };
            parts.push(part);
        }
        if self.rng.chance(25) {
            parts.push(format!("...{}", target(self, depth)));
        } else if parts.last().is_some_and(String::is_empty) {
            parts.push(String::new());
        }
        format!("[{}]", parts.join(", "))
    }

    fn object_pattern(&mut self, target: &mut dyn FnMut(&mut Self, usize) -> String, depth: usize) -> String {
        let mut parts = Vec::new();
        for key in ["p", "q"] {
            if self.rng.chance(75) {
                let tag = self.tag();
                let key = if self.rng.chance(25) { format!("[log({tag}, \"{key}\")]") } else { key.to_owned() };
                parts.push(format!("{key}: {}", self.with_default(target, depth)));
            }
        }
        if self.rng.chance(25) {
            // No pattern may stand here.
            parts.push(format!("...{}", target(self, 0)));
        }
        format!("{{ {} }}", parts.join(", "))
    }

    fn with_default(&mut self, target: &mut dyn FnMut(&mut Self, usize) -> String, depth: usize) -> String {
        // The default is evaluated before the variable is there.
        let value = self.rng.chance(35).then(|| self.expression(1));
        let target = target(self, depth);
        match value {
            Some(value) => {
                let tag = self.tag();
                format!("{target} = log({tag}, {value})")
            }
            None => target,
        }
    }
}
