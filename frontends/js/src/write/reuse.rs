//! Variables of one name in the source that are declared apart get one name again.
//!
//! All variables of a function had names of their own so far: the counters of two loops are `i` and `i_2`. Once it is
//! known where they are declared, one may have the name of the others if none of these is mentioned where it would hide
//! them. What closures see keeps its name: functions that stay as they are mention it.
//!
//! # Complexity
//! O(n log n) in statements and mentions.

use super::ast::{Ast, ExprId, NameId};
use super::code::Body;
use super::declare::RowId;
use super::tree::{Kind, Seq, children, each_mention};
use ssaphire_ir::Variable;
use std::collections::{BTreeSet, HashMap};

/// From one statement to another one, by their places in the text.
type Scope = (u32, u32);

/// Where variables are mentioned and declared.
struct Survey<'b> {
    body: &'b Body,
    /// By variable, in ascending order.
    mentions: HashMap<Variable, Vec<u32>>,
    /// By row.
    scopes: HashMap<RowId, Scope>,
    /// By row without braces, the row around it that has them.
    open: HashMap<RowId, RowId>,
    /// The scopes of variables that the head of a loop declares.
    in_heads: HashMap<Variable, Scope>,
    next: u32,
}

/// What is left to look at.
enum Task<'b> {
    Row {
        row: RowId,
        seq: &'b Seq,
        index: usize,
    },
    /// The end of a row, and the variable that the head of the loop around it declares.
    End {
        row: RowId,
        head: Option<(Variable, u32)>,
    },
}

/// Renames the variables of a function that may have the names that they were to have. `wanted` says by variable what
/// that is, if its name may be another one; the nodes of the function are those from `first` on.
pub(super) fn rename(
    ast: &mut Ast<'_>,
    body: &mut Body,
    (first, params): (ExprId, &[String]),
    wanted: &[Option<String>],
) {
    let is_renamed = |&(index, wanted): &(usize, &Option<String>)| {
        wanted.as_ref().is_some_and(|wanted| ast.text_of(body.names[index]) != wanted)
    };
    if !wanted.iter().enumerate().any(|pair| is_renamed(&pair)) {
        return;
    }
    let mut holders: HashMap<NameId, BTreeSet<u32>> = HashMap::new();
    let wanted: Vec<Option<NameId>> =
        wanted.iter().map(|wanted| wanted.as_ref().map(|wanted| ast.intern(wanted))).collect();
    let survey = Survey::new(ast, body);
    for &name in wanted.iter().flatten() {
        holders.entry(name).or_default();
    }
    // Parameters are in scope in the whole body: they count as mentioned before its first statement.
    for param in params {
        holders.entry(ast.intern(param)).or_default().insert(0);
    }
    for (index, name) in body.names.iter().enumerate() {
        if let Some(held) = holders.get_mut(name) {
            let variable = Variable::new(index);
            held.extend(survey.mentions.get(&variable).into_iter().flatten());
            held.extend((!body.declarations.row_of.contains_key(&variable)).then_some(0));
        }
    }
    let mut candidates: Vec<(Scope, Variable, NameId)> = Vec::new();
    for (index, wanted) in wanted.iter().enumerate() {
        let variable = Variable::new(index);
        if let (&Some(wanted), Some(scope)) = (wanted, survey.scope_of(variable))
            && body.names[index] != wanted
        {
            candidates.push((scope, variable, wanted));
        }
    }
    candidates.sort_unstable_by_key(|&(scope, variable, _)| (scope, variable));
    candidates.retain(|&((start, end), variable, wanted)| {
        let Some(held) = holders.get_mut(&wanted) else { return false };
        let hides_none = held.range(start..=end).next().is_none();
        if hides_none {
            held.extend(survey.mentions.get(&variable).into_iter().flatten());
        }
        hides_none
    });
    let mut renamed: HashMap<NameId, NameId> = HashMap::new();
    for (_, variable, wanted) in candidates {
        renamed.insert(std::mem::replace(&mut body.names[variable.index()], wanted), wanted);
    }
    ast.rename(first, &renamed);
}

