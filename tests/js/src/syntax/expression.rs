//! Expressions, each with the level of its operator.

use super::Tree;

/// The levels of the grammar, the loosest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Sequence,
    Assign,
    Conditional,
    Nullish,
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equality,
    Relational,
    Shift,
    Add,
    Multiply,
    Power,
    Unary,
    Postfix,
    Call,
    Member,
    Primary,
}

use Level::*;

type Make = fn(&mut Tree) -> (String, Level);

/// Makers of expressions that have children.
const MAKERS: &[Make] = &[
    Tree::sequence,
    Tree::assignment,
    Tree::pattern_assignment,
    Tree::conditional,
    Tree::binary,
    Tree::binary,
    Tree::logical,
    Tree::unary,
    Tree::update,
    Tree::call,
    Tree::call,
    Tree::new_expression,
    Tree::member,
    Tree::member,
    Tree::optional_chain,
    Tree::template,
    Tree::tagged,
    Tree::array,
    Tree::object,
    Tree::function_expression,
    Tree::arrow,
    Tree::class_expression,
    Tree::suspension,
    Tree::private_in,
    Tree::super_use,
    Tree::delete,
    Tree::import_call,
];

/// Operators with their levels, and those of their operands.
const BINARY: &[(&str, Level, Level, Level)] = &[
    ("|", BitOr, BitOr, BitXor),
    ("^", BitXor, BitXor, BitAnd),
    ("&", BitAnd, BitAnd, Equality),
    ("==", Equality, Equality, Relational),
    ("!=", Equality, Equality, Relational),
    ("===", Equality, Equality, Relational),
    ("!==", Equality, Equality, Relational),
    ("<", Relational, Relational, Shift),
    (">", Relational, Relational, Shift),
    ("<=", Relational, Relational, Shift),
    (">=", Relational, Relational, Shift),
    ("in", Relational, Relational, Shift),
    ("instanceof", Relational, Relational, Shift),
    ("<<", Shift, Shift, Add),
    (">>", Shift, Shift, Add),
    (">>>", Shift, Shift, Add),
    ("+", Add, Add, Multiply),
    ("+", Add, Add, Multiply),
    ("-", Add, Add, Multiply),
    ("*", Multiply, Multiply, Power),
    ("/", Multiply, Multiply, Power),
    ("%", Multiply, Multiply, Power),
    ("**", Power, Postfix, Power),
];

const COMPOUND: &[&str] =
    &["=", "=", "+=", "-=", "*=", "/=", "%=", "**=", "<<=", ">>=", ">>>=", "&=", "|=", "^=", "&&=", "||=", "??="];

impl Tree {
    /// An expression that stands where one of `wanted` or a tighter level may.
    pub(super) fn expression(&mut self, wanted: Level) -> String {
        let (text, level) = self.leveled();
        // Some parentheses are redundant.
        if level < wanted || self.draws.chance(4) { format!("({text})") } else { text }
    }

    fn leveled(&mut self) -> (String, Level) {
        if !self.draws.chance(75) || !self.spend() {
            return self.leaf();
        }
        let make = self.draws.pick(MAKERS);
        make(self)
    }

    fn leaf(&mut self) -> (String, Level) {
        let text = match self.draws.below(16) {
            // That of sloppy code may be the global object, to which helpers are added.
            0 if self.context.is_strict => "this",
            1 => "null",
            2 => self.draws.pick(&["true", "false"]),
            // `1.a` is no member.
            3 => return (self.draws.pick(&["0", "1", "2.5", "1e3", "0x1f"]).to_owned(), Postfix),
            4 => self.draws.pick(&["0n", "1n"]),
            5 => self.draws.pick(&["\"a\"", "'b'", "\"\\n\"", "\"use strict\"", "'\\u{1f600}'"]),
            6 => self.draws.pick(&["/a/", "/[/]/gi", "/\\//u"]),
            7 => self.draws.pick(&["undefined", "nowhere", "NaN", "globalThis"]),
            8 if self.context.has_call => return ("new.target".to_owned(), Member),
            9 if self.context.has_call => "arguments",
            10 if self.is_module => return ("import.meta".to_owned(), Member),
            11 if !self.context.is_calm => return (format!("log({})", self.draws.below(100)), Call),
            12 if !self.context.is_calm => return ("iterable(\"i\", 2)".to_owned(), Call),
            _ => return (self.name().unwrap_or_else(|| "null".to_owned()), Primary),
        };
        (text.to_owned(), Primary)
    }

