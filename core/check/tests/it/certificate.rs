//! Certificates as text.

use ssaphire_check::certificate::{DEFAULT_LIMIT, Reader, write};
use ssaphire_check::{Program, ProgramEvent, Rank};
use ssaphire_graph::{Block, Cfg, SsaForm, Value, Variable, VariableForm};

/// Reads the text after the header, semicolons being line breaks; gives the error, or "fine".
#[track_caller]
fn check(text: &str, expected: &str) {
    let text = format!("ssacert 2\n{}", text.replace("; ", "\n"));
    let result: Result<Vec<_>, _> = Reader::new(text.lines()).collect();
    assert_eq!(result.map_or_else(|error| error.to_string(), |_| "fine".into()), expected);
}

#[test]
pub(crate) fn what_is_written_is_read() {
    let text = "ssacert 2\nprogram one\nentry 2\nglobal 3\nundef 4\ninitial 1 4\nblock 1 2 1\nphi 1 3 1\nphi 2 4 2\n\
                def 1 5\nuse 1 5\ncopy 2 1\nblock 2\nnum 1 7\nnum 3 0\nlive 1 0 0\nlive 2 4294967 1\nend\n\
                program two\nentry 1\nblock 1\nend\n";
    let programs: Vec<_> = Reader::new(text.lines()).map(Result::unwrap).collect();
    let mut printed = String::new();
    write(&mut printed, programs.iter().map(|(name, program)| (name.as_str(), program))).unwrap();
    assert_eq!(printed, text);
    let again: Vec<_> = Reader::new(printed.lines()).map(Result::unwrap).collect();
    assert_eq!(again, programs);
    let one = &programs[0].1;
    assert_ne!(one, &programs[1].1);
    assert_eq!((one.entry(), one.num_blocks(), one.num_values(), one.num_variables()), (Block::new(1), 2, 5, 2));
    assert_eq!(one.rank_list()[1], Rank { phi: Value::new(1), rank: 4_294_967, user: Some(Value::new(0)) });
}

#[test]
pub(crate) fn blocks_come_in_any_order_and_are_equal() {
    let read = |text: &str| Reader::new(text.lines()).next().unwrap().unwrap().1;
    let one = read("ssacert 2\nprogram p\nentry 1\nblock 1\ndef 1 1\nblock 2 1\nphi 3 1\nuse 1 1\nend");
    let two = read("ssacert 2\nprogram p\nblock 2 1\nphi 3 1\nuse 1 1\nblock 1\ndef 1 1\nentry 1\nend");
    assert_eq!(one, two);
    assert_eq!(two.successors(Block::new(0)).collect::<Vec<_>>(), [Block::new(1)]);
    assert_ne!(one, read("ssacert 2\nprogram p\nentry 1\nblock 1\ndef 1 1\nblock 2 1\nphi 3 2\nuse 1 1\nend"));
}

#[test]
pub(crate) fn any_name_survives() {
    let mut program = Program::new();
    let mut writer = program.rewrite(Block::new(0));
    writer.block(Block::new(0), []);
    writer.finish().unwrap();
    for name in ["", "%", "a b\tc", "line\r\nbreak\u{2028}", "über%20", "\0\x7f "] {
        let mut text = String::new();
        write(&mut text, [(name, &program)]).unwrap();
        assert_eq!(text.lines().count(), 5, "{name:?}");
        assert_eq!(Reader::new(text.lines()).next().unwrap().unwrap().0, name);
    }
}

