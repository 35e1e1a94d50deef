//! Traces of random functions, for tests.

use super::{Calls, Trace, TraceWriter, Type};

/// A small generator of numbers, the same on every machine.
pub(crate) struct Numbers(u64);

impl Numbers {
    /// The next number below `limit`, which is not 0.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        // Knuth's multiplier; the high bits are the good ones.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

/// Random functions: irreducible, with repeated edges, self-loops and unreachable blocks among them.
pub(crate) fn random_trace(seed: u64, functions: usize) -> Trace {
    let mut numbers = Numbers(seed);
    let mut writer = TraceWriter::new();
    for _ in 0..functions {
        random_function(&mut numbers, &mut writer);
    }
    writer.into_trace()
}

fn random_function(numbers: &mut Numbers, out: &mut TraceWriter) {
    let num_blocks = 1 + numbers.below(10);
    let num_variables = 1 + numbers.below(4);
    let ty = Type::ALL[numbers.below(5)];
    for _ in 0..num_variables {
        out.variable(ty);
    }
    (0..num_blocks).for_each(|_| out.new_block());
    let targets: Vec<Vec<u32>> = (0..num_blocks).map(|_| random_targets(numbers, num_blocks)).collect();
    let mut missing: Vec<usize> = (0..num_blocks as u32)
        .map(|block| targets.iter().flatten().filter(|&&target| target == block).count())
        .collect();
    let seals_late = numbers.below(2) == 0;
    let seal = |out: &mut TraceWriter, block: usize, missing: &[usize]| {
        if missing[block] == 0 && !seals_late {
            out.seal(block as u32);
        }
    };
    (0..num_blocks).for_each(|block| seal(out, block, &missing));
    let mut num_values = 0;
    for (block, targets) in targets.iter().enumerate() {
        out.switch_to(block as u32);
        random_accesses(numbers, out, (num_variables, ty), &mut num_values);
        match **targets {
            [] => out.leave(),
            [target] => out.jump(target),
            [first, second] => out.branch([first, second]),
            _ => out.table(targets),
        }
        for &target in targets {
            missing[target as usize] -= 1;
            seal(out, target as usize, &missing);
        }
    }
    if seals_late {
        (0..num_blocks as u32).for_each(|block| out.seal(block));
    }
    out.end_function();
}

fn random_targets(numbers: &mut Numbers, num_blocks: usize) -> Vec<u32> {
    let num_targets = if num_blocks == 1 { 0 } else { numbers.below(5) };
    (0..num_targets).map(|_| 1 + numbers.below(num_blocks - 1) as u32).collect()
}

fn random_accesses(
    numbers: &mut Numbers,
    out: &mut TraceWriter,
    (num_variables, ty): (usize, Type),
    num_values: &mut u32,
) {
    // A value is written only where it was made or read, so that it is there on every path.
    let first = *num_values;
    for _ in 0..numbers.below(6) {
        let variable = numbers.below(num_variables) as u32;
        match numbers.below(3) {
            0 => *num_values = out.read_value(variable) + 1,
            1 => *num_values = out.fresh_value(ty) + 1,
            _ if *num_values > first => out.write(variable, *num_values - 1),
            _ => {}
        }
    }
}
