//! Where variables are declared: in the innermost block that contains every use; inside a loop only if the value is not
//! carried across iterations.

use super::ast::ExprId;
use super::builder::Builder;
use super::chains::Part;
use super::error::Unwritable;
use super::expr::Expr;
use super::tree::{Kind, NodeId, Seq, children};
use crate::dialect::Constant;
use crate::program::FunctionKind;
use ssaphire_ir::{Block, Variable};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The number of a row of statements, in the order of the text.
pub(super) type RowId = usize;

/// A place in a row: in front of a statement, or in front of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    row: RowId,
    index: usize,
}

/// A row of statements with what is around it.
struct Row<'b> {
    statements: &'b Seq,
    parent: Option<Place>,
    depth: usize,
    /// If it is the body of a loop: where its header is, if it has one.
    of_loop: Option<Option<Block>>,
    /// The innermost row that is the body of a loop: itself, or one around it.
    innermost_loop: Option<RowId>,
}

/// What is known of a variable.
#[derive(Clone, Debug)]
struct Mention {
    place: Place,
    /// The last statement of that row that mentions it.
    last: usize,
    num_writes: u32,
    /// The statements that make it anew, and the rows they are in.
    made: Vec<(NodeId, RowId)>,
    /// The `try` whose `catch` clause assigns it first.
    caught: Option<NodeId>,
    /// The loop over values that assigns it first.
    bound: Option<NodeId>,
    num_mentions: u32,
    /// How many of its mentions are in functions that are declared at the top.
    num_in_functions: u32,
    /// What mentions it first, if that makes it anew with `undefined` in it.
    hollow: Option<(NodeId, RowId)>,
    /// What mentions it next, if that is an assignment in the same row.
    filled: Option<Filled>,
}

/// The assignment of something that held `undefined` before.
#[derive(Clone, Copy, Debug)]
struct Filled {
    node: NodeId,
    place: Place,
    /// Whether functions that are declared before mention it, or the assignment itself does.
    needs_var: bool,
}

/// Where variables are declared.
#[derive(Debug, Default)]
pub(super) struct Declarations {
    /// By place, the variables that are declared in front of a statement.
    pub(super) before: HashMap<(RowId, usize), Vec<Variable>>,
    /// The assignments that declare their variables, and whether these are never assigned again.
    pub(super) declaring: HashMap<NodeId, bool>,
    /// By `try`, the variable that holds what it catches, if anything reads it.
    pub(super) caught: HashMap<NodeId, Caught>,
    /// The loops over values that declare the variable which holds them.
    pub(super) bound: BTreeSet<NodeId>,
    /// The loops over values that declare a pattern instead, which is their first statement.
    pub(super) bound_pattern: HashMap<NodeId, NodeId>,
    /// By statement and number of a row in it.
    pub(super) rows: HashMap<(NodeId, usize), RowId>,
    /// By variable.
    pub(super) row_of: BTreeMap<Variable, RowId>,
    /// By variable, the last statement of that row that mentions it, if that is known.
    pub(super) last: BTreeMap<Variable, usize>,
    /// The `let`s of a script that are initialized in braces.
    pub(super) inner_inits: BTreeSet<String>,
    /// The initial values of variables in `before`. A variable without an entry is declared without an initializer.
    pub(super) initial: BTreeMap<Variable, ExprId>,
    /// Assignments that are not written.
    pub(super) dropped: BTreeSet<NodeId>,
    /// Variables that are assigned once.
    pub(super) once: BTreeSet<Variable>,
    /// Variables that their assignment declares by `var`, because functions that are declared before mention them.
    pub(super) vars: BTreeSet<Variable>,
    /// Cells whose dead zone the engine would not guard.
    pub(super) unguarded: Vec<Variable>,
}

/// Where a `catch` clause puts what it catches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Caught {
    /// In its parameter.
    Param(Variable),
    /// In a variable, by an assignment.
    Assigned(Variable),
}

