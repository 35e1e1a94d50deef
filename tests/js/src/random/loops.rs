//! Loops, labels, and what leaves them.

use super::context::{Holds, Scope, Target, TargetKind};
use super::generator::Generator;

impl Generator {
    /// A loop of any kind, with a label sometimes.
    pub(super) fn any_loop(&mut self) {
        let label = self.rng.chance(35).then(|| self.fresh("L"));
        let prefix = label.as_ref().map_or_else(String::new, |label| format!("{label}: "));
        self.scopes.push(Scope::default());
        let (head, tail) = self.loop_head();
        self.line(&format!("{prefix}{head} {{"));
        self.line("if (tick()) break;");
        self.context.targets.push(Target { label, kind: TargetKind::Loop });
        self.block(3);
        self.context.targets.pop();
        self.line(&format!("}}{tail}"));
        self.scopes.pop();
    }

    /// What stands before and behind the body of a loop.
    fn loop_head(&mut self) -> (String, String) {
        let bound = 1 + self.rng.below(4);
        match self.rng.below(12) {
            0..=2 => {
                let name = self.fresh("l");
                self.declare(&name, Holds::Primitive, false);
                let step = self.rng.pick(&["++", " += 2", "++"]);
                (format!("for (let {name} = 0; {name} < {bound}; {name}{step})"), String::new())
            }
            3 => self.capturing_head(bound),
            4 => {
                let name = self.fresh("v");
                self.declare(&name, Holds::Primitive, false);
                (format!("for (var {name} = {bound}; {name}--;)"), String::new())
            }
            5 => (format!("while ({})", self.expression(2)), String::new()),
            6 => {
                let condition = self.expression(2);
                ("do".to_owned(), format!(" while ({condition});"))
            }
            7 => {
                let object = self.some_object(1);
                let name = self.fresh("l");
                self.declare(&name, Holds::Primitive, true);
                (format!("for (const {name} in {object})"), String::new())
            }
            8 if self.context.can_await => {
                let iterable = self.iterable(1);
                let name = self.fresh("l");
                self.declare(&name, Holds::Primitive, false);
                (format!("for await (let {name} of {iterable})"), String::new())
            }
            _ => self.of_head(),
        }
    }

    /// A loop whose head itself makes a closure over its variable.
    fn capturing_head(&mut self, bound: usize) -> (String, String) {
        let (name, closure, tag) = (self.fresh("l"), self.fresh("l"), self.tag());
        self.declare(&name, Holds::Primitive, false);
        self.declare(&closure, Holds::Function, false);
        let head = format!(
            "for (let {name} = 0, {closure} = () => {name}; {name} < {bound}; {name}++, log({tag}, {closure}(), {name}))"
        );
        (head, String::new())
    }

    fn of_head(&mut self) -> (String, String) {
        let iterable = self.iterable(2);
        let written = self.written();
        let head = match (self.rng.below(4), written) {
            (0, _) => {
                let pattern = self.pattern(1, "l");
                format!("for (const {pattern} of [{iterable}])")
            }
            (1, Some(name)) => format!("for ({name} of {iterable})"),
            (2, _) => {
                let name = self.fresh("v");
                self.declare(&name, Holds::Primitive, false);
                format!("for (var {name} of {iterable})")
            }
            _ => {
                let name = self.fresh("l");
                self.declare(&name, Holds::Primitive, false);
                format!("for (let {name} of {iterable})")
            }
        };
        (head, String::new())
    }

    /// A block with a label, which `break` leaves.
    pub(super) fn labelled_block(&mut self) {
        let label = self.fresh("L");
        self.line(&format!("{label}: {{"));
        self.context.targets.push(Target { label: Some(label), kind: TargetKind::Block });
        self.block(3);
        self.context.targets.pop();
        self.line("}");
    }

    /// A `switch` with effects in its tests, fall through, and `default` anywhere.
    pub(super) fn switch(&mut self) {
        let value = self.expression(2);
        self.line(&format!("switch ({value}) {{"));
        self.context.targets.push(Target { label: None, kind: TargetKind::Switch });
        self.scopes.push(Scope::default());
        let cases = 1 + self.rng.below(4);
        let default = self.rng.below(cases + 2);
        for case in 0..cases {
            if case == default {
                self.line("default:");
            } else {
                let test = self.expression(2);
                let tag = self.tag();
                self.line(&format!("case log({tag}, {test}):"));
            }
            let statements = self.rng.below(3);
            self.statements(statements);
            if self.rng.chance(50) {
                self.line("break;");
            }
        }
        self.scopes.pop();
        self.context.targets.pop();
        self.line("}");
    }

    /// Leaves the function, a loop or a block, or throws; under a condition mostly, so that what follows is not dead.
    pub(super) fn jump(&mut self) {
        let mut jumps = vec![format!("throw {};", self.expression(1))];
        if self.context.can_return {
            jumps.push(format!("return {};", self.expression(2)));
        }
        let targets = self.context.targets.clone();
        if targets.iter().any(|target| target.kind != TargetKind::Block) {
            jumps.push("break;".to_owned());
        }
        if targets.iter().any(|target| target.kind == TargetKind::Loop) {
            jumps.push("continue;".to_owned());
        }
        for target in targets {
            let Some(label) = target.label else { continue };
            jumps.push(format!("break {label};"));
            if target.kind == TargetKind::Loop {
                jumps.push(format!("continue {label};"));
            }
        }
        let jump = jumps[self.rng.below(jumps.len())].clone();
        if self.rng.chance(93) {
            let condition = self.expression(2);
            self.line(&format!("if ({condition}) {jump}"));
        } else {
            self.line(&jump);
        }
    }
}
