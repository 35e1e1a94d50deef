//! Against the definitions, on random graphs; the papers' examples; depth.

use ssaphire::check::quality::{dead_phis, is_irredundant, is_pruned, redundant_phis, trivial_phis, unnecessary_phis};
use ssaphire::check::{QualityCheck, Violation, quality};
use ssaphire::graph::{Access, Block, FlatCfg, Value, ValueEvent, Variable};
use ssaphire_tests::naive;
use ssaphire_tests::sample_forms::{
    Random, Source, Ssa, construct, graph, maximal_placement, on_small_stack, phi_graph, random_cfg, random_source,
    small_cfg,
};

fn places(found: &[Violation]) -> Vec<(Block, Value)> {
    let place = |violation: &Violation| match *violation {
        Violation::TrivialPhi { block, phi, .. }
        | Violation::RedundantPhi { block, phi, .. }
        | Violation::UnnecessaryPhi { block, phi, .. }
        | Violation::DeadPhi { block, phi } => (block, phi),
        _ => panic!("not about phis: {violation}"),
    };
    found.iter().map(place).collect()
}

/// A value graph at random: up to nine phis, up to three globals; some phis without operands, some with edges from an unreachable block.
fn random_phi_graph(random: &mut Random) -> Ssa {
    let num_globals = 1 + random.below(3);
    let num_phis = 1 + random.below(9);
    let reach = if random.one_in(2) { num_globals + num_phis } else { 1 + random.below(num_globals + num_phis) };
    let mut operands = vec![Vec::new(); num_phis];
    for (index, operands) in operands.iter_mut().enumerate() {
        for _ in 0..if random.one_in(30) { 0 } else { 1 + random.below(3) } {
            let near = (num_globals + index + 1).saturating_sub(random.below(reach));
            operands.push(near.min(num_globals + num_phis - 1));
        }
    }
    let mut form = phi_graph(num_globals, &operands);
    if random.one_in(3) {
        add_unreachable_edges(&mut form, random);
    }
    for block in 0..form.events.len() {
        if random.one_in(4) {
            form.events[block].push(ValueEvent::Use(Value::new(random.below(form.num_values))));
        }
    }
    form
}

/// One more block, which nothing leads to, with edges to some blocks and an operand for each.
fn add_unreachable_edges(form: &mut Ssa, random: &mut Random) {
    let mut successors: Vec<Vec<Block>> = form.cfg.blocks().map(|block| form.cfg.targets(block).to_vec()).collect();
    let mut targets = Vec::new();
    for block in form.cfg.blocks().skip(1) {
        if random.one_in(2) {
            continue;
        }
        targets.push(block);
        form.phis[block.index()][0].1.push(Value::new(random.below(form.num_values)));
    }
    successors.push(targets);
    form.cfg = FlatCfg::from_successors(Block::new(0), &successors).unwrap();
    form.phis.push(vec![(Value::new(form.num_values), vec![])]);
    form.num_values += 1;
    form.events.push(vec![ValueEvent::Use(Value::new(form.num_values - 2))]);
}

/// A few blocks with a phi each, and uses; some are unreachable.
fn random_form(random: &mut Random) -> Ssa {
    let num_blocks = 2 + random.below(5);
    let targets = |random: &mut Random| (0..random.below(4)).map(|_| 1 + random.below(num_blocks - 1)).collect();
    let successors: Vec<Vec<usize>> = (0..num_blocks).map(|_| targets(random)).collect();
    let cfg = graph(0, &successors);
    let (mut phis, mut events) = (vec![Vec::new(); num_blocks], vec![Vec::new(); num_blocks]);
    for block in cfg.blocks().skip(1) {
        let operand = |random: &mut Random| Value::new(random.below(2 + num_blocks));
        let operands = cfg.incoming(block).iter().map(|_| operand(random)).collect();
        phis[block.index()].push((Value::new(2 + block.index()), operands));
        if random.one_in(3) {
            events[block.index()].push(ValueEvent::Use(Value::new(2 + random.below(num_blocks))));
        }
    }
    Ssa { cfg, num_values: 2 + num_blocks, globals: [0, 1].map(Value::new).to_vec(), phis, events }
}

#[test]
pub(crate) fn phis_that_could_be_removed_are_found_in_one_form_after_another() {
    let (mut check, mut random) = (QualityCheck::default(), Random::new(10));
    let mut counts = [0; 2];
    for _ in 0..600 {
        let form = random_form(&mut random);
        let found = check.findings(&form);
        assert_eq!(found, quality(&form), "{form:?}");
        let [mut trivial, mut redundant, mut dead] = [const { Vec::new() }; 3];
        for violation in found {
            match *violation {
                Violation::TrivialPhi { block, phi, .. } => trivial.push((block, phi)),
                Violation::RedundantPhi { block, phi, .. } => redundant.push((block, phi)),
                Violation::DeadPhi { block, phi } => dead.push((block, phi)),
                other => panic!("{other}"),
            }
        }
        assert_eq!(trivial, naive::trivial_phis(&form), "{form:?}");
        redundant.extend(trivial);
        redundant.sort_unstable();
        assert_eq!(Some(redundant), naive::redundant_phis(&form), "{form:?}");
        assert_eq!(dead, naive::dead_phis(&form), "{form:?}");
        counts[usize::from(found.is_empty())] += 1;
    }
    assert!(counts[0] > 200 && counts[1] > 20, "{counts:?}");
}

