//! The faults of engines that decide at the end, by the file in which the mistake would be made.

/// Calls a macro with the faults that it is given here, and behind them those of this file.
macro_rules! with_faults_at_the_end {
    ($list:ident! { $($before:tt)* }) => {
        $list! {
            $($before)*

            // classical/accesses: what blocks do not answer by themselves.
            /// What unreachable blocks read and write counts.
            UnreachableAccessesCount,
            /// Variables that are written and not read are none.
            WrittenVariablesAreNotLeft,

            // classical/placement: Cytron's way, and its successors.
            /// A phi is no write: the frontier is not iterated.
            FrontiersAreNotIterated,
            /// A block that has a phi has one of every variable.
            HasAlreadySurvives,
            /// A block that was on the work list for a variable is not put there for another.
            WorkSurvives,
            /// Variables that no block reads before writing them get phis as well.
            LocalsAreGlobals,
            /// A variable that is written once needs no phi, whatever it holds on entry.
            OneWriteNeedsNoPhi,
            /// A variable is not live at the top of a block that writes it, though it may read it before.
            WritersAreNotLive,
            /// A variable is live above a block that writes it.
            LivenessPassesWrites,
            /// Where one variable is live, others were looked at.
            LiveBlocksStayLive,
            /// What writes one variable writes others.
            WritersStayWriters,

            // classical/rename: the walk down the dominator tree.
            /// Nothing is undone when a subtree is left.
            ChangesAreNotUndone,
            /// What phis change is not undone.
            PhisAreNotUndone,
            /// What was changed first is undone first.
            ChangesAreUndoneInOrder,
            /// Variables hold nothing when control enters.
            NothingIsHeldOnEntry,
            /// Reads find what their block writes later.
            WritesComeBeforeReads,
            /// Operands are what holds at the top of the predecessor.
            OperandsComeBeforeWrites,
            /// Of several edges between the same blocks, one brings an operand.
            RepeatedEdgesAreOne,
            /// An operand's place is the slot by which its edge leaves the predecessor.
            OperandsGoBySlot,

            // classical/rules: the two rules.
            /// Nothing is looked at again when a phi goes.
            RulesAreAppliedOnce,
            /// A phi that has itself as an operand stays.
            TheSecondRuleIsForgotten,
            /// Operands on edges from unreachable blocks keep phis.
            NothingIsAnOperand,
            /// Operands are compared as they were.
            RulesSeeWhatOperandsWere,
            /// The second operand of a phi is not watched.
            OneOperandIsWatched,
            /// Phis stand for what itself stands for another.
            MeaningsAreLinked,

            // classical/solution: what is handed over.
            /// Reads find phis by the numbers these had before some were left out.
            ReadsKeepTheirNumbers,
            /// Operands are phis by the numbers these had before some were left out.
            OperandsKeepTheirNumbers,
            /// Phis stay in the order of their variables.
            PhisComeByVariable,

            // classical/maximal: phis everywhere.
            /// Unreachable blocks get phis as well.
            UnreachableBlocksGetPhis,

            // classical/structured: one pass.
            /// A graph with gotos into loops is taken for a structured one.
            GotosIntoLoopsAreTaken,
            /// What a loop writes gets no phi at the loops around it.
            InnermostLoopsAlone,
            /// A header merges what its loop writes, and not the ways that enter it.
            HeadersMergeNoWays,
            /// A header gets a second phi for what is written on the ways to it.
            HeadersGetPhisTwice,
            /// Ways from unreachable blocks are ways.
            UnreachableWaysCount,
            /// A block on the ways to one join is on the ways to no other.
            PassedBlocksStayPassed,
            /// What is merged on the way to a join (in a loop that is left, say) is not written there.
            InnerPhisAreNoWrites,
            /// Of a way to a join, the last block counts.
            WaysAreOneBlock,

            // classical/functional: phiDefNodes and lookupDef.
            /// An edge from unreachable code makes a join.
            UnreachableEdgesMakeJoins,
            /// Several edges from one block make no join.
            ParallelEdgesMakeNoJoin,
            /// A block that was on one path is on all that come after it.
            PathsAreNotLeft,
            /// A block that reads a variable and then writes it does not read it.
            WritersReadNothing,
            /// A block that was visited for one variable is not visited for others.
            VisitedBlocksStayVisited,
            /// The search goes on above writes.
            SearchesPassWrites,
            /// A block with a phi holds that in the end, whatever it writes.
            PhisHideWrites,
            /// A read finds what its block holds in the end.
            ReadsAreLookedUpAtTheEnd,
            /// Nothing is defined where neither phi nor write is.
            TheEntryDefinesNothing,
            /// The entry gets phis, without operands.
            TheEntryGetsPhis,

            // classical/react: enterSSA, eliminateRedundantPhi.
            /// Unreachable predecessors are waited for.
            UnreachableBlocksAreAwaited,
            /// A predecessor counts once for each of its edges when it is left.
            EdgesAreCountedAsBlocks,
            /// There is one unsealed predecessor less than there is.
            UnsealedPredsAreOneLess,
            /// Of the incomplete phis of a block, the first gets operands.
            OneIncompletePhiIsFixed,
            /// Reads that come to the entry find nothing.
            EnteringFindsNothing,
            /// What comes round a loop is looked up before it was visited.
            HeadersAreEnteredSealed,
            /// The operand of an edge is that of the predecessor in the same place.
            OperandsGoByPredecessor,
            /// A phi that has itself as an operand is not redundant.
            SweepsKeepLoops,
            /// One sweep is enough, though control may come back.
            OneSweepIsEnough,

            // braun/at_end: showing a function to a constructor, and taking over its answers.
            /// Where nothing is read from other blocks no phis are placed, asked for or not.
            NothingIsPlacedUnread,
            /// A variable was met in a block of the function before.
            MetVariablesSurviveClear,
            /// A variable is met in one block alone.
            VariablesAreMetOnce,
            /// All that a block ever held of a variable is written last.
            OlderDefinitionsAreWrites,
            /// What copies a read of its block is no write.
            CopiesOfReadsAreNoWrites,
            /// What a read left at the top of its block is a write.
            ReadsAreWrites,
            /// A read that finds itself stands for itself.
            CirclesStandForThemselves,
            /// Reads that nothing reaches stand for nothing.
            UnreachableReadsStayIncomplete,
            /// What is found is not looked up again, though the host may have replaced it.
            FoundValuesAreStale,
            /// What variables hold on entry is undefined.
            EntryValuesAreUndefined,
            /// Where no path leads, variables hold what they hold on entry.
            UnreachableReadsFindTheEntry,

            // whole: local numbering, answers, parts.
            /// What happens at once happens one after the other.
            TuplesAreSequences,
            /// A variable that gets back what it held is written.
            GivingBackIsAWrite,
            /// What a block holds, those after it hold.
            LocalsSurviveTheirBlock,
            /// A variable that was read in a block is not written there later.
            WritesAfterReadsAreNotLeft,
            /// A copy of a copy gives a variable nothing back.
            CopiesOfCopiesAreWrites,
            /// Writes that are left have the numbers they have among all.
            WritesLeftAreAllWrites,
            /// Copies of the block are not seen through.
            LocalCopiesAreAnswers,
            /// Copies are seen through as far as the next block.
            CopiesEndAtTheNextBlock,
            /// Variables that are left when they are shared out evenly are nobody's.
            TheRestIsNobodys,
            /// Phis are put together part by part.
            PhisComeByPart,
            /// Writes have the numbers they have in their part.
            WritesAreNumberedByPart,
            /// Phis have the numbers they have in their part.
            PhisAreNumberedByPart,
            /// What variables hold on entry has the number it has in the part.
            DefinitionsAreNumberedByPart,
        }
    };
}

pub(super) use with_faults_at_the_end;
