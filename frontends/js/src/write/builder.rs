//! From the steps of a structured program to statements.

use super::ast::{Ast, NameId};
use super::chains::{Chains, Part};
use super::error::Unwritable;
use super::expr::{Expr, Throws};
use super::plan::{Plan, Plans};
use super::tree::{LabelId, NodeId, Seq, Tree};
use super::uses::Uses;
use crate::dialect::Constant;
use crate::program::{FunctionId, JsFunction, LexicalKind};
use crate::{Js, Program};
use ssaphire_ir::{Block, Dest, Function, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// What a chain's last instruction chooses by.
#[derive(Clone, Debug)]
pub(super) enum Choice {
    Truthy(Expr),
    Nullish(Expr),
    Cases(Expr, Vec<Constant>),
}

/// Computed, and not yet in a statement.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    pub(super) variable: Variable,
    pub(super) value: Expr,
    pub(super) place: Option<u32>,
    /// Whether it assigns the variable, because that is read again.
    pub(super) assigns: bool,
}

/// What is open around a step.
pub(super) enum Frame {
    Loop { label: LabelId, header: Option<Block>, outer: Seq },
    Labeled { label: LabelId, outer: Seq },
    Fork(Box<Fork>),
    Arm { slots: Vec<u32>, outer: Seq },
}

/// A fork of which some arms have been built.
pub(super) struct Fork {
    /// The step that opened it.
    pub(super) opened: usize,
    pub(super) choice: Option<Choice>,
    /// How many slots come before those of handlers.
    pub(super) num_slots: usize,
    pub(super) handlers: Vec<Block>,
    /// By arm, its slots and statements.
    pub(super) arms: Vec<(Vec<u32>, Seq)>,
    /// What waited when it was opened.
    pub(super) held: Vec<Pending>,
}

/// What is known of a variable while its function is written.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct VariableState {
    /// Whether its value has been computed, and is in no statement yet.
    pub(super) is_pending: bool,
    /// Whether it is read as the object of a property that is called, and not otherwise.
    pub(super) is_receiver: bool,
    /// Whether an assignment reads it first, and something else then.
    pub(super) is_set: bool,
    /// How many of its reads have been put into the expressions that assign it.
    pub(super) num_consumed: u32,
    /// Whether it is called by a keyword.
    is_alias: bool,
}

/// Handlers of exceptions, and the jumps to them.
#[derive(Debug, Default)]
pub(super) struct Handlers {
    /// In the order in which the steps execute them: inner ones first.
    pub(super) order: Vec<Block>,
    /// By handler, the jumps to it that do not know yet what they leave.
    pub(super) jumps: BTreeMap<Block, Vec<(NodeId, NodeId)>>,
    /// For each labeled block that is followed by a handler and left by one jump only: that jump, and the `try` statement whose
    /// `catch` clause contains it.
    pub(super) landings: BTreeMap<NodeId, (NodeId, NodeId)>,
}

/// Loops over iterators.
#[derive(Debug, Default)]
pub(super) struct Iteration {
    /// By iterator, where exceptions of its `next` go.
    pub(super) throws: BTreeMap<Variable, Throws>,
    /// By what `next` returns, the variable that holds its value.
    pub(super) values: BTreeMap<Variable, Variable>,
    /// Iterators whose loops have become statements over iterables.
    pub(super) written: BTreeSet<Variable>,
    /// Iterators whose loops turned out not to be like a statement of the language.
    pub(super) failed: Vec<Variable>,
}

/// A function being written.
pub(super) struct Builder<'a, 'p> {
    pub(super) ast: &'a mut Ast<'p>,
    pub(super) program: &'a Program,
    pub(super) plans: &'a Plans,
    pub(super) plan: &'a Plan,
    pub(super) js: &'a JsFunction,
    id: FunctionId,
    pub(super) function: &'a Function<Js>,
    pub(super) tree: Tree,
    /// The row that is being built.
    pub(super) seq: Seq,
    pub(super) pending: Vec<Pending>,
    /// By variable.
    pub(super) states: Vec<VariableState>,
    /// By variable: those of the function, then those that have been added.
    pub(super) names: Vec<NameId>,
    scope: super::names::Scope,
    pub(super) choice: Option<Choice>,
    /// Where the instruction at hand comes from.
    pub(super) place: Option<u32>,
    pub(super) chains: Chains,
    /// By chain, the step that executes it, once it has been built.
    pub(super) executed: Vec<Option<usize>>,
    pub(super) uses: Uses<'a>,
    pub(super) frames: Vec<Frame>,
    pub(super) dispatch: Option<Variable>,
    pub(super) handlers: Handlers,
    /// Which part of the function it is, and the variables that the other part has, too.
    pub(super) part: Part,
    pub(super) shared: Vec<Variable>,
    /// The label of all statements, where nothing can be returned.
    pub(super) end: Option<LabelId>,
    pub(super) iteration: Iteration,
    /// Variables that the condition of a loop assigns, with the loop.
    pub(super) in_conditions: BTreeSet<(NodeId, Variable)>,
    /// Whether unreachable statements are omitted.
    pub(super) drops_code: bool,
    /// Variables that others see.
    pub(super) exported: Vec<Variable>,
    /// Those of them that other modules may read before this one begins.
    pub(super) exported_vars: Vec<Variable>,
}

