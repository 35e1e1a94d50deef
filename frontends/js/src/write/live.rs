//! Where variables are live.
//!
//! Where many variables live long, as in nested patterns, the live sets of all blocks together are as large as the product of
//! both. So variables are explored 64 at a time, as the bits of one word for each block, and no set is kept: what is asked
//! often is collected first and answered on the way ([`Question`]), and the last 64 variables can be asked about for longer.

use crate::Js;
use ssaphire::graph::{FlatCfg, IdLists, Order, at_once};
use ssaphire::{Access, VariableForm};
use ssaphire_ir::{Block, Function, Variable};
use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// Variables that are explored together.
const BATCH: usize = u64::BITS as usize;

/// Whether a variable is live somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Question {
    AtTop(Block, Variable),
    AtEnd(Block, Variable),
}

impl Question {
    fn variable(self) -> Variable {
        let (Self::AtTop(_, variable) | Self::AtEnd(_, variable)) = self;
        variable
    }
}

/// Where the variables of a function are live. Unreachable blocks keep nothing alive.
#[derive(Debug)]
pub(super) struct Live<'f> {
    cfg: &'f FlatCfg,
    order: Order,
    /// By block, its position in postorder: what comes first is explored first.
    position: Vec<u32>,
    /// By variable, the blocks that read it before they write it, and those that write it.
    exposed: IdLists<Variable, Block>,
    written: IdLists<Variable, Block>,
    num_variables: usize,
    words: RefCell<Words>,
}

/// What is known of the variables of one batch.
#[derive(Debug, Default)]
struct Words {
    batch: Option<usize>,
    /// By block, which of them are live at its top, and which it writes.
    at_top: Vec<u64>,
    written: Vec<u64>,
    /// The blocks with anything live at the top, and those that write anything.
    touched: Vec<Block>,
    writers: Vec<Block>,
    work: BinaryHeap<Reverse<(u32, Block)>>,
    is_queued: Vec<bool>,
}

impl<'f> Live<'f> {
    pub(super) fn new(function: &Function<Js>, cfg: &'f FlatCfg) -> Self {
        let order = Order::new(cfg);
        let mut position = vec![0; cfg.num_blocks()];
        let (mut exposed, mut written) = (Vec::new(), Vec::new());
        let mut writer = vec![None; function.num_variables()];
        for (at, &block) in (0..).zip(order.postorder()) {
            position[block.index()] = at;
            record(function, block, &mut writer, &mut exposed, &mut written);
        }
        let lists = |pairs: Vec<(Variable, Block)>| {
            let mut lists = IdLists::new();
            lists.rebuild(function.num_variables(), pairs.into_iter());
            lists
        };
        let words = Words {
            at_top: vec![0; cfg.num_blocks()],
            written: vec![0; cfg.num_blocks()],
            is_queued: vec![false; cfg.num_blocks()],
            ..Words::default()
        };
        let (exposed, written) = (lists(exposed), lists(written));
        Self {
            cfg,
            order,
            position,
            exposed,
            written,
            num_variables: function.num_variables(),
            words: RefCell::new(words),
        }
    }

    /// The answers to `questions`, and by variable whether it is live at the top of a block that `is_counted` accepts.
    pub(super) fn answer(
        &self,
        mut questions: Vec<Question>,
        is_counted: impl Fn(Block) -> bool,
    ) -> (HashMap<Question, bool>, Vec<bool>) {
        let num_variables = self.num_variables;
        questions.sort_unstable_by_key(|question| question.variable());
        let mut left = &questions[..];
        let (mut answers, mut counted) = (HashMap::new(), vec![false; num_variables]);
        let words = &mut *self.words.borrow_mut();
        for batch in 0..num_variables.div_ceil(BATCH) {
            self.explore(batch, words);
            let any = words.touched.iter().filter(|&&block| is_counted(block));
            let any = any.fold(0, |any, &block| any | words.at_top[block.index()]);
            for (bit, counted) in counted[batch * BATCH..].iter_mut().take(BATCH).enumerate() {
                *counted = any >> bit & 1 != 0;
            }
            let num_asked = left.partition_point(|question| question.variable().index() / BATCH == batch);
            let (asked, rest) = left.split_at(num_asked);
            answers.extend(asked.iter().map(|&question| (question, self.is_so(question, words))));
            left = rest;
        }
        (answers, counted)
    }