#[test]
fn findings_are_what_the_definitions_say() {
    let mut check = QualityCheck::default();
    let mut counts = [0; 4];
    for seed in 0..3000 {
        let form = random_phi_graph(&mut Random::new(seed));
        let [trivial, redundant, dead] = [trivial_phis(&form), redundant_phis(&form), dead_phis(&form)];
        assert_eq!(places(&trivial), naive::trivial_phis(&form), "{form:?}");
        assert_eq!(Some(places(&redundant)), naive::redundant_phis(&form), "{form:?}");
        assert_eq!(places(&dead), naive::dead_phis(&form), "{form:?}");
        let beyond_trivial = redundant.iter().filter(|found| !places(&trivial).contains(&places(&[**found])[0]));
        let mut expected: Vec<_> = [trivial.clone(), beyond_trivial.copied().collect(), dead.clone()].concat();
        expected.sort_unstable();
        assert_eq!(check.findings(&form), expected);
        assert_eq!(quality(&form), expected);
        let redundant_ones = redundant.len() - trivial.len();
        for (count, found) in counts.iter_mut().zip([trivial.len(), redundant_ones, dead.len(), 1]) {
            *count += usize::from(found > 0);
        }
    }
    assert!(counts.iter().all(|&count| count > 300), "{counts:?}");
}

/// What a redundant phi is said to hold: everything the phi dominates by it is a redundant set with respect to it.
#[test]
fn the_value_of_a_redundant_phi_is_the_outer_value_of_a_redundant_set() {
    let mut seen = 0;
    for seed in 0..1000 {
        let form = random_phi_graph(&mut Random::new(seed));
        let redundant = redundant_phis(&form);
        for found in &redundant {
            let &Violation::RedundantPhi { value, phi, .. } = found else { panic!("{found}") };
            let same = redundant.iter().filter_map(|other| match *other {
                // Phis into which nothing flows hold whatever one likes.
                Violation::RedundantPhi { phi, value: of, .. } => (of == value || of == phi).then_some(phi),
                _ => None,
            });
            let set: Vec<_> = same.collect();
            assert!(naive::is_redundant_set(&form, &set), "{phi} {value} {form:?}");
            assert!(phi == value || !set.contains(&value));
            seen += 1;
        }
    }
    assert!(seen > 1000);
}

#[test]
fn braun_figure_6_has_an_inner_redundant_component() {
    // v0 and v1 are what v2, the phi p0, merges; v3 is the sum. p1..p4 are v4..v7.
    let mut form = phi_graph(3, &[vec![0, 1], vec![3, 7], vec![4, 2], vec![5, 7], vec![6, 5]]);
    form.events[5].push(ValueEvent::Use(Value::new(7)));
    let expected = [4, 5].map(|block| Violation::RedundantPhi {
        block: Block::new(block),
        phi: Value::new(2 + block),
        value: Value::new(5),
    });
    assert_eq!(quality(&form), expected);
    assert!(is_pruned(&form) && !is_irredundant(&form));
}

#[test]
fn braun_figure_5_has_two_superfluous_phis() {
    let mut form = phi_graph(1, &[vec![0, 2], vec![0, 1]]);
    form.events[1].push(ValueEvent::Use(Value::new(1)));
    assert_eq!(places(&redundant_phis(&form)).len(), 2);
    assert_eq!(trivial_phis(&form), []);
}

#[test]
fn a_trivial_phi_is_reported_once_and_a_phi_of_itself_as_that() {
    let [v0, v1, v2] = [0, 1, 2].map(Value::new);
    let form = phi_graph(1, &[vec![0, 1, 0], vec![2]]);
    let [first, second] = [1, 2].map(Block::new);
    let expected = [
        Violation::TrivialPhi { block: first, phi: v1, value: v0 },
        Violation::TrivialPhi { block: second, phi: v2, value: v2 },
        Violation::DeadPhi { block: first, phi: v1 },
        Violation::DeadPhi { block: second, phi: v2 },
    ];
    assert_eq!(quality(&form), expected);
}

