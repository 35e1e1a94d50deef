//! What the builder's contracts say of calls that meet in unusual ways.

use ssaphire::check::{Mode, Program, judge};
use ssaphire::graph::FlatCfg;
use ssaphire::{
    Block, CallErrorKind, Certified, CertifyError, IdError, IdKind, IdLimits, Options, PhiHost, Ssa, SsaBuilder,
    SsaBuilderExt, Stopped, Uses, Value, Variable,
};
use ssaphire_literature::{AnyBuilder, Engine};
use ssaphire_tests::refusal::kind;
use ssaphire_tests::{FinishInto, Writes};
use ssaphire_tests::{Origin, TestHost};

pub(crate) fn block(index: usize) -> Block {
    Block::new(index)
}

pub(crate) fn x() -> Variable {
    Variable::new(0)
}

pub(crate) fn write(ssa: &mut AnyBuilder, host: &mut TestHost, at: usize) -> Value {
    let value = host.value(Origin::Write(block(at), 0));
    ssa.write_variable(block(at), x(), value);
    value
}

pub(crate) fn terminate(ssa: &mut AnyBuilder, from: usize, targets: &[usize]) {
    let targets: Vec<Block> = targets.iter().map(|&target| block(target)).collect();
    ssa.terminate(block(from), &targets);
}

pub(crate) fn seal(ssa: &mut AnyBuilder, host: &mut TestHost, blocks: &[usize]) {
    for &sealed in blocks {
        ssa.seal_block(host, block(sealed));
    }
}

/// 0 -> 1, 1 -> 1, 1 -> 2.
fn announced_loop() -> (AnyBuilder, TestHost) {
    let targets = [vec![block(1)], vec![block(1), block(2)], Vec::new()];
    let mut ssa = AnyBuilder::default();
    ssa.announce(&FlatCfg::from_successors(block(0), &targets).unwrap()).unwrap();
    (ssa, TestHost::default())
}

#[test]
pub(crate) fn an_announced_block_is_not_sealed_before_its_edges_are_there() {
    let (mut ssa, mut host) = announced_loop();
    write(&mut ssa, &mut host, 0);
    let missing = |given| Some(CallErrorKind::TooFewEdges { block: block(1), expected: 2, given });
    assert_eq!(kind(ssa.try_seal_block(&mut host, block(1))), missing(0));
    assert_eq!(kind(ssa.try_seal_all_blocks(&mut host)), missing(0));
    terminate(&mut ssa, 0, &[1]);
    assert_eq!(kind(ssa.try_seal_block(&mut host, block(1))), missing(1));
    ssa.read_variable(&mut host, block(1), x());
    write(&mut ssa, &mut host, 1);
    terminate(&mut ssa, 1, &[1, 2]);
    terminate(&mut ssa, 2, &[]);
    ssa.finish_into(&mut host).unwrap();
    assert_eq!(host.phis.len(), 1);
}

#[test]
pub(crate) fn an_announced_graph_gets_no_other_edges() {
    let (mut ssa, _) = announced_loop();
    assert_eq!(kind(ssa.try_add_edge(block(0), block(2))), Some(CallErrorKind::NotFilled));
    assert_eq!(kind(ssa.try_terminate(block(0), &[block(2)])), Some(CallErrorKind::NotAnnounced));
    terminate(&mut ssa, 0, &[1]);
    assert_eq!(kind(ssa.try_add_edge(block(0), block(2))), Some(CallErrorKind::NotAnnounced));
    assert_eq!(kind(ssa.try_redirect_edge(block(0), 0, block(2))), Some(CallErrorKind::NotAnnounced));
}

#[test]
pub(crate) fn a_graph_whose_entry_has_incoming_edges_is_not_announced() {
    let cfg = FlatCfg::from_successors(block(1), &[vec![block(1)], vec![block(0)]]).unwrap();
    let mut ssa = AnyBuilder::default();
    assert_eq!(kind(ssa.announce(&cfg)), Some(CallErrorKind::IntoEntry { entry: block(1) }));
    // Nothing has been mentioned.
    assert_eq!(ssa.set_entry(block(3)), Ok(()));
}

