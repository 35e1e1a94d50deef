//! Facts about a body that are needed before its translation.
//!
//! The body is skimmed: for most operators only their length matters. So
//! frequent ones are recognized by their first byte, and only the others are
//! decoded with the validator's reader. At malformed bytes the outline ends:
//! the translation reaches the same place and reports the error.

use wasmparser::{
    BinaryReader, Catch, FrameKind, FrameStack, Handle, Operator, VisitOperator, VisitSimdOperator, WasmFeatures,
};

/// The loops, conditionals and `try`s of a body, in opening order.
#[derive(Default)]
pub(super) struct Outline {
    openings: Vec<Opening>,
    next: usize,
    /// The `catch`es of all `try`s, sorted by the number of their `try`.
    catches: Vec<Caught>,
    frames: Vec<Open>,
}

/// A loop, conditional or `try`.
#[derive(Clone, Debug, Default)]
pub(super) struct Opening {
    /// Its number, in opening order.
    number: usize,
    /// For a loop: whether something branches to its header. For a conditional: whether it has an `else`.
    pub(super) is_used: bool,
    /// For a `try` that ends with `delegate`: its label, counted from outside of the `try`.
    pub(super) delegate: Option<u32>,
}

/// A `catch` or `catch_all` of a `try`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Caught {
    /// The number of its `try`.
    opening: usize,
    /// The tag; `None` for `catch_all`.
    pub(super) tag: Option<u32>,
    /// Whether a `rethrow` names it.
    pub(super) is_rethrown: bool,
}

/// An open frame.
#[derive(Clone, Copy)]
enum Open {
    Loop(usize),
    If(usize),
    Try(usize),
    /// The part of a `try` that begins with the `catch` of this index; the list is not sorted yet.
    Catch {
        opening: usize,
        caught: usize,
    },
    Other,
}

/// The encoding of an operator after its first byte.
#[derive(Clone, Copy)]
enum Form {
    /// Nothing.
    Bare,
    /// A number.
    Number,
    /// Two numbers; a large first one means that more follows.
    Memory,
    /// This number of bytes.
    Bytes(u8),
    /// An operator that the outline notes.
    Structure,
    /// An encoding that only the validator's reader knows.
    Other,
}

/// By the first byte.
const FORMS: [Form; 256] = {
    let mut forms = [Form::Other; 256];
    let mut code = 0;
    while code < 256 {
        forms[code] = match code {
            0x02..=0x07 | 0x09 | 0x0b..=0x0e | 0x11 | 0x18 | 0x19 => Form::Structure,
            // `unreachable`, `nop`, `return`, `drop`, `select`, and all that computes with numbers.
            0x00 | 0x01 | 0x0f | 0x1a | 0x1b | 0x45..=0xc4 => Form::Bare,
            // `call`, locals, globals, `memory.size` and `memory.grow`, constants.
            0x10 | 0x20..=0x24 | 0x3f..=0x42 => Form::Number,
            0x28..=0x3e => Form::Memory,
            0x43 => Form::Bytes(4),
            0x44 => Form::Bytes(8),
            _ => Form::Other,
        };
        code += 1;
    }
    forms
};

impl Outline {
    /// Skims the operators, up to the first malformed one.
    pub(super) fn read(&mut self, operators: &BinaryReader<'_>) {
        self.openings.clear();
        self.catches.clear();
        self.frames.clear();
        self.next = 0;
        self.frames.push(Open::Other);
        let mut operators = operators.clone();
        if let Ok(bytes) = operators.read_bytes(operators.bytes_remaining()) {
            let mut skim = Skim { bytes, position: 0, features: operators.features() };
            while self.skim(&mut skim).is_some() {}
        }
        // A `try` inside another may end before the next `catch` of the outer one.
        self.catches.sort_by_key(|caught| caught.opening);
    }

    /// Skips to the next operator to note; `None` if there is none.
    fn skim(&mut self, skim: &mut Skim<'_>) -> Option<()> {
        loop {
            let start = skim.position;
            let code = skim.byte()?;
            match FORMS[usize::from(code)] {
                Form::Bare => {}
                Form::Number => skim.skip_number()?,
                // A larger number means that more than the offset follows.
                Form::Memory if *skim.bytes.get(skim.position)? < 0x10 => {
                    skim.position += 1;
                    skim.skip_number()?;
                }
                Form::Bytes(count) => skim.position += usize::from(count),
                Form::Structure => {
                    if !self.structure(code, skim)? {
                        skim.position = start;
                        return self.other(skim);
                    }
                    return Some(());
                }
                Form::Memory | Form::Other => {
                    skim.position = start;
                    return self.other(skim);
                }
            }
        }
    }

