//! Mistakes that are easily made would be found: each mutant fails a property.
//!
//! There are mutants in the copy that `ssaphire-mutants` makes and tests, and only there.

#[path = "../../../tests/it/construction/api.rs"]
mod api;
#[path = "../../../../ir/tests/it/arrays.rs"]
mod arrays;
#[path = "../../../../frontends/while/tests/it/arrays.rs"]
mod arrays_of_while;
#[path = "../../../tests/it/construction/at_end.rs"]
mod at_end;
#[path = "../../../../core/check/tests/it/certificate.rs"]
mod certificate;
#[path = "../../../tests/it/construction/climbs.rs"]
mod climbs;
#[path = "../../../tests/it/construction/contracts.rs"]
mod contracts;
#[path = "../../../tests/it/construction/debug_values.rs"]
mod debug_values;
#[path = "../../../tests/it/construction/events.rs"]
mod events;
#[path = "../../../../core/ssaphire/tests/it/folded_reads.rs"]
mod folded_reads;
#[path = "../../../tests/it/folding.rs"]
mod folding_of_while;
#[path = "../../../../core/check/tests/it/folds.rs"]
mod folds;
#[path = "../../../tests/it/construction/growth.rs"]
mod growth;
#[path = "../../../../core/check/tests/it/journal.rs"]
mod journal;
#[path = "../../../tests/it/leaving.rs"]
mod leaving_of_edges;
#[path = "../../../tests/it/judge/model.rs"]
mod model;
#[path = "contracts/of_judge.rs"]
mod of_judge;
#[path = "../../../tests/it/judge/quality.rs"]
mod quality;
#[path = "../../../../core/check/tests/it/random.rs"]
mod random;
#[path = "../../../tests/it/construction/redirect.rs"]
mod redirect;
#[path = "../../../../core/check/tests/it/refusals.rs"]
mod refusals;
#[path = "../../../../core/check/tests/it/refused_forms.rs"]
mod refused_forms;
#[path = "../../../tests/it/judge/refused_reads.rs"]
mod refused_reads;
#[path = "../../../../core/ssaphire/tests/it/registers/mod.rs"]
mod registers;
#[path = "../../../tests/it/construction/renamed.rs"]
mod renamed;
#[path = "../../../tests/it/construction/rows.rs"]
mod rows;
#[path = "../../../../core/check/tests/it/rules.rs"]
mod rules;
#[path = "../../../tests/it/construction/same.rs"]
mod same;
#[path = "../../../../core/check/tests/it/samples.rs"]
mod samples;
#[path = "../../../tests/it/construction/sealed.rs"]
mod sealed;
#[path = "../../../tests/it/judge/sources.rs"]
mod sources;
#[path = "../../../tests/it/construction/steps.rs"]
mod steps;
#[path = "../../../../ir/tests/it/told_apart.rs"]
mod told_apart;
#[path = "../../../tests/it/construction/undefined.rs"]
mod undefined;
#[path = "../../../tests/it/construction/watched.rs"]
mod watched;

use of_judge::REFUSALS;
use ssaphire_ir::judge::Inspector;
use ssaphire_literature::Engine;
use ssaphire_mutants_switch::{ARE_APART, FILES, NAMES, TooManyCalls, Trace, trace, with_mutant};
use ssaphire_tests::Part;
use ssaphire_tests::fuzzing::rows as linking;
use ssaphire_tests::fuzzing::{
    applications, calls, congruence, construction, cps, folding, judged, leaving, minimizer, passes, random_bytes,
    repair, structured, whole,
};
use std::cell::Cell;
use std::env;
use std::ops::Range;
use std::panic::{catch_unwind, set_hook, take_hook};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// A property, and how it is tried.
struct Property {
    name: &'static str,
    check: fn(u64),
    num_inputs: u64,
}

/// A property of what bytes describe.
macro_rules! fuzzed {
    ($name:ident::$check:ident, $num_inputs:expr) => {
        Property {
            name: stringify!($name::$check),
            check: |seed| $name::$check(&random_bytes(seed)),
            num_inputs: $num_inputs,
        }
    };
}

