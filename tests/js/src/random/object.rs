//! Object literals.

use super::context::Holds;
use super::function::Kind;
use super::generator::Generator;

impl Generator {
    /// An object literal in parentheses: properties, methods, accessors, computed keys, spread objects.
    pub(super) fn object(&mut self, depth: usize) -> String {
        let mut parts = Vec::new();
        for key in ["p", "q", "r"] {
            if self.rng.chance(70) {
                parts.push(self.property_definition(key, depth));
            }
        }
        if self.rng.chance(15) {
            parts.push(format!("...{}", self.some_object(0)));
        }
        if self.rng.chance(8) {
            parts.push(self.rng.pick(&["__proto__: { x: 8 }", "__proto__: null"]).to_owned());
        }
        if self.rng.chance(10)
            && let Some(name) = self.holding(Holds::Primitive)
        {
            parts.push(name);
        }
        let text = format!("({{ {} }})", parts.join(", "));
        if self.rng.chance(15) {
            let tag = self.tag();
            return format!("traced({tag}, {text})");
        }
        text
    }

    fn property_definition(&mut self, key: &str, depth: usize) -> String {
        let tag = self.tag();
        let computed = format!("[log({tag}, \"{key}\")]");
        let name = if self.rng.chance(20) { computed.as_str() } else { key };
        let form = if self.may_nest() { self.rng.below(10) } else { 9 };
        match form {
            // Where a pattern has a rest, V8 reads accessors again whose keys are computed, although they are excluded.
            0 => format!("get {key}() {}", self.method_body(Kind::Getter)),
            1 => {
                let getter = self.method_body(Kind::Getter);
                format!("get {key}() {getter}, set {key}(v) {}", self.setter_body())
            }
            2 => {
                let (parameters, body) = self.function_parts(Kind::Method);
                format!("{name}({parameters}) {body}")
            }
            3 => {
                let (parameters, body) = self.function_parts(Kind::GeneratorMethod);
                format!("*{name}({parameters}) {body}")
            }
            4 => format!("{name}: primitive({tag}, {})", self.operand()),
            _ => format!("{name}: {}", self.expression(depth)),
        }
    }
}
