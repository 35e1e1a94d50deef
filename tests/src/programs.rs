//! Random While programs.
//!
//! The same shape, size and seed give the same source on any machine. Every run
//! terminates: a variable `steps` counts down on each back edge, and when it is
//! used up, loops end and no `goto` is taken. Runs may end in a trap.

use crate::functions::Rng;
use std::fmt::Write;

/// The constructs in a random program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// The constructs of the thesis's language.
    Strict,
    /// Everything except labels and `goto`; includes code after jumps.
    Structured,
    /// Everything, with `goto`s from anywhere to anywhere.
    Gotos,
}

impl Shape {
    /// All of them.
    pub const ALL: &'static [Self] = &[Self::Strict, Self::Structured, Self::Gotos];
}

/// The source of a random program of about `size` statements.
///
/// Unless the shape is strict, function number 0 is `main(a, b)`, which may call `helper(a)`, number 1, and
/// `maker(p[], a)[]`, number 2.
pub fn generate(shape: Shape, size: usize, seed: u64) -> String {
    let mut generator = Generator::new(shape, seed);
    if shape == Shape::Strict {
        generator.function_body(size, "");
        return generator.out;
    }
    generator.out.push_str("func main(a, b) {\n");
    generator.function_body(size, "helper");
    generator.out.push_str("return a, c, d;\n}\nfunc helper(a) {\n");
    generator.function_body(size / 4, "g");
    generator.out.push_str("return b;\n}\nfunc maker(p[], a)[] {\n");
    generator.first_result = "p, ";
    generator.function_body(size / 4, "g");
    generator.out.push_str("return q;\n}\n");
    generator.out
}

const VARIABLES: [&str; 5] = ["a", "b", "c", "d", "e"];

const ARRAYS: [&str; 2] = ["p", "q"];

const FIELDS: [&str; 3] = ["x", "y", "next"];

const ARITHMETIC: [&str; 5] = ["+", "-", "*", "/", "%"];

const BITS: [&str; 5] = ["&", "|", "^", "<<", ">>"];

const COMPARISONS: [&str; 6] = ["==", "!=", "<", "<=", ">", ">="];

struct Generator {
    shape: Shape,
    rng: Rng,
    out: String,
    /// The number of statements that may still be generated in this function.
    budget: usize,
    num_loops: usize,
    /// Labels the function will have, and how many of them it has.
    num_labels: usize,
    placed_labels: usize,
    /// The function that calls may name; empty for none.
    callee: &'static str,
    /// The result before all others: an array, if the function returns one.
    first_result: &'static str,
}

impl Generator {
    /// The nesting limit of bodies and operators, so recursion is fine here.
    const MAX_DEPTH: usize = 6;

    fn new(shape: Shape, seed: u64) -> Self {
        let (out, rng) = (String::new(), Rng::new(seed));
        Self { shape, rng, out, budget: 0, num_loops: 0, num_labels: 0, placed_labels: 0, callee: "", first_result: "" }
    }

    fn function_body(&mut self, size: usize, callee: &'static str) {
        self.budget = size;
        self.callee = callee;
        self.placed_labels = 0;
        self.num_labels = if self.shape == Shape::Gotos { 1 + self.rng.below(4) } else { 0 };
        self.declare_arrays();
        let _ = writeln!(self.out, "steps := {};", 10 + self.rng.below(40));
        for variable in VARIABLES {
            // A variable that is not written here may be read undefined.
            if self.rng.chance(4, 5) {
                let _ = writeln!(self.out, "{variable} := {};", self.rng.below(10));
            }
        }
        self.initialize_arrays();
        while self.budget > 0 {
            self.statement(0);
        }
        while self.placed_labels < self.num_labels {
            self.label();
        }
    }

    fn declare_arrays(&mut self) {
        match (self.shape, self.first_result) {
            (Shape::Strict, _) => {}
            (_, "") => self.out.push_str("array p, q;\n"),
            _ => self.out.push_str("array q;\n"),
        }
    }

