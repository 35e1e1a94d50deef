//! Conventional SSA form: every end of a copy has a name.
//!
//! A phi joins names that nothing else uses: one for the operand of each edge,
//! defined by a copy on that edge, and one for the phi, which a copy at the top of
//! the block moves to the value. The location that an instruction with a tied operand
//! overwrites has a name, too. Coalescing decides which of these copies remain.
//!
//! Names are numbered in the order of their definitions, by preorder of
//! the dominator tree: if the definition of one dominates that of another, its number is less.
//!
//! # Invariants
//! 1. Names that are defined simultaneously have one position, which nothing else in their block has.
//! 2. The uses of a name in its own block come after its position.
//! 3. An argument of an edge has one use: at [`AT_END`] of its block.

use crate::error::DestructError;
use crate::seams::{Argument, Seam, Seams};
use crate::{DestructForm, Tied};
use alloc::vec::Vec;
use ssaphire_graph::{
    Block, DominatorTree, Edge, Id, IdLists, IdMap, InsertionPoint, PackedOption, Value, ValueEvent, Variable,
    internal_id,
};

internal_id!(
    /// A value, or one end of a copy.
    pub(crate) Name, "name"
);

/// The position of a use by a phi of a successor: after everything in the block.
pub(crate) const AT_END: u32 = u32::MAX;

/// The data of a name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Definition {
    /// The block, by preorder of the dominator tree.
    pub(crate) block: u32,
    /// The point in the block.
    pub(crate) position: u32,
    /// Its content.
    pub(crate) content: Content,
    /// Its register class.
    pub(crate) class: u32,
}

/// The content of a name. Equal contents are copies of one name, or one constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    Of(Name),
    Constant(Value),
}

/// A point in a block at which a name is used: the block's number in preorder, and the position.
pub(crate) type Use = (u32, u32);

/// A copy of the conventional form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Copy {
    /// The number of its point.
    pub(crate) point: u32,
    pub(crate) to: Name,
    pub(crate) from: Content,
    /// Whether both hold versions of one variable.
    pub(crate) is_of_one_variable: bool,
}

/// A name that should have the location of another one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Affinity {
    pub(crate) block: Block,
    pub(crate) one: Name,
    pub(crate) other: Name,
    pub(crate) is_of_one_variable: bool,
}

/// The conventional form of a function.
#[derive(Debug, Default)]
pub(crate) struct Names {
    pub(crate) definitions: IdMap<Name, Definition>,
    pub(crate) of_value: IdMap<Value, PackedOption<Name>>,
    /// The uses of each name, in preorder of their blocks.
    pub(crate) uses: IdLists<Name, Use>,
    /// The number of names defined before each block, by preorder, and at the end.
    pub(crate) first_of_block: Vec<u32>,
    /// The insertion points of copies, with the block of the split graph.
    pub(crate) points: Vec<(InsertionPoint, Block)>,
    /// In the order of their points.
    pub(crate) copies: Vec<Copy>,
    /// In addition to those of the copies.
    pub(crate) affinities: Vec<Affinity>,
    /// The names that each phi joins, in order.
    pub(crate) webs: IdLists<Value, Name>,
    /// The names that instructions with tied operands overwrite, with the names of their results.
    pub(crate) tied: Vec<(Name, Name)>,
    /// The names that must be located in the storage of a variable, in order.
    pub(crate) storage: Vec<(Variable, Name)>,
}

impl Names {
    pub(crate) fn new(
        function: &impl DestructForm,
        seams: &Seams,
        dominators: &DominatorTree,
    ) -> Result<Self, DestructError> {
        let names = Self {
            of_value: IdMap::filled(function.num_values(), PackedOption::NONE),
            first_of_block: Vec::with_capacity(dominators.preorder().len() + 1),
            ..Self::default()
        };
        let mut naming = Naming {
            function,
            seams,
            names,
            uses: Vec::new(),
            webs: Vec::new(),
            phis: IdMap::filled(function.num_values(), PackedOption::NONE),
            events: Vec::new(),
            block: seams.cfg.entry(),
            index: 0,
            position: 0,
        };
        for (index, &block) in dominators.preorder().iter().enumerate() {
            naming.names.first_of_block.push(naming.names.definitions.len() as u32);
            (naming.block, naming.index, naming.position) = (block, index as u32, 0);
            match seams.edge_of(block) {
                Some(edge) => naming.copy_arguments(&[edge], InsertionPoint::Edge(seams.named(edge)))?,
                None => naming.name_block()?,
            }
        }
        naming.names.first_of_block.push(naming.names.definitions.len() as u32);
        let Naming { mut names, uses, webs, .. } = naming;
        names.uses.rebuild(names.definitions.len(), uses.iter().copied());
        names.webs.rebuild(function.num_values(), webs.iter().copied());
        Ok(names)
    }

