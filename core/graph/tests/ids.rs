//! Ids that do not exist: the panic names kind, number and the caller's line.

use ssaphire_graph::{Block, Edge, Id, IdMap, Value, Variable};
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
