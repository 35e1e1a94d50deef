//! The order of what happens, from the events; and that it is the same every time.

use ssaphire::{Block, Certified, Event, Observed, Options, SsaBuilder, SsaBuilderExt, Variable};
use ssaphire_literature::{AnyBuilder, Engine};
use ssaphire_tests::FinishInto;
use ssaphire_tests::calls::Subject;
use ssaphire_tests::{Filling, Origin, Plan, Rng, Sealing, Shape, TestHost, drive, generate, seeds};

const X: Variable = Variable::new(0);

/// A builder that is told of one variable, block by block.
struct Script {
    ssa: AnyBuilder<Vec<Event>>,
    host: TestHost,
}

impl Script {
    fn new(engine: Engine) -> Self {
        Self { ssa: AnyBuilder::with_observer(engine, Options::default(), Vec::new()), host: TestHost::default() }
    }

    fn write(&mut self, at: usize) {
        let value = self.host.value(Origin::Write(Block::new(at), 0));
        self.ssa.write_variable(Block::new(at), X, value);
    }

    fn read(&mut self, at: usize) {
        self.ssa.read_variable(&mut self.host, Block::new(at), X);
    }

    fn read_at_end(&mut self, at: usize) {
        self.ssa.read_at_end(&mut self.host, Block::new(at), X);
    }

    fn fill(&mut self, at: usize, targets: &[usize]) {
        let targets: Vec<Block> = targets.iter().map(|&target| Block::new(target)).collect();
        self.ssa.terminate(Block::new(at), &targets);
    }

    fn seal(&mut self, at: usize) {
        self.ssa.seal_block(&mut self.host, Block::new(at));
    }

    /// The events that `tells` has words for.
    fn events(mut self, tells: impl Fn(&Event) -> Option<String>) -> Vec<String> {
        self.ssa.finish_into(&mut self.host).unwrap();
        self.ssa.observer().iter().filter_map(tells).collect()
    }
}

/// `new 2`: a phi in block 2; `old v4`: the phi v4 stands for another value; `kept v4`.
fn phis(event: &Event) -> Option<String> {
    match event {
        Event::PhiMade { block, phi, .. } => Some(format!("{phi} in {block}")),
        Event::IncompletePhi { block, phi, .. } => Some(format!("{phi} incomplete in {block}")),
        Event::Forwarded { from, to, .. } => Some(format!("{from} is {to}")),
        Event::Kept { phi } => Some(format!("{phi} stays")),
        _ => None,
    }
}

/// `+0-1`: the edge; `fill 1`, `seal 1`.
fn graph(event: &Event) -> Option<String> {
    match event {
        Event::EdgeAdded { from, to, .. } => Some(format!("+{}-{}", from.index(), to.index())),
        Event::Filled { block } => Some(format!("fill {}", block.index())),
        Event::Sealed { block } => Some(format!("seal {}", block.index())),
        _ => None,
    }
}

/// Braun et al., Fig. 2: `x = ..; while (..) { if (..) x = ..; } use x`, with x read only after the loop.
fn figure_2(engine: Engine) -> Script {
    let mut script = Script::new(engine);
    script.write(0);
    script.fill(0, &[1]);
    script.fill(1, &[2, 5]);
    script.seal(2);
    script.fill(2, &[3, 4]);
    script.seal(3);
    script.write(3);
    script.fill(3, &[4]);
    script.seal(4);
    script.fill(4, &[1]);
    script.seal(1);
    script.seal(5);
    script.read(5);
    script.fill(5, &[]);
    script
}

#[test]
pub(crate) fn figure_2_makes_the_phi_at_the_header_before_the_one_at_the_join() {
    let header_first = ["v2 in block1", "v3 in block4", "v2 stays", "v3 stays"];
    assert_eq!(figure_2(Engine::Braun).events(phis), header_first);
    assert_eq!(figure_2(Engine::BraunOperand).events(phis), header_first);
    // `marker` makes the header's phi when the lookup comes round, before it leaves the join.
    assert_eq!(figure_2(Engine::Marker).events(phis), header_first);
}

#[test]
pub(crate) fn figure_2_marks_joins_on_the_way() {
    let marks = |event: &Event| match event {
        Event::MarkSet { block, .. } => Some(format!("into {block}")),
        Event::MarkCleared { block, .. } => Some(format!("out of {block}")),
        Event::PhiMade { block, .. } => Some(format!("phi in {block}")),
        _ => None,
    };
    let expected = ["into block1", "into block4", "phi in block1", "out of block4", "phi in block4", "out of block1"];
    assert_eq!(figure_2(Engine::Marker).events(marks), expected);
    assert_eq!(figure_2(Engine::Braun).events(marks), ["phi in block1", "phi in block4"]);
}

