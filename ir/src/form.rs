//! The rules of the data structure of functions.
//!
//! These are not the rules of SSA form: the judge checks that definitions
//! dominate uses.

mod types;

use crate::dialect::{Count, Syntax};
use crate::function::{Action, Arg, Dest, Function, IncomingEdge, InstRef, ValueKind};
use ssaphire_graph::{Block, IdLists, IdSet, Value, Variable};
use std::fmt;

/// A rule that a function breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FormError {
    /// The entry is no block of the function.
    NoEntry {
        /// The block named as entry.
        entry: Block,
    },
    /// A block does not end with a terminator.
    Unterminated {
        /// The block.
        block: Block,
    },
    /// An instruction that ends its block is followed by another.
    TerminatorNotLast {
        /// The block.
        block: Block,
        /// The position of the instruction.
        index: usize,
    },
    /// A terminator names a block that does not exist.
    NoSuchTarget {
        /// The block.
        block: Block,
        /// The edge's position in its terminator.
        slot: u32,
    },
    /// The incoming edges are not those of the terminators, or those of one source do not ascend by slot.
    WrongIncoming {
        /// The block.
        block: Block,
    },
    /// A phi does not have one operand per incoming edge.
    PhiArity {
        /// The block.
        block: Block,
        /// The phi.
        phi: Value,
        /// Number of its operands.
        operands: usize,
        /// Number of incoming edges.
        edges: usize,
    },
    /// An instruction has a number of arguments, results or targets that its operation does not take.
    OperandCount {
        /// The block.
        block: Block,
        /// The position of the instruction.
        index: usize,
        /// The counted part: arguments, results, targets.
        what: &'static str,
        /// The numbers that the operation takes.
        wanted: Count,
        /// The actual number.
        given: usize,
    },
    /// A terminator has results, but no first target that is entered by this edge alone.
    ResultsNeedOwnBlock {
        /// The block.
        block: Block,
    },
    /// A value is mentioned that does not exist.
    NoSuchValue {
        /// The block.
        block: Block,
        /// The value.
        value: Value,
    },
    /// A variable is mentioned that does not exist.
    NoSuchVariable {
        /// The block.
        block: Block,
        /// The variable.
        variable: Variable,
    },
    /// A value is used, but nothing defines it.
    Undefined {
        /// The block that uses it.
        block: Block,
        /// The value.
        value: Value,
    },
    /// A value is defined twice, or a constant or similar value is defined at all.
    DefinedTwice {
        /// The block with the second definition.
        block: Block,
        /// The value.
        value: Value,
    },
    /// A phi has an operand of another type.
    PhiType {
        /// The block.
        block: Block,
        /// The phi.
        phi: Value,
        /// The position of the operand.
        operand: usize,
    },
    /// An argument or a result of an instruction does not have the type that the operation requires, or a copy mixes
    /// two types.
    WrongType {
        /// The block.
        block: Block,
        /// The position of the instruction.
        index: usize,
        /// The part with the wrong type.
        part: Part,
    },
    /// The parameter list does not agree with the values, or binds a variable twice.
    BadParam {
        /// The position in the list.
        index: usize,
    },
}

/// A part of an instruction, by position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// An argument.
    Arg(usize),
    /// A result.
    Result(usize),
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Arg(index) => write!(f, "argument {index}"),
            Self::Result(index) => write!(f, "result {index}"),
        }
    }
}