/// Cheap ones first; what builds a function in one way after what builds it in many, which finds more and ends sooner.
const PROPERTIES: [Property; 18] = [
    Property { name: "refusal", check: |number| REFUSALS[number as usize](), num_inputs: REFUSALS.len() as u64 },
    Property { name: "contract", check: |number| CONTRACTS[number as usize](), num_inputs: CONTRACTS.len() as u64 },
    fuzzed!(minimizer::check, 2_000),
    fuzzed!(congruence::check, 2_000),
    fuzzed!(repair::check, 2_000),
    fuzzed!(structured::check, 2_000),
    fuzzed!(whole::check, 2_000),
    fuzzed!(linking::check_links, 150),
    fuzzed!(construction::check, 4_000),
    fuzzed!(construction::check_default, 8_000),
    fuzzed!(calls::check, 4_000),
    fuzzed!(applications::check, 12_000),
    fuzzed!(applications::check_mutants, 500),
    fuzzed!(folding::check, 3_000),
    fuzzed!(cps::check, 2_000),
    Property { name: "registers", check: |seed| _ = registers::check_random(seed), num_inputs: 2_000 },
    fuzzed!(leaving::check, 2_000),
    fuzzed!(passes::check, 4_000),
];

/// What few random functions come upon.
const CONTRACTS: [fn(); 135] = [
    rows::a_join_that_writes_a_variable_with_the_same_bit_is_passed_at_once,
    rows::a_jump_stops_at_a_header_that_a_later_block_comes_round_to,
    rows::what_an_inner_loop_writes_last_comes_round_to_blocks_around_it,
    climbs::a_join_is_linked_once_its_first_source_turns_out_to_lie_below_it,
    climbs::a_join_is_linked_once_its_sources_lie_in_one_tree,
    climbs::ways_into_a_loop_are_linked_once_the_last_block_is_sealed,
    climbs::ways_into_a_loop_are_linked_without_unreachable_blocks,
    climbs::a_deferred_phi_stands_for_a_value_as_soon_as_one_is_known,
    climbs::a_phi_is_not_deferred_beyond_a_loop_that_writes,
    climbs::a_phi_is_not_deferred_beyond_a_loop_that_writes_after_an_earlier_block,
    climbs::a_join_is_linked_once_its_first_source_turns_out_to_be_unreachable,
    growth::a_join_below_loops_that_are_linked_last_is_linked_with_them,
    growth::a_line_of_blocks_begun_before_they_are_sealed_is_passed_at_once,
    growth::complete_loops_are_passed_together,
    growth::irreducible_loops_within_a_loop_are_passed_at_once,
    growth::a_loop_that_takes_many_rounds_is_given_up,
    growth::ways_into_a_loop_are_linked_together,
    growth::loops_with_one_latch_are_linked_from_the_innermost_one_out,
    growth::blocks_that_each_lead_to_all_are_linked_together,
    growth::what_a_nest_only_reads_gets_a_phi_in_the_innermost_loop,
    growth::what_a_nest_writes_gets_a_phi_in_each_loop,
    growth::what_the_loops_of_a_nest_count_gets_a_phi_in_each,
    growth::variables_that_share_bits_in_a_nest_take_few_steps_at_any_depth,
    growth::reads_in_unreachable_blocks_of_a_complete_function_look_for_nothing,
    growth::reads_in_arms_are_passed_once,
    growth::a_wide_join_looks_along_its_edges_for_few_of_the_variables_that_share_a_bit,
    rows::a_value_written_again_is_read_back_when_rows_are_given_up,
    rows::a_phi_written_to_its_own_variable_is_a_write_when_rows_are_given_up,
    leaving_of_edges::thresholds_change_nothing_where_values_live_to_the_end,
    leaving_of_edges::two_edges_that_cannot_be_split_have_one_place_for_their_copies,
    arrays::arrays_hold_what_was_stored_last_and_never_change,
    arrays::what_is_undefined_is_undefined_and_nothing_traps,
    arrays::a_hidden_update_makes_an_array_with_one_element,
    arrays::opaque_calls_take_arrays_by_what_they_hold_and_return_some,
    arrays::types_that_do_not_fit_are_refused_where_they_stand,
    arrays::an_update_is_tied_to_the_array_and_a_hidden_one_to_its_variable,
    arrays::hidden_updates_are_in_different_storage_and_stay_where_they_are,
    arrays::an_element_may_be_undefined_so_that_a_branch_on_it_stays,
    arrays_of_while::arrays_are_values,
    arrays_of_while::the_index_is_evaluated_before_the_element,
    arrays_of_while::records_are_arrays_with_an_index_by_name,
    arrays_of_while::a_hidden_update_has_no_operand_for_the_array_before,
    at_end::what_a_variable_holds_on_entry_is_not_what_dead_code_reads,
    at_end::a_value_that_comes_from_itself_is_undefined,
    debug_values::variables_hold_what_walks_find,
    debug_values::nothing_is_held_before_the_end_or_in_a_block_without_a_name,
    contracts::an_operand_for_an_edge_from_unreachable_code_keeps_no_phi,
    climbs::a_header_that_was_passed_once_is_not_passed_again,
    climbs::a_loop_that_writes_a_variable_with_the_same_bit_needs_no_phi,
    climbs::a_value_is_not_stored_below_the_join_that_merges_it,
    climbs::a_join_is_passed_and_the_loop_around_it_is_not,
    climbs::a_block_beside_the_path_is_not_on_it,
    climbs::joins_far_below_their_dominator_are_joins,
    climbs::what_an_inner_loop_writes_beside_the_way_is_written_in_the_outer_one,
    redirect::a_block_that_an_edge_no_longer_enters_is_not_reached,
    redirect::a_late_edge_from_what_nothing_leads_to_is_not_taken,
    redirect::what_only_a_late_edge_leads_to_is_reached,
    same::a_value_that_enters_sealed_code_reaches_all_of_it,
    same::a_loop_that_writes_what_enters_it_needs_no_phi,
    same::a_value_that_the_entry_writes_after_another_block_needs_no_phi,
    same::a_phi_goes_with_a_younger_one_that_merges_what_was_replaced,
    folded_reads::a_wrong_read_whose_answer_was_dropped_is_found,
    folded_reads::a_builder_that_takes_one_value_for_another_while_folding_is_found,
    journal::an_initial_value_is_replaced_by_a_global_one,
    journal::what_was_replaced_is_an_argument_only_where_the_given_one_stands_for_the_same,
    registers::a_law_is_about_what_an_argument_stood_for_when_it_was_found,
    registers::a_law_about_how_a_phi_that_is_dropped_was_computed_is_told,
    registers::a_value_is_replaced_by_what_was_read_on_the_way_to_it,
    registers::a_value_that_unreachable_code_computes_from_itself_stays,
    folding_of_while::an_operation_on_a_phi_becomes_a_constant_when_the_loop_is_sealed,
    folding_of_while::a_phi_of_an_inner_loop_becomes_one_of_the_outer_loop_and_then_a_constant,
    folding_of_while::the_later_one_of_two_that_become_the_same_goes,
    folding_of_while::an_operation_is_found_by_what_its_arguments_are_now,
    folding_of_while::a_law_gives_what_its_argument_stands_for,
    folding_of_while::a_comparison_is_the_opposite_one_of_the_arguments_exchanged,
    folding_of_while::what_one_arm_computes_is_not_there_in_the_other,
    folding_of_while::what_a_decided_branch_does_not_enter_is_not_there,
    folding_of_while::a_block_that_is_filled_though_nothing_enters_it_goes,
    told_apart::a_choice_is_told_by_the_slot_of_each_edge,
    told_apart::what_both_ways_lead_to_is_no_arm,
    told_apart::loops_are_told_by_the_slot_that_leaves_them,
    told_apart::a_test_that_an_iteration_passes_by_tells_no_loop,
    contracts::an_announced_block_is_not_sealed_before_its_edges_are_there,
    contracts::an_announced_graph_gets_no_other_edges,
    contracts::a_graph_whose_entry_has_incoming_edges_is_not_announced,
    contracts::a_block_whose_announced_edges_are_all_there_counts_as_sealed,
    contracts::a_filled_block_is_read_at_its_end_alone,
    contracts::declared_variables_are_numbered_anew_for_each_function,
    contracts::a_refused_finish_asks_the_host_nothing,
    contracts::a_finished_builder_takes_no_entry_though_nothing_was_built,
    contracts::a_variable_has_one_initial_value,
    contracts::a_phi_of_a_value_and_its_replacement_goes_without_minimize,
    contracts::a_block_nobody_mentioned_has_no_incoming_edges,
    contracts::a_global_may_be_named_before_the_entry,
    contracts::recording_is_switched_from_the_next_function_on,
    contracts::blocks_that_were_only_mentioned_are_listed_to_be_terminated,
    redirect::a_branch_that_is_told_later_is_a_branch,
    redirect::redirected_edges_keep_their_age,
    redirect::an_edge_is_not_redirected_where_it_has_been_counted_on,
    redirect::a_late_edge_is_redirected,
    redirect::many_edges_are_redirected_in_order,
    sealed::in_sealed_code_every_phi_made_is_kept,
    sealed::region_leaves_nothing_redundant_among_blocks_sealed_together,
    sealed::entries_of_an_irreducible_loop_sealed_together_need_no_phi,
    sealed::blocks_of_which_one_cannot_be_sealed_are_all_left_as_they_were,
    sealed::components_and_regions_are_told_of,
    sealed::a_two_way_path_costs_scc_a_square_and_region_a_line,
    sealed::nested_loops_that_write_innermost_cost_scc_a_square_and_region_a_line,
    undefined::every_small_program_is_reported_by_definition,
    undefined::random_functions_are_reported_by_definition,
    undefined::the_blocks_of_a_small_graph_are_a_set,
    renamed::the_form_is_judged_and_that_of_a_host_with_views,
    renamed::values_are_numbered_by_kind_and_place,
    renamed::a_copy_is_no_use,
    renamed::what_is_no_function_is_refused,
    steps::loops_that_write_need_a_phi_each,
    steps::loops_that_do_nothing_are_all_entered,
    steps::loops_that_read_while_open_have_a_phi_each_for_a_while,
    steps::users_that_are_handed_on_are_checked_each_time,
    steps::a_path_both_ways_is_taken_apart_from_its_ends,
    steps::loops_in_a_row_take_one_round,
    events::figure_2_makes_the_phi_at_the_header_before_the_one_at_the_join,
    events::figure_2_marks_joins_on_the_way,
    events::figure_3_fills_and_seals_a_while_loop_in_order,
    events::figure_3_fills_and_seals_an_if_in_order,
    events::the_thesis_example_makes_the_phi_at_2_before_the_one_at_6,
    events::same_input_same_events,
    api::a_refused_call_has_changed_nothing,
    api::any_sequence_of_calls_gives_what_the_judge_accepts,
    api::a_cleared_builder_is_as_new,
    api::a_builder_that_has_seen_no_call_returns_no_phis,
    api::what_try_returns_is_what_the_other_form_panics_with,
    watched::the_phis_left_are_those_of_braun,
    watched::a_watched_phi_is_listed_twice_at_most_at_a_time,
    // Which of two lists is visited changes costs alone.
    watched::hubs_are_looked_at_once_and_not_for_each_phi_of_the_chain,
];

