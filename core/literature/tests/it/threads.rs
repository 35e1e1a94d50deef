//! What may be sent to other threads and shared with them.

use ssaphire_construct::Event;
use ssaphire_literature::whole::{Answer, Answers, Function, FunctionError, Part, PlacedPhi, SolveError};
use ssaphire_literature::{
    AnyBuilder, Braun, Deferred, Driven, Engine, Marker, Operand, Region, Scc, UnknownEngine, Users, Watched,
};

fn assert_free<T: Send + Sync + Unpin>() {}

#[test]
fn builders() {
    assert_free::<AnyBuilder>();
    assert_free::<AnyBuilder<Vec<Event>>>();
    assert_free::<Driven<Braun<Users>>>();
    assert_free::<Driven<Braun<Operand>>>();
    assert_free::<Driven<Braun<Watched>>>();
    assert_free::<Driven<Marker>>();
    assert_free::<Driven<Scc>>();
    assert_free::<Driven<Region>>();
    assert_free::<Driven<Deferred>>();
    assert_free::<Engine>();
    assert_free::<UnknownEngine>();
}

#[test]
fn complete_functions_and_answers() {
    assert_free::<Function>();
    assert_free::<Answer>();
    assert_free::<Answers>();
    assert_free::<Part>();
    assert_free::<PlacedPhi>();
    assert_free::<FunctionError>();
    assert_free::<SolveError>();
}
