//! Traces keep what was recorded, in every form, and refuse what cannot be replayed.

use super::sample::random_trace;
use super::text::{SyntaxError, parse, print};
use super::words::{WordsError, from_bytes, to_bytes};
use super::{Calls, Misuse, TraceWriter, Type};

#[test]
fn a_trace_survives_every_form() {
    let trace = random_trace(1, 400);
    assert_eq!(trace.check(), Ok(()));
    assert_eq!(parse(&print(&trace)).as_ref(), Ok(&trace));
    assert_eq!(from_bytes(&to_bytes(&trace)).as_ref(), Ok(&trace));
}

#[test]
fn the_text_form_is_a_call_per_line() {
    let text = "ssatrace 1\nfunction\nvariable i64\nvariable f32\nblock\nblock\nblock\nswitch 0\nseal 0\nfresh i64\n\
                write 0 0\nread 1\ntable 1 1 2\nseal 1\nseal 2\nswitch 1\nbranch 1\n";
    // An edge into a sealed block is refused, and so is a line that ends too early.
    assert_eq!(parse(text).unwrap_err().to_string(), "line 17: the line ends too early");
    let text = text
        .replace("seal 1\nseal 2\nswitch 1\nbranch 1\n", "switch 1\njump 2\nswitch 2\nreturn\nseal 1\nseal 2\nend\n");
    let trace = parse(&text).unwrap();
    assert_eq!(print(&trace), text);
    let counts = trace.counts();
    assert_eq!((counts.blocks, counts.variables, counts.values, counts.edges), (3, 2, 2, 4));
    // All lines but those of the function, its variables and fresh values are events.
    assert_eq!(counts.events, text.lines().count() as u64 - 6);
}

#[test]
fn comments_and_blank_lines_say_nothing() {
    let text = "ssatrace 1\n# made by hand\n\nfunction # f\n  block\nswitch 0 # entry\nseal 0\r\nreturn\nend\n";
    assert_eq!(print(&parse(text).unwrap()), "ssatrace 1\nfunction\nblock\nswitch 0\nseal 0\nreturn\nend\n");
}

/// What is wrong with the body of a function of three blocks and one variable.
#[track_caller]
fn check(body: &str, line: usize, error: SyntaxError) {
    let text = format!("ssatrace 1\nfunction\nvariable i32\nblock\nblock\nblock\n{body}");
    let found = parse(&text).unwrap_err();
    assert_eq!((found.line - 6, found.error), (line, error), "{body}");
}

#[test]
fn what_is_no_call_is_refused_with_its_line() {
    check("frob 1", 1, SyntaxError::UnknownCall { word: "frob".to_owned() });
    check("switch 0\nfresh i31", 2, SyntaxError::UnknownType { name: "i31".to_owned() });
    check("switch 0\nwrite 0", 2, SyntaxError::Short);
    check("switch 0 1", 1, SyntaxError::Long { word: "1".to_owned() });
    check("switch +0", 1, SyntaxError::NotANumber { word: "+0".to_owned() });
    check("switch 4294967296", 1, SyntaxError::NotANumber { word: "4294967296".to_owned() });
    check("switch 268435456", 1, SyntaxError::TooLarge { given: 1 << 28, limit: 1 << 28 });
    check("function", 1, SyntaxError::InsideFunction);
    check("switch 0", 2, SyntaxError::NoEnd);
    let outside = parse("ssatrace 1\nblock\n").unwrap_err();
    assert_eq!((outside.line, outside.error), (2, SyntaxError::OutsideFunction));
    for text in ["", "ssatrace 2\n", "function\n"] {
        assert_eq!(parse(text).unwrap_err().error, SyntaxError::NotATrace, "{text}");
    }
}

#[test]
fn what_cannot_be_replayed_is_refused_with_its_line() {
    let check = |body: &str, line, misuse| check(body, line, SyntaxError::Misuse(misuse));
    check("seal 3", 1, Misuse::UnknownBlock { block: 3 });
    check("switch 0\nread 1", 2, Misuse::UnknownVariable { variable: 1 });
    check("switch 0\nread 0\nwrite 0 1", 3, Misuse::UnknownValue { value: 1 });
    check("switch 0\nfresh i64\nwrite 0 0", 3, Misuse::WrongType { variable: 0, value: 0 });
    check("read 0", 1, Misuse::NoBlock);
    check("switch 0\nreturn\nreturn", 3, Misuse::NoBlock);
    check("switch 1", 1, Misuse::NotTheEntry { block: 1 });
    check("switch 0\nreturn\nswitch 0", 3, Misuse::Filled { block: 0 });
    check("seal 1\nseal 1", 2, Misuse::Sealed { block: 1 });
    check("seal 1\nswitch 0\nbranch 2 1", 3, Misuse::IntoSealed { block: 1 });
    check("switch 0\njump 0", 2, Misuse::IntoEntry);
    check("switch 0\ntable", 2, Misuse::EmptyTable);
    let all = "switch 0\nreturn\nswitch 1\nreturn\nswitch 2\nreturn\n";
    check(&format!("{all}seal 0\nseal 2\nend"), 9, Misuse::NeverSealed { block: 1 });
    check("switch 0\nreturn\nseal 0\nend", 4, Misuse::NeverFilled { block: 1 });
    assert_eq!(parse("ssatrace 1\nfunction\nend").unwrap_err().error, SyntaxError::Misuse(Misuse::NoEntry));
}

#[test]
fn blocks_may_be_left_and_come_back_to() {
    let text = "ssatrace 1\nfunction\nblock\nblock\nswitch 0\nswitch 1\nfresh i32\nswitch 0\njump 1\nswitch 1\nreturn\n\
                seal 0\nseal 1\nend\n";
    assert_eq!(print(&parse(text).unwrap()), text);
}

#[test]
fn broken_words_are_refused() {
    let bytes = to_bytes(&random_trace(2, 3));
    assert_eq!(from_bytes(b"ssaword\x02").unwrap_err(), WordsError::NotWords);
    for len in 8..bytes.len() {
        assert!(from_bytes(&bytes[..len]).is_err(), "{len}");
    }
    // Whatever a byte is changed into, nothing panics.
    for place in 8..bytes.len() {
        for flip in [1, 0x10, 0x80] {
            let mut changed = bytes.clone();
            changed[place] ^= flip;
            let _ = from_bytes(&changed);
        }
    }
}

#[test]
fn a_function_that_was_not_ended_is_no_part_of_the_trace() {
    let mut writer = TraceWriter::new();
    writer.variable(Type::I32);
    writer.new_block();
    assert!(writer.into_trace().is_empty());
}
