//! What functions of a module come to by calls.

use super::Module;
use std::collections::{BTreeMap, BTreeSet};
use wasmparser::{
    BinaryReaderError, ConstExpr, ElementItems, MemArgTarget, Operator, Parser, Payload, TableInit, VisitOperator,
    VisitSimdOperator,
};

/// What some functions, and all that they may call, use of their module.
///
/// A call through a table or a reference may come to every function of its type that is in a segment
/// or an initial value, or that reached code makes a reference to.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    functions: BTreeSet<u32>,
    uses: Uses,
}

/// The memories, tables and globals that code uses, by number.
#[derive(Clone, Debug, Default)]
struct Uses {
    memories: BTreeSet<u32>,
    tables: BTreeSet<u32>,
    globals: BTreeSet<u32>,
}

impl Reach {
    /// What `roots` reach; those that are no functions of the module reach nothing.
    ///
    /// # Errors
    /// If the bytes are not what they were when the module was validated.
    ///
    /// # Complexity
    /// Linear in the bodies that are reached and the segments, up to a factor of O(log *n*).
    pub fn new(module: &Module, roots: &[u32]) -> Result<Self, BinaryReaderError> {
        let (reach, scan) = (Self::default(), Scan::default());
        let mut search = Search { module, reach, scan, work: Vec::new(), takes_all: false };
        for function in referenced_at_first(module)? {
            search.take(function);
        }
        roots.iter().for_each(|&root| search.come_to(root));
        while let Some(function) = search.work.pop() {
            search.scan_body(function)?;
        }
        search.reach.uses = search.scan.uses;
        Ok(search.reach)
    }

    /// The functions, imported ones among them, in the order of their numbers.
    pub fn functions(&self) -> impl ExactSizeIterator<Item = u32> {
        self.functions.iter().copied()
    }

    /// Whether code that is reached uses the memory of that number.
    pub fn uses_memory(&self, number: u32) -> bool {
        self.uses.memories.contains(&number)
    }

    /// Whether code that is reached uses the table of that number.
    pub fn uses_table(&self, number: u32) -> bool {
        self.uses.tables.contains(&number)
    }

    /// Whether code that is reached uses the global of that number.
    pub fn uses_global(&self, number: u32) -> bool {
        self.uses.globals.contains(&number)
    }
}

/// The functions that segments and initial values refer to.
fn referenced_at_first(module: &Module) -> Result<Vec<u32>, BinaryReaderError> {
    let mut found = Vec::new();
    for payload in Parser::new(0).parse_all(module.bytes()) {
        match payload? {
            Payload::TableSection(section) => {
                for table in section {
                    if let TableInit::Expr(initial) = table?.init {
                        add_referenced(&initial, &mut found)?;
                    }
                }
            }
            Payload::GlobalSection(section) => {
                for global in section {
                    add_referenced(&global?.init_expr, &mut found)?;
                }
            }
            Payload::ElementSection(section) => {
                for element in section {
                    match element?.items {
                        ElementItems::Functions(functions) => {
                            for function in functions {
                                found.push(function?);
                            }
                        }
                        ElementItems::Expressions(_, expressions) => {
                            for expression in expressions {
                                add_referenced(&expression?, &mut found)?;
                            }
                        }
                    }
                }
            }
            _ => {}
        }
    }
    Ok(found)
}

fn add_referenced(expression: &ConstExpr<'_>, found: &mut Vec<u32>) -> Result<(), BinaryReaderError> {
    let mut operators = expression.get_operators_reader();
    while !operators.eof() {
        if let Operator::RefFunc { function_index } = operators.read()? {
            found.push(function_index);
        }
    }
    Ok(())
}

/// A search under way.
struct Search<'m> {
    module: &'m Module,
    reach: Reach,
    scan: Scan,
    /// Functions that are reached, and not scanned.
    work: Vec<u32>,
    /// Whether every function to which there is a reference is reached.
    takes_all: bool,
}

