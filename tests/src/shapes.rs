//! Functions that grow with a number, for passes and the ways out of SSA form: shapes of which some was once quadratic.
//!
//! | shape | what it is |
//! |---|---|
//! | `handlers` | *n* calls in a row with one handler, which needs eight variables that they write in turn |
//! | `rethrow` | *n* calls in a row, each with a handler of its own that goes on to the one before |
//! | `joins` | *n* conditionals in a row, the value of each is needed at the end |
//! | `fail-empty` | *n* checks that jump to an empty label, *n* variables that are set again when all went well |
//! | `fail-label` | the same, and the label does something |
//! | `exits` | a loop with *n* exits, each with a value of its own |
//! | `exits-live` | a row of *n* blocks with an exit each, whose value is also needed at the end |
//! | `states` | a loop around a switch with *n* cases, each with two next states and one of eight variables |
//! | `next-states` | the same without variables: each case knows the next state |
//! | `rotate` | a loop around a switch with *n* cases that exchange three variables |
//! | `nest-live` | *n* loops around each other, each with a variable that is needed at the end |
//! | `labels` | *n* labeled blocks around each other, each left from the middle |
//! | `loops-few` | *n* loops in a row, each changes one of eight variables |
//! | `accesses` | one block that writes ten variables in turn, *n* times |
//! | `diamonds` | *n* conditionals in a row, each followed by one that it decides |
//! | `diamonds-live` | the same, with a value between the two that is needed at the end |
//! | `diamonds-known` | one conditional, and *n* in a row that it decides |
//! | `codes` | *n* checks in a row, each skipped if one before set an error code |
//! | `codes-live` | the same, and what each check has read is needed at the end |
//! | `swaps` | *n* conditionals in a row, each exchanges two variables or joins them |
//! | `phis` | *n* conditionals in a row, each may write one variable |
//! | `deep` | a row of *n* blocks, each with an edge to one exit |
//! | `early` | *n* conditionals in a row, each after an early exit; ten variables live through all |
//! | `pads` | *n* calls whose landing pads lead to two handlers in turn, each of which needs its half of eight variables |
//! | `cases` | *n* variables, and a switch with *n* cases that each read one |
//! | `tangle` | two rows of *n* blocks, each with an edge to the other row: irreducible |
//! | `empty-row` | a row of *n* empty blocks before a join |

use ssaphire::{Certified, Options};
use ssaphire_ir::passes::remove_unreachable_blocks;
use ssaphire_ir::{Basic, Function, text, to_ssa};
use ssaphire_literature::{AnyBuilder, Engine};
use std::fmt::Write;

/// A shape, by name.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Its name.
    pub name: &'static str,
    write: fn(&mut String, usize),
}

/// Appends a line.
macro_rules! line {
    ($out:expr, $($part:tt)*) => {{
        // A string takes all that is written.
        let _ = writeln!($out, $($part)*);
    }};
}

/// Variables of the shapes in which a few are written in turn.
const FEW: usize = 8;

impl Shape {
    /// All shapes.
    pub const ALL: &'static [Self] = &[
        Self { name: "handlers", write: handlers },
        Self { name: "rethrow", write: rethrow },
        Self { name: "joins", write: joins },
        Self { name: "fail-empty", write: |out, n| fail(out, n, "") },
        Self { name: "fail-label", write: |out, n| fail(out, n, "  print 1\n") },
        Self { name: "exits", write: exits },
        Self { name: "exits-live", write: exits_live },
        Self { name: "states", write: states },
        Self { name: "next-states", write: next_states },
        Self { name: "rotate", write: rotate },
        Self { name: "nest-live", write: nest },
        Self { name: "labels", write: labels },
        Self { name: "loops-few", write: loops },
        Self { name: "accesses", write: block },
        Self { name: "diamonds", write: |out, n| decided(out, n, false) },
        Self { name: "diamonds-live", write: |out, n| decided(out, n, true) },
        Self { name: "diamonds-known", write: cascade },
        Self { name: "codes", write: |out, n| codes(out, n, false) },
        Self { name: "codes-live", write: |out, n| codes(out, n, true) },
        Self { name: "swaps", write: swaps },
        Self { name: "phis", write: phis },
        Self { name: "deep", write: deep },
        Self { name: "early", write: early },
        Self { name: "pads", write: pads },
        Self { name: "cases", write: cases },
        Self { name: "tangle", write: tangle },
        Self { name: "empty-row", write: empty },
    ];

    /// The shape of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|shape| shape.name == name)
    }

    /// The function of size `n`, in variable form.
    pub fn text(self, n: usize) -> String {
        let mut out = String::from("func f(p, q) {\ntop:\n");
        (self.write)(&mut out, n);
        out.push_str("}\n");
        out
    }

    /// The function of size `n`, in SSA form; all blocks are reachable.
    ///
    /// # Panics
    /// If the text is no function.
    pub fn function(self, n: usize) -> Function<Basic> {
        let function: Function<Basic> =
            text::parse(&self.text(n)).unwrap_or_else(|error| panic!("{}: {error}", self.name));
        let mut ssa = Certified::with_builder(AnyBuilder::with_options(Engine::default(), Options::default()));
        ssa.set_recording(false);
        let mut function = to_ssa(&function, &mut ssa).unwrap_or_else(|error| panic!("{}: {error}", self.name));
        remove_unreachable_blocks(&mut function).unwrap_or_else(|error| panic!("{}: {error}", self.name));
        function
    }
}

