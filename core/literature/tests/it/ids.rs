//! Ids beyond their limits: every call refuses them, and has changed nothing.

use crate::recorder::{self, Recorder, block, finish, kind, var};
use ssaphire_construct::{Builder, CallErrorKind, Event, Observed, Options, SsaBuilder, SsaBuilderExt};
use ssaphire_graph::{Access, Block, Cfg, FlatCfg, IdError, IdKind, IdLimits, Value, Variable, VariableForm};
use ssaphire_literature::whole::{Function, FunctionError};
use ssaphire_literature::{AnyBuilder, Engine};
use std::panic::{AssertUnwindSafe, Location, catch_unwind, set_hook, take_hook};
use std::sync::Mutex;

const LIMITS: IdLimits = IdLimits { blocks: 5, variables: 6, values: 7 };
const BLOCK: Block = Block::new(5);
const VARIABLE: Variable = Variable::new(6);
const VALUE: Value = Value::new(7);

fn builder(engine: Engine) -> AnyBuilder<Vec<Event>> {
    AnyBuilder::with_observer(engine, Options::default().with_ids(LIMITS), Vec::new())
}

/// The words of each call's error with an id that is one too large.
fn refused(ssa: &mut AnyBuilder<Vec<Event>>, host: &mut Recorder, at: Block) -> Vec<(&'static str, String)> {
    let mut said = Vec::new();
    macro_rules! say {
        ($call:ident($($argument:expr),*)) => {
            said.push((stringify!($call), ssa.$call($($argument),*).unwrap_err().to_string()))
        };
    }
    let (x, v) = (var(0), Value::new(0));
    say!(try_global(VALUE));
    say!(try_set_initial(VARIABLE, v));
    say!(try_set_initial(var(5), VALUE));
    say!(try_write_variable(BLOCK, x, v));
    say!(try_write_variable(at, VARIABLE, v));
    say!(try_write_variable(at, x, VALUE));
    say!(try_write_variable(block(3), VARIABLE, v));
    say!(try_write_variable(block(3), x, VALUE));
    say!(try_read_variable(host, BLOCK, x));
    say!(try_read_variable(host, at, VARIABLE));
    say!(try_read_at_site(host, block(3), VARIABLE, 1));
    say!(try_terminate(BLOCK, &[]));
    say!(try_terminate(at, &[block(3), BLOCK]));
    say!(try_read_at_end(host, BLOCK, x, None));
    say!(try_seal_block(host, BLOCK));
    say!(try_seal_blocks(host, &[block(4), BLOCK]));
    say!(try_replace(host, VALUE, v));
    say!(try_replace(host, v, VALUE));
    said
}

/// A conditional that writes `x0` on one of its ways, with refused calls in between, or without.
fn build(engine: Engine, refuses: bool) -> (Vec<String>, Vec<Event>) {
    let (mut ssa, mut host) = (builder(engine), Recorder::default());
    let refuse = |ssa: &mut AnyBuilder<Vec<Event>>, host: &mut Recorder, at: usize| {
        if refuses {
            assert_eq!(refused(ssa, host, block(at)).len(), 18);
        }
    };
    refuse(&mut ssa, &mut host, 0);
    recorder::write(&mut ssa, &mut host, 0, 0);
    refuse(&mut ssa, &mut host, 0);
    recorder::terminate(&mut ssa, 0, &[1, 2]);
    if refuses {
        let beyond = Some(CallErrorKind::Id(IdError { kind: IdKind::Block, given: 5, limit: 5 }));
        assert_eq!(kind(ssa.try_add_edge(block(0), BLOCK)), beyond);
        assert_eq!(kind(ssa.try_redirect_edge(block(0), 1, BLOCK)), beyond);
    }
    ssa.seal_block(&mut host, block(1));
    if refuses {
        let beyond = |kind, given, limit| Some(CallErrorKind::Id(IdError { kind, given, limit }));
        let written = ssa.try_write_on_edge(block(0), 0, VARIABLE, Value::new(0));
        assert_eq!(kind(written), beyond(IdKind::Variable, 6, 6));
        assert_eq!(kind(ssa.try_write_on_edge(block(0), 0, var(0), VALUE)), beyond(IdKind::Value, 7, 7));
    }
    recorder::write(&mut ssa, &mut host, 1, 0);
    recorder::terminate(&mut ssa, 1, &[2]);
    ssa.seal_block(&mut host, block(2));
    refuse(&mut ssa, &mut host, 2);
    ssa.read_variable(&mut host, block(2), var(0));
    recorder::terminate(&mut ssa, 2, &[]);
    finish(&mut ssa, &mut host).unwrap();
    (host.phis, ssa.observer_mut().drain(..).collect())
}

