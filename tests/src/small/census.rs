//! Builds, compares and judges all functions of a space.
//!
//! A case is one program on one graph, told in one way and order to one engine.
//!
//! * Without copies every result has its phis where the pruned placement has them.
//! * With copies each of them is there too, and none is redundant.
//! * All results of a program are equal, whoever made them; the first one is judged by its certificate.
//! * On a reducible graph without copies the engines that promise it leave `minimize` nothing to do.
//! * Of a complete graph, those that promise it make no phi for the time being, reducible or not.

use super::chunk::Chunk;
use super::code::{Memory, Outcome, SmallHost};
use super::graph::{Blocks, SmallGraph};
use super::placement::Frontiers;
use super::space::Space;
use super::telling::{Layout, Task, Telling};
use crate::generate::is_reducible;
use crate::refusal::is_not_structured;
use crate::rng::Rng;
use ssaphire::check::{Judge, Mode, Program, QualityCheck};
use ssaphire::{Certified, SsaBuilder, Stats};
use ssaphire_literature::{AnyBuilder, Engine};
use std::fmt;
use std::ops::AddAssign;

/// An engine, and how much of a space it builds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The engine.
    pub engine: Engine,
    /// One function in so many, by a hash of what it is.
    pub one_in: u64,
}

impl Share {
    /// Everything.
    pub fn all(engine: Engine) -> Self {
        Self { engine, one_in: 1 }
    }
}

/// How much was built and judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Graphs.
    pub graphs: u64,
    /// Functions built, of several programs each.
    pub functions: u64,
    /// Programs built, all ways, orders and engines counted.
    pub cases: u64,
    /// Programs judged.
    pub judged: u64,
    /// What the builders counted.
    pub stats: Stats,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.graphs += other.graphs;
        self.functions += other.functions;
        self.cases += other.cases;
        self.judged += other.judged;
        self.stats += other.stats;
    }
}

/// A case that is not as it has to be.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The engine.
    pub engine: Engine,
    /// How the function was told.
    pub telling: Telling,
    /// In which order.
    pub order: Vec<usize>,
    /// The graph.
    pub graph: SmallGraph,
    /// What the blocks do in a program that has the problem.
    pub program: String,
    /// Number of programs of the function, where it is not known which of them has the problem.
    pub one_of: Option<usize>,
    /// What is wrong.
    pub problem: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { engine, telling, order, graph, program, one_of, problem } = self;
        let targets: Vec<Vec<usize>> = (0..graph.num_blocks).map(|block| graph.targets(block).collect()).collect();
        write!(f, "{engine}, {telling:?}, blocks in order {order:?}: {problem}\n  targets {targets:?}\n  {program}")?;
        one_of.map_or(Ok(()), |programs| write!(f, "\n  or another one of the {programs} programs of the function"))
    }
}

impl std::error::Error for Finding {}

/// A space, laid out to be gone through by any number of censuses.
#[derive(Debug)]
pub struct Survey {
    space: Space,
    shares: Vec<Share>,
    graphs: Vec<SmallGraph>,
    orders: Vec<Vec<usize>>,
    chunks: Vec<Chunk>,
}

impl Survey {
    /// All of `space`, by those engines.
    pub fn new(space: Space, shares: Vec<Share>) -> Self {
        let (graphs, orders, chunks) = (space.graphs().0, space.block_orders(), space.chunks());
        Self { space, shares, graphs, orders, chunks }
    }

    /// Number of graphs.
    pub fn num_graphs(&self) -> usize {
        self.graphs.len()
    }
}

/// Builders, a judge, and what they have counted.
#[derive(Debug, Default)]
pub struct Census {
    builders: Vec<(Engine, Certified<AnyBuilder>)>,
    recording: Certified,
    judge: Judge,
    quality: QualityCheck,
    program: Program,
    memory: Memory,
    counts: Counts,
}