/// Blocks, edges, phis and their operands, instructions and their arguments.
pub fn size(function: &Function<Basic>) -> usize {
    let of = |block| {
        let data = function.block(block);
        let operands: usize = data.phis().iter().map(|phi| 1 + phi.operands.len()).sum();
        let args: usize = data.insts().iter().map(|inst| 1 + inst.args.len()).sum();
        1 + data.incoming().len() + operands + args
    };
    function.blocks().map(of).sum()
}

fn list(n: usize, name: &str) -> String {
    (0..n).map(|index| format!("{name}{index}")).collect::<Vec<_>>().join(", ")
}

fn handlers(out: &mut String, n: usize) {
    line!(out, "  jump h0");
    for i in 0..n {
        line!(out, "h{i}:\n  x{} = call f(x{}) to h{}, catch", i % FEW, (i + 3) % FEW, i + 1);
    }
    line!(out, "h{n}:\n  return x0\ncatch:\n  return {}", list(FEW, "x"));
}

fn rethrow(out: &mut String, n: usize) {
    (0..FEW).for_each(|i| line!(out, "  x{i} = {i}"));
    line!(out, "  jump h0");
    for i in 0..n {
        line!(out, "h{i}:\n  x{} = call f(x{}) to h{}, c{i}", i % FEW, (i + 3) % FEW, i + 1);
    }
    line!(out, "h{n}:\n  return x0");
    for i in (1..n).rev() {
        line!(out, "c{i}:\n  x{} = add x{}, 1\n  jump c{}", i % FEW, (i + 1) % FEW, i - 1);
    }
    line!(out, "c0:\n  return {}", list(FEW, "x"));
}

fn joins(out: &mut String, n: usize) {
    for i in 0..n {
        line!(
            out,
            "  branch p, a{i}, b{i}\na{i}:\n  v{i} = read()\n  jump h{i}\nb{i}:\n  v{i} = {i}\n  jump h{i}\nh{i}:"
        );
    }
    line!(out, "  s = 0");
    (0..n).for_each(|i| line!(out, "  s = add s, v{i}"));
    line!(out, "  return s");
}

fn fail(out: &mut String, n: usize, label: &str) {
    (0..n).for_each(|i| line!(out, "  v{i} = {i}"));
    for i in 0..n {
        line!(out, "  c = read()\n  branch c, fail, t{i}\nt{i}:");
    }
    (0..n).for_each(|i| line!(out, "  v{i} = read()"));
    line!(out, "  jump done\nfail:\n{label}  jump done\ndone:");
    (0..n).for_each(|i| line!(out, "  print v{i}"));
    line!(out, "  return");
}

fn exits(out: &mut String, n: usize) {
    line!(out, "  x = 0\n  jump h0");
    for i in 0..n {
        let next = if i + 1 == n { 0 } else { i + 1 };
        line!(out, "h{i}:\n  x = add x, p\n  c = lt x, {i}\n  branch c, e{i}, h{next}");
        line!(out, "e{i}:\n  r = add x, {i}\n  jump out");
    }
    line!(out, "out:\n  return r, x");
}

fn exits_live(out: &mut String, n: usize) {
    for i in 0..n {
        line!(out, "  x{i} = read()\n  c = lt x{i}, p\n  branch c, e{i}, h{i}\ne{i}:\n  r = x{i}\n  jump out\nh{i}:");
    }
    line!(out, "  r = 0");
    (0..n).for_each(|i| line!(out, "  r = add r, x{i}"));
    line!(out, "  jump out\nout:\n  return r");
}

