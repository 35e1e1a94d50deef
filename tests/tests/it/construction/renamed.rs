//! Complete functions that are given as lists.

use ssaphire::check::{Judge, Mode, Program, isomorphic_by, quality, rules};
use ssaphire::{
    Access, BatchError, Block, BlockAccesses, Call, CallError, CallErrorKind, Certainty, Certified, Definition,
    Options, SsaBuilder, Value, Variable, construct, rename, rename_by,
};
use ssaphire_tests::{Built, Case, Rng, Shape, TestHost, Writes, generate, walk};
use std::collections::BTreeSet;

/// The function as lists: targets and accesses of each block.
fn lists(case: &Case) -> Vec<BlockAccesses<'_>> {
    let block =
        |block: Block| BlockAccesses { targets: case.cfg.targets(block), accesses: &case.accesses[block.index()] };
    case.blocks().map(block).collect()
}

#[test]
pub(crate) fn the_form_is_judged_and_that_of_a_host_with_views() {
    let (mut ssa, mut host, mut num_built, mut num_in_front) = (Certified::default(), TestHost::default(), 0, 0);
    let (mut program, mut judge) = (Program::new(), Judge::new());
    for seed in 0..80 {
        for shape in Shape::ALL {
            let mut rng = Rng::new(seed);
            let mut case = generate(shape, seed % 2 == 0, &mut rng);
            case.merges.clear();
            if case.cfg.entry() != Block::new(0) {
                continue;
            }
            num_built += 1;
            let view = case.with_pre_entry();
            let form = rename_by(&mut ssa, &lists(&case), &[]).unwrap();
            ssa.certify(&mut program).unwrap();
            assert_eq!(judge.judge(&program, Mode::Exact).violations, [], "{case:?}");
            let built = Built::of_renamed(&view, &form);
            assert_eq!((rules(&built), quality(&built)), (vec![], vec![]), "{case:?}");
            walk::random_walks(&view, &built, 3, &mut rng).unwrap_or_else(|error| panic!("{error}\n{case:?}"));
            assert_eq!(form.pre_entry().is_some(), view.cfg.num_blocks() > case.cfg.num_blocks());
            num_in_front += usize::from(form.pre_entry().is_some());
            for phi in form.phis() {
                let sources: BTreeSet<_> = phi.edges.iter().map(|edge| edge.source).collect();
                assert!(phi.operands_by_source().len() == sources.len() && form.is_reachable(phi.block));
                // Without the edges that are never taken it is needed, too.
                let mut taken: BTreeSet<_> = (phi.edges.iter().zip(phi.operands))
                    .filter_map(|(edge, &operand)| form.is_reachable(edge.source).then_some(operand))
                    .collect();
                taken.remove(&phi.value);
                assert!(taken.len() > 1, "{case:?}");
            }

            host.begin(&case);
            host.reports_uses = true;
            let mut other = Certified::default();
            let result = construct(&case, &mut host, &mut other).unwrap();
            host.write_result(&result);
            let other = Built::new(&view, &host);
            isomorphic_by(&built, &other, |one, two| built.same_undefined(one, &other, two))
                .unwrap_or_else(|difference| panic!("{difference}\n{case:?}"));
        }
    }
    assert!(num_built > 200 && num_in_front > 20, "{num_built} {num_in_front}");
}

