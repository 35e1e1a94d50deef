//! Calls that bytes make up.

use super::{Call, Subject};
use crate::choices::Choices;
use crate::host::{Origin, TestHost};
use crate::thresholds::thresholds;
use ssaphire::graph::FlatCfg;
use ssaphire::{Block, Event, Options, SsaBuilder, Value, Variable};
use ssaphire_literature::{AnyBuilder, Engine};

const BLOCKS: usize = 6;
const VARIABLES: usize = 3;

/// Makes up calls, and keeps to what a host owes: values are used where they are there, and replaced by what is the same.
#[derive(Debug)]
pub struct Caller<'a> {
    choices: Choices<'a>,
    /// By block, the values it wrote or read.
    known: Vec<Vec<Value>>,
    /// Values written. One written before in the same block may stand for them, and so may a global.
    written: Vec<(Block, Value)>,
    globals: Vec<Value>,
    cfg: Option<FlatCfg>,
    entry: Block,
    /// By block, where its edges lead.
    targets: [Vec<Block>; BLOCKS],
    /// By block, whether no edge will ever enter it.
    is_cut_off: [bool; BLOCKS],
    is_first: bool,
    /// How far apart the numbers of variables are.
    spread: usize,
    /// How many of a hundred values written are globals.
    num_globals: usize,
    /// Variables that are undefined hold the first global.
    shares_undefined: bool,
}

