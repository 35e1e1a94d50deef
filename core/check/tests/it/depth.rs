//! Deep and wide programs on a small stack.

use ssaphire_check::certificate::{Reader, write};
use ssaphire_check::{
    Claim, Equation, Grounds, Journal, Mode, Program, ProgramEvent, Rank, Symbol, judge, rules, validate,
};
use ssaphire_graph::{Block, Operator, Value, Variable};

fn on_small_stack(test: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(256 << 10).spawn(test).unwrap().join().unwrap();
}

const X: Variable = Variable::new(0);

/// Phis as given: block, value and one operand per incoming edge.
struct Phis(Vec<(Block, Value, Vec<Value>)>);

impl Claim for Phis {
    fn resolve(&self, value: Value) -> Value {
        value
    }

    fn visit_phis(&self, visit: &mut dyn FnMut(Block, Value, &[Value])) {
        self.0.iter().for_each(|(block, value, operands)| visit(*block, *value, operands));
    }
}

/// Everything the judge can do with a right program, and back through text.
fn check_all(program: &Program) {
    let verdict = judge(program, Mode::Exact);
    assert!(verdict.is_accepted() && verdict.equivalent && verdict.structurally_valid, "{verdict}");
    assert!(verdict.minimal != Some(false) && verdict.pruned != Some(false));
    assert_eq!(validate(program, Mode::Refine), Ok(()));
    assert_eq!(rules(program), []);
    let mut text = String::new();
    write(&mut text, [("deep", program)]).unwrap();
    assert_eq!(&Reader::new(text.lines()).next().unwrap().unwrap().1, program);
}

#[test]
fn a_million_blocks_in_a_line() {
    on_small_stack(|| {
        const LEN: usize = 1_000_000;
        let mut journal = Journal::new();
        journal.begin(Block::new(0));
        // From the end to the beginning: no order of calls is the order of blocks.
        journal.read(Block::new(LEN - 1), X, Value::new(0));
        for block in (1..LEN).rev() {
            journal.terminate(Block::new(block - 1), &[Block::new(block)]);
        }
        journal.define(Block::new(0), Value::new(0));
        journal.write(Block::new(0), X, Value::new(0));
        let mut program = Program::new();
        journal.close(&Phis(Vec::new()), &mut program).unwrap();
        check_all(&program);
    });
}

#[test]
fn a_join_of_a_hundred_thousand_edges() {
    on_small_stack(|| {
        const ARMS: usize = 100_000;
        let join = Block::new(ARMS + 1);
        let mut journal = Journal::new();
        journal.begin(Block::new(0));
        let arms: Vec<_> = (1..=ARMS).map(Block::new).collect();
        journal.terminate(Block::new(0), &arms);
        for &arm in &arms {
            journal.write(arm, X, Value::new(arm.index()));
            journal.terminate(arm, &[join]);
        }
        journal.read(join, X, Value::new(0));
        let operands = arms.iter().map(|arm| Value::new(arm.index())).collect();
        let mut program = Program::new();
        journal.close(&Phis(vec![(join, Value::new(0), operands)]), &mut program).unwrap();
        check_all(&program);
    });
}

/// `len` blocks in a line, of two edges each, all with a phi of the one before.
fn ladder(len: usize, first: usize) -> Program {
    let mut program = Program::new();
    let mut writer = program.rewrite(Block::new(0));
    writer.global(Value::new(len));
    for block in 0..len {
        let (above, value) = (block.saturating_sub(1), Value::new(block));
        writer.block(Block::new(block), [Block::new(above), Block::new(above)].into_iter().take(2 * block.min(1)));
        if block == 0 {
            writer.event(ProgramEvent::Def { variable: X, value: Value::new(first) });
            writer.event(ProgramEvent::Def { variable: Variable::new(1), value });
        } else {
            writer.phi(value, [Value::new(above), Value::new(above)]);
        }
        writer.event(ProgramEvent::Use { variable: Variable::new(usize::from(block == 0)), value });
        writer.number(value, block as u32);
        writer.rank(Rank { phi: value, rank: 0, user: None });
    }
    writer.finish().unwrap();
    program
}

#[test]
fn every_read_of_a_long_chain_is_named() {
    on_small_stack(|| {
        const LEN: usize = 200_000;
        // The first block writes the global to the variable, and the phis merge another value.
        let program = ladder(LEN, LEN);
        let verdict = judge(&program, Mode::Exact);
        assert_eq!((verdict.structurally_valid, verdict.equivalent), (true, false));
        assert_eq!((verdict.minimal, verdict.pruned), (Some(false), Some(true)));
        let wrong = verdict.violations.iter().filter(|violation| violation.rule() == "wrong-value");
        assert_eq!(wrong.count(), LEN - 1);
    });
}

/// What was folded late to what was folded late, and so on; and a law with as many variables.
#[test]
fn a_long_chain_of_folded_values_and_a_long_law() {
    on_small_stack(|| {
        const LEN: usize = 100_000;
        let (entry, [one, many], value) = (Block::new(0), [0, 1].map(Operator::new), Value::new);
        let mut program = Program::new();
        let mut writer = program.rewrite(entry);
        let apply = [Symbol::Apply(many, LEN as u32)];
        let variables: Vec<Symbol> = (0..LEN as u32).map(Symbol::Any).collect();
        let reversed: Vec<Symbol> = variables.iter().rev().copied().collect();
        let law = Equation { left: [&apply, &*variables].concat(), right: [&apply, &*reversed].concat() };
        let law = Grounds::Equation(writer.equation(law));
        writer.block(entry, []);
        writer.application(one, Some(value(0)), Grounds::Computed, []);
        writer.event(ProgramEvent::Def { variable: X, value: value(0) });
        for late in 1..LEN {
            writer.application(one, Some(value(late - 1)), Grounds::Congruent, []);
            writer.late(value(late));
        }
        writer.application(many, Some(value(LEN)), Grounds::Computed, (0..LEN).map(|_| value(0)));
        writer.event(ProgramEvent::Def { variable: X, value: value(LEN) });
        writer.application(many, Some(value(LEN)), law, (0..LEN).map(value));
        writer.finish().unwrap();
        assert_eq!(judge(&program, Mode::Exact).violations, []);
    });
}