#[test]
pub(crate) fn errors_name_the_place() {
    check("program p; entry 1; block 1; end", "fine");
    check("  program p; entry \t1 ; block 1; end", "fine");
    check("program p; entry 1; block 1; ; end", "line 5, column 1: unknown kind of line");
    check("# nothing; end", "line 2, column 1: unknown kind of line");
    check("program p; entry 1; op 1 0 1", "line 4, column 1: this line is only valid in a block");
    check("program p; entry 1; block 1; op 1 + 2", "line 5, column 6: expected a number");
    check("program p; entry 1; block 1; compute 0 1", "line 5, column 9: ids start at 1");
    check(
        "program p; entry 1; equation 1/2 ?0 +5 = ?0",
        "line 4, column 17: expected a symbol: F/k, ?n, @s/k or the number of a global",
    );
    check(
        "program p; entry 1; equation 1/2 ?0 5 = ?1",
        "line 4, column 23: expected an applied operator, `=`, and a term whose variables occur on the left side",
    );
    check("program p; entry 1; equation 1/1 ?0 = ?0 = ?0", "line 4, column 24: expected the end of the line");
    check("program p; entry 1; block 1; use 1; end", "line 5, column 6: the line ends too early");
    check("program p; entry 1; block 1; use 1 2 3; end", "line 5, column 9: expected the end of the line");
    check("program p; entry 1; block 1; use +1 2; end", "line 5, column 5: expected a number");
    check("program p; entry 1; block 1 0; end", "line 4, column 9: ids start at 1");
    check(
        "program p; entry 1; block 1; use 1 16777217; end",
        "line 5, column 7: 16777217 exceeds the limit of 16777216",
    );
    check(
        "program p; entry 99999999999999999999999",
        "line 3, column 7: 18446744073709551615 exceeds the limit of 16777216",
    );
    check(
        "program %zz; end",
        "line 2, column 9: invalid name: `%` must be followed by two hexadecimal digits, and names are UTF-8",
    );
    check("program; end", "line 2, column 8: the line ends too early");
    check("use 1 1", "line 2, column 1: this line is only valid in a program");
    check("program p; use 1 1", "line 3, column 1: this line is only valid in a block");
    check("program p; phi 1", "line 3, column 1: this line is only valid in a block");
    check("program p; program q", "line 3, column 1: the previous program has not ended");
    check("program p; block 1; def 1 1; phi 2", "line 5, column 1: a phi must come before the events of its block");
    check("program p; entry 1; entry 1", "line 4, column 1: the program already has an entry");
    check("program p; block 1; end", "line 4, column 1: the program has no entry");
    check("program p; block 1", "line 4, column 1: the text ends inside a program");
    check("program p; entry 3; block 1; end", "line 5, column 1: block2: is the entry, but does not exist");
    check("program p; entry 1; block 1; block 1; end", "line 6, column 1: block0: given twice");
    check(
        "program p; entry 1; block 1; block 3; end",
        "line 6, column 1: block1: missing, although a block with a higher number exists",
    );
}

/// Reads a whole text.
fn first_error(text: &str) -> String {
    Reader::new(text.lines()).find_map(Result::err).map_or_else(String::new, |error| error.to_string())
}

#[test]
pub(crate) fn the_first_line_says_what_it_is() {
    assert_eq!(first_error("ssacert 1\nprogram p"), "line 1, column 1: only format 2 is supported");
    assert_eq!(first_error("program p"), "line 1, column 1: the first line of a certificate is `ssacert 2`");
    assert_eq!(first_error(""), "line 1, column 1: the first line of a certificate is `ssacert 2`");
    assert_eq!(first_error("ssacert 2"), "");
}

#[test]
pub(crate) fn after_an_error_nothing_more_comes() {
    let text = "ssacert 2\nprogram p\nentry 1\nblock 1\nend\nwhat\nprogram q\nentry 1\nblock 1\nend\n";
    let results: Vec<_> = Reader::new(text.lines()).map(|result| result.is_ok()).collect();
    assert_eq!(results, [true, false]);
}

#[test]
pub(crate) fn a_program_that_fails_half_way_is_left_empty() {
    let text = "ssacert 2\nprogram p\nentry 1\nblock 1\nuse 1 1\noops\n";
    let (mut name, mut program) = (String::new(), Program::new());
    let mut reader = Reader::with_limit(text.lines(), DEFAULT_LIMIT);
    assert!(reader.read_into(&mut name, &mut program).unwrap().is_err());
    assert_eq!(program, Program::new());
    assert!(reader.read_into(&mut name, &mut program).is_none());
}