    /// Whether `variable` is live at the top of `block`. Fast for variables in ascending order.
    pub(super) fn is_live_in(&self, block: Block, variable: Variable) -> bool {
        let words = &mut *self.words.borrow_mut();
        let batch = variable.index() / BATCH;
        if words.batch != Some(batch) {
            self.explore(batch, words);
        }
        self.is_so(Question::AtTop(block, variable), words)
    }

    fn is_so(&self, question: Question, words: &Words) -> bool {
        let is_live = |block: Block| words.at_top[block.index()] >> (question.variable().index() % BATCH) & 1 != 0;
        match question {
            Question::AtTop(block, _) => is_live(block),
            Question::AtEnd(block, _) => self.cfg.targets(block).iter().copied().any(is_live),
        }
    }

    /// Finds where the variables of a batch are live, backward from the blocks that read them.
    fn explore(&self, batch: usize, words: &mut Words) {
        words.clear();
        words.batch = Some(batch);
        let variables = batch * BATCH..self.num_variables.min((batch + 1) * BATCH);
        for (bit, variable) in variables.map(Variable::new).enumerate() {
            for &block in self.written.of(variable) {
                words.written[block.index()] |= 1 << bit;
                words.writers.push(block);
            }
            for &block in self.exposed.of(variable) {
                words.reach(block, 1 << bit, self.position[block.index()]);
            }
        }
        // In postorder, successors come first: without back edges, each block is visited once, when all of its live-in
        // variables are known.
        while let Some(Reverse((_, block))) = words.work.pop() {
            words.is_queued[block.index()] = false;
            for &edge in self.cfg.incoming(block) {
                let source = self.cfg.source(edge);
                if self.order.is_reachable(source) {
                    let live = words.at_top[block.index()] & !words.written[source.index()];
                    words.reach(source, live, self.position[source.index()]);
                }
            }
        }
    }
}

impl Words {
    fn clear(&mut self) {
        // Only the words in use are cleared, so a batch costs what its variables reach, and not the number of blocks.
        self.touched.drain(..).for_each(|block| self.at_top[block.index()] = 0);
        self.writers.drain(..).for_each(|block| self.written[block.index()] = 0);
    }

    /// The variables of `live` are live at the top of `block`.
    fn reach(&mut self, block: Block, live: u64, position: u32) {
        let known = &mut self.at_top[block.index()];
        // A block is queued only for a new bit, so at most 64 times for each batch.
        if live & !*known == 0 {
            return;
        }
        if *known == 0 {
            self.touched.push(block);
        }
        *known |= live;
        if !std::mem::replace(&mut self.is_queued[block.index()], true) {
            self.work.push(Reverse((position, block)));
        }
    }
}

/// Appends what `block` reads before it writes it, and what it writes. `writer` has by variable the block that wrote it last.
fn record(
    function: &Function<Js>,
    block: Block,
    writer: &mut [Option<Block>],
    exposed: &mut Vec<(Variable, Block)>,
    written: &mut Vec<(Variable, Block)>,
) {
    let mut read = |variable: Variable, writer: &[Option<Block>]| {
        if writer[variable.index()] != Some(block) {
            exposed.push((variable, block));
        }
    };
    let mut write = |variable: Variable, writer: &mut [Option<Block>]| {
        if writer[variable.index()].replace(block) != Some(block) {
            written.push((variable, block));
        }
    };
    let mut targets = Vec::new();
    for (access, is_last) in at_once(function.accesses(block)) {
        match access {
            Access::Read(variable) => read(variable, writer),
            Access::Write(variable) => targets.push(variable),
            Access::Copy(target, source) => {
                read(source, writer);
                targets.push(target);
            }
            Access::Tuple(_) => {}
        }
        // A parallel assignment reads all of its sources before it writes: `x, y = y, x` reads both from above.
        if is_last {
            targets.drain(..).for_each(|target| write(target, writer));
        }
    }
}
