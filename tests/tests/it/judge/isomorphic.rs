//! Renamings are accepted, mutations are not; by definition on small forms.

use ssaphire::check::quality::dead_phis;
use ssaphire::check::{Difference, isomorphic, isomorphic_by, quality};
use ssaphire::graph::{Block, Cfg, FlatCfg, SsaForm, Value, ValueEvent};
use ssaphire_tests::naive;
use ssaphire_tests::sample_forms::{
    Constructed, Random, Ssa, construct, graph, maximal_placement, on_small_stack, phi_graph, random_source, small_cfg,
};

fn random_form(seed: u64, pruned: bool) -> Constructed {
    let random = &mut Random::new(seed);
    let cfg = small_cfg(random, 8);
    let source = random_source(random, cfg, false);
    let placement = if pruned { naive::pruned_placement(&source) } else { maximal_placement(&source) };
    construct(&source, &placement)
}

/// The same function with values renamed and the phis of each block listed in another order.
fn renamed(form: &Ssa, random: &mut Random, with_globals: bool) -> Ssa {
    let mut names: Vec<_> = (0..form.num_values + 3).map(Value::new).collect();
    random.shuffle(&mut names);
    let mut result = form.clone();
    result.num_values += 3;
    let rename = |value: &mut Value| *value = names[value.index()];
    result.globals.iter_mut().for_each(rename);
    if with_globals {
        random.shuffle(&mut result.globals);
    }
    for (phi, operands) in result.phis.iter_mut().flatten() {
        rename(phi);
        operands.iter_mut().for_each(rename);
    }
    for ValueEvent::Def(value) | ValueEvent::Use(value) in result.events.iter_mut().flatten() {
        rename(value);
    }
    for phis in &mut result.phis {
        random.shuffle(phis);
    }
    result
}

#[test]
fn renaming_and_reordering_make_no_difference() {
    for seed in 0..500 {
        let random = &mut Random::new(seed);
        let form = random_form(seed, true).form;
        assert_eq!(isomorphic(&form, &form), Ok(()));
        assert_eq!(isomorphic(&form, &renamed(&form, random, false)), Ok(()), "{form:?}");
        assert_eq!(isomorphic_by(&form, &renamed(&form, random, true), |_, _| true), Ok(()), "{form:?}");
    }
}

/// With copies, and with a phi for every variable at every join, many phis are dead and many are alike.
#[test]
fn the_largest_forms_are_recognised_too() {
    let mut dead = 0;
    for seed in 0..1000 {
        let random = &mut Random::new(seed);
        let cfg = small_cfg(random, 9);
        let source = random_source(random, cfg, true);
        let form = construct(&source, &maximal_placement(&source)).form;
        dead += dead_phis(&form).len();
        assert_eq!(isomorphic(&form, &renamed(&form, random, false)), Ok(()), "{form:?}");
    }
    assert!(dead > 1000, "{dead}");
}

/// No match is made up, and on these small forms none is missed.
#[test]
fn dead_phis_match_only_if_some_map_exists() {
    let (mut mutants, mut same, mut missed) = (0, 0, 0);
    for seed in 0..150 {
        let random = &mut Random::new(seed);
        let cfg = small_cfg(random, 4);
        let source = random_source(random, cfg, true);
        let form = construct(&source, &maximal_placement(&source)).form;
        for block in form.cfg.blocks() {
            for phi in 0..form.phis[block.index()].len() {
                let mut mutant = form.clone();
                let edge = random.below(form.phis[block.index()][phi].1.len());
                mutant.phis[block.index()][phi].1[edge] = Value::new(random.below(form.num_values));
                let (found, expected) = (isomorphic(&form, &mutant).is_ok(), same_by_definition(&form, &mutant));
                assert!(expected || !found, "{form:?}");
                mutants += 1;
                same += usize::from(found);
                missed += usize::from(expected && !found);
            }
        }
    }
    assert!(mutants > 300 && same > 30 && missed == 0, "{mutants} {same} {missed}");
}

