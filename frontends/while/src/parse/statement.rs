//! Parses statements, bodies and functions, with an explicit stack of open constructs.

use super::names::FunctionNames;
use super::{Parser, Refused};
use crate::error::{Error, ErrorKind};
use crate::token::Token;
use crate::tree::{Body, Expression, ExpressionId, Function, List, Statement, StatementId};
use ssaphire_ir::basic::Type;
use ssaphire_ir::source::Span;

/// A construct whose body is being parsed.
pub(super) struct Open {
    construct: Construct,
    /// The number of statements that were pending before its body.
    outside: usize,
    /// The span of its `{`.
    brace: Span,
}

enum Construct {
    Function,
    Then(StatementId, ExpressionId),
    Else(StatementId, ExpressionId, Body),
    /// The `if` of an `else if` is the only statement of this body, which has no braces of its own.
    ElseIf(StatementId, ExpressionId, Body),
    While(StatementId, ExpressionId),
    Repeat(StatementId),
}

impl Construct {
    fn is_loop(&self) -> bool {
        matches!(self, Self::While(..) | Self::Repeat(_))
    }
}

impl<'s> Parser<'s> {
    pub(super) fn parse_file(&mut self) {
        if !self.is("func") {
            self.program.is_bare = true;
            self.enter_function("main", Span::default());
        }
        while !matches!(self.token, Token::End) && self.errors.len() < Error::LIMIT {
            if self.parse_next().is_err() {
                self.recover();
            }
        }
        match self.open.last() {
            // After another error, the braces may be miscounted.
            Some(open) if self.errors.is_empty() => {
                let line = self.program.source.line(open.brace.start);
                self.errors.push((ErrorKind::Unclosed { line }, self.span));
            }
            None if self.program.is_bare => self.leave_bare_function(),
            _ => {}
        }
    }

    /// Parses a statement, the head of one with a body, or the end of a body.
    fn parse_next(&mut self) -> Result<(), Refused> {
        match self.token {
            Token::Mark("func") => self.parse_function(),
            Token::Mark("}") if !self.open.is_empty() => self.close_body(),
            _ if self.open.is_empty() && !self.program.is_bare => {
                self.refuse(ErrorKind::StatementOutsideFunction, self.span)
            }
            _ => self.parse_statement(),
        }
    }

    /// Skips the rest of a malformed statement, including its apparent bodies.
    fn recover(&mut self) {
        self.arguments.clear();
        // They have no closing brace of their own.
        self.close_else_ifs();
        let mut depth = 0usize;
        loop {
            match self.token {
                Token::End => return,
                Token::Mark("}") if depth == 0 && !self.open.is_empty() => return,
                Token::Mark("func") if depth == 0 && self.open.is_empty() && !self.program.is_bare => return,
                _ => {}
            }
            let token = self.token;
            self.advance();
            match token {
                Token::Mark("{") => depth += 1,
                Token::Mark("}") => depth = depth.saturating_sub(1),
                Token::Mark(";") => {}
                _ => continue,
            }
            if depth == 0 && !matches!(token, Token::Mark("{")) && !matches!(self.token, Token::Mark("else" | "until"))
            {
                return;
            }
        }
    }

    fn parse_statement(&mut self) -> Result<(), Refused> {
        let span = self.span;
        let statement = match self.token {
            Token::Name(name) => return self.parse_named(name),
            Token::Mark(";") => {
                self.advance();
                return Ok(());
            }
            Token::Mark("if") => return self.parse_if(),
            Token::Mark("while") => return self.parse_while(),
            Token::Mark("repeat") => return self.parse_repeat(),
            Token::Mark("read") => return self.parse_evaluation(),
            Token::Mark("array") => return self.parse_declaration(),
            Token::Mark("skip") => self.parse_keyword(Statement::Skip),
            Token::Mark("break") => self.parse_jump("`break`", Statement::Break, ErrorKind::BreakOutsideLoop),
            Token::Mark("continue") => {
                self.parse_jump("`continue`", Statement::Continue, ErrorKind::ContinueOutsideLoop)
            }
            Token::Mark("goto") => self.parse_goto()?,
            Token::Mark("return") => self.parse_return()?,
            Token::Mark("print") => self.parse_print()?,
            _ => return self.expected("a statement"),
        };
        self.push_statement(statement, span.to(self.previous));
        self.end_statement()
    }

    /// Consumes the `;` after a statement; the last one of a body needs none.
    fn end_statement(&mut self) -> Result<(), Refused> {
        if self.is("}") || matches!(self.token, Token::End) { Ok(()) } else { self.expect(";", "`;`") }
    }

