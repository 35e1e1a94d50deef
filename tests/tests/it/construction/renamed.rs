//! Complete functions that are given as lists.

use ssaphire::check::{Judge, Mode, Program, isomorphic_by, quality, rules};
use ssaphire::destruct::{Method, destruct, with_class};
use ssaphire::graph::Cfg;
use ssaphire::minimize::redundant_phis;
use ssaphire::{
    Access, BatchError, Block, Call, CallError, CallErrorKind, Certainty, Certified, Definition, Options, Renamed,
    SsaBuilder, Value, Variable, VariableForm, check_destruction, construct, rename, rename_by,
};
use ssaphire_tests::{Built, Case, Rng, Shape, TestHost, Writes, generate, walk};
use std::collections::BTreeSet;

/// The function as lists: targets and accesses of each block.
fn lists(case: &Case) -> impl Iterator<Item = (Vec<Block>, Vec<Access>)> + '_ {
    case.blocks().map(|block| (case.cfg.targets(block).to_vec(), case.accesses[block.index()].clone()))
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
            let form = rename_by(&mut ssa, lists(&case), &[]).unwrap();
            ssa.certify(&mut program).unwrap();
            assert_eq!(judge.judge(&program, Mode::Exact).violations, [], "{case:?}");
            let built = Built::of_renamed(&view, &form);
            assert_eq!((rules(&built), quality(&built)), (vec![], vec![]), "{case:?}");
            walk::random_walks(&view, &built, 3, &mut rng).unwrap_or_else(|error| panic!("{error}\n{case:?}"));
            form_is_taken_as_it_is(&form, &case);
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

/// The judge, `minimize` and `destruct` take the form itself, and its variables hold what walks over it find.
fn form_is_taken_as_it_is(form: &Renamed, case: &Case) {
    assert_eq!((rules(form), quality(form)), (vec![], vec![]), "{case:?}");
    assert_eq!(redundant_phis(form).unwrap(), [], "{case:?}");
    for method in Method::ALL.iter().copied() {
        let form = with_class(form, |value| form.variable(value).map_or(0, |variable| variable.index() as u32 % 2));
        let destruction = destruct(&form, method).unwrap_or_else(|error| panic!("{method:?}: {error}: {case:?}"));
        assert_eq!(check_destruction(&form, &destruction), [], "{method:?}: {case:?}");
    }
    for variable in (0..case.num_variables()).map(Variable::new) {
        let (held, expected) = (form.values_at_ends(variable), held_on_walks(form, case, variable));
        assert_eq!(held.values().copied().collect::<Vec<_>>(), expected, "{variable}: {case:?}");
    }
}

/// By block, the one value that the variable has at its end on all walks from the entry.
fn held_on_walks(form: &Renamed, case: &Case, variable: Variable) -> Vec<Option<Value>> {
    let mut found = vec![BTreeSet::new(); form.num_blocks()];
    let undefined = form.undefined_values().find(|&(undefined, _)| undefined == variable);
    let mut work = vec![(form.entry(), undefined.map(|(_, value)| value))];
    while let Some((block, mut held)) = work.pop() {
        let accesses = case.accesses.get(block.index()).into_iter().flatten();
        let accesses = accesses.filter(|access| !matches!(access, Access::Tuple(_)));
        for (access, &value) in accesses.zip(form.values_in(block)) {
            match *access {
                Access::Write(to) | Access::Copy(to, _) if to == variable => held = value,
                _ => {}
            }
        }
        if found[block.index()].insert(held) {
            let at_top = |target: Block| {
                let phi = form.phis_in(target).find(|phi| phi.variable == variable);
                phi.map_or(held, |phi| Some(phi.value))
            };
            work.extend(form.successors(block).map(|target| (target, at_top(target))));
        }
    }
    let only = |held: &BTreeSet<_>| if held.len() == 1 { held.first().copied().flatten() } else { None };
    found.iter().map(only).collect()
}

#[test]
pub(crate) fn values_are_numbered_by_kind_and_place() {
    let [x, y, z] = [0, 1, 2].map(Variable::new);
    let [top, arm, join] = [0, 1, 2].map(Block::new);
    let blocks = [
        (vec![arm, join], vec![Access::Read(y), Access::Copy(z, x)]),
        (vec![join], vec![Access::Write(x), Access::Write(z)]),
        (vec![], vec![Access::Tuple(2), Access::Copy(x, z), Access::Read(x)]),
    ];
    let form = rename(blocks, &[x]).unwrap();
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
    let form = rename([(vec![], vec![unused])], &[]).unwrap();
    assert_eq!((form.num_values(), form.undefined_reads(), form.value(top, 0)), (0, &[][..], None));

    let blocks = [(vec![next], vec![used]), (vec![], vec![read]), (vec![next], vec![])];
    let form = rename(blocks, &[]).unwrap();
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
        let error = rename([(vec![], accesses.to_vec())], &[]).unwrap_err();
        assert_eq!(error.to_string(), "block0: a tuple announces 2 accesses, but only 1 follow");
    }
    let missing = rename([(vec![Block::new(1)], vec![])], &[]).unwrap_err();
    assert_eq!(missing.to_string(), "block0: has an edge to or from block1, which does not exist");
    assert!(matches!(rename::<Vec<_>, Vec<_>>([], &[]), Err(BatchError::Cfg(_))));
    let block = (vec![], vec![Access::Read(x)]);
    let twice = CallError::new(Call::SetInitial { variable: x }, CallErrorKind::Twice);
    assert_eq!(rename([block], &[x, x]).unwrap_err(), BatchError::Call(twice));
    let far = (vec![], vec![Access::Read(Variable::new(1 << 30))]);
    assert!(matches!(rename([far], &[]), Err(BatchError::Id(_))));
    let mut limited = ssaphire::Builder::with_options(Options::default().with_work_limit(0));
    let looping = (vec![Block::new(0)], vec![Access::Read(x), Access::Write(x)]);
    assert!(rename_by(&mut limited, [looping.clone()], &[]).is_err());
    limited.set_work_limit(None);
    assert_eq!(rename_by(&mut limited, [looping], &[]).unwrap().phis().len(), 1);
}