/// Dead phis of one block that look alike are matched as they are listed; here no two look alike.
#[test]
fn dead_phis_are_found_by_their_operands() {
    let mut dead = 0;
    for seed in 0..500 {
        let random = &mut Random::new(seed);
        let mut form = random_form(seed, false).form;
        for phis in &mut form.phis {
            let num_edges = phis.first().map_or(0, |phi| phi.1.len());
            phis.truncate(1);
            // A twin that differs in one operand, and so in its first look.
            if let Some((first, operands)) = phis.first().cloned() {
                let mut twin = operands;
                twin[random.below(num_edges)] = if twin.contains(&Value::new(0)) { first } else { Value::new(0) };
                phis.push((Value::new(form.num_values), twin));
                form.num_values += 1;
            }
        }
        // Unlisted phis are undefined values now, the same in both.
        dead += dead_phis(&form).len();
        let other = renamed(&form, random, false);
        assert!(!matches!(isomorphic(&form, &other), Err(Difference::NumPhis { .. })));
        assert_eq!(isomorphic(&form, &other), Ok(()), "{form:?}");
    }
    assert!(dead > 300, "{dead}");
}

/// Whether some one-to-one map of phis to phis of the same block, identity elsewhere, turns one form into the other.
fn same_by_definition(first: &Ssa, second: &Ssa) -> bool {
    let reachable: Vec<_> = first.cfg.blocks().filter(|&block| naive::is_reachable(&first.cfg, block)).collect();
    let phis: Vec<_> = reachable.iter().flat_map(|&block| first.phis(block).map(move |phi| (block, phi))).collect();
    let mut maps = vec![(0..first.num_values).map(Value::new).collect::<Vec<_>>()];
    for (index, &(block, phi)) in phis.iter().enumerate() {
        // Each map so far, continued by each phi of the block that is not taken.
        let taken = |map: &[Value], to: Value| phis[..index].iter().any(|&(_, earlier)| map[earlier.index()] == to);
        let longer = maps.iter().flat_map(|map| {
            let free = second.phis(block).filter(|&to| !taken(map, to));
            free.map(|to| {
                let mut map = map.clone();
                map[phi.index()] = to;
                map
            })
        });
        maps = longer.collect();
    }
    maps.iter().any(|map| is_isomorphism(first, second, &reachable, map))
}

fn is_isomorphism(first: &Ssa, second: &Ssa, reachable: &[Block], map: &[Value]) -> bool {
    let event = |event: ValueEvent| match event {
        ValueEvent::Def(value) => ValueEvent::Def(map[value.index()]),
        ValueEvent::Use(value) => ValueEvent::Use(map[value.index()]),
    };
    let operands_agree = |block: Block, phi: Value| {
        let pairs = first.operands(block, phi).zip(second.operands(block, map[phi.index()]));
        let mut by_edge = pairs.zip(first.predecessors(block));
        by_edge.all(|((one, other), source)| map[one.index()] == other || !reachable.contains(&source))
    };
    let phis_agree = |block: Block| {
        first.phis(block).all(|phi| {
            first.operands(block, phi).count() == second.operands(block, map[phi.index()]).count()
                && operands_agree(block, phi)
        })
    };
    let agrees = |&block: &Block| first.events(block).map(event).eq(second.events(block)) && phis_agree(block);
    reachable.iter().all(agrees)
}

#[test]
fn a_changed_operand_makes_a_difference() {
    let (mut mutants, mut equivalent) = (0, 0);
    for seed in 0..250 {
        let form = random_form(seed, true).form;
        assert_eq!(quality(&form), []);
        for block in form.cfg.blocks() {
            for (phi, index) in (0..form.phis[block.index()].len()).flat_map(|phi| (0..4).map(move |edge| (phi, edge)))
            {
                let Some(&operand) = form.phis[block.index()][phi].1.get(index) else { continue };
                for other in (0..form.num_values).map(Value::new).filter(|&other| other != operand) {
                    let mut mutant = form.clone();
                    mutant.phis[block.index()][phi].1[index] = other;
                    let same = isomorphic(&form, &mutant).is_ok();
                    assert_eq!(same, same_by_definition(&form, &mutant), "{block} {phi} {index} {other} {form:?}");
                    mutants += 1;
                    equivalent += usize::from(same);
                }
            }
        }
    }
    // The equivalent ones change an operand whose edge leaves an unreachable block.
    assert!(mutants > 2000 && equivalent < mutants / 20, "{equivalent} of {mutants}");
}