fn states(out: &mut String, n: usize) {
    (0..FEW).for_each(|i| line!(out, "  x{i} = {i}"));
    line!(out, "  s = 0\n  jump loop\nloop:\n  switch s, [{}], out", list(n, "c"));
    for i in 0..n {
        let (x, y) = (i % FEW, (i * 7 + 1) % FEW);
        line!(out, "c{i}:\n  x{x} = add x{y}, p\n  c = lt x{x}, q\n  branch c, a{i}, b{i}");
        line!(out, "a{i}:\n  s = {}\n  jump loop\nb{i}:\n  s = x{x}\n  jump loop", (i + 1) % n);
    }
    line!(out, "out:\n  return {}", list(FEW, "x"));
}

fn next_states(out: &mut String, n: usize) {
    line!(out, "  s = 0\n  jump loop\nloop:\n  switch s, [{}], out", list(n, "c"));
    for i in 0..n {
        line!(out, "c{i}:\n  c = read()\n  branch c, a{i}, b{i}");
        line!(out, "a{i}:\n  s = {}\n  jump loop\nb{i}:\n  s = {}\n  jump loop", (i + 1) % n, (i * 7 + 1) % n);
    }
    line!(out, "out:\n  return");
}

fn rotate(out: &mut String, n: usize) {
    line!(out, "  a = 1\n  b = 2\n  c = 3\n  jump loop\nloop:\n  s = read()\n  switch s, [{}], out", list(n, "c"));
    (0..n).for_each(|i| line!(out, "c{i}:\n  t = a\n  a = b\n  b = c\n  c = t\n  jump loop"));
    line!(out, "out:\n  return a, b, c");
}

fn nest(out: &mut String, n: usize) {
    line!(out, "  y = 0");
    (0..n).for_each(|i| line!(out, "  x{i} = {i}\n  jump h{i}\nh{i}:\n  x{i} = add x{i}, q"));
    line!(out, "  y = add y, 1");
    (0..n).rev().for_each(|i| line!(out, "  c = lt x{i}, p\n  branch c, h{i}, e{i}\ne{i}:"));
    line!(out, "  print y");
    (0..n).for_each(|i| line!(out, "  print x{i}"));
    line!(out, "  return");
}

fn labels(out: &mut String, n: usize) {
    line!(out, "  y = 0");
    for i in 0..n {
        line!(out, "  y = add y, {i}\n  c = lt y, p\n  branch c, e{}, d{i}\nd{i}:", n - 1 - i);
    }
    (0..n).for_each(|i| line!(out, "  x = {i}\n  jump e{i}\ne{i}:\n  y = add y, x"));
    line!(out, "  return y, x");
}

fn loops(out: &mut String, n: usize) {
    line!(out, "  y = 0");
    (0..FEW).for_each(|i| line!(out, "  x{i} = {i}"));
    for i in 0..n {
        let x = i % FEW;
        line!(
            out,
            "  jump h{i}\nh{i}:\n  y = add y, q\n  x{x} = add x{x}, y\n  c = lt y, p\n  branch c, h{i}, d{i}\nd{i}:"
        );
    }
    line!(out, "  return {}", list(FEW, "x"));
}

fn block(out: &mut String, n: usize) {
    line!(out, "  x = 0");
    for i in 0..n {
        line!(out, "  x{} = add x{}, x\n  x = add x{}, {i}", i % 10, i * 7 % 10, (i * 11 + 1) % 10);
    }
    line!(out, "  return x");
}

fn decided(out: &mut String, n: usize, has_value: bool) {
    line!(out, "  y = 0");
    for i in 0..n {
        line!(out, "  c = lt y, p\n  branch c, a{i}, b{i}\na{i}:\n  f = 1\n  y = add y, q\n  jump j{i}");
        line!(out, "b{i}:\n  f = 0\n  y = sub y, q\n  jump j{i}\nj{i}:");
        if has_value {
            line!(out, "  v{i} = add y, {i}");
        }
        line!(
            out,
            "  branch f, k{i}, l{i}\nk{i}:\n  y = mul y, p\n  jump m{i}\nl{i}:\n  y = xor y, p\n  jump m{i}\nm{i}:"
        );
    }
    (0..if has_value { n } else { 0 }).for_each(|i| line!(out, "  y = add y, v{i}"));
    line!(out, "  return y");
}