impl<'a> Caller<'a> {
    /// A caller whose choices `bytes` make.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self {
            choices: Choices::new(bytes),
            known: vec![Vec::new(); BLOCKS],
            written: Vec::new(),
            globals: Vec::new(),
            cfg: None,
            entry: Block::new(0),
            targets: Default::default(),
            is_cut_off: [false; BLOCKS],
            is_first: true,
            spread: 1,
            num_globals: 15,
            shares_undefined: false,
        }
    }

    /// A constructor and its options. The first bytes choose them.
    pub fn construction(&mut self) -> (Engine, Options) {
        let engine = self.choices.pick(Engine::ALL);
        let mut options = Options::default();
        options.minimize = self.choices.chance(50);
        options.report_undefined_reads = self.choices.chance(30);
        if self.choices.chance(25) {
            (self.num_globals, self.shares_undefined) = (60, self.choices.chance(50));
        }
        options.thresholds = thresholds(&mut self.choices);
        self.spread = self.choices.pick(&[1, 1, 8, 64]);
        options.work_limit = self.choices.chance(20).then(|| self.choices.below(60) as u64);
        (engine, options)
    }

    /// A value that each of the hosts has, from before the entry.
    pub fn global(&mut self, hosts: &mut [TestHost]) -> Value {
        let value = value(hosts, Origin::Undefined(None));
        if self.shares_undefined && self.globals.is_empty() {
            hosts.iter_mut().for_each(|host| host.share_undefined(value));
        }
        self.globals.push(value);
        value
    }

    fn block(&mut self) -> Block {
        Block::new(self.choices.below(BLOCKS))
    }

    fn variable(&mut self) -> Variable {
        Variable::new(self.spread * self.choices.below(VARIABLES))
    }

    fn targets(&mut self, block: Block) -> Vec<Block> {
        match &self.cfg {
            Some(cfg) if !self.choices.chance(10) => cfg.targets(block).to_vec(),
            _ => (0..self.choices.below(4)).map(|_| self.block()).collect(),
        }
    }

    fn graph(&mut self) -> FlatCfg {
        let targets: Vec<Vec<Block>> =
            (0..BLOCKS).map(|_| (0..self.choices.below(3)).map(|_| self.block()).collect()).collect();
        FlatCfg::from_successors(self.block(), &targets).expect("targets are blocks")
    }

    /// A value to write in `block`: a new one, or one that is there.
    fn value(&mut self, block: Block, hosts: &mut [TestHost]) -> Value {
        let known = &self.known[block.index()];
        if !known.is_empty() && self.choices.chance(30) {
            return self.choices.pick(known);
        }
        if self.is_cut_off[block.index()] && self.choices.chance(60) {
            // Where control never comes, every value is there.
            let all: Vec<Value> = self.known.iter().flatten().chain(&self.globals).copied().collect();
            return self.choices.pick(&all);
        }
        if self.choices.chance(self.num_globals) {
            return self.choices.pick(&self.globals);
        }
        value(hosts, Origin::Write(block, 0))
    }

    fn replacement(&mut self) -> Option<Call> {
        let (block, old) = *self.written.get(self.choices.below(self.written.len()))?;
        let earlier = self.written.iter().take_while(|&&(_, value)| value != old);
        let mut others: Vec<Value> = earlier.filter(|&&(other, _)| other == block).map(|&(_, value)| value).collect();
        others.extend(&self.globals);
        Some(Call::Replace(old, self.choices.pick(&others)))
    }

    /// The next call, while there are bytes. New values are made in all hosts.
    pub fn next_call(&mut self, hosts: &mut [TestHost]) -> Option<Call> {
        if self.choices.is_empty() {
            return None;
        }
        let is_first = std::mem::replace(&mut self.is_first, false);
        let kind = if is_first && self.choices.chance(50) { self.choices.below(2) } else { self.choices.below(100) };
        let (block, variable) = (self.block(), self.variable());
        Some(match kind {
            0 => Call::SetEntry(block),
            1 => Call::Announce(self.graph()),
            2..20 => Call::Write(block, variable, self.value(block, hosts)),
            20..25 => {
                let slot = self.choices.below(3) as u32;
                Call::WriteOnEdge(block, slot, variable, value(hosts, Origin::Write(block, 0)))
            }
            25..45 => Call::Read(block, variable),
            45..50 => Call::ReadAt(block, variable, self.choices.below(100) as u32),
            50..66 => Call::Terminate(block, self.targets(block)),
            66..68 => Call::RedirectEdge(block, self.choices.below(3) as u32, self.block()),
            68..71 => Call::AddEdge(block, self.block()),
            71..81 => Call::Seal(block),
            81..85 => Call::SealBlocks((0..1 + self.choices.below(3)).map(|_| self.block()).collect()),
            85 => Call::SealAll,
            86..90 => Call::ReadAtEnd(block, variable),
            90..97 => Call::SetInitial(variable, value(hosts, Origin::Undefined(None))),
            97..99 => self.replacement().unwrap_or(Call::Read(block, variable)),
            _ => Call::Finish,
        })
    }

    /// The call was accepted.
    pub fn note(&mut self, call: &Call, answer: Option<Value>) {
        match call {
            Call::Write(block, _, value) => {
                // What was read or written elsewhere is not made here.
                if !self.known.iter().flatten().any(|known| known == value) && !self.globals.contains(value) {
                    self.written.push((*block, *value));
                }
                self.known[block.index()].push(*value);
            }
            Call::Read(block, _) | Call::ReadAt(block, ..) | Call::ReadAtEnd(block, _) => {
                self.known[block.index()].extend(answer);
            }
            Call::SetEntry(entry) => self.entry = *entry,
            Call::Announce(cfg) => (self.entry, self.cfg) = (cfg.entry(), Some(cfg.clone())),
            Call::Terminate(block, targets) => self.targets[block.index()].extend(targets),
            Call::AddEdge(from, to) => self.targets[from.index()].push(*to),
            Call::RedirectEdge(from, slot, to) => self.targets[from.index()][*slot as usize] = *to,
            Call::Seal(block) => {
                self.is_cut_off[block.index()] = *block != self.entry && self.num_edges_into(*block) == 0;
            }
            // A value is replaced once: afterwards its name means the other.
            Call::Replace(old, _) => self.written.retain(|(_, value)| value != old),
            _ => {}
        }
    }

    fn num_edges_into(&self, block: Block) -> usize {
        self.targets.iter().flatten().filter(|&&target| target == block).count()
    }

    /// The calls that are missing before a function can be finished.
    pub fn ending(&self, subject: &impl Subject) -> Vec<Call> {
        let builder: &AnyBuilder<Vec<Event>> = subject.builder();
        let unfilled = (0..BLOCKS).map(Block::new).filter(|&block| !builder.is_filled(block));
        let targets = |block| self.cfg.as_ref().map_or(Vec::new(), |cfg| cfg.targets(block).to_vec());
        let mut calls: Vec<Call> = unfilled.map(|block| Call::Terminate(block, targets(block))).collect();
        calls.extend([Call::SealAll, Call::Finish]);
        calls
    }
}

/// The same new value in all hosts, of which there is one at least.
fn value(hosts: &mut [TestHost], origin: Origin) -> Value {
    let values = hosts.iter_mut().map(|host| host.value(origin));
    values.last().expect("there is a host")
}