/// 0 -> 1; nothing leads to 2.
fn announced_edge() -> (AnyBuilder, TestHost) {
    let mut ssa = AnyBuilder::default();
    ssa.announce(&FlatCfg::from_successors(block(0), &[vec![block(1)], vec![], vec![]]).unwrap()).unwrap();
    (ssa, TestHost::default())
}

#[test]
pub(crate) fn a_block_whose_announced_edges_are_all_there_counts_as_sealed() {
    let (mut ssa, mut host) = announced_edge();
    terminate(&mut ssa, 0, &[1]);
    assert!(ssa.is_sealed(block(1)) && ssa.is_sealed(block(2)) && ssa.is_unreachable(block(2)));
    assert_eq!(kind(ssa.try_seal_block(&mut host, block(1))), Some(CallErrorKind::Sealed { block: block(1) }));
    // Before anything asked the host: the edge into block 1 is the only one it will ever have.
    let value = host.value(Origin::Write(block(1), 0));
    ssa.write_on_edge(block(0), 0, x(), value);
    assert_eq!(ssa.read_variable(&mut host, block(1), x()), value);
}

#[test]
pub(crate) fn a_filled_block_is_read_at_its_end_alone() {
    for &engine in Engine::ALL {
        let (mut ssa, mut host) = (AnyBuilder::new(engine), TestHost::default());
        let first = write(&mut ssa, &mut host, 0);
        assert_eq!(kind(ssa.try_read_at_end(&mut host, block(0), x(), None)), Some(CallErrorKind::NotFilled));
        assert_eq!(kind(ssa.try_read_at_end(&mut host, block(7), x(), None)), Some(CallErrorKind::NotFilled));
        let last = write(&mut ssa, &mut host, 0);
        terminate(&mut ssa, 0, &[1]);
        assert_eq!(kind(ssa.try_read_variable(&mut host, block(0), x())), Some(CallErrorKind::Filled));
        assert_eq!(kind(ssa.try_read_at_site(&mut host, block(0), x(), 3)), Some(CallErrorKind::Filled));
        assert_ne!(first, last);
        assert_eq!(ssa.read_at_end(&mut host, block(0), x()), last, "{engine}");
        assert_eq!(ssa.stats().reads, 1, "{engine}: a refused call has changed nothing");
        // A filled block may still wait to be sealed.
        terminate(&mut ssa, 1, &[1]);
        let read = ssa.read_at_end(&mut host, block(1), x());
        seal(&mut ssa, &mut host, &[1]);
        ssa.finish_into(&mut host).unwrap();
        assert_eq!(ssa.resolve(read), last, "{engine}");
    }
}

#[test]
pub(crate) fn declared_variables_are_numbered_anew_for_each_function() {
    for &engine in Engine::ALL {
        let ids = IdLimits { variables: 2, ..IdLimits::default() };
        let mut ssa = AnyBuilder::with_options(engine, Options::default().with_ids(ids));
        for _ in 0..2 {
            assert_eq!([ssa.declare_variable(), ssa.declare_variable()], [0, 1].map(Variable::new));
            let beyond = IdError { kind: IdKind::Variable, given: 2, limit: 2 };
            assert_eq!(kind(ssa.try_declare_variable()), Some(CallErrorKind::Id(beyond)));
            ssa.clear();
        }
        ssa.finish_into(&mut TestHost::default()).unwrap();
        assert_eq!(kind(ssa.try_declare_variable()), Some(CallErrorKind::Stopped(Stopped::Finished)));
    }
}

#[test]
pub(crate) fn a_refused_finish_asks_the_host_nothing() {
    let (mut ssa, mut host) = announced_edge();
    ssa.read_variable(&mut host, block(1), x());
    terminate(&mut ssa, 0, &[1]);
    terminate(&mut ssa, 2, &[]);
    let asked = host.origins.len();
    let unfinished = CallErrorKind::Unfinished { unsealed: vec![], unfilled: vec![block(1)] };
    assert_eq!(kind(ssa.finish_into(&mut host)), Some(unfinished));
    assert_eq!((host.origins.len(), host.num_finished), (asked, 0));
    terminate(&mut ssa, 1, &[]);
    ssa.finish_into(&mut host).unwrap();
}

