//! Cytron et al. 1991: the program that goes through the paper, and its lemmas and theorems as properties.
//!
//! | paper | here |
//! |---|---|
//! | Fig. 6 | [`figure_6_comes_out_as_printed`] |
//! | Lemmas 2 and 3, Theorem 1 | [`a_frontier_is_its_local_part_and_what_children_pass_up`] |
//! | Lemma 4 | [`each_path_has_a_block_that_dominates_its_end`] |
//! | Lemmas 5 to 7, Theorem 2 | [`iterated_joins_are_iterated_frontiers`] |
//! | Theorem 3 | [`steps_stay_within_the_sum_of_theorem_3`] |
//! | Lemma 11, Corollary 1 | [`control_dependence_is_the_frontier_of_the_reversed_graph`] |
//! | Fig. 18 | [`figure_18_needs_one_instance_of_v_before_code_motion_and_two_behind`] |
//! | Theorem 4, Corollary 2 | [`structured_programs_have_small_frontiers`] |
//!
//! # Departures
//! Graphs need not have an exit that everything reaches: where none is, one is
//! supposed, as `PostDominators` does. Unreachable blocks take no part.

use ssaphire::check::isomorphic_by;
use ssaphire::destruct::Method;
use ssaphire::graph::{ControlDependence, DominanceFrontiers, DominatorTree, FlatCfg, PostDominators};
use ssaphire::{Block, Certified, Options, SsaBuilder};
use ssaphire_ir::passes::{Pass, PassOptions};
use ssaphire_ir::text::parse;
use ssaphire_ir::{Basic, Function, leave_ssa, to_ssa};
use ssaphire_literature::{AnyBuilder, Engine};
use ssaphire_tests::naive;
use ssaphire_tests::programs::{self, Shape as WhileShape};
use ssaphire_tests::{Case, Filling, Plan, Rng, Sealing, Shape, TestHost, drive, generate};

/// The program of Fig. 6; `I <- 1` and the like compute, so that each assignment makes a value.
const PROGRAM: &str = "func fig6() {
    block1:
      I = add 1, 0
      J = add 1, 0
      K = add 1, 0
      L = add 1, 0
      jump block2
    block2:
      %1 = read()
      branch %1, block3, block7
    block3:
      J = add I, 0
      %2 = read()
      branch %2, block4, block5
    block4:
      L = add 2, 0
      jump block6
    block5:
      L = add 3, 0
      jump block6
    block6:
      K = add K, 1
      jump block8
    block7:
      K = add K, 2
      jump block8
    block8:
      print I, J, K, L
      jump block9
    block9:
      %3 = read()
      branch %3, block10, block11
    block10:
      L = add L, 4
      jump block11
    block11:
      %4 = read()
      branch %4, block12, block9
    block12:
      I = add I, 6
      %5 = read()
      branch %5, block13, block2
    block13:
      return
    }";

/// Its SSA form, as printed: `%L.9` is the paper's L9.
const FIGURE_6: &str = "func fig6() {
    block1:
      %I.1 = add 1, 0
      %J.1 = add 1, 0
      %K.1 = add 1, 0
      %L.1 = add 1, 0
      jump block2
    block2: <- block1, block12
      %I.2 = phi %I.1, %I.3
      %J.2 = phi %J.1, %J.4
      %K.2 = phi %K.1, %K.5
      %L.2 = phi %L.1, %L.9
      %1 = read()
      branch %1, block3, block7
    block3:
      %J.3 = add %I.2, 0
      %2 = read()
      branch %2, block4, block5
    block4:
      %L.3 = add 2, 0
      jump block6
    block5:
      %L.4 = add 3, 0
      jump block6
    block6: <- block4, block5
      %L.5 = phi %L.3, %L.4
      %K.3 = add %K.2, 1
      jump block8
    block7:
      %K.4 = add %K.2, 2
      jump block8
    block8: <- block6, block7
      %J.4 = phi %J.3, %J.2
      %K.5 = phi %K.3, %K.4
      %L.6 = phi %L.5, %L.2
      print %I.2, %J.4, %K.5, %L.6
      jump block9
    block9: <- block8, block11
      %L.7 = phi %L.6, %L.9
      %3 = read()
      branch %3, block10, block11
    block10:
      %L.8 = add %L.7, 4
      jump block11
    block11: <- block9, block10
      %L.9 = phi %L.7, %L.8
      %4 = read()
      branch %4, block12, block9
    block12:
      %I.3 = add %I.2, 6
      %5 = read()
      branch %5, block13, block2
    block13:
      return
    }";

fn read(text: &str) -> Function<Basic> {
    parse(text).unwrap_or_else(|errors| panic!("{errors}"))
}