struct Survey<'b, 'a, 'p> {
    builder: &'b Builder<'a, 'p>,
    rows: Vec<Row<'b>>,
    mentions: BTreeMap<Variable, Mention>,
    /// The statements that are patterns, and the cells whose dead zone ends there.
    patterns: Vec<(NodeId, Place)>,
    guarded: HashMap<NodeId, Vec<Variable>>,
    /// The variables that loops over values assign, and that are mentioned once more.
    read_once: BTreeSet<Variable>,
    /// The variables that `catch` clauses assign, and that are mentioned once more: their values may be overwritten.
    assigned_again: BTreeSet<Variable>,
    /// Whether a function that is declared at the top is looked at.
    is_in_function: bool,
    declarations: Declarations,
}

impl Declarations {
    /// The declarations of a function with these statements.
    pub(super) fn new<'b>(builder: &'b Builder<'_, '_>, root: &'b Seq) -> Result<Self, Unwritable> {
        let mut survey = Survey {
            builder,
            rows: Vec::new(),
            mentions: BTreeMap::new(),
            patterns: Vec::new(),
            guarded: HashMap::new(),
            read_once: BTreeSet::new(),
            assigned_again: BTreeSet::new(),
            is_in_function: false,
            declarations: Self::default(),
        };
        survey.rows.push(Row { statements: root, parent: None, depth: 0, of_loop: None, innermost_loop: None });
        survey.survey(root);
        for &variable in &builder.exported {
            survey.mention(variable, Place { row: 0, index: root.len() }, false);
        }
        survey.decide()?;
        survey.declare_by_assignments();
        survey.declare_by_patterns();
        survey.catch();
        Ok(survey.declarations)
    }

    /// Leaves out a statement whose variables are declared elsewhere.
    pub(super) fn take_out(&mut self, node: NodeId, variables: &[Variable]) {
        self.dropped.insert(node);
        for variable in variables {
            self.row_of.remove(variable);
        }
    }
}