impl<'a, 'p> Builder<'a, 'p> {
    pub(super) fn new(
        program: &'a Program,
        plans: &'a Plans,
        id: FunctionId,
        ast: &'a mut Ast<'p>,
        part: Part,
    ) -> Result<Self, Unwritable> {
        let plan = plans.plans[id.index()].as_ref().ok_or(Unwritable::Function(id))?;
        let function = &plan.function;
        let shared = if part == Part::Whole { Vec::new() } else { shared_by_parts(plan, id)? };
        let chains = Chains::new(function, &plan.cfg, part).ok_or(Unwritable::Function(id))?;
        let names = plan.names.iter().map(|name| ast.intern(name)).collect();
        let mut builder = Self {
            ast,
            program,
            plans,
            plan,
            js: &program.functions[id.index()],
            id,
            function,
            tree: Tree::new(0),
            seq: Seq::new(),
            pending: Vec::new(),
            states: vec![VariableState::default(); function.num_variables()],
            names,
            scope: super::names::Scope::default(),
            choice: None,
            place: None,
            executed: vec![None; chains.chains.len()],
            uses: Uses::new(function, &plan.cfg, &chains.chains),
            chains,
            frames: Vec::new(),
            dispatch: None,
            handlers: Handlers::default(),
            part,
            shared,
            end: None,
            iteration: Iteration::default(),
            in_conditions: BTreeSet::new(),
            drops_code: false,
            exported: Vec::new(),
            exported_vars: Vec::new(),
        };
        builder.name_aliases();
        Ok(builder)
    }

    /// The name of a variable.
    pub(super) fn name(&self, variable: Variable) -> NameId {
        self.names[variable.index()]
    }

    /// The name of a variable, as it is spelled.
    pub(super) fn name_text(&self, variable: Variable) -> &str {
        self.ast.text_of(self.name(variable))
    }

    /// A variable by its name.
    pub(super) fn variable(&mut self, variable: Variable) -> Expr {
        let name = self.name(variable);
        self.ast.variable(name, variable)
    }

    /// Variables that hold nothing but a keyword's value are called by the keyword.
    fn name_aliases(&mut self) {
        use crate::dialect::Opcode;
        let mut num_writes = vec![0u32; self.function.num_variables()];
        let mut keyword = vec![None; self.function.num_variables()];
        for param in self.function.params().iter().filter_map(|param| param.variable) {
            num_writes[param.index()] += 1;
        }
        for inst in super::insts::all_insts(self.function) {
            for dest in inst.results {
                let Dest::Variable(variable) = *dest else { continue };
                num_writes[variable.index()] += 1;
                keyword[variable.index()] = match super::insts::op_of(inst).map(|op| op.opcode) {
                    Some(Opcode::This) => Some("this"),
                    Some(Opcode::NewTarget) => Some("new.target"),
                    Some(Opcode::Arguments) => Some("arguments"),
                    _ => None,
                };
            }
        }
        for (index, keyword) in keyword.into_iter().enumerate() {
            if let Some(keyword) = keyword.filter(|_| num_writes[index] == 1 && !self.plan.is_outer[index]) {
                self.names[index] = self.ast.intern(keyword);
                self.states[index].is_alias = true;
            }
        }
    }

    /// Whether a result is known by a keyword.
    pub(super) fn is_alias(&self, dest: Option<Variable>) -> bool {
        dest.is_some_and(|variable| self.states.get(variable.index()).is_some_and(|state| state.is_alias))
    }

    /// A variable of its own.
    pub(super) fn temporary(&mut self) -> Variable {
        self.temporary_like("t")
    }

    /// A variable of its own, with a name like that.
    pub(super) fn temporary_like(&mut self, wanted: &str) -> Variable {
        let variable = Variable::new(self.names.len());
        let (plans, plan, id) = (self.plans, self.plan, self.id);
        let is_taken = |name: &str| plan.scope.has(name) || plans.file.is_taken(id, name);
        let name = self.scope.unique(wanted, is_taken);
        self.names.push(self.ast.intern(&name));
        self.states.push(VariableState::default());
        variable
    }