impl Search<'_> {
    fn come_to(&mut self, function: u32) {
        if function < self.module.num_functions() && self.reach.functions.insert(function) {
            self.work.push(function);
        }
    }

    /// There is a reference to the function.
    fn take(&mut self, function: u32) {
        let Some(ty) = self.module.type_number(function) else { return };
        if self.scan.taken.entry(ty).or_default().insert(function) && self.scan.calls(ty) {
            self.come_to(function);
        }
    }

    fn scan_body(&mut self, function: u32) -> Result<(), BinaryReaderError> {
        let Some(body) = self.module.body(function) else { return Ok(()) };
        let mut operators = body.get_operators_reader()?;
        while !operators.eof() {
            operators.visit_operator(&mut self.scan)?;
        }
        for function in std::mem::take(&mut self.scan.called) {
            self.come_to(function);
        }
        for function in std::mem::take(&mut self.scan.referenced) {
            self.take(function);
        }
        for ty in std::mem::take(&mut self.scan.called_types) {
            self.call_type(ty);
        }
        if self.scan.calls_any && !std::mem::replace(&mut self.takes_all, true) {
            let all: Vec<u32> = self.scan.taken.values().flatten().copied().collect();
            all.into_iter().for_each(|function| self.come_to(function));
        }
        Ok(())
    }

    /// Code calls what a reference of that type may refer to.
    fn call_type(&mut self, ty: u32) {
        if self.module.final_func_type(ty).is_none() {
            self.scan.calls_any = true;
            return;
        }
        let Some(ty) = self.module.first_equal_type(ty).filter(|&ty| self.scan.types.insert(ty)) else { return };
        let found: Vec<u32> = self.scan.taken.get(&ty).into_iter().flatten().copied().collect();
        found.into_iter().for_each(|function| self.come_to(function));
    }
}

/// What was met in the bodies so far.
#[derive(Default)]
struct Scan {
    uses: Uses,
    /// Functions called in the body at hand.
    called: Vec<u32>,
    /// Functions to which it makes references.
    referenced: Vec<u32>,
    /// Types by which it calls.
    called_types: Vec<u32>,
    /// The functions to which there are references, by the numbers of their types.
    taken: BTreeMap<u32, BTreeSet<u32>>,
    /// The types by which code calls.
    types: BTreeSet<u32>,
    /// Whether it may call whatever there is a reference to: by a type that has subtypes, or a continuation.
    calls_any: bool,
}

impl Scan {
    fn access(&mut self, target: MemArgTarget) {
        if let MemArgTarget::Memory(memory) = target {
            self.uses.memories.insert(memory);
        }
    }

    fn call_by_table(&mut self, ty: u32, table: u32) {
        self.uses.tables.insert(table);
        self.called_types.push(ty);
    }

    fn calls(&self, ty: u32) -> bool {
        self.calls_any || self.types.contains(&ty)
    }
}

/// What one operator does: those that call, and the others by their immediates.
macro_rules! note_operator {
    ($scan:ident Call $function:ident) => { $scan.called.push($function) };
    ($scan:ident ReturnCall $function:ident) => { $scan.called.push($function) };
    ($scan:ident RefFunc $function:ident) => { $scan.referenced.push($function) };
    ($scan:ident CallRef $ty:ident) => { $scan.called_types.push($ty) };
    ($scan:ident ReturnCallRef $ty:ident) => { $scan.called_types.push($ty) };
    ($scan:ident CallIndirect $ty:ident $table:ident) => { $scan.call_by_table($ty, $table) };
    ($scan:ident ReturnCallIndirect $ty:ident $table:ident) => { $scan.call_by_table($ty, $table) };
    ($scan:ident $op:ident $($arg:ident)*) => {{ $(note_immediate!($scan $arg $arg);)* }};
}

/// What an immediate tells, by its name in `wasmparser`.
macro_rules! note_immediate {
    ($scan:ident memarg $arg:ident) => {
        $scan.access($arg.target)
    };
    ($scan:ident mem $arg:ident) => {
        $scan.uses.memories.insert($arg)
    };
    ($scan:ident src_mem $arg:ident) => {
        $scan.uses.memories.insert($arg)
    };
    ($scan:ident dst_mem $arg:ident) => {
        $scan.uses.memories.insert($arg)
    };
    ($scan:ident table $arg:ident) => {
        $scan.uses.tables.insert($arg)
    };
    ($scan:ident table_index $arg:ident) => {
        $scan.uses.tables.insert($arg)
    };
    ($scan:ident src_table $arg:ident) => {
        $scan.uses.tables.insert($arg)
    };
    ($scan:ident dst_table $arg:ident) => {
        $scan.uses.tables.insert($arg)
    };
    ($scan:ident global_index $arg:ident) => {
        $scan.uses.globals.insert($arg)
    };
    ($scan:ident cont_type_index $arg:ident) => {{
        let _ = $arg;
        $scan.calls_any = true
    }};
    ($scan:ident $other:ident $arg:ident) => {
        let _ = $arg;
    };
}

