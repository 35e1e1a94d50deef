//! What may be sent to other threads and shared with them: all but `Ssa` and `KeptPhis`.
//!
//! Those two show the edges of the builder that they borrow from, whose observer may belong to one thread.

use ssaphire::check::certificate::{ParseError, ParseErrorKind, Reader};
use ssaphire::check::isomorphic::Place;
use ssaphire::check::{
    Difference, Journal, Judge, Mode, Program, ProgramError, ProgramEvent, ProgramPhi, ProgramWriter, QualityCheck,
    Rank, Rules, Validator, Verdict, Violation, Written,
};
use ssaphire::graph::{
    ControlDependence, DefUse, DominanceFrontiers, DominatorTree, IdLists, IdMap, IdSet, IdStacks, ImmediateDominators,
    IteratedFrontier, Liveness, LoopForest, Method, Order, PackedOption, PostDominators, Queue, Site,
};
use ssaphire::minimize::{DeadPhi, LiveRank, LiveRanks, LowHigh, Minimizer, PhiGraph, Rounds, Unordered};
use ssaphire::{
    Access, BatchError, Block, Builder, Call, CallError, CallErrorKind, Certainty, Certified, CertifyError, CfgError,
    ContractError, Edge, EdgeArguments, Event, FlatCfg, Forwarding, IdError, IdKind, IdLimits, IncomingEdge, KeptPhi,
    Operand, Options, Placed, Ranked, Ranker, Reason, Shown, Stats, Stopped, Strict, UndefinedRead, UnsealedBlock,
    Upsilon, Uses, Value, ValueEvent, Variable, WithPreEntry,
};

fn assert_free<T: Send + Sync + Unpin>() {}

macro_rules! assert_all_free {
    ($($type:ty),* $(,)?) => {
        $(assert_free::<$type>();)*
    };
}

#[test]
fn builders_and_what_they_take_and_give() {
    assert_all_free!(
        Builder,
        Builder<Vec<Event>>,
        Certified,
        Ranker,
        Ranked,
        Options,
        Stats,
        Event,
        Reason,
        Certainty,
        UndefinedRead,
        UnsealedBlock,
        Strict<()>,
        Placed<'static>,
        Shown,
        Uses,
        KeptPhi<'static>,
        Operand,
        EdgeArguments,
        Upsilon,
        Forwarding<'static>,
        Stopped,
    );
}

#[test]
fn errors() {
    assert_all_free!(
        BatchError,
        Call,
        CallError,
        CallErrorKind,
        CertifyError,
        CfgError,
        ContractError,
        IdError,
        ProgramError,
        ParseError,
        ParseErrorKind,
        DeadPhi,
        Unordered,
    );
}

#[test]
fn graphs_and_what_is_computed_of_them() {
    assert_all_free!(
        Block,
        Edge,
        Value,
        Variable,
        Access,
        ValueEvent,
        IncomingEdge,
        IdKind,
        IdLimits,
        FlatCfg,
        WithPreEntry<FlatCfg>,
        ControlDependence<'static>,
        DefUse,
        DominanceFrontiers,
        DominatorTree,
        IdLists<Block, Value>,
        IdMap<Block, Value>,
        IdSet<Block>,
        IdStacks<Block, Value>,
        ImmediateDominators,
        IteratedFrontier,
        Liveness<Value>,
        LoopForest,
        Method,
        Order,
        PackedOption<Block>,
        PostDominators,
        Queue,
        Site,
        LiveRank,
        LiveRanks,
        LowHigh,
        Minimizer,
        PhiGraph,
        Rounds,
    );
}

#[test]
fn the_judge() {
    assert_all_free!(
        Difference,
        Place,
        Journal,
        Judge,
        Mode,
        Program,
        ProgramEvent,
        ProgramPhi,
        ProgramWriter<'static>,
        QualityCheck,
        Rank,
        Reader<std::str::Lines<'static>>,
        Rules,
        Validator,
        Verdict,
        Violation,
        Written,
    );
}
