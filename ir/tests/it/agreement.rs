//! Forms made over memory beside those made directly: what is called the same does the same.

use ssaphire::Certified;
use ssaphire_ir::memory::{Agreement, OverMemory, agreement};
use ssaphire_ir::text::parse;
use ssaphire_ir::{Basic, Function, to_ssa};

fn read(text: &str) -> Function<Basic> {
    parse(text).unwrap_or_else(|errors| panic!("{errors}"))
}

/// Undefined values of several variables may be merged before they are read; over memory, a read takes the one or the other.
#[test]
fn a_phi_of_undefined_values_may_be_anything_that_is_there_in_time() {
    let functions = [
        "func f() {
         var v0, v1, v2, v3, c
         b0:
           v1 = lt v2, v3
           jump b14
         b13:
           v3 = v2
           branch c, b14, b0
         b14:
           branch v2, b13, b27
         b27:
           return v3
         }",
        "func f() {
         var v0, v1, c
         b0:
           jump b20
         b7:
           print v0
           jump b23
         b20:
           switch c, [b22, b7], b23
         b22:
           v0, v1 = v1, 3
           jump b7
         b23:
           v1 = 0
           print v0
           c = 0
           return
         }",
    ];
    for source in functions {
        let source = read(source);
        let direct = to_ssa(&source, &mut Certified::default()).unwrap();
        let over_memory = OverMemory::of(&source).unwrap().function;
        assert_eq!(agreement(&direct, &over_memory), Ok(Agreement::Refines), "{direct}\n{over_memory}");
    }
}
