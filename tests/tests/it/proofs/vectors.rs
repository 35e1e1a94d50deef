//! All claims about all small phi graphs: none is accepted of a graph with a redundant set, or with a dead phi.

use ssaphire::check::{Judge, Mode, Program, ProgramEvent, Rank, Verdict};
use ssaphire::{Block, Ranker, Value, Variable};
use ssaphire_tests::naive;
use std::ops::RangeInclusive;

/// Makes phi graphs into programs, and has claims about them judged.
#[derive(Default)]
struct Court {
    program: Program,
    judge: Judge,
    ranker: Ranker,
    num_graphs: usize,
    num_wrong: usize,
    num_judged: usize,
}

impl Court {
    /// The entry makes `num_values` values and uses some; each phi has a block, which the entry enters once per operand.
    ///
    /// Not all operands are defined on these edges, but no proof is about that.
    fn write(&mut self, num_values: usize, phis: &[Vec<usize>], uses: &[usize]) {
        let entry = Block::new(0);
        let mut writer = self.program.rewrite(entry);
        writer.block(entry, []);
        for value in (0..num_values).map(Value::new) {
            writer.event(ProgramEvent::Def { variable: Variable::new(0), value });
        }
        for value in uses.iter().map(|&value| Value::new(value)) {
            writer.event(ProgramEvent::Use { variable: Variable::new(0), value });
        }
        for (index, operands) in phis.iter().enumerate() {
            writer.block(Block::new(index + 1), operands.iter().map(|_| entry));
            writer.phi(Value::new(num_values + index), operands.iter().map(|&operand| Value::new(operand)));
        }
        writer.finish().expect("blocks are in order");
    }

    fn verdict(&mut self) -> Verdict {
        self.judge.judge(&self.program, Mode::Exact)
    }

    fn check_numbers(&mut self, num_values: usize, phis: &[Vec<usize>], numberings: &[Vec<usize>]) {
        self.write(num_values, phis, &[]);
        let redundant = naive::redundant_phis(&self.program).expect("few phis");
        let ranked = self.ranker.rank(&mut self.program);
        assert_eq!(ranked.minimal.is_ok(), redundant.is_empty(), "{phis:?}: {ranked}");
        self.num_graphs += 1;
        if redundant.is_empty() {
            assert_eq!(self.verdict().minimal, Some(true), "{phis:?}");
            return;
        }
        self.num_wrong += 1;
        for numbers in numberings {
            self.num_judged += 1;
            self.program.set_numbers((0..).map(Value::new).zip(numbers.iter().map(|&number| number as u32)));
            assert_eq!(self.verdict().minimal, Some(false), "{phis:?} {numbers:?}");
        }
    }

    fn check_ranks(&mut self, phis: &[Vec<usize>], uses: &[usize], all_ranks: &[[Rank; 2]]) {
        self.write(2, phis, uses);
        let is_dead = !naive::dead_phis(&self.program).is_empty();
        let ranked = self.ranker.rank(&mut self.program);
        assert_eq!(ranked.pruned.is_err(), is_dead, "{phis:?} {uses:?}: {ranked}");
        self.num_graphs += 1;
        if !is_dead {
            assert_eq!(self.verdict().pruned, Some(true), "{phis:?} {uses:?}");
            return;
        }
        self.num_wrong += 1;
        for ranks in all_ranks {
            self.num_judged += 1;
            self.program.set_ranks(ranks.iter().copied());
            assert_eq!(self.verdict().pruned, Some(false), "{phis:?} {uses:?} {ranks:?}");
        }
    }
}

/// Every way to number so many values, equal numbers included: those that use the numbers `0..k` for some `k`.
///
/// The judge compares numbers and does nothing else with them, so any other numbers are accepted where some of these are.
fn numberings(len: usize) -> Vec<Vec<usize>> {
    let all = (0..len.pow(len as u32)).map(|code| (0..len as u32).map(|place| code / len.pow(place) % len).collect());
    let has_no_gap =
        |numbers: &Vec<usize>| (0..numbers.iter().max().map_or(0, |max| max + 1)).all(|it| numbers.contains(&it));
    all.filter(has_no_gap).collect()
}

/// Calls `check` with the operands of every graph whose phis have that many different ones.
fn for_each(num_values: usize, num_phis: usize, operands: RangeInclusive<u32>, mut check: impl FnMut(&[Vec<usize>])) {
    let len = num_values + num_phis;
    let sets = (0..1_u32 << len).filter(|set| operands.contains(&set.count_ones()));
    let choices: Vec<Vec<usize>> = sets.map(|set| (0..len).filter(|value| set >> value & 1 != 0).collect()).collect();
    for code in 0..choices.len().pow(num_phis as u32) {
        let choice = |phi: u32| choices[code / choices.len().pow(phi) % choices.len()].clone();
        check(&(0..num_phis as u32).map(choice).collect::<Vec<_>>());
    }
}

#[track_caller]
fn check_numbers(num_values: usize, num_phis: usize, operands: RangeInclusive<u32>, expected: (usize, usize)) {
    let mut court = Court::default();
    let numberings = numberings(num_values + num_phis);
    for_each(num_values, num_phis, operands, |phis| court.check_numbers(num_values, phis, &numberings));
    assert_eq!((court.num_graphs, court.num_wrong), expected);
    assert_eq!(court.num_judged, court.num_wrong * numberings.len());
}

#[test]
fn there_are_as_many_numberings_as_weak_orders() {
    assert_eq!([1, 2, 3, 4, 5].map(|len| numberings(len).len()), [1, 3, 13, 75, 541]);
}

#[test]
fn no_numbering_of_one_phi_or_two_with_a_redundant_set_is_accepted() {
    check_numbers(1, 1, 1..=2, (3, 3));
    check_numbers(1, 2, 1..=3, (49, 49));
    check_numbers(2, 1, 1..=3, (7, 5));
    check_numbers(2, 2, 1..=4, (225, 169));
    check_numbers(3, 2, 1..=2, (225, 192));
}

#[test]
fn no_numbering_of_three_phis_with_a_redundant_set_is_accepted() {
    check_numbers(1, 3, 1..=2, (1_000, 1_000));
    check_numbers(2, 3, 2..=2, (1_000, 858));
}

/// All ways to give two phis, values 2 and 3, a rank and a user.
fn ranks_of_two() -> Vec<[Rank; 2]> {
    let users = [None, Some(2), Some(3)];
    let rank = |code: usize, phi| Rank {
        phi: Value::new(phi),
        rank: (code % 3) as u32,
        user: users[code / 3].map(Value::new),
    };
    (0..81).map(|code| [rank(code % 9, 2), rank(code / 9, 3)]).collect()
}

#[test]
fn no_ranks_of_two_phis_are_accepted_if_one_is_dead() {
    let (mut court, ranks) = (Court::default(), ranks_of_two());
    for uses in (0..1_u32 << 4).map(|set| (0..4).filter(|value| set >> value & 1 != 0).collect::<Vec<_>>()) {
        for_each(2, 2, 1..=3, |phis| court.check_ranks(phis, &uses, &ranks));
    }
    assert_eq!((court.num_graphs, court.num_wrong), (3_136, 1_568));
    assert_eq!(court.num_judged, court.num_wrong * ranks.len());
}