    fn sequence(&mut self) -> (String, Level) {
        (format!("{}, {}", self.expression(Sequence), self.expression(Assign)), Sequence)
    }

    /// A target of an assignment: a variable or a property.
    pub(super) fn target(&mut self) -> String {
        if (self.context.is_calm || self.draws.chance(50))
            && let Some(name) = self.written()
        {
            return name;
        }
        if self.context.has_super && self.draws.chance(10) {
            return "super.a".to_owned();
        }
        let (object, _) = self.object_of_member();
        format!("{object}{}", self.key())
    }

    fn assignment(&mut self) -> (String, Level) {
        if self.context.is_calm {
            return self.leaf();
        }
        let operator = self.draws.pick(COMPOUND);
        (format!("{} {operator} {}", self.target(), self.expression(Assign)), Assign)
    }

    fn pattern_assignment(&mut self) -> (String, Level) {
        if self.context.is_calm {
            return self.leaf();
        }
        (format!("{} = {}", self.target_pattern(), self.expression(Assign)), Assign)
    }

    fn conditional(&mut self) -> (String, Level) {
        let test = self.expression(Nullish);
        (format!("{test} ? {} : {}", self.expression(Assign), self.expression(Assign)), Conditional)
    }

    fn binary(&mut self) -> (String, Level) {
        self.joined(BINARY)
    }

    /// Two expressions with one of these operators.
    fn joined(&mut self, operators: &[(&str, Level, Level, Level)]) -> (String, Level) {
        let (operator, level, left, right) = self.draws.pick(operators);
        (format!("{} {operator} {}", self.expression(left), self.expression(right)), level)
    }

    fn logical(&mut self) -> (String, Level) {
        self.joined(&[("&&", And, And, BitOr), ("||", Or, Or, And), ("??", Nullish, BitOr, BitOr)])
    }

    fn unary(&mut self) -> (String, Level) {
        let operator = self.draws.pick(&["-", "+", "~", "!", "typeof", "void"]);
        (format!("{operator} {}", self.expression(Unary)), Unary)
    }

    fn update(&mut self) -> (String, Level) {
        if self.context.is_calm {
            return self.leaf();
        }
        let (operator, target) = (self.draws.pick(&["++", "--"]), self.target());
        if self.draws.chance(50) {
            (format!("{operator}{target}"), Unary)
        } else {
            (format!("{target}{operator}"), Postfix)
        }
    }

    /// The inside of the parentheses of a call, or of the brackets of an array without holes.
    pub(super) fn arguments(&mut self) -> String {
        let mut arguments = Vec::new();
        for _ in 0..self.draws.below(3) {
            let dots = if self.draws.chance(15) { "..." } else { "" };
            arguments.push(format!("{dots}{}", self.expression(Assign)));
        }
        arguments.join(", ")
    }

    fn call(&mut self) -> (String, Level) {
        if self.context.is_calm {
            return self.conditional();
        }
        let callee = self.expression(Call);
        (format!("{callee}({})", self.arguments()), Call)
    }

    fn new_expression(&mut self) -> (String, Level) {
        if self.context.is_calm {
            return self.conditional();
        }
        let callee = self.expression(Member);
        match self.draws.chance(20) {
            // It ends where its callee does.
            true => (format!("new {callee}"), Postfix),
            false => (format!("new {callee}({})", self.arguments()), Member),
        }
    }

    /// `.a`, `[e]` or `.#a`.
    fn key(&mut self) -> String {
        if !self.context.privates.is_empty() && self.draws.chance(25) {
            let index = self.draws.below(self.context.privates.len());
            return format!(".{}", self.context.privates[index]);
        }
        match self.draws.below(3) {
            0 => format!("[{}]", self.expression(Sequence)),
            _ => format!(".{}", self.draws.pick(&["a", "b", "length", "if", "new"])),
        }
    }