/// What is known of a function before it is built.
#[derive(Clone, Copy)]
struct Subject<'a> {
    graph: &'a SmallGraph,
    chunk: &'a Chunk,
    is_reducible: bool,
    /// By variable, the pruned placement.
    pruned: &'a [Blocks],
}

/// One function, told in one way to one engine.
#[derive(Clone, Copy)]
struct Trial<'a> {
    subject: Subject<'a>,
    task: Task<'a>,
    telling: Telling,
    engine: Engine,
}

impl Trial<'_> {
    /// Some program has a problem, perhaps the first.
    fn finding(&self, problem: impl fmt::Display) -> Box<Finding> {
        let one_of = Some(self.subject.chunk.programs.len()).filter(|&programs| programs > 1);
        Box::new(Finding { one_of, ..*self.finding_in(0, problem) })
    }

    /// A program has a problem.
    fn finding_in(&self, program: usize, problem: impl fmt::Display) -> Box<Finding> {
        let Self { subject, task, telling, engine } = *self;
        let content = |block| {
            let steps = subject.chunk.steps(block).iter().filter(move |step| step.program == program);
            steps.map(|step| step.op).collect::<Vec<_>>()
        };
        let contents: Vec<_> = (0..subject.graph.num_blocks).map(content).collect();
        let (order, graph, problem) = (task.order.to_vec(), *subject.graph, problem.to_string());
        let program = format!("{contents:?}");
        Box::new(Finding { engine, telling, order, graph, program, one_of: None, problem })
    }

    /// The phis are where they have to be.
    fn check_placement(&self, outcome: &Outcome) -> Result<(), Box<Finding>> {
        if let Some(complaint) = outcome.complaint {
            return Err(self.finding(complaint));
        }
        let has_copies = self.subject.chunk.has_copies;
        for (variable, (&found, &pruned)) in outcome.placement.iter().zip(self.subject.pruned).enumerate() {
            let is_right = if has_copies { found & !pruned == 0 } else { found == pruned };
            if !is_right {
                let problem = format!("phis in {found:#b}, pruned placement {pruned:#b}");
                return Err(self.finding_in(variable / self.subject.chunk.width, problem));
            }
        }
        Ok(())
    }

    /// The engine has kept its promises.
    fn check_promises(&self, stats: &Stats) -> Result<(), Box<Finding>> {
        let is_plain = self.subject.is_reducible && !self.subject.chunk.has_copies;
        if is_plain && !self.engine.leaves_trivial_phis() && stats.redundant_phis > 0 {
            return Err(self.finding(format!("{} redundant phis before `minimize`", stats.redundant_phis)));
        }
        let is_exact = self.telling == Telling::Complete && makes_no_temporary_phis(self.engine);
        if is_exact && stats.phis_made != stats.phis_kept {
            return Err(self.finding(format!("{} phis made for {}", stats.phis_made, stats.phis_kept)));
        }
        Ok(())
    }

    /// Both results are the same.
    fn check_same(&self, outcome: &Outcome, first: &Outcome) -> Result<(), Box<Finding>> {
        let pairs = outcome.codes.iter().zip(&first.codes);
        match pairs.clone().position(|(one, other)| one != other) {
            Some(program) => Err(self.finding_in(program, "another result than the one before")),
            None => Ok(()),
        }
    }
}

/// Engines that make no phi that is not kept, of a complete graph.
fn makes_no_temporary_phis(engine: Engine) -> bool {
    matches!(engine.name(), "scc" | "region")
}