/// Mutants that no property finds yet: each is a test that is missing, or a mutant that changes nothing. They are looked for
/// with the first inputs only, since all of them take minutes and find none.
const UNFOUND: [&str; 14] = [
    "LoopsEnteredElsewhereAreClosed",
    "JumpsGoTooFar",
    "RedirectedEdgesLeaveTheirSource",
    "CutOffBlocksAreReached",
    "TrivialPhisAreNoCopies",
    "TopsOverwrite",
    "RoughLinksAreExact",
    "RoughDominatorsAreNearest",
    // What found these were phis that stand for other phis which go in turn: since phis are deferred, few random functions have any.
    "UsersAreRegisteredOnce",
    "WhatItStandsForIsTaken",
    // These change costs and sizes alone: tests of growth find them, which take too long to try with each mutant.
    "DeadBlocksAreLookedAtOneByOne",
    "EmptyBlocksMultiplyOperands",
    "EdgesThroughEmptyBlocksAreNotCounted",
    "ValuesAreRepairedOneByOne",
];

/// So many inputs are given to each property before more are given to any.
const FIRST: u64 = 150;

/// A mutant that asks so many times as often as correct sources do whether it is on counts as one that does not end.
const MAX_RATIO: u64 = 16;

/// It may ask so often anyway.
const MIN_CALLS: u64 = 1 << 12;

