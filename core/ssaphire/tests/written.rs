//! What a host may leave out of its code, and what it must not: `Certified::differences`.

use ssaphire::{Block, Builder, Certified, PhiHost, Placed, Shown, Ssa, SsaBuilder, Stopped, Uses, Value, Variable};

/// Shows its uses and phis.
#[derive(Default)]
struct Host {
    num_values: usize,
    /// All phis and undefined variables get this value.
    only: Option<Value>,
    /// Operands on edges from dead code are dropped, or this many.
    drops: usize,
    /// No use is visited.
    hides: bool,
    uses: Vec<Value>,
    phis: Vec<(Block, Value, Vec<Value>)>,
}

impl Host {
    fn value(&mut self) -> Value {
        self.num_values += 1;
        self.only.unwrap_or(Value::new(self.num_values - 1))
    }
}

impl PhiHost for Host {
    fn new_phi(&mut self, _: Block, _: Variable) -> Value {
        self.value()
    }

    fn undefined(&mut self, _: Variable) -> Value {
        self.value()
    }

    fn visit_code(&self, visit: &mut dyn FnMut(Placed<'_>)) -> Shown {
        for (place, &value) in (0..).zip(&self.uses) {
            visit(Placed::Use { place, value });
        }
        for (block, value, operands) in &self.phis {
            visit(Placed::Phi { block: *block, value: *value, operands });
        }
        Shown::Everything
    }

    fn visit_uses(&self, visit: &mut dyn FnMut(Value)) -> Uses {
        if !self.hides {
            self.uses.iter().copied().for_each(visit);
        }
        Uses::Visited
    }
}

impl Host {
    /// Takes the result: the last step.
    fn write(&mut self, result: &Ssa<'_>) {
        let Ssa { phis, stands_for, .. } = result;
        self.uses.iter_mut().for_each(|value| *value = stands_for.resolve(*value));
        for phi in phis.iter() {
            let mut left = self.drops;
            let mut operands = Vec::new();
            for operand in phi.edge_operands() {
                let is_dropped = left > 0 && !phis.is_reachable(operand.source);
                left -= usize::from(is_dropped);
                operands.extend((!is_dropped).then_some(operand.value));
            }
            self.phis.push((phi.block, phi.value, operands));
        }
    }
}

const X: Variable = Variable::new(0);

fn block(number: usize) -> Block {
    Block::new(number)
}

/// 0 -> 1, 2; 1 -> 3; 2 -> 3; 4, 5 -> 3: what is read in 3 was written in 1 and 2; nothing leads to 4 and 5.
fn build(host: &mut Host) -> Vec<String> {
    let mut ssa = Certified::default();
    // The complaints are the answer, with the feature `judge`, too.
    ssa.set_judging(false);
    ssa.terminate(block(0), &[block(1), block(2)]);
    ssa.seal_blocks(host, &[block(1), block(2), block(4), block(5)]);
    for from in [4, 1, 5, 2] {
        let value = host.value();
        ssa.write_variable(block(from), X, value);
        ssa.terminate(block(from), &[block(3)]);
    }
    ssa.seal_block(host, block(3));
    let read = ssa.read_variable(host, block(3), X);
    host.uses.push(read);
    ssa.terminate(block(3), &[]);
    let result = ssa.finish(host).unwrap();
    host.write(&result);
    assert_eq!(ssa.differences(), None, "nothing is compared yet");
    ssa.compare(host);
    ssa.differences().unwrap().iter().map(ToString::to_string).collect()
}

#[test]
fn operands_from_dead_code_are_kept_or_dropped_but_not_by_halves() {
    let words = |drops| build(&mut Host { drops, ..Host::default() });
    assert_eq!(words(0), [""; 0]);
    assert_eq!(words(2), [""; 0]);
    let halves = words(1);
    assert!(matches!(&halves[..], [only] if only.ends_with("has 3 operands in block3, which has 4 incoming edges")));
}

#[test]
fn a_use_that_was_not_visited_is_named() {
    let mut host = Host { hides: true, ..Host::default() };
    assert_eq!(
        build(&mut host),
        ["place 0: uses v4, a phi that was dropped because `visit_uses` did not visit this use"]
    );
}

#[test]
fn a_number_that_is_given_twice_ends_the_construction() {
    let mut host = Host { only: Some(Value::new(1)), ..Host::default() };
    let mut ssa = Builder::new();
    ssa.read_variable(&mut host, block(0), X);
    ssa.terminate(block(0), &[block(1)]);
    assert!(ssa.try_read_variable(&mut host, block(1), X).is_err());
    assert!(matches!(ssa.stopped(), Some(Stopped::Contract(_))), "{:?}", ssa.stopped());
}