    /// Stores the elements that most accesses read, in most arrays.
    fn initialize_arrays(&mut self) {
        for array in ARRAYS {
            if self.shape != Shape::Strict && self.rng.chance(15, 16) {
                for index in 0..4 {
                    let _ = writeln!(self.out, "{array}[{index}] := {};", self.rng.below(10));
                }
            }
        }
    }

    fn body(&mut self, depth: usize) {
        self.out.push_str(" {\n");
        for _ in 0..self.rng.below(5) {
            self.statement(depth + 1);
        }
        self.out.push('}');
    }

    fn statement(&mut self, depth: usize) {
        self.budget = self.budget.saturating_sub(1);
        if self.shape != Shape::Strict && self.rng.chance(1, 5) {
            return self.array_statement();
        }
        let may_nest = depth < Self::MAX_DEPTH && self.budget > 0;
        match self.rng.below(16) {
            4 => self.copy(),
            5..=7 if may_nest => self.conditional(depth),
            8 if may_nest => self.while_loop(depth),
            9 if may_nest && self.shape != Shape::Strict => self.repeat_loop(depth),
            10 | 11 if self.shape != Shape::Strict => self.visible(),
            12 | 13 if self.shape != Shape::Strict => self.jump(),
            14 if self.placed_labels < self.num_labels => self.label(),
            15 => self.out.push_str("skip;\n"),
            _ => self.assignment(),
        }
    }

    fn assignment(&mut self) {
        self.push_variable();
        self.out.push_str(" := ");
        self.expression(0);
        self.out.push_str(";\n");
    }

    fn array_statement(&mut self) {
        let (p, q) = (self.pick(&ARRAYS), self.pick(&ARRAYS));
        match self.rng.below(16) {
            0 => self.out.extend([p, " := ", q]),
            1 => self.out.extend(["print ", p]),
            // Nothing else calls it, so calls terminate.
            2 if self.callee == "helper" => {
                self.out.extend([p, " := maker(", q, ", "]);
                self.expression(2);
                self.out.push(')');
            }
            3 => {
                self.element();
                self.out.push_str(" <- ");
                self.expression(2);
            }
            _ => {
                self.element();
                self.out.push_str(" := ");
                self.expression(1);
            }
        }
        self.out.push_str(";\n");
    }

    /// An element that was probably stored, or any other.
    fn element(&mut self) {
        let array = self.pick(&ARRAYS);
        self.out.push_str(array);
        match self.rng.below(10) {
            0 => {
                let field = self.pick(&FIELDS);
                self.out.extend([".", field]);
            }
            1 => {
                self.out.push('[');
                self.expression(3);
                self.out.push_str(if self.rng.chance(3, 4) { " & 3]" } else { "]" });
            }
            2 | 3 => {
                let [x] = self.variables();
                self.out.extend(["[", x, " & 3]"]);
            }
            _ => {
                let _ = write!(self.out, "[{}]", self.rng.below(4));
            }
        }
    }

    fn copy(&mut self) {
        let [x, y] = self.variables();
        self.out.extend([x, " := ", y, ";\n"]);
    }

    fn conditional(&mut self, depth: usize) {
        self.out.push_str("if ");
        self.condition();
        self.body(depth);
        if self.rng.chance(1, 4) {
            self.out.push_str(" else if ");
            self.condition();
            self.body(depth);
        }
        if self.rng.chance(1, 2) {
            self.out.push_str(" else");
            self.body(depth);
        }
        self.out.push('\n');
    }

    fn while_loop(&mut self, depth: usize) {
        self.out.push_str("while steps > 0 && (");
        self.condition();
        self.out.push_str(") {\nsteps := steps - 1;\nif true");
        self.loop_body(depth);
        self.out.push_str("}\n");
    }

    fn repeat_loop(&mut self, depth: usize) {
        self.out.push_str("repeat {\nsteps := steps - 1;\nif true");
        self.loop_body(depth);
        self.out.push_str("} until steps <= 0 || ");
        self.condition();
        self.out.push_str(";\n");
    }

    fn loop_body(&mut self, depth: usize) {
        self.num_loops += 1;
        self.body(depth + 1);
        self.num_loops -= 1;
    }