macro_rules! note {
    ($( @$proposal:ident $op:ident $({ $($arg:ident: $argty:ty),* })? => $visit:ident $ann:tt )*) => {
        $(fn $visit(&mut self $($(, $arg: $argty)*)?) {
            let _scan = self;
            note_operator!(_scan $op $($($arg)*)?);
        })*
    };
}

impl<'a> VisitOperator<'a> for Scan {
    type Output = ();

    fn simd_visitor(&mut self) -> Option<&mut dyn VisitSimdOperator<'a, Output = ()>> {
        Some(self)
    }

    wasmparser::for_each_visit_operator!(note);
}

impl<'a> VisitSimdOperator<'a> for Scan {
    wasmparser::for_each_visit_simd_operator!(note);
}

#[cfg(test)]
mod tests {
    use super::Reach;

    fn reach(text: &str, roots: &[u32]) -> (Vec<u32>, Reach) {
        let module = crate::load(text).unwrap();
        let reach = Reach::new(&module, roots).unwrap();
        (reach.functions().collect(), reach)
    }

    #[test]
    fn calls_are_followed_as_far_as_they_lead() {
        let text = "(module (import \"m\" \"f\" (func))
            (func (call 2)) (func (call 3) (call 0)) (func (call 1)) (func (call 4)))";
        assert_eq!(reach(text, &[1]).0, [0, 1, 2, 3]);
        assert_eq!(reach(text, &[4]).0, [4]);
        assert_eq!(reach(text, &[]).0, [0; 0]);
        assert_eq!(reach(text, &[77]).0, [0; 0], "no such function");
    }

    #[test]
    fn a_call_by_table_reaches_what_has_its_type() {
        let text = "(module (type $t (func)) (type $u (func (result i32))) (table 3 funcref) (elem (i32.const 0) 2 3)
            (func (call_indirect (type $t) (i32.const 0)))
            (func (result i32) (call_indirect (type $u) (i32.const 0)))
            (func) (func (result i32) (i32.const 1))
            (func))";
        assert_eq!(reach(text, &[0]).0, [0, 2]);
        assert_eq!(reach(text, &[1]).0, [1, 3]);
        assert!(reach(text, &[0]).1.uses_table(0) && !reach(text, &[2]).1.uses_table(0));
    }

    #[test]
    fn a_reference_that_is_made_later_than_the_call_is_met_is_reached() {
        let text = "(module (type $t (func)) (table 1 funcref) (elem declare func 3)
            (func (call 1) (call 2))
            (func (call_indirect (type $t) (i32.const 0)))
            (func (table.set (i32.const 0) (ref.func 3)))
            (func) (func))";
        assert_eq!(reach(text, &[0]).0, [0, 1, 2, 3]);
    }

    #[test]
    fn a_type_with_subtypes_reaches_all_that_is_referred_to() {
        let text = "(module (rec (type $t (sub (func)))) (type $u (func (result i32)))
            (table 2 funcref) (elem (i32.const 0) 1 2)
            (func (call_indirect (type $t) (i32.const 0)))
            (func (type $t)) (func (type $u) (i32.const 1)) (func))";
        assert_eq!(reach(text, &[0]).0, [0, 1, 2]);
    }

    #[test]
    fn what_code_uses_is_told_by_kind_and_number() {
        let text = "(module (memory 1) (memory 1) (global i32 (i32.const 1)) (global (mut i32) (i32.const 1))
            (func (i32.store 1 (i32.const 0) (global.get 0)))
            (func (memory.copy 0 1 (i32.const 0) (i32.const 0) (i32.const 0)) (global.set 1 (i32.const 1)))
            (func (drop (v128.load (i32.const 0)))))";
        let used = |root| {
            let (_, reach) = reach(text, &[root]);
            ([reach.uses_memory(0), reach.uses_memory(1)], [reach.uses_global(0), reach.uses_global(1)])
        };
        assert_eq!(used(0), ([false, true], [true, false]));
        assert_eq!(used(1), ([true, true], [false, true]));
        assert_eq!(used(2), ([true, false], [false, false]));
    }
}
