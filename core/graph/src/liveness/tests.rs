//! Liveness against its definition.

use super::*;
use crate::sample_forms::{Variables, cfg_of_field};
use crate::sample_graphs::{self, Random, graph, on_small_stack};
use crate::{Access, Cfg, ValueEvent};
use alloc::vec;
use alloc::vec::Vec;
use core::iter;

/// A function with values: per block its phis with their operands, and its events.
#[derive(Debug)]
struct Values {
    cfg: FlatCfg,
    num_values: usize,
    phis: Vec<Vec<(Value, Vec<Value>)>>,
    events: Vec<Vec<ValueEvent>>,
}

cfg_of_field!(Values);

impl SsaForm for Values {
    fn num_values(&self) -> usize {
        self.num_values
    }

    fn globals(&self) -> impl Iterator<Item = Value> {
        iter::empty()
    }

    fn phis(&self, block: Block) -> impl Iterator<Item = Value> {
        self.phis[block.index()].iter().map(|&(phi, _)| phi)
    }

    fn operands(&self, block: Block, phi: Value) -> impl Iterator<Item = Value> {
        let found = self.phis[block.index()].iter().find(|(candidate, _)| *candidate == phi);
        found.into_iter().flat_map(|(_, operands)| operands.iter().copied())
    }

    fn events(&self, block: Block) -> impl Iterator<Item = ValueEvent> {
        self.events[block.index()].iter().copied()
    }
}

/// What happens to one key at a point of a path.
#[derive(Clone, Copy, PartialEq)]
enum Fate {
    Used,
    Defined,
}

/// Live by definition: some path from the point meets a use before a definition.
///
/// `inside` says what happens to the key first within a block, `on_edge` on the
/// way from one to the next.
fn is_live(
    cfg: &FlatCfg,
    (start, at_top): (Block, bool),
    inside: &dyn Fn(Block) -> Option<Fate>,
    on_edge: &dyn Fn(crate::Edge) -> Option<Fate>,
) -> bool {
    let mut seen = vec![false; cfg.num_blocks()];
    let mut work = vec![(start, at_top)];
    while let Some((block, at_top)) = work.pop() {
        if at_top {
            if seen[block.index()] {
                continue;
            }
            seen[block.index()] = true;
            match inside(block) {
                Some(Fate::Used) => return true,
                Some(Fate::Defined) => continue,
                None => {}
            }
        }
        for edge in cfg.outgoing(block) {
            match on_edge(edge) {
                Some(Fate::Used) => return true,
                Some(Fate::Defined) => {}
                None => work.push((cfg.target(edge), true)),
            }
        }
    }
    false
}

#[track_caller]
fn check<K: Id>(
    live: &Liveness<K>,
    (cfg, order): (&FlatCfg, &Order),
    num_keys: usize,
    inside: impl Fn(K, Block) -> Option<Fate>,
    on_edge: impl Fn(K, crate::Edge) -> Option<Fate>,
) {
    for block in cfg.blocks() {
        let expected = |at_top: bool| {
            let is_live = |&key: &K| {
                order.is_reachable(block)
                    && is_live(cfg, (block, at_top), &|block| inside(key, block), &|edge| on_edge(key, edge))
            };
            (0..num_keys).map(K::new).filter(is_live).collect::<Vec<K>>()
        };
        assert_eq!(live.live_in(block), expected(true), "live-in of {block}");
        assert_eq!(live.live_out(block), expected(false), "live-out of {block}");
    }
}

fn random_accesses(random: &mut Random, num_variables: usize) -> Vec<Access> {
    let mut accesses = Vec::new();
    while random.below(5) > 1 {
        let [first, second] = [0; 2].map(|_| Variable::new(random.below(num_variables)));
        let kinds =
            [Access::Read(first), Access::Write(first), Access::Copy(first, second), Access::Copy(second, first)];
        if random.one_in(4) {
            let len = 1 + random.below(4);
            accesses.push(Access::Tuple(len as u32));
            accesses.extend((0..len).map(|_| kinds[random.below(4)]));
        } else {
            accesses.push(kinds[random.below(4)]);
        }
    }
    accesses
}

