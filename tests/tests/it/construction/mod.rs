//! Construction, judged: every engine, every way to fill and seal, every shape of graph.

mod api;
mod at_end;
mod climbs;
mod contracts;
mod debug_values;
mod events;
mod growth;
mod many_variables;
mod mutants;
mod mutation;
mod random;
mod redirect;
mod renamed;
mod rows;
mod same;
mod sealed;
mod small;
mod steps;
mod undefined;
mod watched;