#[test]
pub(crate) fn a_finished_builder_takes_no_entry_though_nothing_was_built() {
    let (mut ssa, mut host) = (AnyBuilder::default(), TestHost::default());
    ssa.finish_into(&mut host).unwrap();
    assert_eq!(kind(ssa.set_entry(block(3))), Some(CallErrorKind::Stopped(Stopped::Finished)));
    ssa.clear();
    assert_eq!(ssa.set_entry(block(3)), Ok(()));
}

#[test]
pub(crate) fn a_variable_has_one_initial_value() {
    let (mut ssa, mut host) = (AnyBuilder::default(), TestHost::default());
    let [first, second] = [0, 1].map(|index| host.value(Origin::Write(block(0), index)));
    ssa.set_initial(x(), first);
    assert_eq!(kind(ssa.try_set_initial(x(), second)), Some(CallErrorKind::Twice));
    assert_eq!(ssa.read_variable(&mut host, block(0), x()), first);
    // Undefined in a block that nothing leads to, and so known to be undefined.
    let y = Variable::new(1);
    seal(&mut ssa, &mut host, &[1]);
    ssa.read_variable(&mut host, block(1), y);
    assert_eq!(kind(ssa.try_set_initial(y, second)), Some(CallErrorKind::Late));
}

#[test]
pub(crate) fn a_phi_of_a_value_and_its_replacement_goes_without_minimize() {
    for &engine in Engine::ALL {
        let mut options = Options::default();
        options.minimize = false;
        let (mut ssa, mut host) = (AnyBuilder::with_options(engine, options), TestHost::default());
        let kept = write(&mut ssa, &mut host, 0);
        terminate(&mut ssa, 0, &[1, 2]);
        seal(&mut ssa, &mut host, &[1]);
        let folded = write(&mut ssa, &mut host, 1);
        terminate(&mut ssa, 1, &[2]);
        seal(&mut ssa, &mut host, &[2]);
        let phi = ssa.read_variable(&mut host, block(2), x());
        terminate(&mut ssa, 2, &[]);
        ssa.replace(&mut host, folded, kept);
        ssa.finish_into(&mut host).unwrap();
        assert_eq!(host.phis, []);
        assert_eq!((host.resolve(phi), host.resolve(folded)), (kept, kept));
    }
}

#[test]
pub(crate) fn a_block_nobody_mentioned_has_no_incoming_edges() {
    struct Host;
    impl PhiHost for Host {
        fn new_phi(&mut self, _: Block, _: Variable) -> Value {
            unreachable!("nothing is read")
        }
        fn undefined(&mut self, _: Variable) -> Value {
            unreachable!("nothing is read")
        }
    }
    let mut ssa = AnyBuilder::default();
    let result = ssa.finish(&mut Host).unwrap();
    assert_eq!(result.phis.incoming(block(7)), []);
    assert_eq!(result.phis.in_block(block(7)).len(), 0);
}

/// Says that its instructions use no value but `used`.
struct Reporting {
    host: TestHost,
    used: Value,
}

impl PhiHost for Reporting {
    fn new_phi(&mut self, block: Block, variable: Variable) -> Value {
        self.host.new_phi(block, variable)
    }
    fn undefined(&mut self, variable: Variable) -> Value {
        self.host.undefined(variable)
    }
    fn visit_uses(&self, visit: &mut dyn FnMut(Value)) -> Uses {
        visit(self.used);
        Uses::Visited
    }
}

impl Writes for Reporting {
    fn write_result(&mut self, result: &Ssa<'_>) {
        self.host.write_result(result);
    }
}

