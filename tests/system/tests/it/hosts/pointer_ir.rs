//! An IR like LLVM's: nodes on the heap that know their users.

use super::programs::{add, if_slot, switch_slot};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::{Rc, Weak};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// In no block, like `Poison`.
    Constant(i64),
    Poison,
    /// One operand per incoming edge, in the order of `BasicBlock::incoming`.
    Phi,
    Add {
        is_narrow: bool,
    },
    Print,
    Goto,
    If,
    Switch,
    Return,
}

/// An instruction or a constant. Its address is its identity.
pub(crate) struct Node {
    pub(crate) kind: Kind,
    operands: RefCell<Vec<Pointer>>,
    users: RefCell<Vec<Use>>,
    is_erased: Cell<bool>,
}

pub(crate) type Pointer = Rc<Node>;

/// Operand number `operand` of `user`.
struct Use {
    user: Weak<Node>,
    operand: usize,
}

#[derive(Default)]
pub(crate) struct BasicBlock {
    pub(crate) nodes: Vec<Pointer>,
    pub(crate) targets: Vec<usize>,
    /// Per incoming edge the block and slot that it leaves.
    pub(crate) incoming: Vec<(usize, usize)>,
}

#[derive(Default)]
pub(crate) struct Function {
    pub(crate) blocks: Vec<BasicBlock>,
}

impl Node {
    pub(crate) fn new(kind: Kind, operands: &[Pointer]) -> Pointer {
        let empty = (RefCell::default(), RefCell::default());
        let node = Rc::new(Self { kind, operands: empty.0, users: empty.1, is_erased: Cell::new(false) });
        operands.iter().for_each(|operand| node.push_operand(operand));
        node
    }

    pub(crate) fn is_erased(&self) -> bool {
        self.is_erased.get()
    }

    pub(crate) fn operand(&self, index: usize) -> Pointer {
        self.operands.borrow()[index].clone()
    }

    pub(crate) fn visit_operands(&self, visit: impl FnMut(&Pointer)) {
        self.operands.borrow().iter().for_each(visit);
    }

    pub(crate) fn push_operand(self: &Rc<Self>, value: &Pointer) {
        assert!(!value.is_erased.get() && !self.is_erased.get(), "{:?}: used after it was erased", value.kind);
        let operand = self.operands.borrow().len();
        self.operands.borrow_mut().push(value.clone());
        value.users.borrow_mut().push(Use { user: Rc::downgrade(self), operand });
    }

    /// Every user of this node uses `new` instead.
    pub(crate) fn replace_all_uses_with(&self, new: &Pointer) {
        assert!(!new.is_erased.get(), "{:?}: replaces another after it was erased", new.kind);
        assert!(!std::ptr::eq(self, &raw const **new), "{:?}: replaces itself", self.kind);
        for each in self.users.take() {
            let user = each.user.upgrade().expect("a user that is gone without leaving the list");
            user.operands.borrow_mut()[each.operand] = new.clone();
            new.users.borrow_mut().push(each);
        }
    }

    /// Nobody may use it any more, and it uses nothing.
    pub(crate) fn erase(&self) {
        assert!(self.users.borrow().is_empty(), "{:?}: erased, but in use", self.kind);
        assert!(!self.is_erased.replace(true), "{:?}: erased twice", self.kind);
        self.drop_operands();
    }

    fn drop_operands(&self) {
        for operand in self.operands.take() {
            operand.users.borrow_mut().retain(|each| !std::ptr::eq(each.user.as_ptr(), self));
        }
    }

    /// Each use is in the list of what is used, once; what uses it is in a block.
    fn check(&self, is_in_block: &HashMap<*const Self, bool>) {
        assert!(!self.is_erased.get(), "{:?}: erased, but in a block or in use", self.kind);
        for (index, operand) in self.operands.borrow().iter().enumerate() {
            assert!(!operand.is_erased.get(), "{:?}: uses {:?}, which is erased", self.kind, operand.kind);
            let needs_no_block = matches!(operand.kind, Kind::Constant(_) | Kind::Poison);
            let has_place = needs_no_block || is_in_block.contains_key(&Rc::as_ptr(operand));
            assert!(has_place, "{:?}: uses {:?}, which is in no block", self.kind, operand.kind);
            let users = operand.users.borrow();
            let listed = users.iter().filter(|each| std::ptr::eq(each.user.as_ptr(), self) && each.operand == index);
            assert_eq!(listed.count(), 1, "{:?}: not once among the users of {:?}", self.kind, operand.kind);
        }
        for each in self.users.borrow().iter() {
            assert!(is_in_block.contains_key(&each.user.as_ptr()), "{:?}: a user that is in no block", self.kind);
            let user = each.user.upgrade().expect("what is in a block is there");
            assert!(std::ptr::eq(&raw const **user.operands.borrow().get(each.operand).unwrap(), self), "a false user");
        }
    }
}