/// What the accesses do to `variable` first; each tuple is taken as one step, reads first.
fn first_access(accesses: &[Access], variable: Variable) -> Option<Fate> {
    let mut rest = accesses;
    while let Some((first, others)) = rest.split_first() {
        let (step, after) = match *first {
            Access::Tuple(len) => others.split_at(len as usize),
            _ => rest.split_at(1),
        };
        let reads = |access: &Access| matches!(*access, Access::Read(x) | Access::Copy(_, x) if x == variable);
        let writes = |access: &Access| matches!(*access, Access::Write(x) | Access::Copy(x, _) if x == variable);
        if step.iter().any(reads) {
            return Some(Fate::Used);
        }
        if step.iter().any(writes) {
            return Some(Fate::Defined);
        }
        rest = after;
    }
    None
}

#[test]
fn variables_are_live_where_the_definition_says() {
    let mut live = Liveness::default();
    for (seed, cfg) in (0..).zip(sample_graphs::random(2000)) {
        let random = &mut Random::new(seed);
        let num_variables = 1 + random.below(4);
        let accesses: Vec<_> = cfg.blocks().map(|_| random_accesses(random, num_variables)).collect();
        let function = Variables { cfg, num_variables, accesses };
        let (cfg, order) = (&function.cfg, Order::new(&function.cfg));
        live.rebuild_of_variables(&function, cfg, &order);
        let inside = |variable, block: Block| first_access(&function.accesses[block.index()], variable);
        check(&live, (cfg, &order), num_variables, inside, |_, _| None);
    }
}

/// Values defined once, in random places; uses anywhere, so that a use need not be dominated by its definition.
fn random_values(cfg: FlatCfg, random: &mut Random) -> Values {
    let num_values = 1 + random.below(8);
    let (mut phis, mut events) = (vec![Vec::new(); cfg.num_blocks()], vec![Vec::new(); cfg.num_blocks()]);
    for value in (0..num_values).map(Value::new) {
        let block = random.below(cfg.num_blocks());
        let mut any = || Value::new(random.below(num_values));
        match value.index() % 3 {
            0 => phis[block].push((value, cfg.incoming(Block::new(block)).iter().map(|_| any()).collect())),
            1 => events[block].push(ValueEvent::Def(value)),
            _ => {} // A global.
        }
        for _ in 0..random.below(4) {
            let block = random.below(cfg.num_blocks());
            let place = random.below(events[block].len() + 1);
            events[block].insert(place, ValueEvent::Use(Value::new(random.below(num_values))));
        }
    }
    Values { cfg, num_values, phis, events }
}

#[test]
fn values_are_live_where_the_definition_says() {
    let mut live = Liveness::default();
    for (seed, cfg) in (0..).zip(sample_graphs::random(3000)) {
        let function = random_values(cfg, &mut Random::new(seed));
        let (cfg, order) = (&function.cfg, Order::new(&function.cfg));
        live.rebuild_of_values(&function, cfg, &order);
        let is_phi = |value, block| function.phis(block).any(|phi| phi == value);
        let inside = |value, block| {
            let fate = |event| match event {
                ValueEvent::Use(used) => (used == value).then_some(Fate::Used),
                ValueEvent::Def(defined) => (defined == value).then_some(Fate::Defined),
            };
            is_phi(value, block).then_some(Fate::Defined).or_else(|| function.events(block).find_map(fate))
        };
        let on_edge = |value, edge| {
            let index = cfg.operand_index(edge);
            let used = function.phis[cfg.target(edge).index()].iter().any(|(_, operands)| operands[index] == value);
            used.then_some(Fate::Used)
        };
        check(&live, (cfg, &order), function.num_values, inside, on_edge);
    }
}

fn variables(ids: &[usize]) -> Vec<Variable> {
    ids.iter().copied().map(Variable::new).collect()
}

