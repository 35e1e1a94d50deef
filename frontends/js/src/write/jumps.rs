//! Jumps that lead where control goes anyway are left out, and the other ones say only as much as they must.

use super::tree::{Jump, Kind, LabelId, NodeId, Seq, Tree, children, nth_row};
use std::collections::HashMap;

/// What jumps there are to a label.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LabelUse {
    /// Whether any jump must name it.
    pub(super) is_named: bool,
    pub(super) breaks: u32,
    pub(super) continues: u32,
}

/// Where control goes at the end of a row: all jumps that would lead there, as a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Falls {
    Jump(Jump),
    EndOfFunction,
}

/// The number of an entry in the table of lists.
type FallsId = Option<usize>;

/// A row that is left to look at.
struct Task {
    /// The statement that it is in, and which of the rows there.
    place: Option<(NodeId, usize)>,
    falls: FallsId,
    /// The loop that a `continue` and the statement that a `break` without label leave.
    innermost_loop: Option<LabelId>,
    innermost: Option<Option<LabelId>>,
}

/// What is known of the jumps that are left.
#[derive(Debug)]
pub(super) struct Jumps {
    pub(super) labels: HashMap<LabelId, LabelUse>,
    /// By statement, whether it is a jump that does not have to name what it leaves.
    pub(super) is_plain: Vec<bool>,
}

impl Jumps {
    /// Cleans the statements of a function.
    pub(super) fn clean(tree: &mut Tree, root: &mut Seq) -> Self {
        Cleaning::new(tree, root).jumps
    }

    /// Whether jumps leave what has that label.
    pub(super) fn is_left(&self, label: LabelId) -> bool {
        self.labels.get(&label).is_some_and(|uses| uses.breaks > 0)
    }
}

/// A tree whose jumps are looked at.
struct Cleaning<'t> {
    tree: &'t mut Tree,
    lists: Vec<(Falls, FallsId)>,
    jumps: Jumps,
}

impl<'t> Cleaning<'t> {
    fn new(tree: &'t mut Tree, root: &mut Seq) -> Self {
        let jumps = Jumps { labels: HashMap::new(), is_plain: vec![false; tree.nodes.len()] };
        let mut cleaning = Self { tree, lists: Vec::new(), jumps };
        let end = cleaning.list(Falls::EndOfFunction, None);
        let mut tasks = Vec::new();
        let top = Task { place: None, falls: end, innermost_loop: None, innermost: None };
        let mut seq = std::mem::take(root);
        cleaning.clean(&mut seq, &top, &mut tasks);
        *root = seq;
        while let Some(task) = tasks.pop() {
            let Some((node, index)) = task.place else { continue };
            let Some(seq) = nth_row(&mut cleaning.tree.nodes[node].kind, index) else { continue };
            let mut seq = std::mem::take(seq);
            cleaning.clean(&mut seq, &task, &mut tasks);
            if let Some(row) = nth_row(&mut cleaning.tree.nodes[node].kind, index) {
                *row = seq;
            }
        }
        cleaning
    }

    fn list(&mut self, falls: Falls, rest: FallsId) -> FallsId {
        self.lists.push((falls, rest));
        Some(self.lists.len() - 1)
    }

    fn leads_there(&self, falls: Falls, mut list: FallsId) -> bool {
        // What is far down is seldom met, and long lists must not cost more than they save.
        for _ in 0..64 {
            let Some(at) = list else { return false };
            if self.lists[at].0 == falls {
                return true;
            }
            list = self.lists[at].1;
        }
        false
    }

    fn falls_of(&self, node: NodeId) -> Option<Falls> {
        match self.tree.nodes[node].kind {
            Kind::Jump(jump) => Some(Falls::Jump(jump)),
            Kind::Return(None) => Some(Falls::EndOfFunction),
            _ => None,
        }
    }

    fn clean(&mut self, seq: &mut Seq, task: &Task, tasks: &mut Vec<Task>) {
        // What follows a jump is never executed.
        if let Some(end) = seq.iter().position(|&node| self.is_end(node)) {
            seq.truncate(end + 1);
        }
        while let Some(falls) = seq.last().and_then(|&last| self.falls_of(last))
            && self.leads_there(falls, task.falls)
        {
            seq.pop();
        }
        for (index, &node) in seq.iter().enumerate() {
            // At the end of the row, control goes where it goes after the row; before a jump, where that leads.
            let falls = match seq.get(index + 1) {
                None => task.falls,
                Some(&next) => self.falls_of(next).and_then(|falls| self.list(falls, None)),
            };
            self.visit(node, falls, task, tasks);
        }
    }

    fn is_end(&self, node: NodeId) -> bool {
        matches!(self.tree.nodes[node].kind, Kind::Jump(_) | Kind::Return(_) | Kind::Throw(_))
    }

    fn visit(&mut self, node: NodeId, falls: FallsId, task: &Task, tasks: &mut Vec<Task>) {
        let mut inner = Task { place: None, falls, innermost_loop: task.innermost_loop, innermost: task.innermost };
        match self.tree.nodes[node].kind {
            Kind::Jump(jump) => {
                self.count(node, jump, task);
                return;
            }
            // The end of the body leads to the header, and to nothing that follows the loop.
            Kind::Loop { label, .. } => {
                inner.falls = self.list(Falls::Jump(Jump::Continue(label)), None);
                (inner.innermost_loop, inner.innermost) = (Some(label), Some(Some(label)));
            }
            // The end of the body leads where a `break` leads, and from there to what follows.
            Kind::Labeled { label, .. } => inner.falls = self.list(Falls::Jump(Jump::Break(label)), falls),
            // A `break` without label would leave the switch, and no jump means that.
            Kind::Switch { .. } => inner.innermost = Some(None),
            _ => {}
        }
        let num_rows = children(&self.tree.nodes[node].kind).count();
        for index in 0..num_rows {
            // At the end of a `finally` clause, control goes where it was going.
            let is_cleanup = index == 1 && matches!(self.tree.nodes[node].kind, Kind::Finally { .. });
            let falls = inner.falls.filter(|_| !is_cleanup);
            tasks.push(Task { place: Some((node, index)), falls, ..inner });
        }
    }

    fn count(&mut self, node: NodeId, jump: Jump, task: &Task) {
        let (label, is_plain) = match jump {
            Jump::Break(label) => (label, task.innermost == Some(Some(label))),
            Jump::Continue(label) => (label, task.innermost_loop == Some(label)),
            Jump::Handler(_) => return,
        };
        self.jumps.is_plain[node] = is_plain;
        let uses = self.jumps.labels.entry(label).or_default();
        uses.is_named |= !is_plain;
        match jump {
            Jump::Break(_) => uses.breaks += 1,
            _ => uses.continues += 1,
        }
    }
}
