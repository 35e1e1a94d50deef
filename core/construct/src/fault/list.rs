//! The faults of engines that decide on the fly and of `minimize`, by the file in which the mistake would be made.

use super::at_the_end::with_faults_at_the_end;

/// Makes the enumeration, and the list of all its members.
macro_rules! faults {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// One mistake.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Fault {
            $($(#[$doc])* $name,)*
        }

        impl Fault {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name),*];
        }
    };
}

with_faults_at_the_end! { faults! {
    // braun: values asked of the host.
    /// The host is asked again what an undefined variable holds.
    EachUndefinedIsAnother,

    // braun/access: reads and writes.
    /// A write changes the definition of the block that wrote the variable last.
    WritesChangeAnyBlock,
    /// A read hands out what was stored, though it may have been removed since.
    ReadsAreStale,
    /// Blocks whose last expected edge is there are not sealed before the next lookup.
    ReadySealingIsLate,
    /// What a read handed out keeps no phi.
    ReadsAreForgotten,
    /// The watches of a value that the host replaced are lost.
    ReplacedValuesLoseTheirWatches,

    // braun/blocks: edges and hints as they are stored.
    /// Blocks are linked as they were in the function before.
    LinksSurviveClear,
    /// An edge is given the slot that is its place among the edges of its target.
    SlotsAreThoseOfTheTarget,
    /// A target named twice needs room for one edge.
    CheckedEdgesAreCountedOnce,
    /// Edges that were refused take room.
    CheckedEdgesStay,
    /// The variables of a hint are searched as they came.
    HintsAreUnsorted,
    /// A hint lets pass though several edges enter the header.
    HintsCoverLaterEdges,
    /// A hint counts for the variables that it names, too.
    HintsAreNotAsked,

    // braun/chain: walking up.
    /// The entry is a block like any other.
    EntryIsUnsealed,
    /// A block with several edges counts as sealed.
    UnsealedJoinsAreJoins,
    /// A block with one edge counts as sealed.
    UnsealedChainsAreChains,
    /// A lookup does not notice that it goes round in unreachable code.
    ChainsHaveNoStamp,
    /// A variable that nobody writes is undefined, whatever it held at the entry.
    InitialValuesAreUndefined,
    /// A value is stored in the chains of outer joins, too.
    MemoReachesTooFar,

    // braun/copies: which variables hold what others hold.
    /// A value written twice is not noted.
    CopiesAreNotNoted,
    /// Variables hold copies because those of the function before did.
    CopiesSurviveClear,

    // braun/definitions, braun/tables: what blocks hold.
    /// What is listed counts before what is in the table, which is newer.
    ListedComesFirst,
    /// A definition does not set the bit of its variable.
    DefinitionsHaveNoBit,
    /// What tables grew out of is used again, though it was cleared.
    ClearedTablesRemember,
    /// A table that grows forgets its first cell.
    CellsAreLostInGrowing,

    // braun/edges: filling blocks.
    /// A block whose edges are refused is filled.
    RefusedBlocksAreFilled,
    /// Edges of blocks that are not known to be reachable are as good as others.
    DoubtfulEdgesAreNotNoted,

    // braun/finish: what is left at the end.
    /// Two equal operands keep a phi apart from any redundant set.
    EqualOperandsAreTwo,
    /// Phis are not examined again when the host has merged values.
    ReplacedValuesAreNotReexamined,
    /// Unreachable edges into reachable blocks are no reason to minimize.
    MinimizeIsNeverForced,
    /// A block that is reached later than it was filled reaches nothing.
    ReachabilityIsNotCompleted,
    /// Phis of unreachable blocks stay.
    UnreachablePhisStay,
    /// Operands on edges from unreachable blocks keep phis.
    UnreachableEdgesCount,
    /// Phis made for hints and unreachable edges are used.
    EveryPhiIsUsed,
    /// Operands on edges from unreachable blocks count as used.
    UnreachableUsesCount,
    /// Operands are handed over as they were.
    HandedOverOperandsAreStale,
    /// Operands on edges from unreachable blocks are what was found there.
    UnreachableOperandsStay,
    /// Phis of a block are handed over last one first.
    PhisOfABlockChangePlaces,
    /// Many phis are handed over by creation alone.
    ManyPhisChangePlaces,

    // braun/hints: whether a hint was right.
    /// What a hint let pass is not looked at again.
    AnswersAreNotNoted,
    /// A hint is broken by edges from unreachable code.
    UnreachableEdgesBreakHints,
    /// A hint is broken by redundant phis.
    RedundantPhisBreakHints,

    // braun/lookup: joins.
    /// Marks stay set, and are the same for all lookups.
    MarksAreNeverCleared,
    /// A predecessor is looked at once, though several of its edges lead here.
    RepeatedEdgesCountOnce,
    /// The chain that leads to a join under way stores what is found on its first edge.
    ValuesAreStoredUnderAMark,
    /// An incomplete phi is not stored where it stands: each lookup makes another.
    NoIncompletePhiInSight,
    /// A lookup that comes back to a join under way takes what it has found last.
    MarkedJoinsAreSkipped,
    /// Every engine makes a phi on entering a join.
    PhisAreMadeAtOnce,
    /// What was found for a join is not stored.
    JoinsForgetTheirValues,
    /// A join does not look whether a lookup has come round to it.
    ThePhiOfTheCycleIsForgotten,
    /// The phi of a cycle is not examined.
    ThePhiOfTheCycleIsKept,
    /// A join whose edges bring different values gets no phi.
    TheFirstEdgeDecides,

    // braun/blocks/redirect: edges that lead elsewhere.
    /// A block is reachable still after the edge that reached it leads elsewhere.
    RedirectedEdgesStillReach,

    // braun/phis: operands and users.
    /// Operands are given last edge first.
    OperandsComeInTheWrongOrder,
    /// Users are taken for dead though they are complete.
    UsersAreTakenForDead,

    // braun/region: regions of blocks.
    /// A block has one node in the regions of all variables.
    VariablesShareNodes,
    /// An incomplete phi sealed together with others is a value from outside.
    PendingPhisAreOutside,
    /// A cycle of hinted headers that nothing enters is undefined.
    NothingIsCutAtHints,
    /// Users of a phi that is not needed are not examined again.
    RemovedNodesWakeNobody,
    /// Nodes are decided before all of their sources are.
    CyclesAreDecidedInOrder,
    /// A region stands for its first value, whatever else enters it.
    TheFirstValueEntersAlone,
    /// Two sweeps are enough for any cycle.
    TwoSweepsReachAll,

    // braun/row: latest definitions.
    /// Variables hold what they held in the function before.
    RowSurvivesClear,

    // braun/scc: components of blocks.
    /// A run takes the blocks that others met for its own.
    RunsShareWhatTheyMet,
    /// A block does not tell the one before how far up it leads.
    LowIsNotHandedUp,
    /// All blocks of a component get phis.
    EveryMemberIsAHead,
    /// A component stands for the first value that enters it.
    OneValueEntersAlone,

    // braun/seal: incomplete phis.
    /// Only the first incomplete phi of a block gets operands.
    OneIncompletePhi,
    /// An edge from a block to itself brings what the variable holds at the top.
    SelfLoopsBringThePhi,
    /// Sealing stores the phi as what the variable holds, though the block may have written it since.
    SealingOverwrites,

    // braun/trivial: removing phis.
    /// A phi that was removed while it waited is examined.
    DeadPhisAreExamined,
    /// Phis that have not all of their operands yet are examined.
    UnfinishedPhisAreExamined,
    /// Users of a removed phi are not examined again.
    UsersAreNotRechecked,
    /// Users of a removed phi do not become users of what it stands for.
    UsersAreLost,
    /// Every engine examines the unique operand alone, and no users.
    OnlyTheOperandIsExamined,
    /// Operands are compared as they were.
    WitnessesAreStale,
    /// The first witness stays where it is though it has become the phi.
    FirstWitnessIsKept,
    /// A phi that has itself as an operand is not trivial.
    ThePhiItselfCounts,
    /// An undefined operand is no operand: a phi of it and a value is trivial.
    UndefinedIsNotAValue,
    /// A phi with two values is trivial: the test is the wrong way round.
    SeveralValuesAreOne,

    // braun/values: what values stand for.
    /// Values are handed over standing for what itself stands for another.
    ForwardingIsLinked,

    // braun/watched: watched operands.
    /// A value that takes over does not take over who watches.
    WatchesAreNotJoined,
    /// The longer one of two lists is visited.
    TheLongerListIsVisited,
    /// A phi is listed under one of its witnesses.
    OneWitnessIsWatched,
    /// A phi is not listed under the witnesses it moves on to.
    NewWitnessesAreNotWatched,
    /// A phi that takes over is not examined.
    TheTargetDoesNotWait,

    // minimize/components: Algorithm 5.
    /// Algorithm 5 decomposes inner phis after all components of their level.
    InnerPhisAreLast,
    /// Algorithm 5 takes inner components of one phi for handled.
    InnerSinglePhisAreHandled,
    /// Algorithm 5 compares operands as they were.
    OuterOperandsAreStale,
    /// Algorithm 5 does not decompose components with several outer values.
    InnerPhisAreForgotten,
    /// Finished components still lower the number of those that lead to them.
    FinishedComponentsLower,

    // minimize/dominated: the value graph.
    /// A phi counts as anchored with two equal operands.
    AnchoredByOneValue,
    /// An anchored phi counts as a phi of the value graph, in which it has no operands.
    AnchoredPhisStayPhis,
    /// A phi stands for its immediate dominator, which may be redundant itself.
    ReplacedByImmediateDominator,
    /// Phis into which no value flows stay.
    UnreachedPhisStay,
    /// Numbers of values are left behind for the next graph.
    NumbersAreLeft,

    // minimize/live_ranks: why phis are needed.
    /// An operand has the rank of its user.
    RanksDoNotGrow,
    /// Numbers of phis are left behind for the next graph.
    NumbersOfRanksAreLeft,
    /// A phi that two others use gets two ranks.
    PhisAreRankedTwice,

    // minimize/low_high: the order.
    /// A phi that is dominated gets a place as well.
    DominatedPhisAreOrdered,
    /// A phi goes next to the parent towards which it should.
    BesideAndTowardsAreSwapped,
    /// A phi is anchored by two equal operands.
    AnchorsMayBeEqual,
    /// What was inserted first is nearest.
    NearnessIsReversed,
    /// A phi taken off takes what hangs on it along.
    ChildrenAreLost,
    /// Compressing a path keeps the labels there were.
    LabelsAreNotCompressed,
    /// The arc to the semidominator is that of the tree.
    TheTreeArcIsKept,
    /// The relative dominator of a vertex is its semidominator.
    RelativesAreSemidominators,
    /// Each tree has one kind of arcs.
    TreesHaveOneColor,
}}