#[test]
fn a_swap_reads_before_it_writes() {
    let [x, y] = [0, 1].map(Variable::new);
    let swap = [Access::Copy(x, y), Access::Copy(y, x)];
    let live_at_top = |accesses: Vec<Access>| {
        let function = Variables { cfg: graph(0, &[vec![]]), num_variables: 2, accesses: vec![accesses] };
        Liveness::of_variables(&function, &function.cfg, &Order::new(&function.cfg)).live_in(Block::new(0)).to_vec()
    };
    assert_eq!(live_at_top([&[Access::Tuple(2)], &swap[..]].concat()), variables(&[0, 1]));
    assert_eq!(live_at_top(swap.to_vec()), variables(&[1]));
    assert_eq!(live_at_top([&[Access::Tuple(9)], &swap[..]].concat()), variables(&[0, 1]), "a tuple too long");
}

#[test]
fn unreachable_blocks_keep_nothing_alive() {
    // block1 is unreachable; it reads x0 and has an edge to block2, which reads x1.
    let read = |id| vec![Access::Read(Variable::new(id))];
    let cfg = graph(0, &[vec![2], vec![2], vec![]]);
    let function = Variables { cfg, num_variables: 2, accesses: vec![vec![], read(0), read(1)] };
    let live = Liveness::of_variables(&function, &function.cfg, &Order::new(&function.cfg));
    assert!(live.live_in(Block::new(1)).is_empty() && live.live_out(Block::new(1)).is_empty());
    assert_eq!(live.live_in(Block::new(0)), variables(&[1]));
    assert!(live.is_live_out(Block::new(0), Variable::new(1)) && !live.is_live_in(Block::new(77), Variable::new(1)));
}

#[test]
fn phis_that_feed_themselves_and_each_other_live_on_their_edges() {
    // block1 is a loop: v1 = phi(v0, v2); v2 = phi(v0, v1), a swap.
    let [zero, one, two] = [0, 1, 2].map(Value::new);
    let function = Values {
        cfg: graph(0, &[vec![1], vec![1]]),
        num_values: 3,
        phis: vec![vec![], vec![(one, vec![zero, two]), (two, vec![zero, one])]],
        events: vec![vec![ValueEvent::Def(zero)], vec![]],
    };
    let live = Liveness::of_values(&function, &function.cfg, &Order::new(&function.cfg));
    assert_eq!(live.live_out(Block::new(0)), [zero]);
    assert!(live.live_in(Block::new(1)).is_empty());
    assert_eq!(live.live_out(Block::new(1)), [one, two]);
}

/// `x0` is written in the first block and read in the last; nothing else happens.
fn through(cfg: FlatCfg) -> usize {
    let x = Variable::new(0);
    let last = cfg.num_blocks() - 1;
    let mut accesses = vec![Vec::new(); cfg.num_blocks()];
    accesses[0].push(Access::Write(x));
    accesses[last].push(Access::Read(x));
    let function = Variables { cfg, num_variables: 1, accesses };
    let live = Liveness::of_variables(&function, &function.cfg, &Order::new(&function.cfg));
    function.cfg.blocks().map(|block| live.live_in(block).len()).sum()
}

#[test]
fn large_families_need_no_stack() {
    on_small_stack(|| {
        assert_eq!(through(sample_graphs::chain(1_000_000)), 999_999);
        assert_eq!(through(sample_graphs::ladder(200_000)), 199_999);
        // block0 is a header, and writes x0 each time around.
        assert_eq!(through(sample_graphs::nest(100_000)), 200_000);
    });
}

#[test]
fn ten_thousand_edges_into_one_block() {
    assert_eq!(through(sample_graphs::fan_in(10_000)), 10_001);
}

#[test]
fn memory_follows_the_sets_not_the_matrix() {
    // As many variables as blocks, each local to its block but the last one's, which lives in two.
    let size = 200_000;
    let own = |block| vec![Access::Write(Variable::new(block)), Access::Read(Variable::new(block))];
    let mut accesses: Vec<_> = (0..size).map(own).collect();
    accesses[size - 1].insert(0, Access::Read(Variable::new(size - 2)));
    let function = Variables { cfg: sample_graphs::chain(size), num_variables: size, accesses };
    let live = Liveness::of_variables(&function, &function.cfg, &Order::new(&function.cfg));
    assert_eq!((live.live_in.members().len(), live.live_out.members().len()), (1, 1));
    assert_eq!(live.exploration.found_at_top().len(), 1);
    assert!(live.live_in.into_members().capacity() < 16);
}