/// Fig. 3: a `while` loop is filled and sealed as its program text is read.
#[test]
pub(crate) fn figure_3_fills_and_seals_a_while_loop_in_order() {
    for &engine in Engine::ON_THE_FLY {
        let mut script = Script::new(engine);
        script.write(0);
        script.fill(0, &[1]);
        script.read(1);
        script.fill(1, &[2, 3]);
        script.seal(2);
        script.write(2);
        script.fill(2, &[1]);
        script.seal(1);
        script.seal(3);
        script.read(3);
        script.fill(3, &[]);
        let text = script.events(|event| graph(event).or_else(|| phis(event)));
        let expected = [
            "fill 0",
            "+0-1",
            "v1 incomplete in block1",
            "fill 1",
            "+1-2",
            "+1-3",
            "seal 2",
            "fill 2",
            "+2-1",
            "seal 1",
            "seal 3",
            "fill 3",
            "v1 stays",
        ];
        assert_eq!(text, expected, "{engine}");
    }
}

/// Fig. 3: an `if` seals and fills each arm, then the join.
#[test]
pub(crate) fn figure_3_fills_and_seals_an_if_in_order() {
    for &engine in Engine::ON_THE_FLY {
        let mut script = Script::new(engine);
        script.fill(0, &[1, 2]);
        for arm in [1, 2] {
            script.seal(arm);
            script.write(arm);
            script.fill(arm, &[3]);
        }
        script.seal(3);
        script.read(3);
        script.fill(3, &[]);
        let text = script.events(|event| graph(event).or_else(|| phis(event)));
        let expected = [
            "fill 0",
            "+0-1",
            "+0-2",
            "seal 1",
            "fill 1",
            "+1-3",
            "seal 2",
            "fill 2",
            "+2-3",
            "seal 3",
            "v2 in block3",
            "fill 3",
            "v2 stays",
        ];
        assert_eq!(text, expected, "{engine}");
    }
}

/// The thesis's running example, in split form: 1 `x:=a`; 2 while; 4 if; 5 `y:=x+1`, 7 `x:=y`; 6 join, back to 2; 3 exit.
#[test]
pub(crate) fn the_thesis_example_makes_the_phi_at_2_before_the_one_at_6() {
    for &engine in Engine::ON_THE_FLY {
        let mut script = Script::new(engine);
        script.ssa.set_entry(Block::new(1)).unwrap();
        script.write(1);
        script.write(7);
        for (at, targets) in [(1, &[2][..]), (2, &[3, 4]), (3, &[]), (4, &[5, 6]), (5, &[7]), (7, &[6]), (6, &[2])] {
            script.fill(at, targets);
        }
        (2..=7).for_each(|at| script.seal(at));
        script.read_at_end(5);
        assert_eq!(script.events(phis), ["v2 in block2", "v3 in block6", "v2 stays", "v3 stays"], "{engine}");
    }
}

#[test]
pub(crate) fn same_input_same_events() {
    for seed in seeds(0..40) {
        for shape in Shape::ALL {
            let mut rng = Rng::new(seed);
            let case = generate(shape, true, &mut rng).with_pre_entry();
            let plan = Plan::new(&case, rng.pick(&Filling::ALL), rng.pick(&Sealing::ALL), seed);
            let other = generate(rng.pick(&Shape::ALL), true, &mut rng).with_pre_entry();
            let other_plan = Plan::new(&other, Filling::Shuffled, Sealing::AtEnd, seed);
            for engine in Engine::ALL.iter().copied().filter(|engine| engine.takes_any_graph()) {
                let mut ssa =
                    Certified::with_builder(AnyBuilder::with_observer(engine, Options::default(), Vec::new()));
                let (mut host, mut runs) = (TestHost::default(), Vec::new());
                // Twice in new memory, and once after another function.
                for case_and_plan in [(&case, &plan), (&other, &other_plan), (&case, &plan)] {
                    drive(case_and_plan.0, case_and_plan.1, &mut host, &mut ssa).unwrap();
                    runs.push((ssa.take_events(), ssa.stats().to_owned(), host.phis.clone()));
                }
                assert_eq!(runs[0], runs[2], "{engine}: {case:?} {plan:?}");
                let mut new =
                    Certified::with_builder(AnyBuilder::with_observer(engine, Options::default(), Vec::new()));
                drive(&case, &plan, &mut TestHost::default(), &mut new).unwrap();
                assert_eq!(new.events(), runs[0].0, "{engine}: {case:?} {plan:?}");
            }
        }
    }
}