    /// Parses a statement that begins with a name: an assignment, a label or a call.
    fn parse_named(&mut self, name: &'s str) -> Result<(), Refused> {
        let span = self.span;
        match self.peek() {
            Token::Mark(":") => {
                self.superset("a label", span);
                self.advance();
                self.advance();
                let label = self.define_label(name, span);
                self.push_statement(Statement::Label(label), span);
                Ok(())
            }
            Token::Mark(":=" | "=") => {
                let variable = self.variable(name);
                self.advance();
                self.advance();
                let expression = self.parse_expression()?;
                self.push_statement(Statement::Assign(variable, expression), span.to(self.previous));
                self.end_statement()
            }
            Token::Mark("(") => self.parse_evaluation(),
            Token::Mark(mark @ ("[" | ".")) => self.parse_update(name, mark == "."),
            _ => {
                self.advance();
                self.expected("`:=`, `:`, `(`, `[` or `.` after the name")
            }
        }
    }

    /// Parses an assignment to an element or a field.
    fn parse_update(&mut self, name: &'s str, is_field: bool) -> Result<(), Refused> {
        let span = self.span;
        let array = self.parse_array(name);
        let index = if is_field { self.parse_field()? } else { self.parse_index()? };
        let is_hidden = self.eat_hidden_assignment();
        if !is_hidden && !self.eat(":=") && !self.eat("=") {
            return self.expected("`:=` or `<-`");
        }
        let element = self.parse_expression()?;
        let statement = if is_hidden {
            Statement::HiddenUpdate(array, index, element)
        } else {
            Statement::Update(array, index, element)
        };
        self.push_statement(statement, span.to(self.previous));
        self.end_statement()
    }

    fn parse_index(&mut self) -> Result<ExpressionId, Refused> {
        let index = self.parse_expression()?;
        self.expect("]", "`]`")?;
        Ok(index)
    }

    /// Consumes `<-`, which is a token only here: elsewhere, `a<-1` is a comparison.
    fn eat_hidden_assignment(&mut self) -> bool {
        let is_arrow = self.is("<") && self.program.source.text()[self.span.end as usize..].starts_with('-');
        if is_arrow {
            self.advance();
            self.advance();
        }
        is_arrow
    }

    /// Parses the names of declared arrays.
    fn parse_declaration(&mut self) -> Result<(), Refused> {
        let span = self.span;
        self.superset("`array`", span);
        let outside = match self.open.last() {
            Some(Open { construct: Construct::Function, outside, .. }) => Some(*outside),
            Some(_) => None,
            None => Some(0),
        };
        if outside != Some(self.pending.len()) {
            self.errors.push((ErrorKind::LateDeclaration, span));
        }
        self.advance();
        loop {
            let (name, span) = self.expect_name("the name of an array")?;
            self.declare_array(name, span);
            if !self.eat(",") {
                return self.end_statement();
            }
        }
    }

    fn parse_evaluation(&mut self) -> Result<(), Refused> {
        let span = self.span;
        let expression = self.parse_expression()?;
        let span = span.to(self.previous);
        match self.program.expression(expression) {
            Expression::Call(..) | Expression::Read => {
                self.push_statement(Statement::Evaluate(expression), span);
                self.end_statement()
            }
            _ => self.refuse(ErrorKind::UselessExpression, span),
        }
    }

    fn parse_keyword(&mut self, statement: Statement) -> Statement {
        self.advance();
        statement
    }

    fn parse_jump(&mut self, construct: &'static str, statement: Statement, outside: ErrorKind) -> Statement {
        self.superset(construct, self.span);
        if self.num_loops == 0 {
            self.errors.push((outside, self.span));
        }
        self.parse_keyword(statement)
    }

    fn parse_goto(&mut self) -> Result<Statement, Refused> {
        self.superset("`goto`", self.span);
        self.advance();
        let (name, span) = self.expect_name("a label")?;
        Ok(Statement::Goto(self.goto_label(name, span)))
    }

    fn parse_return(&mut self) -> Result<Statement, Refused> {
        self.superset("`return`", self.span);
        self.advance();
        let is_empty = matches!(self.token, Token::Mark(";" | "}") | Token::End);
        Ok(Statement::Return(if is_empty { List::default() } else { self.parse_list()? }))
    }

    fn parse_print(&mut self) -> Result<Statement, Refused> {
        self.superset("`print`", self.span);
        self.advance();
        Ok(Statement::Print(self.parse_list()?))
    }

    fn parse_if(&mut self) -> Result<(), Refused> {
        let (id, condition) = self.parse_head()?;
        self.open_body(Construct::Then(id, condition))
    }

    fn parse_while(&mut self) -> Result<(), Refused> {
        let (id, condition) = self.parse_head()?;
        self.open_body(Construct::While(id, condition))
    }

    fn parse_repeat(&mut self) -> Result<(), Refused> {
        self.superset("`repeat`", self.span);
        let id = self.push_statement(Statement::Skip, self.span);
        self.advance();
        self.open_body(Construct::Repeat(id))
    }

    /// Parses a keyword and a condition. The statement is a placeholder until its body is closed.
    fn parse_head(&mut self) -> Result<(StatementId, ExpressionId), Refused> {
        let span = self.span;
        self.advance();
        let num_pending = self.pending.len();
        let id = self.push_statement(Statement::Skip, span);
        let condition = self.parse_expression().inspect_err(|_| self.pending.truncate(num_pending))?;
        self.program.statement_spans[id.0 as usize] = span.to(self.previous);
        Ok((id, condition))
    }