thread_local! {
    static IS_QUIET: Cell<bool> = const { Cell::new(false) };
}

/// What finds mutants.
struct Finder {
    /// By property and input, what correct sources do.
    traces: Vec<Vec<OnceLock<Trace>>>,
}

impl Finder {
    fn new() -> Self {
        let traces = |property: &Property| (0..property.num_inputs).map(|_| OnceLock::new()).collect();
        Self { traces: PROPERTIES.iter().map(traces).collect() }
    }

    /// How the mutant is found: most are for one of the first inputs.
    fn find(&self, mutant: usize) -> Option<String> {
        let numbers = |of: fn(&Property) -> Range<u64>| PROPERTIES.iter().map(of).enumerate();
        let early = numbers(|property| 0..property.num_inputs.min(FIRST));
        let is_given_up = UNFOUND.contains(&NAMES[mutant]);
        let late = numbers(|property| FIRST..property.num_inputs).filter(|_| !is_given_up);
        early
            .chain(late)
            .find_map(|(property, mut seeds)| seeds.find_map(|seed| self.try_input(mutant, property, seed)))
    }

    fn try_input(&self, mutant: usize, property: usize, seed: u64) -> Option<String> {
        let Property { name, check, .. } = PROPERTIES[property];
        let trace = self.traces[property][seed as usize].get_or_init(|| {
            catch_unwind(|| trace(|| check(seed))).unwrap_or_else(|_| {
                IS_QUIET.set(false);
                panic!("correct sources fail {name} for input {seed}");
            })
        });
        if !trace.reaches(mutant) {
            return None;
        }
        let max_calls = MAX_RATIO * trace.num_calls + MIN_CALLS;
        let why = catch_unwind(|| with_mutant(mutant, max_calls, || check(seed))).err()?;
        let what = if why.is::<TooManyCalls>() { "does not end" } else { "fails" };
        Some(format!("{name} {what} for input {seed}"))
    }
}