impl<'b> Survey<'b> {
    fn new(ast: &Ast<'_>, body: &'b Body) -> Self {
        let (mentions, scopes, in_heads) = (HashMap::new(), HashMap::new(), HashMap::new());
        // The place before all statements is that of parameters.
        let mut survey = Self { body, mentions, scopes, open: HashMap::new(), in_heads, next: 1 };
        survey.scopes.insert(0, (0, 0));
        let mut tasks = vec![Task::End { row: 0, head: None }, Task::Row { row: 0, seq: &body.root, index: 0 }];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Row { row, seq, index } => {
                    let scope = survey.scopes.entry(row).or_insert((survey.next, 0));
                    scope.0 = scope.0.min(survey.next);
                    if index < seq.len() {
                        tasks.push(Task::Row { row, seq, index: index + 1 });
                        survey.statement(ast, (row, seq, index), &mut tasks);
                    }
                }
                Task::End { row, head } => {
                    let end = survey.next - 1;
                    survey.scopes.entry(row).and_modify(|scope| scope.1 = end);
                    if let Some((variable, start)) = head {
                        survey.in_heads.insert(variable, (start, end));
                    }
                }
            }
        }
        survey
    }

    /// Looks at a statement, and lets its rows follow.
    fn statement(&mut self, ast: &Ast<'_>, (row, seq, index): (RowId, &'b Seq, usize), tasks: &mut Vec<Task<'b>>) {
        let (body, node, at) = (self.body, seq[index], self.next);
        self.next += 1;
        let kind = &body.tree.nodes[node].kind;
        self.mention_all(kind, at);
        let (head, first) = (self.declared_in_head(ast, (row, seq), index, at), tasks.len());
        for (number, seq) in children(kind).enumerate() {
            let Some(&inside) = body.declarations.rows.get(&(node, number)) else { continue };
            match kind {
                // What a loop runs over is evaluated where its variables are declared.
                Kind::Loop { over: Some(_), .. } => drop(self.scopes.insert(inside, (at, 0))),
                Kind::Labeled { label, .. } if !body.jumps.is_left(*label) => {
                    let around = self.open.get(&row).copied().unwrap_or(row);
                    self.open.insert(inside, around);
                }
                _ => {}
            }
            tasks.push(Task::Row { row: inside, seq, index: 0 });
            tasks.push(Task::End { row: inside, head });
        }
        tasks[first..].reverse();
    }

    /// The variable that the statement before a loop declares, if both are one `for`; and where that begins.
    fn declared_in_head(
        &self,
        ast: &Ast<'_>,
        (row, seq): (RowId, &Seq),
        index: usize,
        at: u32,
    ) -> Option<(Variable, u32)> {
        let before = index.checked_sub(1)?;
        let (init, next) = (seq[before], seq[index]);
        let Kind::Assign { variable, .. } = self.body.tree.nodes[init].kind else { return None };
        let declares = self.body.declarations.declaring.contains_key(&init) && !self.body.vars.contains(&variable);
        (declares && self.body.is_for(ast, (init, next), (row, before))).then_some((variable, at - 1))
    }

    fn mention_all(&mut self, kind: &Kind, at: u32) {
        each_mention(kind, |variable| self.mentions.entry(variable).or_default().push(at));
    }

    /// Where the declaration of a variable makes its name mean the variable.
    fn scope_of(&self, variable: Variable) -> Option<Scope> {
        let row = self.body.declarations.row_of.get(&variable)?;
        let row = self.open.get(row).unwrap_or(row);
        let scope = self.in_heads.get(&variable).or_else(|| self.scopes.get(row)).copied();
        scope.filter(|(start, end)| start <= end)
    }
}
