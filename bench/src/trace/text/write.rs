//! Printing a trace.

use super::VERSION_LINE;
use crate::trace::{Calls, FunctionTrace, Trace, Type};
use std::fmt::Write;

/// The trace as text, which [`parse`](super::parse) reads back as it was.
pub fn print(trace: &Trace) -> String {
    let mut printer = Printer { text: format!("{VERSION_LINE}\n") };
    for function in trace.functions() {
        printer.function(function);
    }
    printer.text
}

struct Printer {
    text: String,
}

impl Printer {
    fn function(&mut self, function: FunctionTrace<'_>) {
        self.line("function", &[]);
        for ty in function.types() {
            self.typed("variable", *ty);
        }
        function.replay(self);
        self.line("end", &[]);
    }

    fn line(&mut self, call: &str, numbers: &[u32]) {
        self.text.push_str(call);
        for number in numbers {
            write!(self.text, " {number}").expect("a string takes what is written");
        }
        self.text.push('\n');
    }

    fn typed(&mut self, call: &str, ty: Type) {
        writeln!(self.text, "{call} {}", ty.name()).expect("a string takes what is written");
    }
}

impl Calls for Printer {
    fn new_block(&mut self) {
        self.line("block", &[]);
    }

    fn switch_to(&mut self, block: u32) {
        self.line("switch", &[block]);
    }

    fn seal(&mut self, block: u32) {
        self.line("seal", &[block]);
    }

    fn fresh(&mut self, ty: Type) {
        self.typed("fresh", ty);
    }

    fn read(&mut self, variable: u32) {
        self.line("read", &[variable]);
    }

    fn write(&mut self, variable: u32, value: u32) {
        self.line("write", &[variable, value]);
    }

    fn jump(&mut self, target: u32) {
        self.line("jump", &[target]);
    }

    fn branch(&mut self, targets: [u32; 2]) {
        self.line("branch", &targets);
    }

    fn table(&mut self, targets: &[u32]) {
        self.line("table", targets);
    }

    fn leave(&mut self) {
        self.line("return", &[]);
    }
}