impl<'b> Survey<'b, '_, '_> {
    /// Looks at all statements, in the order of the text.
    fn survey(&mut self, root: &'b Seq) {
        let mut open: Vec<(RowId, &'b Seq, usize)> = vec![(0, root, 0)];
        let builder: &'b Builder<'_, '_> = self.builder;
        let nodes = &builder.tree.nodes;
        while let Some((row, seq, index)) = open.pop() {
            let Some(&node) = seq.get(index) else { continue };
            open.push((row, seq, index + 1));
            self.mention_own(node, Place { row, index });
            let mut inner = Vec::new();
            for (number, child) in children(&nodes[node].kind).enumerate() {
                let id = self.rows.len();
                let of_loop = match nodes[node].kind {
                    Kind::Loop { header, .. } => Some(header),
                    _ => None,
                };
                let innermost_loop = if of_loop.is_some() { Some(id) } else { self.rows[row].innermost_loop };
                let (parent, depth) = (Some(Place { row, index }), self.rows[row].depth + 1);
                self.rows.push(Row { statements: child, parent, depth, of_loop, innermost_loop });
                self.declarations.rows.insert((node, number), id);
                inner.push((id, child, 0));
            }
            if let Kind::Loop { over: Some(over), .. } = &nodes[node].kind {
                let row = inner[0].0;
                self.mention(over.binding, Place { row, index: 0 }, true);
                let is_own = over.is_new || !builder.is_seen_by_closures(over.binding);
                if let Some(mention) = self.mentions.get_mut(&over.binding).filter(|_| is_own) {
                    mention.bound = mention.bound.or((mention.num_mentions == 1).then_some(node));
                    mention.made.push((node, row));
                }
            }
            if let Kind::Try { caught: Some(variable), .. } = nodes[node].kind {
                let place = Place { row: inner[1].0, index: 0 };
                self.mention(variable, place, true);
                let is_pinned = self.builder.is_pinned(variable);
                if let Some(mention) = self.mentions.get_mut(&variable) {
                    mention.caught = mention.caught.or((mention.num_writes == 1).then_some(node));
                    if is_pinned {
                        mention.made.push((node, inner[1].0));
                    }
                }
            }
            open.extend(inner.into_iter().rev());
        }
    }

    /// Notes what a statement mentions itself.
    fn mention_own(&mut self, node: NodeId, place: Place) {
        let nodes = &self.builder.tree.nodes;
        if let Kind::Init { name, .. } = &nodes[node].kind
            && place.row != 0
        {
            self.declarations.inner_inits.insert(self.builder.ast.text_of(*name).to_owned());
        }
        match &nodes[node].kind {
            Kind::Assign { variable, value, is_new } => {
                self.is_in_function = place.row == 0 && self.builder.ast.declared(value.id).is_some();
                self.mention_all(value, place);
                self.is_in_function = false;
                self.mention(*variable, place, true);
                if let Some(mention) = self.mentions.get_mut(variable) {
                    if *is_new {
                        mention.made.push((node, place.row));
                    }
                    let is_read = value.reads.contains(variable);
                    match mention.num_mentions - mention.num_in_functions - u32::from(is_read) {
                        1 if *is_new && self.builder.ast.is_constant(value.id, &Constant::Undefined) => {
                            mention.hollow = (mention.num_mentions == 1).then_some((node, place.row));
                        }
                        2 if mention.hollow.is_some_and(|(_, row)| row == place.row) => {
                            let needs_var = is_read || mention.num_in_functions > 0;
                            mention.filled = Some(Filled { node, place, needs_var });
                        }
                        _ => {}
                    }
                }
            }
            Kind::Bind { all, made, .. } => {
                self.mention_all(all, place);
                self.patterns.push((node, place));
                for variable in made {
                    if let Some(mention) = self.mentions.get_mut(variable) {
                        mention.made.push((node, place.row));
                    }
                }
            }
            Kind::Loop { over: Some(over), .. } => self.mention_all(&over.iterable, place),
            Kind::Do(value) | Kind::Init { value, .. } | Kind::Return(Some(value)) | Kind::Throw(value) => {
                self.mention_all(value, place);
            }
            Kind::If { condition: value, .. } | Kind::Switch { on: value, .. } => self.mention_all(value, place),
            _ => {}
        }
    }

    fn mention_all(&mut self, value: &Expr, place: Place) {
        value.reads.iter().for_each(|&variable| self.mention(variable, place, false));
        value.writes.iter().for_each(|&variable| self.mention(variable, place, true));
    }

    fn mention(&mut self, variable: Variable, place: Place, is_write: bool) {
        if self.builder.needs_no_declaration(variable) {
            return;
        }
        let new = Mention {
            place,
            last: place.index,
            num_writes: 0,
            made: Vec::new(),
            caught: None,
            bound: None,
            num_mentions: 0,
            num_in_functions: 0,
            hollow: None,
            filled: None,
        };
        let known = self.mentions.get(&variable).map(|mention| (mention.place, mention.last));
        let (together, last) = known.map_or((place, place.index), |(known, last)| self.together((known, last), place));
        let mention = self.mentions.entry(variable).or_insert(new);
        (mention.place, mention.last) = (together, last);
        mention.num_writes += u32::from(is_write);
        mention.num_mentions += 1;
        mention.num_in_functions += u32::from(self.is_in_function);
    }

    /// The deepest place from which both are reached, and the last statement there that leads to one of them; `last` is
    /// that of `one`.
    fn together(&self, (mut one, mut last): (Place, usize), mut other: Place) -> (Place, usize) {
        while one.row != other.row {
            let is_one = self.rows[one.row].depth >= self.rows[other.row].depth;
            let deeper = if is_one { &mut one } else { &mut other };
            let Some(parent) = self.rows[deeper.row].parent else { break };
            *deeper = parent;
            if is_one {
                last = parent.index;
            }
        }
        (Place { row: one.row, index: one.index.min(other.index) }, last.max(other.index))
    }

    fn decide(&mut self) -> Result<(), Unwritable> {
        let mentions = std::mem::take(&mut self.mentions);
        for (variable, mention) in mentions {
            let mut place = self.out_of_loops(variable, mention.place);
            self.declarations.row_of.insert(variable, place.row);
            if place == mention.place {
                self.declarations.last.insert(variable, mention.last);
            }
            if mention.caught.is_some() && mention.num_mentions > 1 {
                self.assigned_again.insert(variable);
            }
            if mention.bound.is_some() && mention.num_mentions == 2 {
                self.read_once.insert(variable);
            }
            let mut num_writes = mention.num_writes;
            if let (Some((node, row)), Some(filled)) = (mention.hollow, mention.filled)
                && row == place.row
                && (!filled.needs_var || self.may_be_var(variable, row))
            {
                // Nothing can tell when it began to be there.
                self.declarations.dropped.insert(node);
                if filled.needs_var {
                    self.declarations.declaring.insert(filled.node, false);
                    self.declarations.vars.insert(variable);
                    continue;
                }
                place = filled.place;
                num_writes -= 1;
            }
            if num_writes == 1 && !self.builder.is_written_inside(variable) {
                self.declarations.once.insert(variable);
            }
            if self.builder.is_guarded_by_engine(variable) {
                self.declare_native(variable, &mention, place);
                continue;
            }
            // Of others than cells each round may assign the same one.
            let is_cell = self.builder.is_seen_by_closures(variable);
            let is_shared = is_cell && mention.made.iter().any(|&(_, row)| self.is_in_loop(row, place.row));
            if is_shared && (self.builder.is_pinned(variable) || self.builder.stands_for_reads(variable)) {
                self.declarations.unguarded.push(variable);
            } else if is_shared {
                return Err(Unwritable::Cell(self.builder.name_text(variable).to_owned()));
            }
            self.declare(variable, &mention, place);
        }
        Ok(())
    }

    /// Whether a variable of this row may be declared by `var`.
    fn may_be_var(&self, variable: Variable, row: RowId) -> bool {
        let is_global = self.builder.js.kind == FunctionKind::Script;
        let is_in_both = self.builder.part != Part::Whole;
        row == 0 && !is_global && !is_in_both && !self.builder.is_guarded_by_engine(variable)
    }

    /// The place outside of all loops from one round of which to the next the variable may hold something.
    fn out_of_loops(&self, variable: Variable, place: Place) -> Place {
        let (mut at, mut result) = (self.rows[place.row].innermost_loop, place);
        while let Some(row) = at {
            let Row { parent: Some(parent), of_loop: Some(header), .. } = self.rows[row] else { break };
            let loop_ = self.rows[parent.row].statements[parent.index];
            if self.builder.is_live_around(header, variable) || self.builder.in_conditions.contains(&(loop_, variable))
            {
                result = parent;
            }
            at = self.rows[parent.row].innermost_loop;
        }
        result
    }

    /// Whether a loop is between a row and one around it.
    fn is_in_loop(&self, row: RowId, around: RowId) -> bool {
        // `around` is around `row`.
        self.rows[row].innermost_loop != self.rows[around].innermost_loop
    }

    /// A cell is declared where it is initialized, in the braces that hold all that mentions it.
    fn declare_native(&mut self, variable: Variable, mention: &Mention, place: Place) {
        match mention.made[..] {
            [(node, row)] if row == place.row && matches!(self.builder.tree.nodes[node].kind, Kind::Bind { .. }) => {
                self.guarded.entry(node).or_default().push(variable);
            }
            [(node, row)] if row == place.row => {
                let is_constant = self.declarations.once.contains(&variable);
                self.declarations.declaring.insert(node, is_constant);
            }
            _ => self.declarations.unguarded.push(variable),
        }
    }

    fn declare(&mut self, variable: Variable, mention: &Mention, place: Place) {
        let caught = mention.caught.filter(|node| self.declarations.rows.get(&(*node, 1)) == Some(&place.row));
        if let Some(node) = caught {
            self.declarations.caught.insert(node, Caught::Param(variable));
            return;
        }
        let bound = mention.bound.filter(|node| self.declarations.rows.get(&(*node, 0)) == Some(&place.row));
        if let Some(node) = bound {
            self.declarations.bound.insert(node);
            return;
        }
        self.declarations.before.entry((place.row, place.index)).or_default().push(variable);
    }

    /// Lets `catch` clauses assign what they catch to what is no parameter of theirs.
    fn catch(&mut self) {
        for (node, data) in self.builder.tree.nodes.iter().enumerate() {
            let Kind::Try { caught: Some(variable), .. } = data.kind else { continue };
            let is_mentioned =
                self.declarations.row_of.contains_key(&variable) || self.builder.needs_no_declaration(variable);
            if is_mentioned && (self.builder.is_read(variable) || self.assigned_again.contains(&variable)) {
                self.declarations.caught.entry(node).or_insert(Caught::Assigned(variable));
            } else {
                self.declarations.caught.remove(&node);
            }
        }
    }

    /// Lets patterns declare what they assign, if that is all declared where they are.
    fn declare_by_patterns(&mut self) {
        for (node, place) in std::mem::take(&mut self.patterns) {
            let Kind::Bind { all: value, has_variables_only, .. } = &self.builder.tree.nodes[node].kind else {
                continue;
            };
            let guarded = self.guarded.remove(&node).unwrap_or_default();
            let Declarations { before, declaring, once, unguarded, .. } = &mut self.declarations;
            let at = (place.row, place.index);
            let here = before.get(&at).map_or(&[][..], Vec::as_slice);
            let is_declared = |variable: &Variable| {
                (guarded.contains(variable) || here.contains(variable))
                    && !value.reads.contains(variable)
                    && !self.builder.exported_vars.contains(variable)
            };
            if !has_variables_only || value.writes.is_empty() || !value.writes.iter().all(is_declared) {
                unguarded.extend(guarded);
                continue;
            }
            declaring.insert(node, value.writes.iter().all(|variable| once.contains(variable)));
            if let Some(here) = before.get_mut(&at) {
                here.retain(|variable| !value.writes.contains(variable));
                if here.is_empty() {
                    before.remove(&at);
                }
            }
            self.declare_in_head(node, place);
        }
    }

    /// Lets a loop over values declare a pattern, if that is all it does with its value.
    fn declare_in_head(&mut self, node: NodeId, place: Place) {
        let builder = self.builder;
        let Row { parent: Some(parent), of_loop: Some(_), .. } = self.rows[place.row] else { return };
        let loop_ = self.rows[parent.row].statements[parent.index];
        if let Kind::Loop { over: Some(over), .. } = &builder.tree.nodes[loop_].kind
            && place.index == 0
            && self.read_once.contains(&over.binding)
            && self.declarations.bound.contains(&loop_)
            && builder.taken_apart(node) == Some(builder.name(over.binding))
            && !self.declarations.before.contains_key(&(place.row, 0))
        {
            self.declarations.bound_pattern.insert(loop_, node);
            self.declarations.dropped.insert(node);
        }
    }

    /// Merges declarations into the assignments that follow them.
    fn declare_by_assignments(&mut self) {
        let nodes = &self.builder.tree.nodes;
        let Declarations { before, declaring, once, .. } = &mut self.declarations;
        before.retain(|&(row, index), variables| {
            let node = self.rows[row].statements.get(index);
            if let Some(&node) = node
                && let Kind::Assign { variable, value, .. } = &nodes[node].kind
                && !value.reads.contains(variable)
                && !value.writes.contains(variable)
                && let Some(at) = variables.iter().position(|other| other == variable)
            {
                variables.remove(at);
                declaring.insert(node, once.contains(variable));
            }
            !variables.is_empty()
        });
    }
}
