//! From the dominator tree to steps.
//!
//! Each node becomes a line: its loop, if it is the header of one, then the nodes placed after that.
//! The body of the loop is a line in turn: the action of the node with its fork, then what is placed within.
//! In a line, a labeled block surrounds all that is before a node, so that its exits lead to that node.

use super::graph::{Action, Graph, Shape};
use super::labels;
use super::placement::Placement;
use super::scopes::{Follow, Scopes, Way};
use super::step::{Arm, Construct, Label, Selector, Step};
use super::targets::{Target, Targets};
use alloc::vec::Vec;
use ssaphire_graph::{Block, IdLists};

/// A pending task; the next one is on top of the list.
enum Task {
    /// Translate what a node dominates.
    Tree { node: Block, follow: Follow },
    /// Get to a node that is translated elsewhere.
    Jump { target: Block, follow: Follow },
    /// Append the step.
    Append(Step),
    /// Close a loop or labeled block.
    Close(Label, Construct),
}

/// A translation under way.
struct Translation<'g> {
    graph: &'g Graph<'g>,
    shape: &'g Shape,
    placement: &'g Placement,
    /// By node: the sources of its edges, as positions in preorder of the dominator tree, ascending.
    sources: IdLists<Block, usize>,
    scopes: Scopes,
    targets: Targets,
    tasks: Vec<Task>,
    steps: Vec<Step>,
    slots: Vec<u32>,
    work: u64,
}

/// The steps of `graph`, which has that shape and is reducible; the slots of their arms; and what it took.
pub(super) fn translate(graph: &Graph<'_>, shape: &Shape) -> (Vec<Step>, Vec<u32>, u64) {
    let cfg = graph.cfg();
    let placement = &Placement::new(cfg, shape);
    let by_position = shape.dominators.preorder().iter().enumerate();
    let edges =
        by_position.flat_map(|(position, &source)| cfg.targets(source).iter().map(move |&node| (node, position)));
    let mut sources = IdLists::new();
    sources.rebuild(cfg.num_blocks(), edges);
    let mut translation = Translation {
        graph,
        shape,
        placement,
        sources,
        scopes: Scopes::new(cfg.num_blocks()),
        targets: Targets::new(cfg.num_blocks()),
        tasks: Vec::new(),
        steps: Vec::new(),
        slots: Vec::new(),
        work: placement.work,
    };
    if cfg.num_blocks() > 0 {
        translation.run();
    }
    let Translation { mut steps, slots, scopes, work, .. } = translation;
    labels::settle(&mut steps, scopes.len());
    (steps, slots, work)
}