fn cascade(out: &mut String, n: usize) {
    line!(out, "  y = 0\n  branch p, a, b\na:\n  f = 1\n  jump j\nb:\n  f = 0\n  jump j\nj:");
    for i in 0..n {
        line!(
            out,
            "  branch f, k{i}, l{i}\nk{i}:\n  y = mul y, p\n  jump j{i}\nl{i}:\n  y = xor y, p\n  jump j{i}\nj{i}:"
        );
    }
    line!(out, "  return y");
}

fn codes(out: &mut String, n: usize, is_live: bool) {
    line!(out, "  e = 0");
    for i in 0..n {
        let v = if is_live { format!("v{i}") } else { "c".to_owned() };
        line!(out, "  {v} = 0\n  branch e, s{i}, t{i}\nt{i}:\n  {v} = read()\n  branch {v}, u{i}, s{i}");
        line!(out, "u{i}:\n  e = {}\n  jump s{i}\ns{i}:", i + 1);
    }
    if is_live {
        (0..n).for_each(|i| line!(out, "  e = add e, v{i}"));
    }
    line!(out, "  return e");
}

fn swaps(out: &mut String, n: usize) {
    line!(out, "  y = p\n  z = q");
    for i in 0..n {
        line!(
            out,
            "  branch q, a{i}, b{i}\na{i}:\n  w = y\n  y = z\n  z = w\n  jump j{i}\nb{i}:\n  y = z\n  jump j{i}\nj{i}:"
        );
    }
    line!(out, "  return y, z");
}

fn phis(out: &mut String, n: usize) {
    line!(out, "  y = 0");
    (0..n).for_each(|i| line!(out, "  branch q, a{i}, j{i}\na{i}:\n  y = {}\n  jump j{i}\nj{i}:", i % 3));
    line!(out, "  return y");
}

fn deep(out: &mut String, n: usize) {
    line!(out, "  y = 0");
    (0..n).for_each(|i| line!(out, "  x{i} = add y, p\n  branch q, a{i}, e\na{i}:\n  y = add x{i}, 1"));
    line!(out, "  return y\ne:\n  return y");
}

fn early(out: &mut String, n: usize) {
    (0..10).for_each(|i| line!(out, "  x{i} = read()"));
    for i in 0..n {
        line!(out, "  c = read()\n  branch c, r{i}, g{i}\nr{i}:\n  print {i}\n  return\ng{i}:\n  branch p, a{i}, b{i}");
        line!(out, "a{i}:\n  x{} = add c, 1\n  jump k{i}\nb{i}:\n  jump k{i}\nk{i}:", i % 10);
    }
    line!(out, "  return {}", list(10, "x"));
}

fn pads(out: &mut String, n: usize) {
    (0..FEW).for_each(|i| line!(out, "  x{i} = read()"));
    line!(out, "  jump h0");
    for i in 0..n {
        line!(out, "h{i}:\n  c = call f(p) to h{}, p{i}\np{i}:\n  e = read()\n  jump k{}", i + 1, i % 2);
    }
    line!(out, "h{n}:\n  return");
    for handler in 0..2 {
        line!(out, "k{handler}:\n  print e");
        (handler..FEW).step_by(2).for_each(|i| line!(out, "  print x{i}"));
        line!(out, "  return");
    }
}

fn cases(out: &mut String, n: usize) {
    (0..n).for_each(|i| line!(out, "  x{i} = read()"));
    line!(out, "  y = 0\n  switch p, [{}], out", list(n, "c"));
    (0..n).for_each(|i| line!(out, "c{i}:\n  y = add x{i}, 1\n  jump out"));
    line!(out, "out:\n  return y");
}

fn tangle(out: &mut String, n: usize) {
    line!(out, "  y = 0\n  branch p, a0, b0");
    for i in 0..n {
        line!(out, "a{i}:\n  y = add y, 1\n  branch p, b{i}, a{0}\nb{i}:\n  branch q, a{i}, b{0}", i + 1);
    }
    line!(out, "a{n}:\n  return y\nb{n}:\n  return y");
}

fn empty(out: &mut String, n: usize) {
    line!(out, "  y = 0\n  branch p, e0, d");
    (0..n).for_each(|i| line!(out, "e{i}:\n  jump e{}", i + 1));
    line!(out, "e{n}:\n  jump j\nd:\n  y = 1\n  jump j\nj:\n  return y");
}
