//! Passes: reports, errors, and empty blocks with many edges.

use crate::support::read;
use ssaphire::check::rules;
use ssaphire_ir::passes::{Options, Report, remove_dead_code, remove_empty_blocks, remove_redundant_phis};
use ssaphire_ir::{Basic, Function, text};

/// `num_edges` edges to an empty block, which jumps by another one to a join, beside another way of two such blocks.
fn checks(num_edges: usize, num_phis: usize) -> Function<Basic> {
    let targets = vec!["block1"; num_edges].join(", ");
    let edges = (0..num_edges).map(|slot| format!("block0.{slot}")).collect::<Vec<_>>().join(", ");
    let mut source = format!(
        "func f(%c.0) {{\nblock0:\n  switch %c.0, [{targets}], block3\nblock1: <- {edges}\n  jump block2\n\
         block2:\n  jump block7\nblock3:\n  branch %c.0, block4, block6\nblock4:\n  jump block5\n\
         block5:\n  jump block7\nblock6:\n  print 1\n  jump block7\nblock7: <- block2, block5, block6\n"
    );
    (0..num_phis).for_each(|phi| source += &format!("  %z{phi}.0 = phi {phi}, 100, 200\n"));
    (0..num_phis).for_each(|phi| source += &format!("  print %z{phi}.0\n"));
    text::parse(&(source + "  return\n}\n")).unwrap_or_else(|error| panic!("{error}"))
}

/// Operands are not multiplied: the last empty block before the phis stays if many edges share its operands.
#[test]
fn an_empty_block_by_which_many_edges_arrive_at_many_phis_stays() {
    for (num_edges, num_phis, removed) in [(5, 5, 3), (40, 5, 3), (5, 40, 3), (4, 40, 4), (40, 4, 4), (40, 1, 4)] {
        let mut function = checks(num_edges, num_phis);
        assert_eq!(remove_empty_blocks(&mut function), Ok(removed), "{num_edges} {num_phis}");
        assert_eq!(function.check_form(), []);
        assert_eq!(rules(&function), []);
        // What was kept once is kept.
        assert_eq!(remove_empty_blocks(&mut function), Ok(0));
    }
}

#[test]
fn a_report_counts_what_went() {
    let source = "func f(%n.0) {
         block0:
           jump block1
         block1: <- block0, block2
           %i.0 = phi 0, %i.1
           %s.0 = phi %n.0, %s.0
           %c.0 = lt %i.0, %s.0
           branch %c.0, block2, block3
         block2:
           %i.1 = add %i.0, 1
           jump block1
         block3:
           return %s.0
         block4:
           return
         }";
    let mut function = read(source);
    let report = remove_dead_code(&mut function, Options::default()).unwrap();
    let text = format!("{report:?}");
    assert_eq!(
        text,
        "Report { unreachable_blocks: 3, redundant_phis: 1, dead_phis: 1, dead_insts: 2, dead_branches: 1, empty_blocks: 1 }"
    );
    assert_eq!(remove_dead_code(&mut function, Options::default()), Ok(Report::default()));
}

#[test]
fn a_function_without_blocks_is_an_error() {
    let mut function = Function::<Basic>::new("f");
    assert!(remove_dead_code(&mut function, Options::default()).is_err());
    assert!(remove_empty_blocks(&mut function).is_err() && remove_redundant_phis(&mut function).is_err());
}