#[test]
fn a_changed_use_makes_a_difference() {
    let mut mutants = 0;
    for seed in 0..250 {
        let form = random_form(seed, true).form;
        for block in form.cfg.blocks().filter(|&block| naive::is_reachable(&form.cfg, block)) {
            for index in 0..form.events[block.index()].len() {
                let ValueEvent::Use(value) = form.events[block.index()][index] else { continue };
                for other in (0..form.num_values).map(Value::new).filter(|&other| other != value) {
                    let mut mutant = form.clone();
                    mutant.events[block.index()][index] = ValueEvent::Use(other);
                    let same = isomorphic(&form, &mutant).is_ok();
                    assert!(!same || same_by_definition(&form, &mutant), "{block} {index} {other} {form:?}");
                    mutants += 1;
                }
            }
        }
    }
    assert!(mutants > 2000);
}

#[test]
fn each_difference_has_a_name() {
    let form = phi_graph(2, &[vec![0, 1], vec![0, 2]]);
    let check = |change: &dyn Fn(&mut Ssa), expected: &str| {
        let mut form = form.clone();
        form.events[1].extend([ValueEvent::Use(Value::new(2)), ValueEvent::Use(Value::new(3))]);
        let mut other = form.clone();
        change(&mut other);
        let found = isomorphic(&form, &other).map_err(|difference| difference.to_string());
        assert_eq!(found.unwrap_err(), expected);
    };
    let with_cfg = |cfg: FlatCfg| move |form: &mut Ssa| form.cfg = cfg.clone();
    check(&with_cfg(graph(0, &[vec![]])), "3 blocks in one function, 1 in the other");
    check(&with_cfg(graph(1, &[vec![], vec![], vec![]])), "block0: the entry of one function, block1 of the other");
    check(&with_cfg(graph(0, &[vec![1, 2, 1, 2], vec![], vec![]])), "block0: the outgoing edges differ");
    check(
        &|form| form.events[2].push(ValueEvent::Use(Value::new(0))),
        "block2: 0 events in one function, 1 in the other",
    );
    check(
        &|form| form.events[1][1] = ValueEvent::Def(Value::new(3)),
        "block1: event 1 is a use in one function, a definition in the other",
    );
    check(&|form| form.phis[2].push((Value::new(4), vec![])), "block2: 1 phis in one function, 2 in the other");
    check(&|form| form.phis[1][0].1.push(Value::new(0)), "v2: a phi in block1 with another number of operands than v2");
    check(&|form| form.phis[1][0].1.swap(0, 1), "v0: does not correspond to v1, at operand 0 of v2 in block1");
    check(&|form| form.events[1].swap(0, 1), "v2: does not correspond to v3, at event 0 of block1");
    let dead = phi_graph(1, &[vec![0, 0]]);
    let mut other = dead.clone();
    other.phis[1][0].1[1] = Value::new(1);
    let found = isomorphic(&dead, &other).unwrap_err();
    assert_eq!(found, Difference::DeadPhi { block: Block::new(1), first: Value::new(1) });
    assert_eq!(found.to_string(), "v1: a dead phi in block1 that matches no other");
}

#[test]
fn globals_correspond_by_position_or_by_name() {
    let mut form = phi_graph(2, &[]);
    form.events[0].push(ValueEvent::Use(Value::new(0)));
    let mut other = form.clone();
    other.globals.swap(0, 1);
    assert!(isomorphic(&form, &other).is_err());
    assert_eq!(isomorphic_by(&form, &other, |one, other| one == other), Ok(()));
    let mut both = form.clone();
    both.events[0].push(ValueEvent::Use(Value::new(1)));
    let mut twice = form.clone();
    twice.events[0].push(ValueEvent::Use(Value::new(0)));
    assert!(isomorphic_by(&both, &twice, |_, _| true).is_err() && isomorphic_by(&twice, &both, |_, _| true).is_err());
    other.globals = vec![Value::new(0)];
    assert_eq!(isomorphic(&form, &other), Ok(()));
    other.globals.clear();
    assert!(isomorphic(&form, &other).is_err());
}

#[test]
fn long_chains_of_phis_need_no_stack() {
    on_small_stack(|| {
        let operands: Vec<_> = (0..300_000).map(|index| vec![index, index.min(1), index + 1]).collect();
        let mut form = phi_graph(1, &operands);
        let dead = form.clone();
        form.events[0].push(ValueEvent::Use(Value::new(300_000)));
        for form in [form, dead] {
            assert_eq!(isomorphic(&form, &renamed(&form, &mut Random::new(7), false)), Ok(()));
        }
    });
}
