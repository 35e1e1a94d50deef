//! The control flow between the places of a syntax tree.

use crate::tree::{Body, Label, Program, Statement, StatementId};

/// A place in a tree, where execution continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Point {
    /// The statement, from its beginning.
    Statement(StatementId),
    /// The condition of the loop.
    Condition(StatementId),
    /// Nothing: the function has ended.
    End,
}

/// The successors of all statements of a program.
pub(super) struct Places {
    places: Vec<Place>,
    /// By function and label, the place of the label.
    labels: Vec<Vec<Point>>,
}

#[derive(Clone, Copy)]
struct Place {
    function: usize,
    /// The place after the statement.
    after: Point,
    /// The innermost enclosing loop.
    innermost: Option<StatementId>,
}

impl Places {
    pub(super) fn new(program: &Program) -> Self {
        let nowhere = Place { function: 0, after: Point::End, innermost: None };
        let labels = program.functions.iter().map(|function| vec![Point::End; function.labels.len()]).collect();
        let mut places = Self { places: vec![nowhere; program.statements.len()], labels };
        for (number, function) in program.functions.iter().enumerate() {
            places.set(program, function.body, Place { function: number, ..nowhere });
        }
        // A statement has a smaller number than the statements inside it: its own place is known by now.
        for (index, &statement) in program.statements.iter().enumerate() {
            let (id, place) = (StatementId(index as u32), places.places[index]);
            let in_loop = Place { after: Point::Condition(id), innermost: Some(id), ..place };
            match statement {
                Statement::If(_, then, otherwise) => {
                    places.set(program, then, place);
                    places.set(program, otherwise, place);
                }
                Statement::While(_, body) | Statement::Repeat(body, _) => places.set(program, body, in_loop),
                Statement::Label(label) => places.labels[place.function][label.0 as usize] = Point::Statement(id),
                _ => {}
            }
        }
        places
    }

    /// Sets the places after the statements of `body`; that after the last one is `last`.
    fn set(&mut self, program: &Program, body: Body, last: Place) {
        let mut after = last.after;
        for &statement in program.body(body).iter().rev() {
            self.places[statement.0 as usize] = Place { after, ..last };
            after = Point::Statement(statement);
        }
    }

    /// The place after the statement.
    pub(super) fn after(&self, id: StatementId) -> Point {
        self.places[id.0 as usize].after
    }

    /// The target of a `break`.
    pub(super) fn after_loop(&self, id: StatementId) -> Point {
        self.places[id.0 as usize].innermost.map_or(Point::End, |innermost| self.after(innermost))
    }

    /// The target of a `continue`.
    pub(super) fn loop_condition(&self, id: StatementId) -> Point {
        self.places[id.0 as usize].innermost.map_or(Point::End, Point::Condition)
    }

    /// The place of a label of the function.
    pub(super) fn label(&self, function: usize, label: Label) -> Point {
        self.labels[function][label.0 as usize]
    }
}

/// The first statement of `body`, or `otherwise` if it is empty.
pub(super) fn first(program: &Program, body: Body, otherwise: Point) -> Point {
    program.body(body).first().map_or(otherwise, |&statement| Point::Statement(statement))
}
