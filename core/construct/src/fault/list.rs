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
    /// An undefined value is new, though it may have been written before.
    UndefinedIsNoCopy,
    /// A phi is new to whoever writes it.
    PhisAreNew,

    // braun/access: reads and writes.
    /// A value that a variable holds at first is new to whoever writes it.
    InitialValuesAreNew,
    /// A write changes the definition of the block that wrote the variable last.
    WritesChangeAnyBlock,
    /// A read hands out what was stored, though it may have been removed since.
    ReadsAreStale,
    /// The latest definition holds though its block does not dominate.
    LatestNeedNotDominate,
    /// Blocks whose last expected edge is there are not sealed before the next lookup.
    ReadySealingIsLate,
    /// A lookup begins at the last barrier, though the variable may have been written since.
    EveryLookupBeginsAtTheBarrier,
    /// What was looked up holds in all blocks below, though a later one may have written the variable.
    LastWriteIsNotAsked,
    /// What a read handed out keeps no phi.
    ReadsAreForgotten,
    /// The watches of a value that the host replaced are lost.
    ReplacedValuesLoseTheirWatches,

    // braun/blocks: edges and hints as they are stored.
    /// Blocks are linked as they were in the function before.
    IntervalsSurviveClear,
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
    /// A value that was written before it is what another variable begins with is not noted.
    LateInitialValuesAreNoCopies,
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
    /// A block without accesses has no place in the order of construction.
    EmptyBlocksAreNotBegun,

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
    /// Engine `auto` leaves nothing to minimize, copies or not.
    AutoNeverMinimizes,
    /// Variables that share a bit are no reason to look at variables without copies.
    SharedBitsAreExact,
    /// Values that the host merged are no reason to look at variables without copies.
    ReplacedValuesAreNoCopies,
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

    // braun/intervals: what lies between a block and its dominator.
    /// What is written in a block is not written between its dominator and its end.
    MasksForgetTheBlock,
    /// What is written between a block and its dominator is not written for those below.
    MasksForgetTheWayUp,
    /// A block that was begun before its only edge was there is linked like one that was not.
    BegunBlocksAreLinkedBelowOne,
    /// A hint that is to be verified lets pass unnoted.
    HintsArePassedUnnoted,
    /// The row passes a header with a hint though the variable is in the hint.
    HintedVariablesAreKept,
    /// A block that was begun before any edge led to it is linked.
    BlocksBegunEarlyAreLinked,
    /// It is not noted that a block could not be linked.
    UnlinkedBlocksAreForgotten,
    /// What is written between a block and its dominator is not kept.
    BetweenIsNotKept,
    /// Each climb takes the blocks of the one before for its own.
    VisitsShareANumber,
    /// What is written in a loop is not written between its header and the header's dominator.
    MasksForgetTheLoop,
    /// A climb that is too long ends at a dominator.
    TheBudgetIsNoLimit,
    /// What is written on one side of a join is not written between it and its dominator.
    MasksForgetTheSides,
    /// What is written in a loop is not written in the loop around it.
    LoopsCountForNothing,
    /// A loop that is entered beside its header is linked.
    IrreducibleLoopsAreLinked,

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

    // braun/path: the blocks that dominate the current one.
    /// What holds above a barrier holds below it.
    BarriersArePassed,
    /// Blocks above the part of the path that is known are on it.
    StaleBlocksStayOnThePath,
    /// The path is not cut on switching to a sibling.
    PathIsNotCut,
    /// A header that was passed by its hint is no barrier when the path comes back to it.
    PassedHeadersStayPassed,
    /// A block begun before it was sealed is no barrier.
    UnsealedBlocksAreNoBarriers,
    /// A leap goes past barriers.
    LeapsPassBarriers,
    /// A leap goes past headers that were passed by their hints, though the variable is in the hint.
    LeapsPassHintedHeaders,
    /// A leap goes past the block that wrote the variable last.
    LeapsPassTheWriter,
    /// Barriers of a sibling stay.
    BarriersStay,
    /// What a climb passes is no barrier.
    ClimbsSeeNoBarriers,
    /// Where no block has a depth on the path, any may stand.
    GapsAreLeft,
    /// The barriers that a climb passes are put down in the order it met them.
    BarriersAreUpsideDown,

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
    /// A block written later again was written last, whatever was begun since.
    LastWriteGoesBack,
    /// The last block that writes is also the first.
    FirstWriteGoesOn,
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
    /// An incomplete phi stands for what holds at the dominator though the variable is written on the way.
    WrittenPhisAreForwarded,
    /// An edge from a block to itself brings what the variable holds at the top.
    SelfLoopsBringThePhi,
    /// Sealing stores the phi as what the variable holds, though the block may have written it since.
    SealingOverwrites,

    // braun/shortcut: climbing intervals.
    /// A block is passed whose writers were begun just before it.
    FirstWriteIsOffByOne,
    /// Blocks are passed by their place in the construction though loops begin there.
    HeadersAreNoLoops,
    /// An interval is passed though the block begun after its dominator writes.
    LastWriteIsOffByOne,
    /// An edge from below the source of the one before brings the same, though the variable is written there.
    EdgesFromBelowAreEqual,
    /// An interval is passed though the variable is written in it.
    EveryIntervalIsPassed,
    /// The head of a block lies above the loops around it.
    HeadsPassLoops,
    /// A value is stored in blocks above the one where it was found.
    MemoReachesBeyond,

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