/// Panics of threads that are to be quiet are not shown: a mutant may well end in one.
fn be_quiet_where_asked() {
    let others = take_hook();
    set_hook(Box::new(move |info| {
        if !IS_QUIET.get() {
            others(info);
        }
    }));
}

#[test]
fn every_mutant_is_found() {
    be_quiet_where_asked();
    let finder = Finder::new();
    let survivors: Vec<&str> = for_all_mutants(|mutant| {
        let found = finder.find(mutant);
        println!("{}: {found:?}", NAMES[mutant]);
        found.is_none().then_some(NAMES[mutant])
    });
    let tried: Vec<&str> = tried().map(|mutant| NAMES[mutant]).collect();
    let found: Vec<&&str> = UNFOUND.iter().filter(|name| tried.contains(name) && !survivors.contains(name)).collect();
    assert!(found.is_empty(), "these are found and have to leave `UNFOUND`: {found:?}");
    let unfound: Vec<&&str> = survivors.iter().filter(|name| !UNFOUND.contains(name)).collect();
    assert!(unfound.is_empty(), "these are not found: {unfound:?}");
}

/// Under this variable, only the mutants of some files are tried: paths relative to the workspace, separated by spaces.
const MUTANTS_OF: &str = "SSAPHIRE_MUTANTS_OF";

