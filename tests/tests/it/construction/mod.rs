//! Construction, judged: every engine, every way to fill and seal, every shape of graph.

mod api;
mod at_end;
mod climbs;
mod contracts;
mod events;
mod exhaustive;
mod mutants;
mod mutation;
mod properties;
mod redirect;
mod same;
mod sealed;
mod steps;
mod undefined;
mod watched;
mod whole;
