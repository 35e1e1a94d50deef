//! Imports and exports: a module imports itself.

use super::Tree;
use super::expression::Level;

/// What a module calls itself.
const SELF: &str = "\"./program\"";

impl Tree {
    pub(super) fn imports(&mut self) -> String {
        let mut text = String::new();
        for _ in 0..self.draws.below(3) {
            // What it stands for may be read in its dead zone, which other modules see as an object.
            let name = self.fresh();
            text += &match self.draws.below(4) {
                0 => format!("import {name} from {SELF};\n"),
                1 => format!("import * as {name} from {SELF};\n"),
                2 => format!("import {{ exported as {name} }} from {SELF};\n"),
                _ => format!("import {{ \"an export\" as {name} }} from {SELF};\n"),
            };
        }
        text
    }

    /// Everything that is imported is exported.
    pub(super) fn exports(&mut self) -> String {
        self.budget = 20;
        let value = self.expression(Level::Assign);
        let default = match self.draws.below(3) {
            0 => format!("export default ({value});\n"),
            1 => "export default function () { return 1; }\n".to_owned(),
            _ => "export default class { static a = 1; }\n".to_owned(),
        };
        let (first, second) = (self.fresh(), self.fresh());
        let declaration = self.draws.pick(&["let", "const", "var"]);
        format!(
            "{default}export {declaration} exported = {};\nlet {first} = 1, {second} = 2;\n\
             export {{ {first} as \"an export\", {second} }};\nexport * from {SELF};\nexport * as all from {SELF};\n",
            self.expression(Level::Assign)
        )
    }
}