#[test]
fn figure_6_comes_out_as_printed() {
    let (program, printed) = (read(PROGRAM), read(FIGURE_6));
    for &engine in Engine::ALL {
        for minimize in [false, true] {
            // Neither makes all phis minimal by itself.
            if !minimize && matches!(engine, Engine::BraunOperand | Engine::Functional) {
                continue;
            }
            let mut ssa =
                Certified::with_builder(AnyBuilder::with_options(engine, Options::default().with_minimize(minimize)));
            let built = to_ssa(&program, &mut ssa).unwrap();
            assert_eq!(isomorphic_by(&built, &printed, |_, _| true), Ok(()), "{engine}\n{built}");
        }
    }
}

/// Random graphs, with what is known of them.
fn for_each_graph(num_seeds: u64, mut check: impl FnMut(&FlatCfg, &DominatorTree, &mut Rng)) {
    for (seed, shape) in (0..num_seeds).flat_map(|seed| Shape::ALL.map(|shape| (seed, shape))) {
        let mut rng = Rng::new(seed);
        let cfg = generate(shape, false, &mut rng).with_pre_entry().cfg;
        let tree = DominatorTree::new(&cfg);
        check(&cfg, &tree, &mut rng);
    }
}

fn reachable<'c>(cfg: &'c FlatCfg, tree: &'c DominatorTree) -> impl Iterator<Item = Block> + 'c {
    cfg.blocks().filter(|&block| tree.is_reachable(block))
}

#[test]
fn a_frontier_is_its_local_part_and_what_children_pass_up() {
    for_each_graph(60, |cfg, tree, _| {
        for x in reachable(cfg, tree) {
            let is_other = |&y: &Block| tree.idom(y) != Some(x);
            let mut parts: Vec<Block> = cfg.targets(x).iter().copied().filter(is_other).collect();
            for &z in tree.children(x) {
                parts.extend(naive::dominance_frontier(cfg, z).into_iter().filter(is_other));
            }
            parts.sort_unstable();
            parts.dedup();
            assert_eq!(naive::dominance_frontier(cfg, x), parts, "{x}: {cfg:?}");
        }
    });
}

#[test]
fn each_path_has_a_block_that_dominates_its_end() {
    let mut num_escaping = 0;
    for_each_graph(60, |cfg, tree, rng| {
        let blocks: Vec<Block> = reachable(cfg, tree).collect();
        for _ in 0..10 {
            let x = rng.pick(&blocks);
            let mut path = vec![x];
            while path.len() < 12 {
                let targets = cfg.targets(path[path.len() - 1]);
                if targets.is_empty() {
                    break;
                }
                path.push(rng.pick(targets));
            }
            if path.len() < 2 {
                continue;
            }
            let end = path[path.len() - 1];
            let frontier = naive::iterated_frontier(cfg, &[x]);
            let in_frontier = path.iter().any(|&y| frontier.contains(&y) && tree.dominates(y, end));
            let escapes = path.iter().any(|&y| !tree.dominates(x, y));
            num_escaping += usize::from(escapes);
            assert!(in_frontier || (!escapes && tree.dominates(x, end)), "{path:?}: {cfg:?}");
        }
    });
    assert!(num_escaping > 500, "{num_escaping}");
}

#[test]
fn iterated_joins_are_iterated_frontiers() {
    for_each_graph(60, |cfg, tree, rng| {
        let mut set: Vec<Block> = reachable(cfg, tree).filter(|_| rng.chance(30)).collect();
        // Lemma 6, for any set.
        let frontier = naive::iterated_frontier(cfg, &set);
        assert!(naive::join(cfg, &set).iter().all(|block| frontier.contains(block)), "{set:?}: {cfg:?}");
        // Lemma 7 and Theorem 2, for one with the entry.
        if !set.contains(&cfg.entry()) {
            set.push(cfg.entry());
        }
        let join = naive::join(cfg, &set);
        let mut frontiers = set.iter().flat_map(|&block| naive::dominance_frontier(cfg, block));
        assert!(frontiers.all(|block| join.contains(&block)), "{set:?}: {cfg:?}");
        assert_eq!(naive::iterated_join(cfg, &set), naive::iterated_frontier(cfg, &set), "{set:?}: {cfg:?}");
    });
}

/// E + the sum of the frontiers + the frontiers of all assignments + all mentions, in the program that comes out.
fn sum_of_theorem_3(case: &Case, phis: &[(Block, ssaphire::Variable, ssaphire::Value)], num_operands: usize) -> u64 {
    let tree = DominatorTree::new(&case.cfg);
    let frontiers = DominanceFrontiers::new(&case.cfg, &tree);
    let written = case.blocks().flat_map(|block| case.written(block).map(move |_| block));
    let assignments = written.chain(phis.iter().map(|&(block, ..)| block));
    let of_assignments: usize = assignments.map(|block| 1 + frontiers.of(block).len()).sum();
    let accesses: usize = case.blocks().map(|block| case.num_accesses(block)).sum();
    let (blocks, edges) = (case.cfg.num_blocks(), case.cfg.num_edges());
    (blocks + edges + frontiers.size() + of_assignments + accesses + phis.len() + num_operands) as u64
}

