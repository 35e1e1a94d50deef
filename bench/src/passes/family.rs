//! The families.

use ssaphire_ir::basic::{BinaryOp, Op, Type};
use ssaphire_ir::{Basic, Block, Function, Inst, Phi, Value};
use ssaphire_tests::shapes::Shape;

/// A family of functions in SSA form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the table of the module says what they are")]
pub enum Family {
    Block,
    Row,
    Ladder,
    Known,
    Decided,
    Cascade,
    Nest,
    Loops,
    Empty,
    Switch,
    Orphans,
    /// One of [`Shape::ALL`], by number.
    Shape(usize),
}

/// A function, and where its steps use a value that is computed at the beginning.
#[derive(Clone, Debug)]
pub struct Member {
    /// The function.
    pub function: Function<Basic>,
    /// The value.
    pub value: Value,
    /// The instructions that use it: block and number.
    pub steps: Vec<(Block, usize)>,
}

impl Family {
    /// The families of this module.
    pub const OWN: &'static [Self] = &[
        Self::Block,
        Self::Row,
        Self::Ladder,
        Self::Known,
        Self::Decided,
        Self::Cascade,
        Self::Nest,
        Self::Loops,
        Self::Empty,
        Self::Switch,
        Self::Orphans,
    ];

    /// All families.
    pub fn all() -> Vec<Self> {
        Self::OWN.iter().copied().chain((0..Shape::ALL.len()).map(Self::Shape)).collect()
    }

    /// Its name, as in the table.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Block => "block",
            Self::Row => "row",
            Self::Ladder => "ladder",
            Self::Known => "known",
            Self::Decided => "decided",
            Self::Cascade => "cascade",
            Self::Nest => "nest",
            Self::Loops => "loops",
            Self::Empty => "empty",
            Self::Switch => "switch",
            Self::Orphans => "orphans",
            Self::Shape(number) => Shape::ALL[number].name,
        }
    }

    /// The family of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::all().into_iter().find(|family| family.name() == name)
    }

    /// The sizes that are measured.
    pub const fn sizes(self) -> &'static [u32] {
        &[100, 1_000, 10_000, 100_000]
    }

    /// Whether there are steps, and all are reachable.
    pub const fn has_reachable_steps(self) -> bool {
        !matches!(self, Self::Empty | Self::Orphans | Self::Shape(_))
    }

    /// The member of that size.
    pub fn member(self, n: u32) -> Member {
        if let Self::Shape(number) = self {
            let function = Shape::ALL[number].function(n as usize);
            return Member { function, value: Value::new(0), steps: Vec::new() };
        }
        let mut draft = Draft::new();
        match self {
            Self::Shape(_) => {}
            Self::Block => (0..n).for_each(|_| draft.step()),
            Self::Row => (0..n).for_each(|_| draft.row()),
            Self::Ladder => (0..n).for_each(|_| draft.ladder()),
            Self::Known => (0..n).for_each(|_| draft.known()),
            Self::Decided => (0..n).for_each(|_| draft.decided()),
            Self::Cascade => draft.cascade(n),
            Self::Nest => draft.nest(n),
            Self::Loops => (0..n).for_each(|_| draft.nest(1)),
            Self::Empty => (0..n).for_each(|_| draft.empty()),
            Self::Switch => draft.switch(n),
            Self::Orphans => draft.orphans(n),
        }
        draft.finish()
    }
}

/// A function in the making.
struct Draft {
    function: Function<Basic>,
    current: Block,
    param: Value,
    /// What all steps use.
    value: Value,
    /// What the last step made of a constant.
    counted: Value,
    /// What goes through all phis.
    passed: Value,
    steps: Vec<(Block, usize)>,
}

impl Draft {
    fn new() -> Self {
        let mut function = Function::new("f");
        let current = function.create_block();
        let param = function.add_value_param(None, Type::Number);
        let counted = function.constant(0);
        let mut draft = Self { function, current, param, value: param, counted, passed: param, steps: Vec::new() };
        draft.value = draft.binary(BinaryOp::Sub, param, counted);
        draft
    }

    fn finish(mut self) -> Member {
        let passed = self.passed;
        self.push(Inst::op(Op::Return, [passed]));
        Member { function: self.function, value: self.value, steps: self.steps }
    }

    fn push(&mut self, inst: Inst<Basic>) {
        self.function.push_inst(self.current, inst);
    }

    fn binary(&mut self, op: BinaryOp, left: Value, right: Value) -> Value {
        let result = self.function.new_value(None, Type::Number);
        self.push(Inst::op(Op::Binary(op), [left, right]).with_results([result]));
        result
    }

    /// Goes on in a new block.
    fn begin(&mut self) {
        self.current = self.function.create_block();
    }

    /// Goes on in `block`.
    fn go_on(&mut self, block: Block) {
        self.current = block;
    }