impl Census {
    /// What was counted so far.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Builds all functions of one graph.
    ///
    /// # Errors
    /// The first case that is not as it has to be.
    pub fn check_graph(&mut self, survey: &Survey, graph: usize) -> Result<(), Box<Finding>> {
        self.counts.graphs += 1;
        let sample = survey.space.sample(graph);
        let layouts = [false, true].map(|is_split| Layout::new(&survey.graphs[graph], is_split));
        let frontiers = Frontiers::new(&survey.graphs[graph]);
        let is_reducible = is_reducible(&survey.graphs[graph].case(&[]).with_pre_entry().cfg);
        // What is built of it by whom, where not everything is.
        let mut rng = Rng::new(graph as u64);
        for chunk in survey.chunks.iter().chain(&sample) {
            let pruned: Vec<Blocks> =
                chunk.masks().iter().map(|masks| frontiers.pruned(masks.writes, masks.reads)).collect();
            let subject = Subject { graph: &survey.graphs[graph], chunk, is_reducible, pruned: &pruned };
            self.check_function(survey, subject, &layouts, &mut rng)?;
        }
        Ok(())
    }

    /// Builds a function in all ways and orders.
    fn check_function(
        &mut self,
        survey: &Survey,
        subject: Subject<'_>,
        layouts: &[Layout; 2],
        rng: &mut Rng,
    ) -> Result<(), Box<Finding>> {
        let mut first = None;
        for &telling in &survey.space.tellings {
            let is_split = telling == Telling::Complete && subject.chunk.has_use_def;
            for order in &survey.orders {
                let task = Task { layout: &layouts[usize::from(is_split)], chunk: subject.chunk, order };
                for &Share { engine, one_in } in &survey.shares {
                    if one_in <= 1 || rng.below(one_in as usize) == 0 {
                        self.check(Trial { subject, task, telling, engine }, &mut first)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn check(&mut self, trial: Trial<'_>, first: &mut Option<Outcome>) -> Result<(), Box<Finding>> {
        let mut host = SmallHost::new(trial.subject.chunk, trial.task.layout, std::mem::take(&mut self.memory));
        let ssa = builder(&mut self.builders, trial.engine);
        let told = trial.task.tell(trial.telling, ssa, &mut host);
        self.memory = host.into_memory();
        self.counts.functions += 1;
        self.counts.cases += trial.subject.chunk.programs.len() as u64;
        match told {
            Err(error) if !trial.subject.is_reducible && is_not_structured(&*error) => return Ok(()),
            told => told.map_err(|error| trial.finding(error))?,
        }
        self.counts.stats += *ssa.stats();
        trial.check_placement(&self.memory.outcome)?;
        trial.check_promises(ssa.stats())?;
        match first {
            Some(first) => trial.check_same(&self.memory.outcome, first),
            None => {
                let outcome = self.memory.outcome.clone();
                self.judge(trial, &outcome)?;
                *first = Some(outcome);
                Ok(())
            }
        }
    }

    /// The default engine gives the result too, and its certificate is accepted.
    fn judge(&mut self, trial: Trial<'_>, outcome: &Outcome) -> Result<(), Box<Finding>> {
        let mut host = SmallHost::new(trial.subject.chunk, trial.task.layout, std::mem::take(&mut self.memory));
        let ssa = &mut self.recording;
        trial.task.tell(trial.telling, ssa, &mut host).map_err(|error| trial.finding(error))?;
        self.memory = host.into_memory();
        trial.check_same(&self.memory.outcome, outcome)?;
        ssa.certify(&mut self.program).map_err(|error| trial.finding(error))?;
        self.counts.judged += trial.subject.chunk.programs.len() as u64;
        let verdict = self.judge.judge(&self.program, Mode::Exact);
        let violations = verdict.violations.iter().chain(self.quality.findings(&self.program));
        match violations.into_iter().next() {
            Some(violation) => Err(trial.finding(violation)),
            None => Ok(()),
        }
    }
}

/// The builder of that engine, which keeps its memory from one function to the next.
fn builder(builders: &mut Vec<(Engine, Certified<AnyBuilder>)>, engine: Engine) -> &mut Certified<AnyBuilder> {
    let place = builders.iter().position(|&(other, _)| other == engine).unwrap_or_else(|| {
        let mut ssa = Certified::with_builder(AnyBuilder::new(engine));
        ssa.set_recording(false);
        builders.push((engine, ssa));
        builders.len() - 1
    });
    &mut builders[place].1
}