#[test]
fn a_function_that_breaks_the_rules_gets_an_answer() {
    let nowhere = Value::new(1 << 30);
    let mut form = phi_graph(1, &[vec![0, 0], vec![1, 0]]);
    form.phis[1].push((nowhere, vec![nowhere]));
    form.phis[1][0].1 = vec![nowhere];
    form.phis[2].push((Value::new(1), vec![Value::new(0); 9]));
    form.phis[2][0].1.push(Value::new(2));
    form.events[0].push(ValueEvent::Use(nowhere));
    assert_eq!(trivial_phis(&form).len(), 1);
    assert_eq!(dead_phis(&form).len(), 2);
    assert_eq!(quality(&Ssa::default()), []);
}

#[test]
fn pruned_placement_is_perfect_where_every_write_is_a_fresh_value() {
    let mut phis = 0;
    for seed in 0..400 {
        let random = &mut Random::new(seed);
        let cfg = small_cfg(random, 9);
        let source = random_source(random, cfg, false);
        let built = construct(&source, &naive::pruned_placement(&source));
        assert_eq!(quality(&built.form), [], "{source:?}");
        assert_eq!(unnecessary_phis(&source, &built.phis), []);
        phis += built.phis.len();
    }
    assert!(phis > 300, "{phis}");
}

/// Without copies the phis of the largest form that are unnecessary are the redundant ones.
#[test]
fn unnecessary_is_redundant_where_every_write_is_a_fresh_value() {
    let mut unnecessary = 0;
    for seed in 0..400 {
        let random = &mut Random::new(seed);
        let cfg = small_cfg(random, 9);
        let source = random_source(random, cfg, false);
        let built = construct(&source, &maximal_placement(&source));
        let found = unnecessary_phis(&source, &built.phis);
        assert_eq!(places(&found), places(&redundant_phis(&built.form)), "{source:?}");
        unnecessary += found.len();
    }
    assert!(unnecessary > 300, "{unnecessary}");
}

#[test]
fn necessary_phis_are_those_of_the_definition() {
    for seed in 0..300 {
        let random = &mut Random::new(seed);
        let cfg = random_cfg(random);
        let source = random_source(random, cfg, true);
        let everywhere = source.cfg.blocks().flat_map(|block| {
            (0..3).map(move |variable| (block, Variable::new(variable), Value::new(block.index() * 3 + variable)))
        });
        let everywhere: Vec<_> = everywhere.filter(|phi| naive::is_reachable(&source.cfg, phi.0)).collect();
        let placed = naive::minimal_placement(&source);
        let expected = everywhere.iter().filter(|phi| !placed.contains(&(phi.0, phi.1)));
        let expected: Vec<_> = expected.map(|phi| (phi.0, phi.2)).collect();
        assert_eq!(places(&unnecessary_phis(&source, &everywhere)), expected, "{source:?}");
    }
}

/// A path of phis that can be walked both ways, with `ends` at its ends: all redundant if these are one value.
fn ladder(len: usize, ends: [usize; 2]) -> Ssa {
    let phi = |index: usize| 2 + index;
    let operands = (0..len).map(|index| {
        let below = if index == 0 { ends[0] } else { phi(index - 1) };
        let above = if index + 1 == len { ends[1] } else { phi(index + 1) };
        vec![below, above]
    });
    let operands: Vec<_> = operands.collect();
    let mut form = phi_graph(2, &operands);
    form.events[0].push(ValueEvent::Use(Value::new(phi(0))));
    form
}

#[test]
fn large_phi_graphs_need_no_stack() {
    on_small_stack(|| {
        let mut check = QualityCheck::default();
        assert_eq!(check.findings(&ladder(1_000_000, [0, 1])), []);
        let found = check.findings(&ladder(200_000, [1, 1]));
        assert_eq!(found.len(), 200_000);
        let always_1 = |found: &Violation| matches!(found, Violation::RedundantPhi { value, .. } if value.index() == 1);
        assert!(found.iter().all(always_1));
        let mut trivial = phi_graph(1, &(0..300_000).map(|index| vec![index, index]).collect::<Vec<_>>());
        trivial.events[0].push(ValueEvent::Use(Value::new(300_000)));
        assert_eq!(check.findings(&trivial).len(), 300_000);
    });
}

#[test]
fn a_long_nest_of_loops_needs_no_stack() {
    let depth = 100_000;
    let forward = (0..depth).map(|block| vec![block + 1]);
    let latches = (depth..2 * depth).map(|block| vec![block + 1, 2 * depth - block]);
    let mut successors: Vec<Vec<usize>> = forward.chain(latches).collect();
    successors.push(vec![]);
    let x = Variable::new(0);
    let mut accesses = vec![vec![]; successors.len()];
    accesses[depth].push(Access::Write(x));
    let source = Source { cfg: graph(0, &successors), num_variables: 1, accesses };
    on_small_stack(move || {
        // Every header needs a phi, no other block does.
        let phis: Vec<_> = source.cfg.blocks().map(|block| (block, x, Value::new(block.index()))).collect();
        let found = unnecessary_phis(&source, &phis);
        assert_eq!(found.len(), phis.len() - depth);
    });
}