#[test]
pub(crate) fn an_operand_for_an_edge_from_unreachable_code_keeps_no_phi() {
    // 0 -> 1, 2; 1 -> 2; 2 -> 3; 0 -> 3; and 4 -> 3, which no path reaches.
    for &engine in Engine::ALL {
        let (mut ssa, mut host) = (AnyBuilder::new(engine), TestHost::default());
        let y = Variable::new(1);
        for at in [0, 1] {
            write(&mut ssa, &mut host, at);
        }
        let values = [0, 2].map(|at| host.value(Origin::Write(block(at), 1)));
        ssa.write_variable(block(0), y, values[0]);
        terminate(&mut ssa, 0, &[1, 2, 3]);
        terminate(&mut ssa, 1, &[2]);
        seal(&mut ssa, &mut host, &[1, 2, 4]);
        let dropped = ssa.read_variable(&mut host, block(2), x());
        ssa.write_variable(block(2), y, values[1]);
        ssa.write_variable(block(4), y, dropped);
        terminate(&mut ssa, 2, &[3]);
        terminate(&mut ssa, 4, &[3]);
        ssa.seal_block(&mut host, block(3));
        let used = ssa.read_variable(&mut host, block(3), y);
        terminate(&mut ssa, 3, &[]);
        let mut host = Reporting { host, used };
        ssa.finish_into(&mut host).unwrap();
        assert_eq!(host.host.phis.iter().map(|phi| phi.value).collect::<Vec<_>>(), [used], "{engine}");
    }
}

#[test]
pub(crate) fn a_global_may_be_named_before_the_entry() {
    let (mut ssa, mut host, mut program) = (Certified::default(), TestHost::default(), Program::new());
    let parameter = host.value(Origin::Write(block(3), 0));
    ssa.global(parameter);
    ssa.set_entry(block(1)).unwrap();
    ssa.write_variable(block(1), x(), parameter);
    ssa.terminate(block(1), &[block(0)]);
    ssa.seal_block(&mut host, block(0));
    assert_eq!(ssa.read_variable(&mut host, block(0), x()), parameter);
    ssa.terminate(block(0), &[]);
    ssa.finish_into(&mut host).unwrap();
    ssa.certify(&mut program).unwrap();
    assert_eq!(ssaphire::Cfg::entry(&program), block(1));
    assert_eq!(judge(&program, Mode::Exact).violations, []);
    assert_eq!(program.num_events(), 2);
}

#[test]
pub(crate) fn recording_is_switched_from_the_next_function_on() {
    let (mut ssa, mut host, mut program) = (Certified::default(), TestHost::default(), Program::new());
    for num_events in [Some(3), None] {
        host.clear();
        ssa.clear();
        for at in 0..2 {
            let value = host.value(Origin::Write(block(at), 0));
            ssa.write_variable(block(at), x(), value);
            ssa.set_recording(false);
        }
        ssa.read_variable(&mut host, block(0), x());
        for at in 0..2 {
            ssa.terminate(block(at), &[]);
        }
        ssa.seal_block(&mut host, block(1));
        ssa.finish_into(&mut host).unwrap();
        let certified = ssa.certify(&mut program).map(|()| program.num_events());
        assert_eq!(certified, num_events.ok_or(CertifyError::NotRecorded));
    }
}

/// while (true) { f(x) }: the block behind the loop is where `break` would lead, and nothing is ever put there.
#[test]
pub(crate) fn blocks_that_were_only_mentioned_are_listed_to_be_terminated() {
    for &engine in Engine::ALL {
        let mut ssa = Certified::with_builder(AnyBuilder::new(engine));
        let mut host = TestHost::default();
        let value = host.value(Origin::Write(block(0), 0));
        ssa.write_variable(block(0), x(), value);
        ssa.terminate(block(0), &[block(1)]);
        ssa.read_variable(&mut host, block(1), x());
        ssa.terminate(block(1), &[block(1), block(3)]);
        ssa.seal_block(&mut host, block(2));
        assert_eq!(ssa.unfilled_blocks(), [block(2), block(3)], "{engine}");
        ssa.unfilled_blocks().iter().for_each(|&block| ssa.terminate(block, &[]));
        assert_eq!(ssa.unfilled_blocks(), [], "{engine}");
        ssa.seal_all_blocks(&mut host);
        ssa.finish_into(&mut host).unwrap();
        assert_eq!(ssa.complaints(), [""; 0], "{engine}");
        assert!(host.phis.is_empty(), "{engine}");
    }
}