    /// Handles an operator to note; returns whether its encoding was consumed here.
    fn structure(&mut self, code: u8, skim: &mut Skim<'_>) -> Option<bool> {
        match code {
            0x02..=0x04 | 0x06 => {
                // Types that take a byte: none, that of a number, a vector, an abstract reference; or the number of one.
                if !matches!(skim.byte()?, 0x00..=0x40 | 0x69..=0x7f) {
                    return Some(false);
                }
                match code {
                    0x02 => self.frames.push(Open::Other),
                    0x03 => self.open(Open::Loop),
                    0x04 => self.open(Open::If),
                    _ => self.open(Open::Try),
                }
            }
            0x05 => self.otherwise(),
            0x07 => self.catch(Some(skim.number()?))?,
            0x09 => self.rethrow(skim.number()?),
            0x18 => self.delegate(skim.number()?)?,
            0x19 => self.catch(None)?,
            0x0b => self.close()?,
            0x0c | 0x0d => self.branch(skim.number()?),
            0x0e => {
                for _ in 0..=skim.number()? {
                    self.branch(skim.number()?);
                }
            }
            // An indirect call.
            _ => {
                skim.skip_number()?;
                skim.skip_number()?;
            }
        }
        Some(true)
    }

    /// Decodes an operator with the validator's reader.
    fn other(&mut self, skim: &mut Skim<'_>) -> Option<()> {
        let mut reader = BinaryReader::new_features(&skim.bytes[skim.position..], 0, skim.features);
        reader.visit_operator(self).ok()?.ok()?;
        skim.position += reader.original_position() as usize;
        Some(())
    }

    fn otherwise(&mut self) {
        if let Some(&Open::If(opening)) = self.frames.last() {
            self.openings[opening].is_used = true;
        }
    }

    /// Ends a part of a `try` and begins the next one; `None` outside of a `try`.
    fn catch(&mut self, tag: Option<u32>) -> Option<()> {
        let (Open::Try(opening) | Open::Catch { opening, .. }) = self.frames.pop()? else { return None };
        self.frames.push(Open::Catch { opening, caught: self.catches.len() });
        self.catches.push(Caught { opening, tag, is_rethrown: false });
        Some(())
    }

    fn rethrow(&mut self, depth: u32) {
        if let Some(Open::Catch { caught, .. }) = self.frame_at(depth) {
            self.catches[caught].is_rethrown = true;
        }
    }

    /// Ends a `try` without `catch`; `None` outside of a `try`.
    fn delegate(&mut self, depth: u32) -> Option<()> {
        let Open::Try(opening) = self.frames.pop()? else { return None };
        self.openings[opening].delegate = Some(depth);
        Some(())
    }

    /// Ends a frame; `None` if none is open.
    fn close(&mut self) -> Option<()> {
        self.frames.pop().map(drop)
    }