#[test]
fn steps_stay_within_the_sum_of_theorem_3() {
    let mut host = TestHost::default();
    let mut ssa =
        Certified::with_builder(AnyBuilder::with_options(Engine::Cytron, Options::default().with_minimize(false)));
    for (seed, shape) in (0..100).flat_map(|seed| Shape::ALL.map(|shape| (seed, shape))) {
        let mut rng = Rng::new(seed);
        let case = generate(shape, false, &mut rng).with_pre_entry();
        drive(&case, &Plan::new(&case, Filling::ALL[0], Sealing::Announced, seed), &mut host, &mut ssa).unwrap();
        let sum = sum_of_theorem_3(&case, ssa.kept_phis(), ssa.kept_operands().len());
        // Operands are found, and handed over.
        assert!(ssa.stats().work <= 2 * sum, "{} of {sum}: {case:?}", ssa.stats().work);
    }
}

#[test]
fn control_dependence_is_the_frontier_of_the_reversed_graph() {
    let mut num_dependent = 0;
    for_each_graph(40, |cfg, _, _| {
        let post = PostDominators::new(cfg);
        let dependence = ControlDependence::new(cfg, &post);
        for y in cfg.blocks() {
            let mut controllers: Vec<Block> = dependence.controllers(y).map(|edge| cfg.source(edge)).collect();
            controllers.sort_unstable();
            controllers.dedup();
            let frontier = naive::dominance_frontier(post.reversed(), y);
            assert_eq!(controllers, frontier, "{y}: {cfg:?}");
            num_dependent += controllers.len();
            for x in cfg.blocks() {
                let of_successor = cfg.targets(x).iter().any(|&u| post.post_dominates(y, u));
                assert_eq!(of_successor, has_post_dominated_path(cfg, &post, x, y), "{x}, {y}: {cfg:?}");
            }
        }
    });
    assert!(num_dependent > 1_000, "{num_dependent}");
}

/// Whether a path of an edge or more leads from `x` to `y` that `y` post-dominates after `x` (Lemma 11).
fn has_post_dominated_path(cfg: &FlatCfg, post: &PostDominators, x: Block, y: Block) -> bool {
    let mut met = vec![false; cfg.num_blocks()];
    let mut work = cfg.targets(x).to_vec();
    while let Some(block) = work.pop() {
        if !post.post_dominates(y, block) || std::mem::replace(&mut met[block.index()], true) {
            continue;
        }
        if block == y {
            return true;
        }
        work.extend(cfg.targets(block));
    }
    false
}

/// Sequences, `if` and `while`: what the thesis's language has.
#[test]
fn structured_programs_have_small_frontiers() {
    let mut largest = (0, 0);
    for seed in 0..300 {
        let source = programs::generate(WhileShape::Strict, 20 + seed as usize % 80, seed);
        // These two are control flow of another kind.
        let source = source.replace("&&", "*").replace("||", "+");
        let program = ssaphire_while::parse(&source, &ssaphire_while::Options::default()).unwrap();
        let function = ssaphire_while::build_variable_form(&program, 0).unwrap();
        let cfg = FlatCfg::new(&function).unwrap();
        let frontiers = DominanceFrontiers::new(&cfg, &DominatorTree::new(&cfg));
        let post = PostDominators::new(&cfg);
        let dependence = ControlDependence::new(&cfg, &post);
        for block in function.blocks() {
            let controllers: std::collections::BTreeSet<Block> =
                dependence.controllers(block).map(|edge| cfg.source(edge)).collect();
            largest = (largest.0.max(frontiers.of(block).len()), largest.1.max(controllers.len()));
            assert!(frontiers.of(block).len() <= 2 && controllers.len() <= 2, "{block}: {source}");
        }
    }
    assert_eq!(largest, (2, 2), "the bound is met");
}

/// Fig. 18, before and after code is moved out of the loop (section 7.2).
const FIGURE_18: &str = "\
func code_motion(n, w) {
var n, w, v, c
before:
  v = add n, 1
  jump header
header:
  c = read()
  branch c, body, after
body:
  print v
  w = add v, w
  v = mul n, 3
  w = add v, w
  jump header
after:
  return w, v
}
";

#[test]
fn figure_18_needs_one_instance_of_v_before_code_motion_and_two_behind() {
    let function: Function<Basic> = parse(FIGURE_18).unwrap();
    let mut function = to_ssa(&function, &mut Certified::default()).unwrap();
    let instances = |function: &Function<Basic>| {
        let left = leave_ssa(function, Method::PerVariable).unwrap();
        let of_v = left.function.variables().filter(|&variable| left.function.variable_name(variable).starts_with('v'));
        (of_v.count(), left.copies.copies)
    };
    assert_eq!(instances(&function), (1, 0));
    Pass::LoopInvariants.run(&mut function, PassOptions::default()).unwrap();
    // One copy takes the instance that the loop has computed to the one that it reads.
    assert_eq!(instances(&function), (2, 1));
}