impl fmt::Display for FormError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoEntry { entry } => write!(f, "{entry}: is the entry, but does not exist"),
            Self::Unterminated { block } => write!(f, "{block}: does not end with a terminator"),
            Self::TerminatorNotLast { block, index } => {
                write!(f, "{block}: instruction {index} ends the block, but others follow")
            }
            Self::NoSuchTarget { block, slot } => {
                write!(f, "{block}: slot {slot} leads to a block that does not exist")
            }
            Self::WrongIncoming { block } => write!(f, "{block}: its incoming edges are not those of the terminators"),
            Self::PhiArity { block, phi, operands, edges } => {
                write!(f, "{phi}: phi with {operands} operands in {block}, which has {edges} incoming edges")
            }
            Self::OperandCount { block, index, what, wanted, given } => {
                write!(f, "{block}: instruction {index} has the wrong number of {what}: expected {wanted}, got {given}")
            }
            Self::ResultsNeedOwnBlock { block } => {
                write!(f, "{block}: its terminator has results, so its first target must have no other incoming edges")
            }
            Self::NoSuchValue { block, value } => write!(f, "{value}: used in {block}, but does not exist"),
            Self::NoSuchVariable { block, variable } => {
                write!(f, "{variable}: used in {block}, but does not exist")
            }
            Self::Undefined { block, value } => write!(f, "{value}: used in {block}, but never defined"),
            Self::DefinedTwice { block, value } => write!(f, "{value}: defined in {block} and elsewhere"),
            Self::PhiType { block, phi, operand } => {
                write!(f, "{phi}: operand {operand} of this phi in {block} has the wrong type")
            }
            Self::WrongType { block, index, part } => {
                write!(f, "{block}: {part} of instruction {index} has the wrong type")
            }
            Self::BadParam { index } => {
                write!(
                    f,
                    "parameter {index}: its value or its variable belongs to another parameter, or does not exist"
                )
            }
        }
    }
}

impl std::error::Error for FormError {}

impl<D: Syntax> Function<D> {
    /// All rules of the data structure that the function violates, in block order; none for a function from the parser.
    ///
    /// Types are checked only if everything else is right, and [the dialect asks for it](Syntax::checks_types).
    ///
    /// # Complexity
    /// O(*n* + *e* + instructions and operands), but for sorting the incoming edges of each block.
    pub fn check_form(&self) -> Vec<FormError> {
        let mut check = Check { function: self, errors: Vec::new(), defined: IdSet::new(), incoming: Vec::new() };
        if self.blocks.get(self.entry).is_none() {
            check.errors.push(FormError::NoEntry { entry: self.entry });
        }
        check.params();
        let expected = expected_incoming(self);
        for block in self.blocks() {
            check.incoming(block, expected.of(block));
            check.phis(block);
            for (index, inst) in self.block(block).insts().iter().enumerate() {
                check.inst(block, index, inst);
            }
            check.terminator(block);
        }
        self.blocks().for_each(|block| check.uses(block));
        if check.errors.is_empty() && D::checks_types() {
            check.errors = self.check_types();
        }
        check.errors
    }
}

/// The edges of the terminators, by target, ordered by source and slot.
fn expected_incoming<D: Syntax>(function: &Function<D>) -> IdLists<Block, IncomingEdge> {
    let edges_of = |source: Block| {
        let targets = function.block(source).targets().iter().enumerate();
        let targets = targets.filter(|&(_, &target)| function.blocks.get(target).is_some());
        targets.map(move |(slot, &target)| (target, IncomingEdge { source, slot: slot as u32 }))
    };
    let mut expected = IdLists::new();
    expected.rebuild(function.num_blocks(), (0..function.num_blocks()).map(Block::new).flat_map(edges_of));
    expected
}

struct Check<'f, D: Syntax> {
    function: &'f Function<D>,
    errors: Vec<FormError>,
    defined: IdSet<Value>,
    /// The incoming edges of the block at hand, sorted.
    incoming: Vec<IncomingEdge>,
}