    fn open_body(&mut self, construct: Construct) -> Result<(), Refused> {
        let brace = self.span;
        self.expect("{", "`{`")?;
        self.open_construct(construct, brace);
        Ok(())
    }

    fn open_construct(&mut self, construct: Construct, brace: Span) {
        self.num_loops += usize::from(construct.is_loop());
        self.open.push(Open { construct, outside: self.pending.len(), brace });
    }

    /// Consumes a `}`, and finishes the constructs that end with it.
    fn close_body(&mut self) -> Result<(), Refused> {
        self.advance();
        let Some((construct, body)) = self.leave_body() else { return Ok(()) };
        match construct {
            Construct::Then(id, condition) => return self.parse_else(id, condition, body),
            Construct::Else(id, condition, then) => self.set_statement(id, Statement::If(condition, then, body)),
            Construct::While(id, condition) => self.set_statement(id, Statement::While(condition, body)),
            Construct::Repeat(id) => return self.parse_until(id, body),
            Construct::Function => self.finish_function(body),
            // It has no braces, and ends with the `if` inside it.
            Construct::ElseIf(..) => {}
        }
        self.close_else_ifs();
        Ok(())
    }

    /// Pops the innermost construct, with its body.
    fn leave_body(&mut self) -> Option<(Construct, Body)> {
        let Open { construct, outside, .. } = self.open.pop()?;
        self.num_loops -= usize::from(construct.is_loop());
        let body = self.finish_body(outside);
        Some((construct, body))
    }

    /// The pending statements from index `outside` on, as a body.
    fn finish_body(&mut self, outside: usize) -> Body {
        if self.pending.len() == outside {
            return Body::default();
        }
        let start = self.program.bodies.len() as u32;
        self.program.bodies.extend(self.pending.drain(outside..));
        Body { start, end: self.program.bodies.len() as u32 }
    }

    fn set_statement(&mut self, id: StatementId, statement: Statement) {
        self.program.statements[id.0 as usize] = statement;
    }

    /// Parses the rest of an `if` after its first body.
    fn parse_else(&mut self, id: StatementId, condition: ExpressionId, then: Body) -> Result<(), Refused> {
        if !self.eat("else") {
            self.set_statement(id, Statement::If(condition, then, Body::default()));
            self.close_else_ifs();
            return Ok(());
        }
        if self.is("if") {
            self.open_construct(Construct::ElseIf(id, condition, then), self.span);
            return self.parse_if();
        }
        self.open_body(Construct::Else(id, condition, then))
    }

    /// Finishes the `else if`s whose last `if` is finished.
    fn close_else_ifs(&mut self) {
        while let Some(&Open { construct: Construct::ElseIf(id, condition, then), .. }) = self.open.last() {
            let Some((_, body)) = self.leave_body() else { return };
            self.set_statement(id, Statement::If(condition, then, body));
        }
    }

    fn parse_until(&mut self, id: StatementId, body: Body) -> Result<(), Refused> {
        self.expect("until", "`until`")?;
        let condition = self.parse_expression()?;
        self.set_statement(id, Statement::Repeat(body, condition));
        self.end_statement()
    }

    /// Parses the head of a function.
    fn parse_function(&mut self) -> Result<(), Refused> {
        if self.program.is_bare || !self.open.is_empty() {
            return self.refuse(ErrorKind::FunctionAmongStatements, self.span);
        }
        self.superset("a function", self.span);
        self.advance();
        let (name, span) = self.expect_name("the name of a function")?;
        self.enter_function(name, span);
        self.define_function(name, span);
        self.expect("(", "`(`")?;
        while let Token::Name(name) = self.token {
            let span = self.span;
            self.advance();
            let ty = if self.eat_brackets()? { Type::Array } else { Type::Number };
            self.param(name, ty, span);
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")", "a parameter or `)`")?;
        let returns_array = self.eat_brackets()?;
        if let Some(function) = self.program.functions.last_mut() {
            function.returns_array = returns_array;
        }
        self.open_body(Construct::Function)
    }

    /// Consumes `[]`, if present; returns whether it was.
    fn eat_brackets(&mut self) -> Result<bool, Refused> {
        if !self.eat("[") {
            return Ok(false);
        }
        self.expect("]", "`]`")?;
        Ok(true)
    }

    fn enter_function(&mut self, name: &str, span: Span) {
        self.local = FunctionNames::default();
        self.starts.push((self.program.statements.len(), self.program.expressions.len()));
        self.program.functions.push(Function {
            name: name.to_owned(),
            params: Vec::new(),
            variables: Vec::new(),
            types: Vec::new(),
            returns_array: false,
            labels: Vec::new(),
            body: Body::default(),
            span,
        });
    }

    fn leave_bare_function(&mut self) {
        let body = self.finish_body(0);
        self.finish_function(body);
    }

    fn finish_function(&mut self, body: Body) {
        if let Some(function) = self.program.functions.last_mut() {
            function.body = body;
        }
        self.leave_function();
    }
}