impl Translation<'_> {
    fn run(&mut self) {
        self.tasks.push(Task::Tree { node: self.graph.cfg().entry(), follow: Follow::NONE });
        while let Some(task) = self.tasks.pop() {
            self.work += 1;
            match task {
                Task::Tree { node, follow } => self.tree(node, follow),
                Task::Jump { target, follow } => self.jump(target, follow),
                Task::Append(step) => self.steps.push(step),
                Task::Close(label, construct) => {
                    self.scopes.close(label);
                    self.steps.push(Step::End(construct));
                }
            }
        }
    }

    /// Translates what `node` dominates; `follow` comes after it.
    fn tree(&mut self, node: Block, mut follow: Follow) {
        if let Some((&first, rest)) = self.placement.behind(node).split_first() {
            // The loop itself is what exits to the first one leave.
            follow = self.line_up(rest, follow);
            self.tasks.push(Task::Tree { node: first, follow });
            follow = first.into();
        }
        if self.shape.loops.is_header(node) {
            let label = self.scopes.open_loop(node, follow);
            self.steps.push(Step::Loop { label: Some(label) });
            self.tasks.push(Task::Close(label, Construct::Loop(Some(label))));
            follow = node.into();
        }
        follow = self.line_up(self.placement.within(node), follow);
        self.branch(node, follow);
    }

    /// Lets `nodes` stand in line behind what is translated next: what comes after that. `follow` comes after the line.
    fn line_up(&mut self, nodes: &[Block], mut follow: Follow) -> Follow {
        for &node in nodes.iter().rev() {
            self.tasks.push(Task::Tree { node, follow });
            follow = node.into();
            let label = self.scopes.open(follow);
            self.steps.push(Step::Labeled { label });
            self.tasks.push(Task::Close(label, Construct::Labeled(label)));
        }
        follow
    }

    /// The action of `node` and where it leads; `follow` comes after that.
    fn branch(&mut self, node: Block, follow: Follow) {
        match self.graph.action(node) {
            Action::Execute(block) => self.steps.push(Step::Execute(block)),
            Action::SetDispatch(number) => self.steps.push(Step::SetDispatch(number)),
            Action::Dispatch => {}
        }
        let targets = self.graph.cfg().targets(node);
        self.work += targets.len() as u64;
        self.targets.rebuild(targets);
        match self.targets.only() {
            Some(target) => self.tasks.push(self.way(node, target, follow)),
            None if targets.is_empty() => {}
            None => self.fork(node, follow),
        }
    }

    /// A fork with an arm for each target but the one that comes next.
    fn fork(&mut self, node: Block, follow: Follow) {
        let behind = self.arm_behind(node, follow).map(|arm| self.targets.node(arm));
        let next = behind.map_or(follow, Follow::from);
        if let Some(target) = behind {
            self.tasks.push(Task::Tree { node: target, follow });
        }
        self.steps.push(Step::Fork(match self.graph.action(node) {
            Action::Execute(block) => Selector::Terminator(block),
            Action::SetDispatch(_) | Action::Dispatch => Selector::Dispatch,
        }));
        self.tasks.push(Task::Append(Step::End(Construct::Fork)));
        for (arm, target) in self.targets.iter().rev().filter(|&(_, target)| next != target.into()) {
            let start = self.slots.len();
            self.slots.extend_from_slice(self.targets.slots(arm));
            let opened = Step::Arm(Arm::new(start..self.slots.len()));
            self.tasks.push(Task::Append(Step::End(Construct::Arm)));
            self.tasks.push(self.way(node, target, next));
            self.tasks.push(Task::Append(opened));
        }
    }

    /// How to get from `node` to `target`.
    fn way(&self, node: Block, target: Block, follow: Follow) -> Task {
        if self.is_inline(node, target) { Task::Tree { node: target, follow } } else { Task::Jump { target, follow } }
    }

    /// Whether `target` is translated where `node` leads to it.
    fn is_inline(&self, node: Block, target: Block) -> bool {
        !self.placement.is_placed(target) && !self.shape.is_back_edge(node, target)
    }

    /// The arm of `node` that can be placed after the fork, since no other one leads to what comes after.
    ///
    /// If none leads there, it is the one with the most nodes, the last one of these.
    fn arm_behind(&mut self, node: Block, follow: Follow) -> Option<Target> {
        let mut largest: Option<(Target, usize)> = None;
        let mut reaching = None;
        for (arm, target) in self.targets.iter() {
            if follow == target.into() {
                return None;
            }
            if !self.is_inline(node, target) {
                continue;
            }
            let (first, size) = (self.position(target), self.shape.num_dominated(target));
            let sources = follow.expand().map_or(&[][..], |follow| self.sources.of(follow));
            let place = sources.partition_point(|&source| source < first);
            self.work += u64::from(sources.len().checked_ilog2().unwrap_or(0)) + 1;
            if sources.get(place).is_some_and(|&source| source < first + size) && reaching.replace(arm).is_some() {
                return None;
            }
            if largest.is_none_or(|(_, most)| size >= most) {
                largest = Some((arm, size));
            }
        }
        reaching.or(largest.map(|(arm, _)| arm))
    }

    /// The position of a node in preorder of the dominator tree.
    fn position(&self, node: Block) -> usize {
        self.shape.dominators.preorder_index(node).expect("what is translated is reachable")
    }

    /// Gets to `target`, unless it comes next anyway.
    fn jump(&mut self, target: Block, follow: Follow) {
        if follow != target.into() {
            self.steps.push(match self.scopes.way_to(target) {
                Way::Exit(label) => Step::Exit { label, depth: 0 },
                Way::Repeat(label) => Step::Repeat { label, depth: 0 },
            });
        }
    }
}
