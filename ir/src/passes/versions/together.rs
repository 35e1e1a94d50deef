//! Many values repaired at once: each is a variable of one function.

use super::{Found, Host, Place, TooManyOperands, Versioned, Versions, is_entered, new_version};
use crate::dialect::Syntax;
use crate::function::{Function, IncomingEdge};
use ssaphire::graph::{Id, IdLists, IdMap};
use ssaphire::repair::Position;
use ssaphire::{Access, Block, Certified, Options, PhiHost, Renamed, SsaBuilder, Stopped, Value, Variable, rename_by};

/// The steps that finding the phis may take for each block, edge and access, and for each operand that they may have.
const STEPS: usize = 16;

/// What a block does with a variable.
#[derive(Clone, Copy, Debug)]
enum Told {
    Use(Place),
    Define(Value),
}

/// An access.
#[derive(Clone, Copy, Debug)]
struct Event {
    block: Block,
    position: Position,
    /// An instruction uses what was defined before it.
    is_definition: bool,
    variable: Variable,
    told: Told,
    /// Its place among those of the block.
    index: usize,
}

/// The blocks of a function, with the entry in front.
#[derive(Clone, Copy, Debug)]
struct EntryFirst(Block);

impl EntryFirst {
    /// The number of a block there, and of one there here.
    fn number(self, block: Block) -> Block {
        let first = Block::new(0);
        match block {
            _ if block == self.0 => first,
            _ if block == first => self.0,
            _ => block,
        }
    }

    fn edge(self, edge: IncomingEdge) -> IncomingEdge {
        IncomingEdge { source: self.number(edge.source), slot: edge.slot }
    }
}

impl Versions {
    /// Finds the versions for all uses of the values from `first` on.
    ///
    /// # Errors
    /// If all phis found would have more operands than `max_operands`, or finding them takes much longer than that.
    pub(super) fn repair_together<D: Syntax>(
        &self,
        first: Versioned,
        uses: &IdLists<Versioned, Place>,
        function: &mut Function<D>,
        max_operands: usize,
        found: &mut Found,
    ) -> Result<(), TooManyOperands> {
        let entry_first = EntryFirst(function.entry());
        let events = self.events(first, uses, function, entry_first);
        let form = renamed(&events, function, entry_first, max_operands).ok_or(TooManyOperands)?;
        let original = |variable: Variable| self.values[Versioned::new(first.index() + variable.index())].value;
        let mut values: IdMap<Value, Option<Value>> = IdMap::filled(form.num_values(), None);
        for (variable, undefined) in form.undefined_values() {
            values[undefined] = Some(Host { function, value: original(variable) }.undefined(variable));
        }
        for phi in form.phis() {
            values[phi.value] = Some(new_version(function, original(phi.variable)));
        }
        let value_at = |event: &Event| form.value(event.block, event.index).expect("an access has a value");
        for event in &events {
            if let Told::Define(version) = event.told {
                values[value_at(event)] = Some(version);
            }
        }
        let version = |value: Value| values[value].expect("a write, a phi or an undefined value");
        for event in &events {
            if let Told::Use(place) = event.told {
                found.changes.push((place, version(value_at(event))));
            }
        }
        for phi in form.phis() {
            let block = entry_first.number(phi.block);
            let edges = phi.edges.iter().map(|&edge| entry_first.edge(edge));
            let mut operands: Vec<(IncomingEdge, Value)> = edges.zip(phi.operands.iter().copied()).collect();
            operands.sort_unstable();
            let operand = |&edge: &IncomingEdge| {
                let index = operands.binary_search_by_key(&edge, |&(edge, _)| edge);
                version(operands[index.expect("both graphs have the same edges")].1)
            };
            let operands = function.block(block).incoming().iter().map(operand).collect();
            found.add_phi(block, version(phi.value), operands);
        }
        found.check(max_operands)
    }

    /// What defines and uses the values, by block and in order.
    fn events<D: Syntax>(
        &self,
        first: Versioned,
        uses: &IdLists<Versioned, Place>,
        function: &Function<D>,
        entry_first: EntryFirst,
    ) -> Vec<Event> {
        let mut events = Vec::new();
        for (index, number) in (first.index()..self.values.len()).enumerate() {
            let (number, variable) = (Versioned::new(number), Variable::new(index));
            let event = |block, position, told| {
                let is_definition = matches!(told, Told::Define(_));
                Event { block: entry_first.number(block), position, is_definition, variable, told, index: 0 }
            };
            let definitions = self.values[number].list.iter().filter(|&&(block, ..)| is_entered(function, block));
            events.extend(definitions.map(|&(block, position, version)| event(block, position, Told::Define(version))));
            events.extend(uses.of(number).iter().map(|&place| {
                let (block, position) = place.position(function);
                event(block, position, Told::Use(place))
            }));
        }
        events.sort_by_key(|event| (event.block, event.position, event.is_definition));
        let mut last = None;
        for event in &mut events {
            event.index = last.filter(|&(block, _)| block == event.block).map_or(0, |(_, index)| index + 1);
            last = Some((event.block, event.index));
        }
        events
    }
}

/// The form of the function that the events are of, unless it takes too long to find.
fn renamed<D: Syntax>(
    events: &[Event],
    function: &Function<D>,
    entry_first: EntryFirst,
    max_operands: usize,
) -> Option<Renamed> {
    let accesses: Vec<Access> = events
        .iter()
        .map(|event| if event.is_definition { Access::Write(event.variable) } else { Access::Read(event.variable) })
        .collect();
    let targets_of = |block: Block| {
        let targets = function.block(entry_first.number(block)).targets();
        targets.iter().map(|&target| entry_first.number(target)).collect()
    };
    let targets: Vec<Vec<Block>> = function.blocks().map(targets_of).collect();
    let (mut start, mut size) = (0, events.len().saturating_add(max_operands));
    let mut blocks = Vec::with_capacity(targets.len());
    for (block, targets) in targets.iter().enumerate() {
        let end = start + events[start..].partition_point(|event| event.block.index() == block);
        blocks.push((targets.iter().copied(), accesses[start..end].iter().copied()));
        start = end;
        size = size.saturating_add(1 + targets.len());
    }
    let mut ssa = Certified::with_options(Options::default().with_work_limit(STEPS.saturating_mul(size) as u64));
    ssa.set_recording(cfg!(debug_assertions));
    match rename_by(&mut ssa, blocks, &[]) {
        Ok(form) => Some(form),
        Err(_) if matches!(ssa.stopped(), Some(Stopped::OutOfWork { .. })) => None,
        Err(error) => panic!("the blocks are there, and there are fewer values than in the function: {error}"),
    }
}