    /// By name: the first name after the subtree of the block in which it is defined.
    pub(crate) fn subtree_ends(&self, dominators: &DominatorTree) -> IdMap<Name, Name> {
        let mut ends = IdMap::new();
        for (index, &block) in dominators.preorder().iter().enumerate() {
            let [first, next] = [index, index + 1].map(|index| self.first_of_block[index]);
            if first < next {
                let end = self.first_of_block[index + dominators.dominated_by(block).len()];
                for _ in first..next {
                    ends.push(Name::new(end as usize));
                }
            }
        }
        ends
    }
}

/// A walk through all blocks in preorder of the dominator tree.
struct Naming<'f, F> {
    function: &'f F,
    seams: &'f Seams,
    names: Names,
    uses: Vec<(Name, Use)>,
    webs: Vec<(Value, Name)>,
    /// The name that joins the arguments of a phi.
    phis: IdMap<Value, PackedOption<Name>>,
    /// Those of the current block.
    events: Vec<ValueEvent>,
    block: Block,
    index: u32,
    position: u32,
}

impl<F: DestructForm> Naming<'_, F> {
    fn name_block(&mut self) -> Result<(), DestructError> {
        let (function, block) = (self.function, self.block);
        if block == self.seams.cfg.entry() {
            for value in function.globals() {
                if !function.is_constant(value) {
                    self.define(value, None)?;
                }
            }
        }
        let first_edge = self.seams.cfg.incoming(block).first().copied();
        let at_top = first_edge.filter(|&edge| self.seams.seam(edge) == Seam::Top);
        if at_top.is_none() {
            for phi in function.phis(block) {
                let joined = self.new_name(function.class(phi), None)?;
                self.phis[phi] = joined.into();
                self.webs.push((phi, joined));
            }
        }
        self.events.clear();
        self.events.extend(function.events(block));
        let num_results = function.num_results_at_top(block).min(self.events.len());
        let num_body = self.events.len().saturating_sub(function.num_terminator_uses(block)).max(num_results);
        self.next_position()?;
        for event in 0..num_results {
            if let ValueEvent::Def(value) = self.events[event] {
                self.define(value, None)?;
            }
        }
        self.copy_phis(at_top)?;
        self.name_events(num_results, num_body)?;
        self.copy_to_successors()?;
        self.name_events(num_body, self.events.len())
    }

    /// The copies at the top of the block: from the names that its phis join, or from their only operands.
    fn copy_phis(&mut self, at_top: Option<Edge>) -> Result<(), DestructError> {
        let (function, seams) = (self.function, self.seams);
        if let Some(edge) = at_top {
            let point = self.add_point(InsertionPoint::Top(self.block));
            self.next_position()?;
            for argument in seams.arguments(edge) {
                self.use_value(argument.operand)?;
            }
            self.next_position()?;
            for &Argument { phi, operand } in seams.arguments(edge) {
                let from = self.content_of(operand)?;
                let to = self.define(phi, Some(from))?;
                self.add_copy(point, to, self.source_of(operand)?, self.are_of_one_variable(phi, operand));
            }
            return Ok(());
        }
        if function.phis(self.block).next().is_none() {
            return Ok(());
        }
        let point = self.add_point(InsertionPoint::Top(self.block));
        self.next_position()?;
        for phi in function.phis(self.block) {
            if let Some(joined) = self.phis[phi].expand() {
                self.uses.push((joined, (self.index, self.position)));
            }
        }
        self.next_position()?;
        for phi in function.phis(self.block) {
            if let Some(joined) = self.phis[phi].expand() {
                let to = self.define(phi, Some(Content::Of(joined)))?;
                self.add_copy(point, to, Content::Of(joined), self.are_of_one_variable(phi, phi));
            }
        }
        Ok(())
    }

    fn name_events(&mut self, from: usize, to: usize) -> Result<(), DestructError> {
        let (function, block) = (self.function, self.block);
        let mut tied = function.tied(block).skip_while(|tied| tied.first_event < from).peekable();
        let mut open: Option<(Tied, Name)> = None;
        let mut was_definition = false;
        for index in from..to {
            if let Some(next) = tied.next_if(|tied| tied.first_event == index) {
                open = Some((next, self.name_overwritten(next)?));
            }
            let event = self.events[index];
            let is_definition = matches!(event, ValueEvent::Def(_));
            if !(is_definition && was_definition) {
                self.next_position()?;
            }
            was_definition = is_definition;
            match event {
                ValueEvent::Use(value) => self.use_value(value)?,
                ValueEvent::Def(value) => {
                    let copied = function.copied(value);
                    let from = copied.map(|copied| self.content_of(copied)).transpose()?;
                    let name = self.define(value, from)?;
                    if let Some(Content::Of(other)) = copied.map(|copied| self.source_of(copied)).transpose()? {
                        let is_of_one_variable = copied.is_some_and(|copied| self.are_of_one_variable(value, copied));
                        self.names.affinities.push(Affinity { block, one: name, other, is_of_one_variable });
                    }
                    if let Some((_, overwritten)) = open.take_if(|(tied, _)| tied.result == value) {
                        // Nothing is defined between the two, so no use is needed to keep the first one live.
                        self.names.tied.push((overwritten, name));
                    }
                }
            }
        }
        Ok(())
    }

    /// The name that an instruction with a tied operand overwrites: a copy of the operand.
    fn name_overwritten(&mut self, tied: Tied) -> Result<Name, DestructError> {
        self.next_position()?;
        self.use_value(tied.operand)?;
        self.next_position()?;
        let from = self.content_of(tied.operand)?;
        let name = self.new_name(self.function.class(tied.result), Some(from))?;
        if let Content::Of(other) = self.source_of(tied.operand)? {
            let is_of_one_variable = self.are_of_one_variable(tied.result, tied.operand);
            self.names.affinities.push(Affinity { block: self.block, one: name, other, is_of_one_variable });
        }
        Ok(name)
    }

    fn copy_to_successors(&mut self) -> Result<(), DestructError> {
        let edges: Vec<Edge> = self.seams.cfg.outgoing(self.block).collect();
        self.copy_arguments(&edges, InsertionPoint::End(self.block))
    }

    /// The copies of the edges whose seam is here, as one parallel copy.
    fn copy_arguments(&mut self, edges: &[Edge], point: InsertionPoint) -> Result<(), DestructError> {
        let seams = self.seams;
        let wanted = if matches!(point, InsertionPoint::Edge(_)) { Seam::Split } else { Seam::End };
        let here = || edges.iter().filter(move |&&edge| seams.seam(edge) == wanted);
        if here().all(|&edge| seams.arguments(edge).is_empty()) {
            return Ok(());
        }
        let point = self.add_point(point);
        self.next_position()?;
        for argument in here().flat_map(|&edge| seams.arguments(edge)) {
            self.use_value(argument.operand)?;
        }
        self.next_position()?;
        for &Argument { phi, operand } in here().flat_map(|&edge| seams.arguments(edge)) {
            let from = self.content_of(operand)?;
            let to = self.new_name(self.function.class(phi), Some(from))?;
            self.uses.push((to, (self.index, AT_END)));
            self.webs.push((phi, to));
            self.add_copy(point, to, self.source_of(operand)?, self.are_of_one_variable(phi, operand));
        }
        Ok(())
    }

    fn add_point(&mut self, point: InsertionPoint) -> u32 {
        self.names.points.push((point, self.block));
        self.names.points.len() as u32 - 1
    }

    fn add_copy(&mut self, point: u32, to: Name, from: Content, is_of_one_variable: bool) {
        self.names.copies.push(Copy { point, to, from, is_of_one_variable });
    }

    fn are_of_one_variable(&self, one: Value, other: Value) -> bool {
        self.function.variable(one).is_some_and(|variable| self.function.variable(other) == Some(variable))
    }

    /// A new name, defined here. Without `content`, its content is its own.
    fn new_name(&mut self, class: u32, content: Option<Content>) -> Result<Name, DestructError> {
        let own = Name::try_new(self.names.definitions.len()).ok_or(DestructError::TooManyNames)?;
        let content = content.unwrap_or(Content::Of(own));
        Ok(self.names.definitions.push(Definition { block: self.index, position: self.position, content, class }))
    }

    fn define(&mut self, value: Value, content: Option<Content>) -> Result<Name, DestructError> {
        let name = self.new_name(self.function.class(value), content)?;
        self.names.of_value[value] = name.into();
        if let Some(variable) = self.function.storage(value) {
            self.names.storage.push((variable, name));
        }
        Ok(name)
    }

    fn use_value(&mut self, value: Value) -> Result<(), DestructError> {
        if let Content::Of(name) = self.source_of(value)? {
            self.uses.push((name, (self.index, self.position)));
        }
        Ok(())
    }

    /// The source of a copy of `value`.
    fn source_of(&self, value: Value) -> Result<Content, DestructError> {
        if self.function.is_constant(value) {
            return Ok(Content::Constant(value));
        }
        let name = self.names.of_value.get(value).and_then(|name| name.expand());
        name.map(Content::Of).ok_or(DestructError::NotDefined { value, block: self.block })
    }

    /// The content of a copy of `value`.
    fn content_of(&self, value: Value) -> Result<Content, DestructError> {
        Ok(match self.source_of(value)? {
            Content::Of(name) => self.names.definitions[name].content,
            constant => constant,
        })
    }

    fn next_position(&mut self) -> Result<(), DestructError> {
        // The last number is `AT_END`, and no name has it.
        self.position =
            self.position.checked_add(1).filter(|&next| next < AT_END).ok_or(DestructError::TooManyNames)?;
        Ok(())
    }
}