#[test]
fn every_call_names_kind_and_number() {
    let (mut ssa, mut host) = (builder(Engine::Auto), Recorder::default());
    let blocks = "block5: exceeds the limit of 5 blocks";
    let (variables, values) = ("x6: exceeds the limit of 6 variables", "v7: exceeds the limit of 7 values");
    let said = refused(&mut ssa, &mut host, block(0));
    for (call, words) in &said {
        assert!([blocks, variables, values].contains(&words.as_str()), "{call}: {words}");
    }
    let count = |kind: &str| said.iter().filter(|(_, words)| words == kind).count();
    assert_eq!([blocks, variables, values].map(count), [7, 5, 6]);
    assert!(ssa.is_new() && ssa.observer().is_empty());
}

#[test]
fn a_refused_call_has_changed_nothing() {
    for &engine in Engine::ALL {
        let plain = build(engine, false);
        assert_eq!(plain.0, ["block2: v2 = phi(v0, v1)"], "{engine}");
        assert_eq!(build(engine, true), plain, "{engine}");
    }
}

#[test]
fn the_default_limits_refuse_a_table_of_128_gigabytes() {
    for &engine in Engine::ALL {
        let (mut ssa, mut host) = (AnyBuilder::new(engine), Recorder::default());
        let given = (1 << 31) - 2;
        ssa.terminate(block(0), &[block(1), block(2)]);
        let beyond = |kind, limit| Some(CallErrorKind::Id(IdError { kind, given: given as u32, limit }));
        let (blocks, variables) = (beyond(IdKind::Block, 1 << 24), beyond(IdKind::Variable, 1 << 24));
        let written = ssa.try_write_variable(block(given), var(0), Value::new(0));
        assert_eq!(kind(written), blocks, "{engine}");
        assert_eq!(kind(ssa.try_terminate(block(1), &[block(given)])), blocks);
        assert_eq!(kind(ssa.try_seal_block(&mut host, block(given))), blocks);
        assert_eq!(kind(ssa.try_read_variable(&mut host, block(0), var(given))), variables);
        let written = ssa.try_write_variable(block(1), var(0), Value::new(given));
        assert_eq!(kind(written), beyond(IdKind::Value, 1 << 26));
    }
}

#[test]
fn the_entry_and_an_announced_graph_are_within_the_limit() {
    let beyond = Some(CallErrorKind::Id(IdError { kind: IdKind::Block, given: 5, limit: 5 }));
    let mut ssa = builder(Engine::Auto);
    assert_eq!(kind(ssa.set_entry(BLOCK)), beyond);
    let graph = |len| FlatCfg::from_successors(block(0), &vec![vec![]; len]).unwrap();
    assert_eq!(kind(ssa.announce(&graph(6))), beyond);
    assert!(ssa.is_new());
    assert_eq!(ssa.announce(&graph(5)), Ok(()));
}

#[test]
fn a_limit_can_be_raised() {
    let ids = IdLimits { blocks: 6, variables: 7, values: 8 };
    let (mut ssa, mut host) = (Builder::with_options(Options::default().with_ids(ids)), Recorder::default());
    ssa.terminate(block(0), &[BLOCK]);
    ssa.seal_block(&mut host, BLOCK);
    ssa.write_variable(BLOCK, VARIABLE, VALUE);
    assert_eq!(ssa.read_variable(&mut host, BLOCK, VARIABLE), VALUE);
}