/// Whatever stands in a text, reading it gives programs or one error, and what is read is written back.
#[test]
pub(crate) fn noise_is_read_without_a_panic() {
    const WORDS: [&str; 20] = [
        "program", "entry", "global", "undef", "initial", "block", "phi", "def", "use", "copy", "num", "live", "end",
        "op", "0", "1", "2", "3", "x", "%41",
    ];
    let mut state = 7u32;
    let mut next = |limit: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % limit
    };
    let mut read = 0;
    for _ in 0..20_000 {
        let mut text = String::from("ssacert 2\nprogram p\nentry 1\nblock 1\n");
        for _ in 0..next(4) {
            let word = next(WORDS.len());
            text.push_str(WORDS[word]);
            for _ in 0..next(4) {
                text.push(' ');
                text.push_str(WORDS[14 + next(if word == 0 { 6 } else { 4 })]);
            }
            text.push('\n');
        }
        text.push_str("end\n");
        for (name, program) in Reader::new(text.lines()).filter_map(Result::ok) {
            read += 1;
            let _ = ssaphire_check::judge(&program, ssaphire_check::Mode::Refine);
            let mut printed = String::new();
            write(&mut printed, [(name.as_str(), &program)]).unwrap();
            assert_eq!(Reader::new(printed.lines()).next().unwrap().unwrap().1, program);
        }
    }
    assert!(read > 3000, "{read}");
}

#[test]
pub(crate) fn a_writer_refuses_what_is_no_program() {
    let mut program = Program::new();
    let mut writer = program.rewrite(Block::new(0));
    writer.event(ProgramEvent::Copy { dst: Variable::new(0), src: Variable::new(0) });
    writer.block(Block::new(0), []);
    assert_eq!(writer.finish().unwrap_err().to_string(), "a phi or an event comes before the first block");
    assert_eq!(program.num_blocks(), 0);
    program.rewrite(Block::new(0)).block(Block::new(0), []);
    assert_eq!(program, Program::new());
}

#[test]
pub(crate) fn ids_far_beyond_the_length_of_the_text_are_refused() {
    let program = |id: usize| format!("ssacert 2\nprogram p\nentry 1\nblock 1\ndef 1 {id}\nend\n");
    let read = |text: String| Reader::new(text.lines()).next().unwrap().map(|_| ()).map_err(|error| error.to_string());
    assert_eq!(read(program(1 << 20)), Ok(()));
    // Without the header and the name, it has 30 bytes.
    let most = (1 << 20) + 16 * 30;
    assert_eq!(read(program(most)), Ok(()));
    let refused = "line 6, column 1: id 1049057 is too large: a program of this length may have ids up to 1049056";
    assert_eq!(read(program(most + 1)), Err(refused.to_owned()));
    let long = "def 2 3\n".repeat(20_000);
    assert_eq!(read(program(1_200_000).replace("end", &format!("{long}end"))), Ok(()));
}

#[test]
pub(crate) fn many_short_programs_have_no_more_ids_than_a_long_one() {
    let short = "program p\nentry 1\nblock 1\ndef 1 1000000\nend\n";
    let text = format!("ssacert 2\n{}", short.repeat(1_000));
    let found: Vec<_> = Reader::new(text.lines()).map(|program| program.map(|_| ())).collect();
    assert_eq!(found.len(), 2);
    assert!(found[0].is_ok() && found[1].is_err());
    // What their lengths admit they all have, and what one leaves another one takes.
    let short = "program p\nentry 1\nblock 1\ndef 1 450\nend\n";
    let text = format!("ssacert 2\n{}", short.repeat(10_000));
    assert_eq!(Reader::new(text.lines()).filter(|program| program.is_ok()).count(), 10_000);
}

#[test]
pub(crate) fn a_byte_order_mark_in_front_is_skipped() {
    let read = |text: &str| Reader::new(text.lines()).map(Result::unwrap).collect::<Vec<_>>();
    let text = "ssacert 2\nprogram p\nentry 1\nblock 1\nend\n";
    assert_eq!(read(&format!("\u{feff}{text}")), read(text));
    assert_eq!(read(text).len(), 1);
}