    fn operator(&mut self, operator: &Operator<'_>) -> Result<(), wasmparser::Error> {
        match operator {
            Operator::Block { .. } => self.frames.push(Open::Other),
            Operator::Loop { .. } => self.open(Open::Loop),
            Operator::If { .. } => self.open(Open::If),
            Operator::Try { .. } => self.open(Open::Try),
            Operator::TryTable { try_table } => {
                try_table.catches.iter().for_each(|catch| self.branch(label(*catch)));
                self.frames.push(Open::Other);
            }
            Operator::BrOnNull { relative_depth }
            | Operator::BrOnNonNull { relative_depth }
            | Operator::BrOnCast { relative_depth, .. }
            | Operator::BrOnCastFail { relative_depth, .. }
            | Operator::BrOnCastDescEq { relative_depth, .. }
            | Operator::BrOnCastDescEqFail { relative_depth, .. } => self.branch(*relative_depth),
            Operator::Resume { resume_table, .. }
            | Operator::ResumeThrow { resume_table, .. }
            | Operator::ResumeThrowRef { resume_table, .. } => {
                for handle in &resume_table.handlers {
                    if let Handle::OnLabel { label, .. } = handle {
                        self.branch(*label);
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn open(&mut self, frame: impl FnOnce(usize) -> Open) {
        let number = self.openings.len();
        self.frames.push(frame(number));
        self.openings.push(Opening { number, is_used: false, delegate: None });
    }

    fn branch(&mut self, depth: u32) {
        if let Some(Open::Loop(opening)) = self.frame_at(depth) {
            self.openings[opening].is_used = true;
        }
    }

    fn frame_at(&self, depth: u32) -> Option<Open> {
        self.frames.len().checked_sub(1 + depth as usize).and_then(|place| self.frames.get(place)).copied()
    }

    /// The `catch`es of a `try`, in order.
    pub(super) fn catches_of(&self, opening: &Opening) -> &[Caught] {
        let begin = self.catches.partition_point(|caught| caught.opening < opening.number);
        let len = self.catches[begin..].partition_point(|caught| caught.opening == opening.number);
        &self.catches[begin..begin + len]
    }

    /// The next loop, conditional or `try`.
    pub(super) fn next(&mut self) -> Opening {
        let opening = self.openings.get(self.next).cloned().unwrap_or_default();
        self.next += 1;
        opening
    }
}

/// The bytes of a body, with the current position.
struct Skim<'b> {
    bytes: &'b [u8],
    position: usize,
    features: WasmFeatures,
}

impl Skim<'_> {
    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.position)?;
        self.position += 1;
        Some(byte)
    }

    fn skip_number(&mut self) -> Option<()> {
        while self.byte()? >= 0x80 {}
        Some(())
    }

    fn number(&mut self) -> Option<u32> {
        let mut number = 0;
        for shift in (0..32).step_by(7) {
            let byte = self.byte()?;
            number |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }
}

/// A reader asks for the frame, but the answer does not matter: what depends on it is not read here.
impl FrameStack for Outline {
    fn current_frame(&self) -> Option<FrameKind> {
        Some(FrameKind::Block)
    }
}

/// Of the operators that are not skimmed, only these are noted.
macro_rules! note_one {
    ($self:ident Block $($arg:ident)*) => { note_one!(@ $self Block $($arg)*) };
    ($self:ident Loop $($arg:ident)*) => { note_one!(@ $self Loop $($arg)*) };
    ($self:ident If $($arg:ident)*) => { note_one!(@ $self If $($arg)*) };
    ($self:ident Try $($arg:ident)*) => { note_one!(@ $self Try $($arg)*) };
    ($self:ident TryTable $($arg:ident)*) => { note_one!(@ $self TryTable $($arg)*) };
    ($self:ident BrOnNull $($arg:ident)*) => { note_one!(@ $self BrOnNull $($arg)*) };
    ($self:ident BrOnNonNull $($arg:ident)*) => { note_one!(@ $self BrOnNonNull $($arg)*) };
    ($self:ident BrOnCast $($arg:ident)*) => { note_one!(@ $self BrOnCast $($arg)*) };
    ($self:ident BrOnCastFail $($arg:ident)*) => { note_one!(@ $self BrOnCastFail $($arg)*) };
    ($self:ident BrOnCastDescEq $($arg:ident)*) => { note_one!(@ $self BrOnCastDescEq $($arg)*) };
    ($self:ident BrOnCastDescEqFail $($arg:ident)*) => { note_one!(@ $self BrOnCastDescEqFail $($arg)*) };
    ($self:ident Resume $($arg:ident)*) => { note_one!(@ $self Resume $($arg)*) };
    ($self:ident ResumeThrow $($arg:ident)*) => { note_one!(@ $self ResumeThrow $($arg)*) };
    ($self:ident ResumeThrowRef $($arg:ident)*) => { note_one!(@ $self ResumeThrowRef $($arg)*) };
    (@ $self:ident $op:ident $($arg:ident)*) => { $self.operator(&Operator::$op { $($arg),* }) };
    ($self:ident $op:ident $($arg:ident)*) => {{ $(let _ = $arg;)* Ok(()) }};
}

macro_rules! note {
    ($( @$proposal:ident $op:ident $({ $($arg:ident: $argty:ty),* })? => $visit:ident $ann:tt )*) => {
        $(fn $visit(&mut self $($(, $arg: $argty)*)?) -> Self::Output {
            note_one!(self $op $($($arg)*)?)
        })*
    };
}

impl<'a> VisitOperator<'a> for Outline {
    type Output = Result<(), wasmparser::Error>;

    fn simd_visitor(&mut self) -> Option<&mut dyn VisitSimdOperator<'a, Output = Self::Output>> {
        Some(self)
    }

    wasmparser::for_each_visit_operator!(note);
}

impl<'a> VisitSimdOperator<'a> for Outline {
    wasmparser::for_each_visit_simd_operator!(note);
}

fn label(catch: Catch) -> u32 {
    match catch {
        Catch::One { label, .. } | Catch::OneRef { label, .. } | Catch::All { label } | Catch::AllRef { label } => {
            label
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which openings of the first function of a module are used.
    fn outline(text: &str) -> Vec<bool> {
        let module = crate::load(text).unwrap_or_else(|error| panic!("{error}"));
        let body = module.body(0).expect("a function");
        let mut outline = Outline::default();
        outline.read(&body.get_binary_reader_for_operators().expect("locals"));
        outline.openings.iter().map(|opening| opening.is_used).collect()
    }

    #[test]
    fn what_follows_an_operator_is_skipped_however_long_it_is() {
        // Each of these is followed by bytes that would be read as `else` or `end` if too few were skipped.
        let operators = [
            "(drop (i32.const 0x0b05210b))",
            "(drop (i64.const 0x0b05210b0b052105))",
            "(drop (f32.const 0x1.0b0516p+5))",
            "(drop (f64.const 0x1.0b05210b05212p+5))",
            "(drop (i32.load offset=0x052105 (i32.const 5)))",
            "(drop (i32.load $other offset=11 (i32.const 5)))",
            "(drop (v128.const i32x4 0x0b05210b 5 11 0x21))",
            "(drop (i8x16.shuffle 11 5 11 5 11 5 11 5 11 5 11 5 11 5 11 5 (local.get 1) (local.get 1)))",
            "(drop (call_indirect (type $t) (i32.const 0)))",
            "(memory.fill $other (i32.const 5) (i32.const 11) (i32.const 0))",
            "(drop (block (result (ref null $t)) (ref.null $t)))",
            "(drop (ref.is_null (table.get 0 (i32.const 11))))",
            "(i32.atomic.store offset=11 (i32.const 0) (i32.const 5))",
        ];
        for operator in operators {
            let text = format!(
                "(module (type $t (func (result i32))) (memory 1) (memory $other 1) (table 1 funcref)
                   (func (local i32 v128)
                     (if (i32.const 1) (then {operator}) (else {operator}))
                     (loop {operator} (local.set 0 (i32.const 300)))
                     (loop {operator} (br_if 0 (i32.const 1)))))"
            );
            assert_eq!(outline(&text), vec![true, false, true], "{operator}");
        }
    }

    #[test]
    fn every_kind_of_branch_makes_a_loop_a_loop() {
        let branches = [
            "(br 1)",
            "(br_if 1 (i32.const 1))",
            "(br_table 0 1 0 (i32.const 1))",
            "(br_table 0 0 1 (i32.const 1))",
            "(drop (br_on_null 1 (ref.null func)))",
            "(block (try_table (catch_all 2)))",
        ];
        for branch in branches {
            let text = format!("(module (func (loop (block {branch}) (loop (nop)))))");
            assert_eq!(outline(&text), vec![true, false], "{branch}");
        }
    }
    #[test]
    fn each_try_has_its_own_catches_and_what_is_rethrown() {
        let text = "(module (tag $t) (tag $u) (func
            try
              try catch $u try rethrow 1 delegate 0 end
            catch $t
              try catch_all (rethrow 1) end
            catch $u try (type 0) catch_all end
            end
            (loop try (br 1) catch_all end)))";
        let module = crate::load(text).unwrap_or_else(|error| panic!("{error}"));
        let body = module.body(0).expect("a function");
        let mut outline = Outline::default();
        outline.read(&body.get_binary_reader_for_operators().expect("locals"));
        let mut found = Vec::new();
        while outline.next < outline.openings.len() {
            let opening = outline.next();
            let catches = outline.catches_of(&opening).iter().map(|caught| (caught.tag, caught.is_rethrown)).collect();
            found.push((opening.delegate, opening.is_used, catches));
        }
        let all = |is_rethrown| vec![(None, is_rethrown)];
        let none: Vec<(Option<u32>, bool)> = vec![];
        let expected = vec![
            (None, false, vec![(Some(0), true), (Some(1), false)]),
            (None, false, vec![(Some(1), true)]),
            (Some(0), false, none.clone()),
            (None, false, all(false)),
            (None, false, all(false)),
            (None, true, none),
            (None, false, all(false)),
        ];
        assert_eq!(found, expected);
    }
}