    /// An observable statement.
    fn visible(&mut self) {
        match self.rng.below(3) {
            0 => self.out.push_str("f("),
            1 => self.out.push_str("print "),
            _ => {
                let [x] = self.variables();
                self.out.extend([x, " := ", self.callee, "("]);
            }
        }
        let is_print = self.out.ends_with(' ');
        self.expression(1);
        self.out.push_str(if is_print { ";\n" } else { ");\n" });
    }

    fn jump(&mut self) {
        match self.rng.below(8) {
            0 | 1 if self.num_loops > 0 => self.out.push_str("break;\n"),
            2 | 3 if self.num_loops > 0 => self.out.push_str("continue;\n"),
            4 => {
                let [x, y, z] = self.variables();
                self.out.extend(["return ", self.first_result, x, ", ", y, ", ", z, ";\n"]);
            }
            _ if self.num_labels > 0 => self.goto(),
            _ => self.assignment(),
        }
    }

    fn goto(&mut self) {
        let label = self.rng.below(self.num_labels);
        let condition = if self.rng.chance(1, 3) { "steps > 0" } else { "steps > 0 && a != c" };
        let _ = writeln!(self.out, "if {condition} {{ steps := steps - 1; goto L{label}; }}");
        // Then the following statements are reached only through labels.
        if self.rng.chance(1, 4) {
            self.out.extend(["return ", self.first_result, "7, 8, 9;\n"]);
        }
    }

    fn label(&mut self) {
        let _ = writeln!(self.out, "L{}:", self.placed_labels);
        self.placed_labels += 1;
    }

    fn condition(&mut self) {
        self.expression(1);
        let (comparison, limit) = (self.pick(&COMPARISONS), self.rng.below(10));
        let _ = write!(self.out, " {comparison} {limit}");
        if self.rng.chance(1, 3) {
            self.out.push_str(if self.rng.chance(1, 2) { " && " } else { " || " });
            let [x, y] = self.variables();
            self.out.extend(["!(", x, " < ", y, ")"]);
        }
    }

    fn expression(&mut self, depth: usize) {
        if self.shape != Shape::Strict && depth < 3 && self.rng.chance(1, 8) {
            return self.element();
        }
        match self.rng.below(if depth < 3 { 12 } else { 5 }) {
            0..=2 => self.push_variable(),
            3 | 4 => {
                let _ = write!(self.out, "{}", self.rng.below(20) as i64 - 6);
            }
            5..=8 => self.operation(&ARITHMETIC, depth),
            9 => self.operation(&COMPARISONS, depth),
            10 => {
                let logical = if self.rng.chance(1, 2) { ["&&"] } else { ["||"] };
                self.operation(&logical, depth);
            }
            _ => self.rest(depth),
        }
    }

    /// A statement that is rare, or not in the thesis's language.
    fn rest(&mut self, depth: usize) {
        match self.rng.below(if self.shape == Shape::Strict { 2 } else { 7 }) {
            0 => self.prefix("-", depth),
            1 => self.prefix("!", depth),
            2 => self.prefix("~", depth),
            3 => self.out.push_str("read()"),
            4 => self.prefix("f", depth),
            _ => self.operation(&BITS, depth),
        }
    }

    fn prefix(&mut self, prefix: &str, depth: usize) {
        let _ = write!(self.out, "{prefix}(");
        self.expression(depth + 1);
        self.out.push(')');
    }

    fn operation(&mut self, operators: &[&'static str], depth: usize) {
        self.out.push('(');
        self.expression(depth + 1);
        let operator = self.pick(operators);
        self.out.extend([" ", operator, " "]);
        self.expression(depth + 1);
        self.out.push(')');
    }

    fn push_variable(&mut self) {
        let [variable] = self.variables();
        self.out.push_str(variable);
    }

    fn variables<const N: usize>(&mut self) -> [&'static str; N] {
        std::array::from_fn(|_| self.pick(&VARIABLES))
    }

    fn pick(&mut self, items: &[&'static str]) -> &'static str {
        self.rng.pick(items).copied().unwrap_or_default()
    }
}
