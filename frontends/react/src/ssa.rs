//! SSA form, as React Compiler builds it: on demand, by one builder for the whole nest of functions.
//!
//! A lookup that meets a block with several predecessors creates a phi before
//! it looks further. Many phis are therefore redundant, and
//! [`eliminate_redundant_phi`](super::eliminate_redundant_phi) removes them. A
//! closure is entered from the block that creates it: it captures the versions
//! that are current there. Context variables have one version.
//!
//! | Braun et al. 2013 | here |
//! |---|---|
//! | Alg. 1, local numbering | `Builder::define`, `Builder::read` |
//! | Alg. 2, global numbering | `Builder::look_up` |
//! | Alg. 4, incomplete graphs | `Builder::leave_block` |
//!
//! # Departures
//! From the paper: phis are not checked for triviality on creation (Alg. 3).
//! From React Compiler: lookups and closures use explicit stacks.

use super::function::{BlockId, ClosureId, HirFunction, Identifier, Instruction, Phi, Place};
use super::lower::Unsupported;
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};
use ssaphire_js::source::Span;

/// Renames all places, so that each has one definition.
///
/// # Errors
/// A variable with a use before its definition, which the lookup then does not find.
pub fn enter_ssa(nest: &mut HirFunction) -> Result<(), Unsupported> {
    let mut builder = Builder {
        nest,
        defs: HashMap::new(),
        incomplete: HashMap::new(),
        unsealed: HashMap::new(),
        started: HashSet::new(),
        undefined: HashSet::new(),
    };
    let mut frames = vec![Frame::new(ClosureId::OUTERMOST)];
    while let Some(frame) = frames.last_mut() {
        match builder.advance(frame)? {
            Step::Enter(closure) => frames.push(Frame::new(closure)),
            Step::Leave => {
                builder.leave_function(frame.function);
                frames.pop();
            }
        }
    }
    Ok(())
}

/// A function that is being renamed.
struct Frame {
    function: ClosureId,
    /// The position of the current block.
    position: usize,
    /// The instructions of the current block, from when it is started.
    instructions: Option<Vec<Instruction>>,
    /// The position of the next instruction.
    next: usize,
}

impl Frame {
    fn new(function: ClosureId) -> Self {
        Self { function, position: 0, instructions: None, next: 0 }
    }
}

enum Step {
    Enter(ClosureId),
    Leave,
}

/// What a lookup does with the version that it finds.
enum Pending {
    /// It is the version at the end of the block too.
    Remember(BlockId),
    /// It is an operand of a phi in the block; those of `operands` are known.
    Operand { block: BlockId, phi: Place, operands: Vec<(BlockId, Place)> },
}

struct Builder<'n> {
    nest: &'n mut HirFunction,
    /// The version that is current at the end of a block, or where the renaming is.
    defs: HashMap<(BlockId, Place), Place>,
    /// The variables and phis of blocks of which not all predecessors are filled.
    incomplete: HashMap<BlockId, Vec<(Place, Place)>>,
    /// How many predecessors of a block are not filled.
    unsealed: HashMap<BlockId, isize>,
    started: HashSet<BlockId>,
    /// Variables whose definition no lookup has found.
    undefined: HashSet<Place>,
}

