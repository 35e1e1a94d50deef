//! The items of its module that a function body uses.

use super::Module;
use std::collections::BTreeSet;
use wasmparser::{BinaryReaderError, MemArgTarget, VisitOperator, VisitSimdOperator};

/// The items of its module that a function body uses, by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// The functions it calls by number, in the order of the first call.
    pub calls: Vec<u32>,
    /// The memories.
    pub memories: BTreeSet<u32>,
    /// The tables.
    pub tables: BTreeSet<u32>,
    /// The globals.
    pub globals: BTreeSet<u32>,
}

impl Module {
    /// The items that a function uses; none if the module does not define it.
    ///
    /// # Errors
    /// If its body is not valid.
    ///
    /// # Complexity
    /// Linear in the body, up to a factor of O(log *n*).
    pub fn uses(&self, function: u32) -> Result<Uses, BinaryReaderError> {
        let mut scan = Scan::default();
        if let Some(body) = self.body(function) {
            let mut operators = body.get_operators_reader()?;
            while !operators.eof() {
                operators.visit_operator(&mut scan)?;
            }
        }
        Ok(scan.uses)
    }
}

/// A body being looked at.
#[derive(Default)]
struct Scan {
    uses: Uses,
    called: BTreeSet<u32>,
}

impl Scan {
    fn call(&mut self, function: u32) {
        if self.called.insert(function) {
            self.uses.calls.push(function);
        }
    }

    fn access(&mut self, target: MemArgTarget) {
        if let MemArgTarget::Memory(memory) = target {
            self.uses.memories.insert(memory);
        }
    }
}

/// Notes the uses of one operator: calls explicitly, the others by their immediates.
macro_rules! note_operator {
    ($scan:ident Call $function:ident) => { $scan.call($function) };
    ($scan:ident ReturnCall $function:ident) => { $scan.call($function) };
    ($scan:ident $op:ident $($arg:ident)*) => {{ $(note_immediate!($scan $arg $arg);)* }};
}

/// Notes the use in an immediate, by its name in `wasmparser`.
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
    use super::Uses;

    fn uses(text: &str, function: u32) -> Uses {
        crate::load(text).unwrap().uses(function).unwrap()
    }

    #[test]
    fn functions_are_listed_once_in_the_order_of_calls() {
        let text = "(module (import \"m\" \"f\" (func))
            (func (call 3) (call 0) (call 3) (call 1) (return_call 2)) (func) (func (drop (ref.func 1))) (elem declare func 1))";
        assert_eq!(uses(text, 1).calls, [3, 0, 1, 2]);
        for function in [0, 2, 77] {
            assert_eq!(uses(text, function), Uses::default());
        }
    }

    #[test]
    fn memories_tables_and_globals_are_told_by_number() {
        let text = "(module (memory 1) (memory 1) (global i32 (i32.const 1)) (global (mut i32) (i32.const 1))
            (type $t (func)) (table 1 funcref) (table 1 funcref)
            (func (i32.store 1 (i32.const 0) (global.get 0)))
            (func (memory.copy 0 1 (i32.const 0) (i32.const 0) (i32.const 0)) (global.set 1 (i32.const 1)))
            (func (drop (v128.load (i32.const 0))))
            (func (call_indirect 1 (type $t) (i32.const 0)) (return_call_indirect 0 (type $t) (i32.const 0)))
            (func (table.copy 1 0 (i32.const 0) (i32.const 0) (i32.const 0)) (drop (memory.grow 1 (i32.const 1)))))";
        let told = |function| {
            let Uses { calls, memories, tables, globals } = uses(text, function);
            assert!(calls.is_empty());
            [memories, tables, globals].map(|numbers| numbers.into_iter().collect::<Vec<_>>())
        };
        assert_eq!(told(0), [vec![1], vec![], vec![0]]);
        assert_eq!(told(1), [vec![0, 1], vec![], vec![1]]);
        assert_eq!(told(2), [vec![0], vec![], vec![]]);
        assert_eq!(told(3), [vec![], vec![0, 1], vec![]]);
        assert_eq!(told(4), [vec![1], vec![0, 1], vec![]]);
    }
}