    fn jump(&mut self, target: Block) {
        self.push(Inst::jump(target));
    }

    fn branch(&mut self, condition: Value, targets: [Block; 2]) {
        self.push(Inst::op(Op::Branch, [condition]).with_targets(targets));
    }

    /// A phi with these operands, by the edges that are there.
    fn phi(&mut self, operands: impl IntoIterator<Item = Value>) -> Value {
        let value = self.function.new_value(None, Type::Number);
        self.function.push_phi(self.current, Phi { value, variable: None, operands: operands.into_iter().collect() });
        value
    }

    fn step(&mut self) {
        let one = self.function.constant(1);
        self.counted = self.binary(BinaryOp::Add, self.counted, one);
        let same = self.binary(BinaryOp::Mul, self.param, self.param);
        let copied = self.function.new_value(None, Type::Number);
        self.push(Inst::copy(copied, same));
        self.binary(BinaryOp::Xor, copied, self.param);
        self.steps.push((self.current, self.function.block(self.current).insts().len()));
        self.push(Inst::op(Op::Print, [self.value, copied, self.counted]));
    }

    fn row(&mut self) {
        let next = self.function.create_block();
        self.jump(next);
        self.go_on(next);
        self.step();
    }

    /// A conditional, up to its join: what its arms have made of what is passed.
    fn conditional(&mut self, condition: Value) -> [Value; 2] {
        let [left, right, join] = [(); 3].map(|()| self.function.create_block());
        self.branch(condition, [left, right]);
        let made = [(left, BinaryOp::Add), (right, BinaryOp::Sub)].map(|(arm, op)| {
            self.go_on(arm);
            let made = self.binary(op, self.passed, self.param);
            self.jump(join);
            made
        });
        self.go_on(join);
        made
    }

    fn ladder(&mut self) {
        let above = self.passed;
        let made = self.conditional(self.param);
        let phis = [made, made, [above; 2]].map(|operands| self.phi(operands));
        self.push(Inst::op(Op::Print, phis));
        self.passed = phis[0];
        self.step();
    }

    fn known(&mut self) {
        let zero = self.function.constant(0);
        let condition = self.binary(BinaryOp::Lt, self.counted, zero);
        let made = self.conditional(condition);
        self.passed = self.phi(made);
        self.step();
    }

    /// A conditional, and a phi that tells which arm it was.
    fn flag(&mut self) -> Value {
        let made = self.conditional(self.param);
        let told = [1, 0].map(|constant| self.function.constant(constant));
        let flag = self.phi(told);
        self.passed = self.phi(made);
        flag
    }

    fn decided(&mut self) {
        let flag = self.flag();
        let made = self.conditional(flag);
        self.passed = self.phi(made);
        self.step();
    }

    fn cascade(&mut self, n: u32) {
        let flag = self.flag();
        for _ in 0..n {
            let made = self.conditional(flag);
            self.passed = self.phi(made);
            self.step();
        }
    }

    fn nest(&mut self, n: u32) {
        let mut headers = Vec::new();
        for _ in 0..n {
            let header = self.function.create_block();
            self.jump(header);
            self.go_on(header);
            self.passed = self.phi([self.passed]);
            headers.push((header, self.passed));
            self.step();
        }
        for (header, phi) in headers.into_iter().rev() {
            let next = self.binary(BinaryOp::Add, phi, self.param);
            let after = self.function.create_block();
            self.branch(self.param, [header, after]);
            self.function.set_operand(header, 0, 1, next);
            self.go_on(after);
        }
    }

    fn empty(&mut self) {
        let [left, right, join] = [(); 3].map(|()| self.function.create_block());
        self.branch(self.param, [left, right]);
        for arm in [left, right] {
            self.go_on(arm);
            self.jump(join);
        }
        self.go_on(join);
    }

    fn switch(&mut self, n: u32) {
        let cases: Vec<Block> = (0..n).map(|_| self.function.create_block()).collect();
        let join = self.function.create_block();
        self.push(Inst::op(Op::Switch, [self.param]).with_targets(cases.iter().copied()));
        let mut made = Vec::new();
        for case in cases {
            self.go_on(case);
            self.counted = self.function.constant(2);
            self.step();
            made.push(self.counted);
            self.jump(join);
        }
        self.go_on(join);
        let phis = [(); 2].map(|()| self.phi(made.iter().copied()));
        self.push(Inst::op(Op::Print, phis));
        self.passed = phis[0];
    }

    fn orphans(&mut self, n: u32) {
        let end = self.function.create_block();
        self.jump(end);
        let mut made = vec![self.param];
        for _ in 0..n {
            self.begin();
            self.counted = self.function.constant(3);
            self.step();
            made.push(self.counted);
            self.jump(end);
        }
        self.go_on(end);
        self.passed = self.phi(made);
    }
}