/// The mutants of the files that the environment names, or of all that this package looks for; of these the part that it names.
fn tried() -> impl Iterator<Item = usize> {
    let files = env::var(MUTANTS_OF).ok();
    let is_asked_for =
        |&mutant: &usize| files.as_ref().is_none_or(|files| files.split(' ').any(|file| file == FILES[mutant]));
    let mutants: Vec<usize> = (0..NAMES.len()).filter(|&mutant| !ARE_APART[mutant]).filter(is_asked_for).collect();
    Part::of_environment().cases(0..mutants.len() as u64).map(move |place| mutants[place as usize])
}

/// The answers of `ask` for the mutants tried, on two threads, since a mutant is on in one of them.
fn for_all_mutants<T: Send>(ask: impl Fn(usize) -> Option<T> + Sync) -> Vec<T> {
    let (next, mutants) = (AtomicUsize::new(0), tried().collect::<Vec<usize>>());
    let work = || {
        IS_QUIET.set(true);
        let places = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        places.map_while(|place| mutants.get(place)).filter_map(|&mutant| ask(mutant)).collect::<Vec<T>>()
    };
    thread::scope(|scope| {
        let threads = [(); 2].map(|()| scope.spawn(work));
        threads.into_iter().flat_map(|thread| thread.join().expect("panics are caught")).collect()
    })
}

/// So many functions are made with each mutant, by each engine.
const JUDGED: u64 = 60;

/// Calls of `is_on` after which a mutant counts as one that does not terminate.
const MAX_CALLS: u64 = 1 << 14;

/// The first function that the mutant makes another one, which is accepted all the same; and how many are changed.
fn accepted(mutant: usize) -> (Option<(u64, Engine)>, u64) {
    let mut inspector = Inspector::default();
    let (mut found, mut num_changed) = (None, 0);
    for (seed, engine) in (0..JUDGED).flat_map(|seed| Engine::ALL.iter().map(move |&engine| (seed, engine))) {
        let function = judged::decode(&random_bytes(seed));
        let Some((right, _)) = judged::build(&function, engine, seed % 3, &mut inspector) else { continue };
        let build = || judged::build(&function, engine, seed % 3, &mut Inspector::default());
        let wrong = catch_unwind(|| with_mutant(mutant, MAX_CALLS, build));
        if let Ok(Some((wrong, refusals))) = wrong
            && !judged::is_same(&right, &wrong)
        {
            num_changed += 1;
            if refusals.is_empty() {
                found = found.or(Some((seed, engine)));
            }
        }
    }
    (found, num_changed)
}

/// Nothing but the judge of the command looks here: no path is walked, and no other result is compared.
#[test]
fn what_a_mutant_changes_is_refused_by_the_judge_alone() {
    be_quiet_where_asked();
    // A mistake of the judge itself changes no function.
    let is_of_judge = |mutant: usize| FILES[mutant].starts_with("core/check/");
    let judged = for_all_mutants(|mutant| (!is_of_judge(mutant)).then(|| (NAMES[mutant], accepted(mutant))));
    let num_changed: u64 = judged.iter().map(|(_, (_, changed))| changed).sum();
    let survivors: Vec<_> = judged.into_iter().filter_map(|(name, (found, _))| Some((name, found?))).collect();
    println!("{num_changed} functions changed");
    // Most mutants change none of the few functions made here, but some change hundreds; those of one file, or of one
    // part, may all be of the first kind.
    let is_whole = env::var_os(MUTANTS_OF).is_none() && Part::of_environment().is_whole();
    let num_tried = tried().filter(|&mutant| !is_of_judge(mutant)).count();
    assert!(!is_whole || num_changed >= 5 * num_tried as u64, "{num_changed}");
    assert_eq!(survivors, []);
}