/// Says how large it is, and accesses one variable in its one block.
struct Stating {
    blocks: usize,
    variables: usize,
    accessed: usize,
}

impl Cfg for Stating {
    fn num_blocks(&self) -> usize {
        self.blocks
    }
    fn entry(&self) -> Block {
        block(0)
    }
    fn successors(&self, _: Block) -> impl Iterator<Item = Block> {
        core::iter::empty()
    }
    fn predecessors(&self, _: Block) -> impl Iterator<Item = Block> {
        core::iter::empty()
    }
}

impl VariableForm for Stating {
    fn num_variables(&self) -> usize {
        self.variables
    }
    fn accesses(&self, _: Block) -> impl Iterator<Item = Access> {
        [Access::Copy(var(0), var(self.accessed))].into_iter()
    }
}

#[test]
fn a_whole_form_is_refused_before_tables_are_made_of_what_it_states() {
    let check = |[blocks, variables, accessed]: [usize; 3]| {
        let error = Function::new_within(&Stating { blocks, variables, accessed }, &LIMITS).err()?;
        Some(error.to_string())
    };
    assert_eq!(check([1, 1, 0]), None);
    assert_eq!(check([5, 6, 5]), None);
    assert_eq!(check([6, 1, 0]).as_deref(), Some("block5: exceeds the limit of 5 blocks"));
    assert_eq!(check([1, 7, 0]).as_deref(), Some("x6: exceeds the limit of 6 variables"));
    assert_eq!(check([1, 1, 6]).as_deref(), Some("x6: exceeds the limit of 6 variables"));
    let stated = Function::new(&Stating { blocks: 1 << 31, variables: 1, accessed: 0 }).err();
    let beyond = IdError { kind: IdKind::Block, given: (1 << 31) - 1, limit: 1 << 24 };
    assert_eq!(stated, Some(FunctionError::Id(beyond)));
}

/// The lines of panics, in order.
static LINES: Mutex<Vec<u32>> = Mutex::new(Vec::new());

// Other tests of this file do not panic: the hook is the process's.
#[test]
fn calls_that_panic_name_the_line_of_the_caller() {
    #[track_caller]
    fn line(call: impl FnOnce()) {
        assert!(catch_unwind(AssertUnwindSafe(call)).is_err(), "no panic");
        assert_eq!(LINES.lock().unwrap().pop(), Some(Location::caller().line()));
    }

    let before = take_hook();
    set_hook(Box::new(|info| LINES.lock().unwrap().push(info.location().map_or(0, Location::line))));
    let (mut ssa, mut host) = (builder(Engine::Auto), Recorder::default());
    ssa.terminate(block(0), &[block(1)]);
    ssa.seal_block(&mut host, block(1));
    let v = Value::new(0);
    line(|| ssa.global(VALUE));
    line(|| ssa.set_initial(VARIABLE, v));
    line(|| ssa.write_variable(BLOCK, var(0), v));
    line(|| ssa.write_on_edge(block(0), 0, VARIABLE, v));
    line(|| _ = ssa.read_variable(&mut host, block(1), VARIABLE));
    line(|| _ = ssa.read_at_site(&mut host, BLOCK, var(0), 1));
    line(|| ssa.terminate(BLOCK, &[]));
    line(|| ssa.add_edge(block(0), BLOCK));
    line(|| _ = ssa.redirect_edge(block(0), 0, BLOCK));
    line(|| ssa.seal_block(&mut host, BLOCK));
    line(|| ssa.seal_blocks(&mut host, &[BLOCK]));
    line(|| _ = ssa.read_at_end(&mut host, BLOCK, var(0)));
    line(|| ssa.replace(&mut host, VALUE, v));
    set_hook(before);
}