    /// By variable, the name that it was to have, if it may have another one than those that it has been kept apart from.
    pub(super) fn wanted_names(&self) -> Vec<Option<String>> {
        let num_variables = self.function.num_variables();
        let wanted = |index: usize| {
            let variable = Variable::new(index);
            if self.needs_no_declaration(variable) || self.exported.binary_search(&variable).is_ok() {
                return None;
            }
            let wanted = match index < num_variables {
                true if self.is_seen_by_closures(variable) => return None,
                true => super::names::as_name(&super::plan::wanted_name(self.function, variable)),
                false => self.name_text(variable).split('_').next().unwrap_or_default().to_owned(),
            };
            (!wanted.is_empty() && !self.plans.file.is_taken(self.id, &wanted)).then_some(wanted)
        };
        (0..self.names.len()).map(wanted).collect()
    }

    /// How a script declares a name.
    pub(super) fn lexical_keyword(&self, name: &str) -> &'static str {
        let declared = self.program.top.lexical.iter().find(|(other, _)| **other == *name);
        match declared.map(|(_, kind)| kind) {
            Some(LexicalKind::Const) => "const",
            _ => "let",
        }
    }

    /// Whether much is open around what is built.
    pub(super) fn frames_are_deep(&self) -> bool {
        self.frames.len() > 100
    }

    /// Whether a variable is declared elsewhere, or not at all.
    pub(super) fn needs_no_declaration(&self, variable: Variable) -> bool {
        self.is_known_outside(variable) || self.shared.contains(&variable)
    }

    /// Whether a variable is a cell of this function whose dead zone the engine guards.
    pub(super) fn is_guarded_by_engine(&self, variable: Variable) -> bool {
        self.plan.is_native.get(variable.index()) == Some(&true)
    }

    /// Whether any instruction reads a variable.
    pub(super) fn is_read(&self, variable: Variable) -> bool {
        self.uses.is_read(variable)
    }

    /// Whether functions inside of this one may assign a variable.
    pub(super) fn is_written_inside(&self, variable: Variable) -> bool {
        self.plan.is_written_inside.get(variable.index()) == Some(&true)
    }

    /// Whether functions inside or around may read or write a variable.
    pub(super) fn is_seen_by_closures(&self, variable: Variable) -> bool {
        let is_cell = variable.index() < self.function.num_variables()
            && matches!(self.function.variable_type(variable), crate::Type::Cell(_));
        is_cell || self.is_pinned(variable)
    }

    /// Whether it is a cell that stands for what is read from it.
    pub(super) fn stands_for_reads(&self, variable: Variable) -> bool {
        self.plan.stands_for_reads.get(variable.index()).copied().unwrap_or(false)
    }

    /// Whether closures capture a variable in place of a cell.
    pub(super) fn is_pinned(&self, variable: Variable) -> bool {
        self.plan.is_pinned.get(variable.index()) == Some(&true)
    }

    /// Whether a variable is a parameter, or a function around declares it.
    pub(super) fn is_known_outside(&self, variable: Variable) -> bool {
        self.plan.is_outer.get(variable.index()) == Some(&true) || self.states[variable.index()].is_alias
    }

    /// Whether a handler may read what a variable holds when an exception is caught.
    pub(super) fn may_be_caught(&self, handler: Block, variable: Variable) -> bool {
        // Temporaries are read where they are assigned; the dispatch variable alone is read elsewhere.
        if variable.index() >= self.function.num_variables() {
            return self.dispatch == Some(variable);
        }
        self.uses.may_be_caught(handler, variable)
    }

    /// Whether a variable may hold something when control comes to the header of a loop that it is read after.
    pub(super) fn is_live_around(&self, header: Option<Block>, variable: Variable) -> bool {
        if variable.index() >= self.function.num_variables() {
            return self.dispatch == Some(variable);
        }
        header.is_none_or(|header| self.uses.is_live_in(header, variable))
    }
}

/// The variables that both parts of a function mention. What stands for a cell is mentioned with it.
fn shared_by_parts(plan: &Plan, id: FunctionId) -> Result<Vec<Variable>, Unwritable> {
    let function = &plan.function;
    let mentioned = |part| {
        let chains = Chains::new(function, &plan.cfg, part).ok_or(Unwritable::Function(id))?;
        let mut mentioned = chains.mentioned(function);
        for (variable, &same) in plan.same.iter().enumerate() {
            mentioned[same.index()] |= mentioned[variable];
        }
        Ok::<_, Unwritable>(mentioned)
    };
    let (call, rest) = (mentioned(Part::Call)?, mentioned(Part::Rest)?);
    let is_in_both = |variable: &Variable| {
        let same = plan.same[variable.index()].index();
        call[same] && rest[same]
    };
    Ok(function.variables().filter(is_in_both).collect())
}
