//! Source and result side by side along a path.

use crate::built::Built;
use crate::case::Case;
use crate::host::Origin;
use crate::rng::Rng;
use ssaphire::{Access, Block, Cfg, Edge, SsaForm, Value, Variable};

/// What each variable and each value holds at a place on a path.
///
/// Contents are numbered as they are made, so that a content is found only where it was put.
#[derive(Clone, Debug)]
pub struct Lockstep<'a> {
    case: &'a Case,
    built: &'a Built,
    at: Block,
    variables: Vec<usize>,
    values: Vec<Option<usize>>,
    num_contents: usize,
}

impl<'a> Lockstep<'a> {
    /// Control stands before the entry.
    pub fn new(case: &'a Case, built: &'a Built) -> Self {
        let mut values = vec![None; built.origins.len()];
        let mut variables = vec![0; case.num_variables];
        for global in built.globals() {
            // All variables hold content 0 if they share the undefined value.
            let variable = match built.origins[global.index()] {
                Origin::Undefined(Some(variable)) => variable.index() + 1,
                _ => 0,
            };
            values[global.index()] = Some(variable);
            if let Some(place) = variable.checked_sub(1) {
                variables[place] = variable;
            }
        }
        Self { case, built, at: case.cfg.entry(), variables, values, num_contents: case.num_variables + 1 }
    }

    /// Runs the block where control stands.
    ///
    /// # Errors
    /// The first access whose value does not hold what the source says.
    pub fn run_block(&mut self) -> Result<(), String> {
        let (case, block) = (self.case, self.at);
        for group in case.groups(block) {
            let found = &self.built.values[block.index()][group.first..];
            let before = self.variables.clone();
            for (&access, &value) in group.accesses.iter().zip(found) {
                match access {
                    Access::Read(variable) => self.compare(variable, value, &before)?,
                    Access::Copy(_, variable) if self.built.keeps_copies => self.compare(variable, value, &before)?,
                    _ => {}
                }
            }
            for (index, (&access, &value)) in (group.first..).zip(group.accesses.iter().zip(found)) {
                match access {
                    Access::Write(variable) if case.is_merged(block, index) => {
                        let same = self.values[value.index()];
                        self.variables[variable.index()] = same.ok_or(format!("{block}: {value} is not there"))?;
                    }
                    Access::Write(variable) => {
                        self.variables[variable.index()] = self.num_contents;
                        self.values[value.index()] = Some(self.num_contents);
                        self.num_contents += 1;
                    }
                    Access::Copy(variable, source) => self.variables[variable.index()] = before[source.index()],
                    Access::Read(_) | Access::Tuple(_) => {}
                }
            }
        }
        Ok(())
    }

    fn compare(&self, variable: Variable, value: Value, variables: &[usize]) -> Result<(), String> {
        let (holds, given) = (variables[variable.index()], self.values[value.index()]);
        if given == Some(holds) {
            return Ok(());
        }
        Err(format!("{}: {variable} holds {holds}, but {value} is {given:?}", self.at))
    }

    /// Takes an edge that leaves the block: phis act, all at once.
    pub fn take(&mut self, edge: Edge) {
        let cfg = &self.case.cfg;
        self.at = cfg.target(edge);
        let index = cfg.operand_index(edge);
        let phis = &self.built.phis[self.at.index()];
        let contents: Vec<Option<usize>> = phis.iter().map(|phi| self.values[phi.operands[index].index()]).collect();
        for (phi, content) in phis.iter().zip(contents) {
            self.values[phi.value.index()] = content;
        }
    }

    /// The edges that leave the block where control stands.
    pub fn edges(&self) -> impl DoubleEndedIterator<Item = Edge> + ExactSizeIterator + use<> {
        self.case.cfg.outgoing(self.at)
    }
}

/// Walks `num_walks` random paths of up to 4 *n* blocks.
///
/// # Errors
/// The first difference between source and result.
pub fn random_walks(case: &Case, built: &Built, num_walks: usize, rng: &mut Rng) -> Result<(), String> {
    for _ in 0..num_walks {
        let mut state = Lockstep::new(case, built);
        for _ in 0..4 * built.num_blocks() {
            state.run_block()?;
            let mut edges = state.edges();
            let slot = rng.below(edges.len());
            let Some(edge) = edges.nth(slot) else { break };
            state.take(edge);
        }
    }
    Ok(())
}

/// Walks every path of up to `max_blocks` blocks.
///
/// # Errors
/// The first difference between source and result.
pub fn all_walks(case: &Case, built: &Built, max_blocks: usize) -> Result<(), String> {
    let mut work = vec![(Lockstep::new(case, built), max_blocks)];
    while let Some((mut state, left)) = work.pop() {
        state.run_block()?;
        if left > 1 {
            for edge in state.edges().rev() {
                let mut next = state.clone();
                next.take(edge);
                work.push((next, left - 1));
            }
        }
    }
    Ok(())
}
