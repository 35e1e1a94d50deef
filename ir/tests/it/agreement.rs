//! Forms made over memory beside those made directly: what is called the same does the same.

use ssaphire::check::rules;
use ssaphire::{Certified, Value};
use ssaphire_ir::basic::{BasicMachine, behavior};
use ssaphire_ir::generate::{Shape, function};
use ssaphire_ir::interp::Limits;
use ssaphire_ir::memory::{Agreement, Disagreement, OverMemory, agreement};
use ssaphire_ir::text::parse;
use ssaphire_ir::{Basic, Block, Function, to_ssa};

fn read(text: &str) -> Function<Basic> {
    parse(text).unwrap_or_else(|errors| panic!("{errors}"))
}

#[track_caller]
fn check(direct: &str, other: &str, expected: Agreement) {
    let (direct, other) = (read(direct), read(other));
    assert_eq!((rules(&direct), rules(&other)), (vec![], vec![]));
    assert_eq!(agreement(&direct, &other), Ok(expected));
}

#[track_caller]
fn disagreement(direct: &str, other: &str) -> Disagreement {
    match agreement(&read(direct), &read(other)) {
        Ok(Agreement::Differs(disagreement)) => disagreement,
        other => panic!("{other:?}"),
    }
}

/// A loop that prints a phi of an undefined value and what is read in it.
const LATE: &str = "func f() {\na:\n  jump h\nh: <- a, h\n  %1 = phi undef, %2\n  %2 = read()\n  print %1\n  \
                    branch %2, h, e\ne:\n  return\n}";

#[test]
fn names_and_needless_phis_are_no_difference() {
    let direct = "func f(%x.0) {\na:\n  %1 = neg %x.0\n  branch %x.0, b, c\nb:\n  jump c\n\
                  c: <- a, b\n  %3 = phi 1, %1\n  return %3\n}";
    let other = "func f(%y.0) {\na:\n  %7 = neg %y.0\n  branch %y.0, b, c\nb: <- a\n  %8 = phi %7\n  jump c\n\
                 c: <- a, b\n  %9 = phi 1, %7\n  %2 = phi 1, %8\n  return %2\n}";
    check(direct, other, Agreement::Same);
    let swapped = disagreement(direct, &direct.replace("phi 1, %1", "phi %1, 1"));
    assert!(matches!(swapped, Disagreement::Values { block, .. } if block == Block::new(2)), "{swapped}");
}

#[test]
fn other_blocks_edges_and_instructions_are_differences() {
    let text = "func f(%x.0) {\na:\n  branch %x.0, b, c\nb:\n  print %x.0\n  jump c\nc: <- a, b\n  return %x.0\n}";
    check(text, text, Agreement::Same);
    let change = |old: &str, new: &str| disagreement(text, &text.replace(old, new));
    let [a, b, c] = [0, 1, 2].map(Block::new);
    assert_eq!(change("  print %x.0\n", ""), Disagreement::Instructions { block: b });
    assert_eq!(change("print %x.0", "print %x.0, %x.0"), Disagreement::Instructions { block: b });
    assert_eq!(change("branch %x.0, b, c", "switch %x.0, [b], c"), Disagreement::Instructions { block: a });
    assert_eq!(change("<- a, b", "<- b, a"), Disagreement::Edges { block: c });
    assert_eq!(disagreement(text, "func f(%x.0) {\na:\n  return %x.0\n}"), Disagreement::Blocks);
    let constant = change("print %x.0", "print 1");
    assert!(constant.to_string().ends_with("used in block1, where the other form has v1"), "{constant}");
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
    let direct = "func f(%x.0) {\na:\n  branch %x.0, b, c\nb:\n  jump c\nc: <- a, b\n  %1 = phi undef.x, undef.y\n  \
                  print %1\n  return %1\n}";
    let other =
        direct.replace("  %1 = phi undef.x, undef.y\n", "").replace("print %1", "print 1").replace("%1", "%x.0");
    check(direct, &other, Agreement::Refines);
    // One that merges something defined is like any other.
    let defined = direct.replace("undef.y", "7");
    assert!(matches!(disagreement(&defined, &other), Disagreement::Values { .. }));
}

#[test]
fn an_undefined_value_may_be_anything_that_is_there_in_time() {
    // What the last round has read is not what this round reads.
    let stale = LATE.replace("  %1 = phi undef, %2\n", "").replace("print %1", "print %2");
    assert!(matches!(disagreement(LATE, &stale), Disagreement::Values { .. }));
    let constant = LATE.replace("phi undef, %2", "phi 7, %2");
    check(LATE, &constant, Agreement::Refines);
    assert!(matches!(disagreement(&constant, LATE), Disagreement::Values { .. }), "not the other way round");
    // From a strict dominator it is there.
    let arm = "func f(%x.0) {\na:\n  %1 = neg %x.0\n  branch %x.0, b, c\nb:\n  jump c\n\
               c: <- a, b\n  %3 = phi undef, %1\n  return %3\n}";
    check(arm, &arm.replace("  %3 = phi undef, %1\n", "").replace("return %3", "return %1"), Agreement::Refines);
}

/// One value is used in place of another, everywhere: if that is said to do the same, it does.
#[test]
fn what_is_called_the_same_does_the_same() {
    let limits = Limits { steps: 2_000, frames: 100 };
    let (mut num_good, mut num_bad) = (0, 0);
    for &shape in Shape::ALL {
        for seed in 0..16 {
            let source = function(shape, 2 + (seed as usize * 5) % 20, seed);
            let direct = to_ssa(&source, &mut Certified::default()).unwrap();
            let over = OverMemory::of(&source).unwrap();
            for step in 0..12 {
                let value =
                    |salt: usize| Value::new((seed as usize * 7 + step * salt) % over.function.num_values().max(1));
                let (old, new) = (value(13), value(29));
                let mut changed = over.function.clone();
                changed.map_uses(|used| if used == old { new } else { used });
                if !rules(&changed).is_empty() {
                    continue;
                }
                if let Agreement::Differs(_) = agreement(&direct, &changed).unwrap() {
                    num_bad += 1;
                    continue;
                }
                num_good += usize::from(changed != over.function);
                for arg in [0, 3] {
                    let args = vec![arg; source.params().len()];
                    let run =
                        |function| behavior(function, &args, BasicMachine::new(seed, vec![5, 0, 1, 2, 7, 1]), limits);
                    let (before, after) = (run(&direct), run(&changed));
                    assert!(after.refines(&before), "{shape:?} {seed}\n{direct}\n{changed}\n{before}\n{after}");
                }
            }
        }
    }
    assert!(num_good > 20 && num_bad > 200, "{num_good} {num_bad}");
}