impl<D: Syntax> Check<'_, D> {
    fn params(&mut self) {
        let mut bound = IdSet::new();
        for (index, param) in self.function.params.iter().enumerate() {
            let kind = self.function.values.get(param.value).map(|data| data.kind);
            let is_own = kind.is_some_and(|kind| matches!(kind, ValueKind::Param(place) if place as usize == index));
            let variable = param.variable;
            let exists = variable.is_none_or(|variable| self.has_variable(variable));
            let is_new = exists && variable.is_none_or(|variable| bound.insert(variable));
            if !(is_own && is_new && self.defined.insert(param.value)) {
                self.errors.push(FormError::BadParam { index });
            }
        }
    }

    fn incoming(&mut self, block: Block, expected: &[IncomingEdge]) {
        self.incoming.clear();
        self.incoming.extend_from_slice(self.function.block(block).incoming());
        // A stable sort by source leaves those of one source in their order, which must be by slot.
        self.incoming.sort_by_key(|edge| edge.source);
        if self.incoming != expected {
            self.errors.push(FormError::WrongIncoming { block });
        }
    }

    fn phis(&mut self, block: Block) {
        let data = self.function.block(block);
        let edges = data.incoming().len();
        for phi in data.phis().iter() {
            self.define(block, phi.value, ValueKind::Phi);
            let operands = phi.operands.len();
            if operands != edges {
                self.errors.push(FormError::PhiArity { block, phi: phi.value, operands, edges });
            }
        }
    }

    fn inst(&mut self, block: Block, index: usize, inst: InstRef<'_, D>) {
        let shape = match inst.action {
            Action::Op(op) => D::shape(op),
            Action::Copy => crate::Shape::plain(inst.results.len(), inst.results.len()),
        };
        let counts = [
            ("arguments", shape.args, inst.args.len()),
            ("results", shape.results, inst.results.len()),
            ("targets", shape.targets, inst.targets.len()),
        ];
        for (what, wanted, given) in counts {
            if !wanted.allows(given) {
                self.errors.push(FormError::OperandCount { block, index, what, wanted, given });
            }
        }
        for &dest in inst.results {
            match dest {
                Dest::Value(value) => self.define(block, value, ValueKind::Result),
                Dest::Variable(variable) => self.mention(block, variable),
            }
        }
        if inst.is_terminator() && index + 1 < self.function.block(block).insts().len() {
            self.errors.push(FormError::TerminatorNotLast { block, index });
        }
    }

    fn terminator(&mut self, block: Block) {
        let Some(terminator) = self.function.block(block).terminator() else {
            self.errors.push(FormError::Unterminated { block });
            return;
        };
        for (slot, &target) in (0..).zip(terminator.targets) {
            if self.function.blocks.get(target).is_none() {
                self.errors.push(FormError::NoSuchTarget { block, slot });
            }
        }
        let normal = terminator.targets.first().and_then(|&target| self.function.get_block(target));
        if !terminator.results.is_empty() && normal.is_none_or(|normal| normal.incoming().len() != 1) {
            self.errors.push(FormError::ResultsNeedOwnBlock { block });
        }
    }

    fn uses(&mut self, block: Block) {
        let data = self.function.block(block);
        data.phis().iter().flat_map(|phi| phi.operands).for_each(|&operand| self.use_(block, operand));
        data.insts().iter().flat_map(|inst| inst.args).for_each(|&arg| match arg {
            Arg::Value(value) => self.use_(block, value),
            Arg::Variable(variable) => self.mention(block, variable),
        });
    }

    fn define(&mut self, block: Block, value: Value, kind: ValueKind<&D::Constant>) {
        match self.function.values.get(value) {
            None => self.errors.push(FormError::NoSuchValue { block, value }),
            Some(data) if !self.defined.insert(value) || data.kind != kind => {
                self.errors.push(FormError::DefinedTwice { block, value });
            }
            Some(_) => {}
        }
    }

    fn use_(&mut self, block: Block, value: Value) {
        match self.function.values.get(value).map(|data| data.kind) {
            None => self.errors.push(FormError::NoSuchValue { block, value }),
            Some(ValueKind::Constant(_) | ValueKind::Undefined) => {}
            Some(_) if self.defined.contains(value) => {}
            Some(_) => self.errors.push(FormError::Undefined { block, value }),
        }
    }

    fn mention(&mut self, block: Block, variable: Variable) {
        if !self.has_variable(variable) {
            self.errors.push(FormError::NoSuchVariable { block, variable });
        }
    }

    fn has_variable(&self, variable: Variable) -> bool {
        variable.index() < self.function.num_variables()
    }
}