#[test]
pub(crate) fn values_are_numbered_by_kind_and_place() {
    let [x, y, z] = [0, 1, 2].map(Variable::new);
    let [top, arm, join] = [0, 1, 2].map(Block::new);
    let blocks = [
        BlockAccesses { targets: &[arm, join], accesses: &[Access::Read(y), Access::Copy(z, x)] },
        BlockAccesses { targets: &[join], accesses: &[Access::Write(x), Access::Write(z)] },
        BlockAccesses { targets: &[], accesses: &[Access::Tuple(2), Access::Copy(x, z), Access::Read(x)] },
    ];
    let form = rename(&blocks, &[x]).unwrap();
    let definitions: Vec<_> = (0..form.num_values()).map(|value| form.definition(Value::new(value)).unwrap()).collect();
    let expected = [
        Definition::Parameter(0),
        Definition::Write { block: arm, index: 0 },
        Definition::Write { block: arm, index: 1 },
        Definition::Phi(0),
        Definition::Undefined(y),
    ];
    assert_eq!(definitions, expected);
    assert_eq!(form.definition(Value::new(5)), None);
    let phi = form.phis_in(join).next().unwrap();
    assert_eq!((phi.value, phi.variable, phi.operands), (Value::new(3), x, &[Value::new(0), Value::new(1)][..]));
    let sources: Vec<_> = phi.edges.iter().map(|edge| (edge.source, edge.slot)).collect();
    assert_eq!(sources, [(top, 1), (arm, 0)]);
    // The read happens together with the copy, so it finds the phi; nothing reads what the copies leave.
    assert_eq!([form.value(join, 0), form.value(join, 1), form.value(join, 2)], [None, Some(phi.value), None]);
    assert_eq!(form.value(top, 1), Some(Value::new(0)));
    assert_eq!(form.undefined_values().collect::<Vec<_>>(), [(y, Value::new(4))]);
    assert_eq!(phi.operands_by_source(), [(top, Value::new(0)), (arm, Value::new(1))]);
    let undefined: Vec<_> = form.undefined_reads().iter().map(|read| (read.block, read.site, read.certainty)).collect();
    assert_eq!(undefined, [(top, 0, Certainty::Is)]);
}

#[test]
pub(crate) fn a_copy_is_no_use() {
    let [x, y] = [0, 1].map(Variable::new);
    let [top, next, dead] = [0, 1, 2].map(Block::new);
    let [unused, used, read] = [Access::Copy(y, x), Access::Copy(y, x), Access::Read(y)];
    let form = rename(&[BlockAccesses { targets: &[], accesses: &[unused] }], &[]).unwrap();
    assert_eq!((form.num_values(), form.undefined_reads(), form.value(top, 0)), (0, &[][..], None));

    let blocks = [
        BlockAccesses { targets: &[next], accesses: &[used] },
        BlockAccesses { targets: &[], accesses: &[read] },
        BlockAccesses { targets: &[next], accesses: &[] },
    ];
    let form = rename(&blocks, &[]).unwrap();
    assert_eq!(form.undefined_values().collect::<Vec<_>>(), [(x, Value::new(0))]);
    assert_eq!([form.value(top, 0), form.value(next, 0)], [Some(Value::new(0)); 2]);
    // The read is reported, not what was copied for it.
    let reads: Vec<_> = form.undefined_reads().iter().map(|read| (read.block, read.variable, read.certainty)).collect();
    assert_eq!(reads, [(next, y, Certainty::Is)]);
    assert_eq!([top, next, dead, Block::new(3)].map(|block| form.is_reachable(block)), [true, true, false, false]);
}

#[test]
pub(crate) fn what_is_no_function_is_refused() {
    let x = Variable::new(0);
    for accesses in [&[Access::Tuple(2), Access::Read(x)][..], &[Access::Tuple(2), Access::Read(x), Access::Tuple(0)]] {
        let error = rename(&[BlockAccesses { targets: &[], accesses }], &[]).unwrap_err();
        assert_eq!(error.to_string(), "block0: a tuple of 2 accesses has 1");
    }
    let missing = rename(&[BlockAccesses { targets: &[Block::new(1)], accesses: &[] }], &[]).unwrap_err();
    assert_eq!(missing.to_string(), "block0: an edge joins it to block1, which does not exist");
    assert!(matches!(rename(&[], &[]), Err(BatchError::Cfg(_))));
    let block = BlockAccesses { targets: &[], accesses: &[Access::Read(x)] };
    let twice = CallError::new(Call::SetInitial { variable: x }, CallErrorKind::Twice);
    assert_eq!(rename(&[block], &[x, x]), Err(BatchError::Call(twice)));
    let far = BlockAccesses { targets: &[], accesses: &[Access::Read(Variable::new(1 << 30))] };
    assert!(matches!(rename(&[far], &[]), Err(BatchError::Id(_))));
    let mut limited = ssaphire::Builder::with_options(Options::default().with_work_limit(0));
    let looping = BlockAccesses { targets: &[Block::new(0)], accesses: &[Access::Read(x), Access::Write(x)] };
    assert!(rename_by(&mut limited, &[looping], &[]).is_err());
    limited.set_work_limit(None);
    assert_eq!(rename_by(&mut limited, &[looping], &[]).unwrap().phis().len(), 1);
}