impl Function {
    /// The use lists are consistent, nothing that is used is gone, phis come first and have an operand per edge.
    pub(crate) fn check(&self) {
        let nodes = || self.blocks.iter().flat_map(|block| &block.nodes);
        let is_in_block: HashMap<*const Node, bool> = nodes().map(|node| (Rc::as_ptr(node), true)).collect();
        assert_eq!(is_in_block.len(), nodes().count(), "a node is in one place");
        for node in nodes() {
            node.check(&is_in_block);
            for operand in node.operands.borrow().iter() {
                operand.check(&is_in_block);
            }
        }
        for block in &self.blocks {
            let num_phis = block.nodes.iter().take_while(|node| node.kind == Kind::Phi).count();
            let (phis, others) = block.nodes.split_at(num_phis);
            assert!(phis.iter().all(|phi| phi.operands.borrow().len() == block.incoming.len()), "an operand per edge");
            assert!(others.iter().all(|node| node.kind != Kind::Phi), "phis come first");
        }
    }

    pub(crate) fn contains(&self, node: &Pointer) -> bool {
        self.blocks.iter().any(|block| block.nodes.iter().any(|each| Rc::ptr_eq(each, node)))
    }

    pub(crate) fn num_phis(&self, block: usize) -> usize {
        self.blocks[block].nodes.iter().filter(|node| node.kind == Kind::Phi).count()
    }

    /// What the function prints on the way through at most so many blocks.
    pub(crate) fn run(&self, num_steps: usize) -> Vec<Option<i64>> {
        let mut printed = Vec::new();
        let mut contents: HashMap<*const Node, Option<i64>> = HashMap::new();
        let mut at = 0;
        for _ in 0..num_steps {
            let mut slot = 0;
            for node in self.blocks[at].nodes.iter().filter(|node| node.kind != Kind::Phi) {
                let operands: Vec<_> = node.operands.borrow().iter().map(|each| content(&contents, each)).collect();
                match node.kind {
                    Kind::Add { is_narrow } => {
                        let sum = operands[0].zip(operands[1]).map(|(left, right)| add(is_narrow, left, right));
                        contents.insert(Rc::as_ptr(node), sum);
                    }
                    Kind::Print => printed.push(operands[0]),
                    Kind::If => slot = if_slot(operands[0]),
                    Kind::Switch => slot = switch_slot(operands[0], self.blocks[at].targets.len()),
                    Kind::Return => return printed,
                    Kind::Goto | Kind::Phi | Kind::Constant(_) | Kind::Poison => {}
                }
            }
            let target = self.blocks[at].targets[slot];
            let edge = self.blocks[target].incoming.iter().position(|&edge| edge == (at, slot)).unwrap();
            let phis = self.blocks[target].nodes.iter().filter(|node| node.kind == Kind::Phi);
            let taken: Vec<_> = phis.map(|phi| (Rc::as_ptr(phi), content(&contents, &phi.operand(edge)))).collect();
            contents.extend(taken);
            at = target;
        }
        printed
    }
}

fn content(contents: &HashMap<*const Node, Option<i64>>, node: &Pointer) -> Option<i64> {
    match node.kind {
        Kind::Constant(number) => Some(number),
        Kind::Poison => None,
        _ => contents[&Rc::as_ptr(node)],
    }
}

/// Loops are cycles of pointers, which nobody frees otherwise.
impl Drop for Function {
    fn drop(&mut self) {
        self.blocks.iter().flat_map(|block| &block.nodes).for_each(|node| node.drop_operands());
    }
}