impl Builder<'_> {
    /// Goes on until the next closure, or to the end of the function.
    fn advance(&mut self, frame: &mut Frame) -> Result<Step, Unsupported> {
        while let Some(&block) = self.nest.function(frame.function).order.get(frame.position) {
            if frame.instructions.is_none() {
                frame.instructions = Some(self.start_block(block)?);
                frame.next = 0;
            }
            let instructions = frame.instructions.get_or_insert_default();
            while let Some(instruction) = instructions.get_mut(frame.next) {
                frame.next += 1;
                self.instruction(instruction, block)?;
                if let Some(closure) = instruction.value.closure() {
                    self.enter_closure(closure, block)?;
                    return Ok(Step::Enter(closure));
                }
            }
            let instructions = frame.instructions.take().unwrap_or_default();
            self.leave_block(block, instructions);
            frame.position += 1;
        }
        Ok(Step::Leave)
    }

    fn start_block(&mut self, block: BlockId) -> Result<Vec<Instruction>, Unsupported> {
        self.started.insert(block);
        if block == self.nest.function(ClosureId::OUTERMOST).entry {
            self.params(ClosureId::OUTERMOST, block)?;
        }
        Ok(self.nest.block_mut(block).map(|block| std::mem::take(&mut block.instructions)).unwrap_or_default())
    }

    fn params(&mut self, function: ClosureId, block: BlockId) -> Result<(), Unsupported> {
        for index in 0..self.nest.function(function).params.len() {
            let place = self.nest.function(function).params[index].place;
            self.nest.functions[function.index()].params[index].place = self.define(place, block)?;
        }
        Ok(())
    }

    fn instruction(&mut self, instruction: &mut Instruction, block: BlockId) -> Result<(), Unsupported> {
        if let Some(closure) = instruction.value.closure() {
            for index in 0..self.nest.function(closure).context.len() {
                let place = self.nest.function(closure).context[index];
                self.nest.functions[closure.index()].context[index] = self.read(place, block);
            }
        }
        instruction.value.operands(&mut |place| *place = self.read(*place, block));
        let mut result = Ok(());
        let mut define = |place: &mut Place| match self.define(*place, block) {
            Ok(version) => *place = version,
            Err(error) => result = Err(error),
        };
        instruction.value.targets(&mut define);
        define(&mut instruction.place);
        result
    }

    /// Lets the entry of the closure come behind the block that makes it.
    fn enter_closure(&mut self, closure: ClosureId, block: BlockId) -> Result<(), Unsupported> {
        let entry = self.nest.function(closure).entry;
        if let Some(entry) = self.nest.block_mut(entry) {
            entry.predecessors = vec![block];
        }
        self.params(closure, block)
    }

    fn leave_function(&mut self, function: ClosureId) {
        let entry = self.nest.function(function).entry;
        if let Some(entry) = self.nest.block_mut(entry).filter(|_| function != ClosureId::OUTERMOST) {
            entry.predecessors.clear();
        }
    }

    fn leave_block(&mut self, id: BlockId, instructions: Vec<Instruction>) {
        let Some(block) = self.nest.block_mut(id) else { return };
        block.instructions = instructions;
        let mut terminal = block.terminal.clone();
        terminal.operands(&mut |place| *place = self.read(*place, id));
        let successors = terminal.successors();
        if let Some(block) = self.nest.block_mut(id) {
            block.terminal = terminal;
        }
        for successor in successors {
            let all = self.nest.block(successor).map_or(0, |block| block.predecessors.len() as isize);
            let unsealed = self.unsealed.entry(successor).or_insert(all);
            *unsealed -= 1;
            if *unsealed == 0 && self.started.contains(&successor) {
                for (place, phi) in self.incomplete.remove(&successor).unwrap_or_default() {
                    self.look_up(place, Pending::Operand { block: successor, phi, operands: Vec::new() });
                }
            }
        }
    }

    /// A new version of `place`.
    fn version(&mut self, place: Place) -> Place {
        let version = Place(self.nest.identifiers.len() as u32);
        let Identifier { name, declaration } = self.nest.identifiers[place.index()].clone();
        self.nest.identifiers.push(Identifier { name, declaration });
        version
    }

    fn define(&mut self, place: Place, block: BlockId) -> Result<Place, Unsupported> {
        if self.undefined.contains(&place) {
            let name = self.nest.identifiers[place.index()].name.clone();
            let name = name.map_or_else(String::new, |name| name.to_string());
            return Err(Unsupported { reason: format!("`{name}` is used before it is defined"), span: Span::NOWHERE });
        }
        let version = self.version(place);
        self.defs.insert((block, place), version);
        Ok(version)
    }

    fn read(&mut self, place: Place, block: BlockId) -> Place {
        match self.defs.get(&(block, place)) {
            Some(&version) => version,
            None => self.look_up(place, Pending::Remember(block)),
        }
    }

    fn predecessor(&self, block: BlockId, index: usize) -> Option<BlockId> {
        self.nest.block(block)?.predecessors.get(index).copied()
    }

    /// Finds the version of `place` that `pending` waits for, in the predecessors of its block.
    fn look_up(&mut self, place: Place, pending: Pending) -> Place {
        let mut found = None;
        let mut stack = vec![pending];
        // Each turn either finds a version, or looks in one more predecessor.
        while let Some(pending) = stack.pop() {
            match (pending, found.take()) {
                (Pending::Remember(block), Some(version)) => {
                    self.defs.insert((block, place), version);
                    found = Some(version);
                }
                (Pending::Remember(block), None) => found = self.look_in(place, block, &mut stack),
                (Pending::Operand { block, phi, mut operands }, version) => {
                    let known = operands.len();
                    operands.extend(version.and_then(|version| Some((self.predecessor(block, known)?, version))));
                    match self.predecessor(block, operands.len()) {
                        Some(next) => {
                            stack.push(Pending::Operand { block, phi, operands });
                            match self.defs.get(&(next, place)) {
                                Some(&version) => found = Some(version),
                                None => stack.push(Pending::Remember(next)),
                            }
                        }
                        None => {
                            if let Some(block) = self.nest.block_mut(block) {
                                block.phis.push(Phi { place: phi, operands });
                            }
                            found = Some(phi);
                        }
                    }
                }
            }
        }
        found.unwrap_or(place)
    }

    /// The version of `place` in `block`, if it has none yet; or `None`, if `stack` has to find it.
    fn look_in(&mut self, place: Place, block: BlockId, stack: &mut Vec<Pending>) -> Option<Place> {
        let predecessors = self.nest.block(block).map_or(0, |block| block.predecessors.len());
        if predecessors == 0 {
            self.undefined.insert(place);
            return Some(place);
        }
        if self.unsealed.get(&block).is_some_and(|&unsealed| unsealed > 0) {
            let phi = self.version(place);
            self.incomplete.entry(block).or_default().push((place, phi));
            self.defs.insert((block, place), phi);
            return Some(phi);
        }
        if predecessors == 1 {
            let predecessor = self.predecessor(block, 0)?;
            stack.push(Pending::Remember(block));
            if let Some(&version) = self.defs.get(&(predecessor, place)) {
                return Some(version);
            }
            stack.push(Pending::Remember(predecessor));
            return None;
        }
        let phi = self.version(place);
        self.defs.insert((block, place), phi);
        stack.push(Pending::Operand { block, phi, operands: Vec::new() });
        None
    }
}
