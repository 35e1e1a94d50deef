//! Ids that do not exist: the panic names kind, number and the caller's line.

use ssaphire_graph::{Block, Edge, Id, IdError, IdMap, Value, Variable};
use std::panic::{Location, catch_unwind, set_hook, take_hook};
use std::sync::Mutex;

/// Where the last panic was, and its words.
static LAST: Mutex<Option<(u32, String)>> = Mutex::new(None);

/// The words of the panic, which must be at the line of the caller of this function.
#[track_caller]
fn words(make: impl Fn() + std::panic::UnwindSafe) -> String {
    let result = catch_unwind(make);
    assert!(result.is_err(), "no panic");
    let (line, words) = LAST.lock().unwrap().take().unwrap();
    assert_eq!(line, Location::caller().line(), "{words}");
    words
}

// One test: the hook is the process's.
#[test]
fn a_number_without_an_id_panics_with_kind_number_and_line() {
    let before = take_hook();
    set_hook(Box::new(|info| {
        let text = info.payload().downcast_ref::<String>().cloned();
        let text = text.or_else(|| info.payload().downcast_ref::<&str>().map(|text| text.to_string()));
        let line = info.location().map_or(0, Location::line);
        *LAST.lock().unwrap() = Some((line, text.unwrap_or_default()));
    }));
    let told = [
        words(|| _ = Block::new(u32::MAX as usize)),
        words(|| _ = Variable::new(usize::MAX)),
        words(|| _ = Value::new(1 << 31)),
        words(|| _ = <Edge as Id>::new(5_000_000_000)),
    ];
    let table = IdMap::<Block, u8>::filled(3, 0);
    let beyond = words(|| _ = table[Block::new(7)]);
    set_hook(before);
    let expected = [
        "block4294967295: ids of this kind are below 4294967295",
        "x18446744073709551615: ids of this kind are below 4294967295",
        "v2147483648: ids of this kind are below 2147483648",
        "edge5000000000: ids of this kind are below 4294967295",
    ];
    assert_eq!(told, expected);
    assert!(beyond.contains('7') && beyond.contains('3'), "{beyond}");
}

#[test]
fn numbers_become_ids_by_try_from_and_back_by_from() {
    assert_eq!(Variable::try_from(3_u32).map(u32::from), Ok(3));
    assert_eq!(Edge::try_from(5_usize).map(usize::from), Ok(5));
    assert_eq!(Value::try_from((1_u32 << 31) - 1).map(Value::as_u32), Ok((1 << 31) - 1));
    let words = |result: Result<u32, IdError>| result.unwrap_err().to_string();
    assert_eq!(
        words(Value::try_from(1_u32 << 31).map(u32::from)),
        "v2147483648: exceeds the limit of 2147483648 values"
    );
    assert_eq!(
        words(Block::try_from(u32::MAX).map(u32::from)),
        "block4294967295: exceeds the limit of 4294967295 blocks"
    );
    assert_eq!(words(Edge::try_from(u32::MAX).map(u32::from)), "edge4294967295: exceeds the limit of 4294967295 edges");
    // An error holds 32 bits: a number beyond them is shown as the largest that it can hold.
    assert_eq!(
        words(Variable::try_from(usize::MAX).map(u32::from)),
        "x4294967295: exceeds the limit of 4294967295 variables"
    );
}
