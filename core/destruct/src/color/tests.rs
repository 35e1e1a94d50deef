//! Colors against the same choice of locations from live sets that are written out.

use super::*;
use crate::sample::{self, Function};
use alloc::collections::BTreeSet;
use alloc::vec;
use ssaphire_graph::{Id, Liveness, SsaForm};

/// A walk that knows what is live at the top of each block from a list.
struct Plain<'f> {
    function: &'f Function,
    live: Liveness<Value>,
    locations: Vec<Option<usize>>,
    hints: Vec<Option<usize>>,
    held: BTreeSet<usize>,
    run: Vec<Value>,
    block: Block,
}

impl Plain<'_> {
    fn walk_block(&mut self, seams: &Seams) {
        let (function, block) = (self.function, self.block);
        let at = |value: Value, locations: &[Option<usize>]| locations[value.index()].unwrap();
        self.held = self.live.live_in(block).iter().filter_map(|value| self.locations[value.index()]).collect();
        if block == function.cfg.entry() {
            function.globals().for_each(|value| self.define(value, &[]));
        }
        let only = function.cfg.incoming(block).first().filter(|&&edge| seams.seam(edge) == Seam::Top);
        let operands: Vec<Value> =
            only.map_or(vec![], |&edge| seams.arguments(edge).iter().map(|argument| argument.operand).collect());
        operands.iter().for_each(|&operand| _ = self.held.insert(at(operand, &self.locations)));
        for &operand in operands.iter().filter(|&&operand| !self.live.is_live_in(block, operand)) {
            self.held.remove(&at(operand, &self.locations));
        }
        for (phi, operands) in &function.phis[block.index()] {
            self.define(*phi, operands);
            let location = self.locations[phi.index()];
            operands.iter().for_each(|operand| _ = self.hints[operand.index()].get_or_insert(location.unwrap()));
        }
        self.end_run(0);
        for (index, event) in function.events[block.index()].iter().enumerate() {
            match *event {
                ValueEvent::Def(value) => self.define(value, function.copied[value.index()].as_slice()),
                ValueEvent::Use(value) => {
                    self.end_run(index);
                    if !self.is_needed(value, index + 1) {
                        self.held.remove(&at(value, &self.locations));
                    }
                }
            }
        }
        self.end_run(function.events[block.index()].len());
    }

    fn is_needed(&self, value: Value, from: usize) -> bool {
        self.function.events[self.block.index()][from..].contains(&ValueEvent::Use(value))
            || self.live.is_live_out(self.block, value)
    }

    fn define(&mut self, value: Value, related: &[Value]) {
        let related = related.iter().filter_map(|value| self.locations[value.index()]);
        let mut candidates = self.hints[value.index()].into_iter().chain(related).chain(0..);
        let location = candidates.find(|location| !self.held.contains(location)).unwrap();
        self.held.insert(location);
        self.locations[value.index()] = Some(location);
        self.run.push(value);
    }

    fn end_run(&mut self, from: usize) {
        while let Some(value) = self.run.pop() {
            if !self.is_needed(value, from) {
                self.held.remove(&self.locations[value.index()].unwrap());
            }
        }
    }
}

#[test]
fn colors_are_those_of_live_sets_that_are_written_out() {
    let (mut by_death, mut by_life) = (0, 0);
    let random = (0..3_000).map(sample::function);
    let shapes = [1, 2, 30].into_iter().flat_map(|n| [sample::joins(n), sample::nest(n), sample::exits(n)]);
    for (number, function) in random.chain(shapes).enumerate() {
        let Ok(seams) = Seams::new(&function) else { continue };
        let dominators = DominatorTree::new(&seams.cfg);
        let mut plain = Plain {
            function: &function,
            live: Liveness::of_values(&function, &function.cfg, dominators.order()),
            locations: vec![None; function.num_values],
            hints: vec![None; function.num_values],
            held: BTreeSet::new(),
            run: Vec::new(),
            block: function.cfg.entry(),
        };
        for &block in dominators.preorder() {
            plain.block = block;
            plain.walk_block(&seams);
            let Some(idom) = dominators.idom(block) else { continue };
            let [above, here] = [plain.live.live_out(idom), plain.live.live_in(block)].map(<[Value]>::len);
            *if above <= 2 * here { &mut by_death } else { &mut by_life } += 1;
        }
        for live_range_edges in [Thresholds::default().live_range_edges, 0] {
            let thresholds = Thresholds { live_range_edges, ..Thresholds::default() };
            let mut assembly = Assembly::new(function.num_values);
            color(&function, &seams, Palette::Classes, thresholds, &mut assembly).unwrap();
            let found = (0..function.num_values).map(|value| assembly.destruction.location(Value::new(value)));
            let found: Vec<_> = found.map(|location| location.map(|location| location.index())).collect();
            assert_eq!(found, plain.locations, "function {number}");
        }
    }
    assert!(by_death > 1_000 && by_life > 1_000, "{by_death} {by_life}");
}

/// Steps of live sets, and values that begin or cease to be live between blocks.
fn num_steps(function: &Function, palette: Palette) -> usize {
    let seams = Seams::new(function).unwrap();
    let dominators = DominatorTree::new(&seams.cfg);
    let mut assembly = Assembly::new(function.num_values);
    let thresholds = Thresholds::default();
    let mut coloring = Coloring::new(function, &seams, palette, thresholds, &mut assembly, &dominators).unwrap();
    coloring.color_blocks(&dominators).unwrap();
    let Live::Sets(live) = &coloring.live else { panic!("values live longer than they are followed") };
    coloring.num_changes + live.sets().steps as usize
}

/// Sixteen times the size is two levels more in each set.
#[test]
fn values_that_live_to_the_end_cost_what_blocks_change_of_them() {
    for (name, shape) in
        [("joins", sample::joins as fn(usize) -> Function), ("nest", sample::nest), ("exits", sample::exits)]
    {
        for palette in [Palette::Classes, Palette::Variables] {
            let [small, large] = [1_000, 16_000].map(|n| num_steps(&shape(n), palette));
            assert!(large < 40 * small, "{name}: {small} steps, then {large}");
        }
    }
}

#[test]
fn a_use_beside_its_definition_is_an_error() {
    let mut function = sample::joins(1);
    function.events[2].push(ValueEvent::Use(Value::new(1)));
    let error = DestructError::NotDefined { value: Value::new(1), block: Block::new(2) };
    assert_eq!(crate::destruct(&function, crate::Method::Coloring), Err(error));
}