    /// An object whose property follows: a call or a tighter expression.
    fn object_of_member(&mut self) -> (String, Level) {
        let (text, level) = self.leveled();
        match level >= Call && !text.contains("?.") {
            true => (text, level.min(Member)),
            false => (format!("({text})"), Member),
        }
    }

    fn member(&mut self) -> (String, Level) {
        let (object, level) = self.object_of_member();
        (format!("{object}{}", self.key()), level)
    }

    fn optional_chain(&mut self) -> (String, Level) {
        let mut text = self.expression(Call);
        for index in 0..1 + self.draws.below(3) {
            match self.draws.below(5) {
                0 if index > 0 => text += &self.key(),
                1 if index > 0 && !self.context.is_calm => text += &format!("({})", self.arguments()),
                2 => text += &format!("?.[{}]", self.expression(Sequence)),
                3 if !self.context.is_calm => text += &format!("?.({})", self.arguments()),
                _ => text += "?.a",
            }
        }
        // It may be the object of a member, which continues it, and no callee of `new` or of a template.
        (text, Call)
    }

    fn quasis(&mut self) -> String {
        let mut text = String::from("`");
        for _ in 0..self.draws.below(3) {
            text += self.draws.pick(&["", "a", "\\n", "$", "\\`", "{", "\n"]);
            text += &format!("${{{}}}", self.expression(Sequence));
        }
        text + self.draws.pick(&["", "b"]) + "`"
    }

    fn template(&mut self) -> (String, Level) {
        (self.quasis(), Primary)
    }

    fn tagged(&mut self) -> (String, Level) {
        if self.context.is_calm {
            return self.template();
        }
        let (tag, level) = self.object_of_member();
        (format!("{tag}{}", self.quasis()), level)
    }

    fn suspension(&mut self) -> (String, Level) {
        let (can_yield, can_await) = (self.context.can_yield, self.context.can_await);
        match self.draws.below(4) {
            0 if can_yield => (format!("yield* {}", self.expression(Assign)), Assign),
            1 if can_yield => (format!("yield {}", self.expression(Assign)), Assign),
            2 if can_yield => ("yield".to_owned(), Assign),
            _ if can_await => (format!("await {}", self.expression(Unary)), Unary),
            _ => self.conditional(),
        }
    }

    fn private_in(&mut self) -> (String, Level) {
        match self.context.privates.last().cloned() {
            Some(name) => {
                let object = self.expression(Shift);
                // The parser takes parentheses for nothing, and refuses `#a in (#b in c)`.
                let object = object.strip_prefix("(#").map_or_else(|| object.clone(), |rest| format!("(0, #{rest}"));
                (format!("{name} in {object}"), Relational)
            }
            None => self.binary(),
        }
    }

    fn super_use(&mut self) -> (String, Level) {
        if !self.context.has_super {
            return self.member();
        }
        match self.draws.below(3) {
            0 if self.context.has_super_call && !self.context.is_calm => (format!("super({})", self.arguments()), Call),
            1 => (format!("super[{}]", self.expression(Sequence)), Member),
            _ => ("super.a".to_owned(), Member),
        }
    }

    fn delete(&mut self) -> (String, Level) {
        let (object, _) = self.object_of_member();
        let key = match self.draws.below(3) {
            0 => format!("[{}]", self.expression(Sequence)),
            1 => "?.a.b".to_owned(),
            _ => ".a".to_owned(),
        };
        (format!("delete {object}{key}"), Unary)
    }

    fn import_call(&mut self) -> (String, Level) {
        match self.is_module && !self.context.is_calm {
            true => (format!("import({})", self.expression(Assign)), Call),
            false => self.unary(),
        }
    }

    fn array(&mut self) -> (String, Level) {
        let mut elements = Vec::new();
        for _ in 0..self.draws.below(4) {
            elements.push(match self.draws.below(8) {
                0 => String::new(),
                1 if !self.context.is_calm => format!("...{}", self.expression(Assign)),
                _ => self.expression(Assign),
            });
        }
        // A hole at the end needs a comma of its own.
        let end = if elements.last().is_some_and(String::is_empty) { "," } else { "" };
        (format!("[{}{end}]", elements.join(", ")), Primary)
    }
}
