//! Phis as block parameters and as upsilons, and texts that say their dialect.

use crate::support::check_spellings;
use ssaphire_ir::memory::{Memory, to_memory};
use ssaphire_ir::text::{NameStyle, Outline, PhiStyle, PrintOptions, SyntaxErrors, parse, parse_all, to_string};
use ssaphire_ir::{Basic, Function, Syntax};

const LISTED: &str = "\
func sum(%n.0) {
block0:
  jump block1
block1: <- block0, block2
  %i.0 = phi 0, %i.1
  %s.0 = phi 0, %s.1
  %c.0 = lt %i.0, %n.0
  branch %c.0, block2, block3
block2:
  %s.1 = add %s.0, %i.0
  %i.1 = add %i.0, 1
  jump block1
block3:
  return %s.0
}
";

const PARAMS: &str = "\
func sum(%n.0) {
var n, i, s, c
block0:
  jump block1(0, 0)
block1(%i.0, %s.0):
  %c.0 = lt %i.0, %n.0
  branch %c.0, block2, block3
block2:
  %s.1 = add %s.0, %i.0
  %i.1 = add %i.0, 1
  jump block1(%i.1, %s.1)
block3:
  return %s.0
}
";

const UPSILONS: &str = "\
func sum(%n.0) {
block0:
  upsilon %i.0 = 0
  upsilon %s.0 = 0
  jump block1
block1:
  %i.0 = phi()
  %s.0 = phi()
  %c.0 = lt %i.0, %n.0
  branch %c.0, block2, block3
block2:
  %s.1 = add %s.0, %i.0
  %i.1 = add %i.0, 1
  upsilon %i.0 = %i.1
  upsilon %s.0 = %s.1
  jump block1
block3:
  return %s.0
}
";

#[track_caller]
fn read<D: Syntax>(text: &str) -> Function<D> {
    parse(text).unwrap_or_else(|errors| panic!("{text}\n{errors}"))
}

fn spelled<D: Syntax>(function: &Function<D>, phis: PhiStyle) -> String {
    to_string(function, PrintOptions { phis, names: NameStyle::Source })
}

#[test]
fn three_spellings_are_one_function() {
    let function: Function<Basic> = read(LISTED);
    assert_eq!(read(&PARAMS.replace("var n, i, s, c\n", "")), function);
    assert_eq!(read(PARAMS), function);
    assert_eq!(read(UPSILONS), function);
    assert_eq!(spelled(&function, PhiStyle::Params), PARAMS.replace("var n, i, s, c\n", ""));
    assert_eq!(spelled(&function, PhiStyle::Upsilon), UPSILONS);
}

#[test]
fn a_phi_is_spelled_as_one_likes_block_by_block() {
    let mixed = "\
func f(%c.0) {
a:
  branch %c.0, b(1), c
b(%x.0):
  upsilon %y.0 = %x.0
  jump d(%x.0)
c:
  upsilon %y.0 = 2
  jump d(3)
d(%z.0): <- c, b
  %y.0 = phi()
  %w.0 = phi %c.0, 4
  return %w.0, %y.0, %z.0
}
";
    let listed = "\
func f(%c.0) {
var c, x, z, y, w
a:
  branch %c.0, b, c
b: <- a
  %x.0 = phi 1
  jump d
c:
  jump d
d: <- c, b
  %z.0 = phi 3, %x.0
  %y.0 = phi 2, %x.0
  %w.0 = phi %c.0, 4
  return %w.0, %y.0, %z.0
}
";
    let function: Function<Basic> = read(mixed);
    let renamed = read::<Basic>(listed);
    let insts = |function: &Function<Basic>| spelled(function, PhiStyle::List).replace("var c, x, y, z, w\n", "");
    assert_eq!(insts(&function), insts(&renamed).replace("var c, x, z, y, w\n", ""));
    check_spellings(&function);
}

#[test]
fn repeated_edges_pass_what_is_theirs() {
    let text = "\
func edges(%n.0) {
a:
  switch %n.0, [join(1), a2, join(2)], join(undef)
a2:
  jump join(%n.0)
join(%4): <- a2, a.0, a.2, a.3
  return %4
}
";
    let function: Function<Basic> = read(text);
    let operands = "  %4 = phi %n.0, 1, 2, undef\n";
    assert!(function.to_string().contains(operands), "{function}");
    let upsilons = spelled(&function, PhiStyle::Upsilon);
    assert!(upsilons.contains("  upsilon %4 = 2 on slot 2\n  upsilon %4 = undef on slot 3\n"), "{upsilons}");
    check_spellings(&function);
}

/// Where edges pass values, variables are mentioned in another order than where phis list them.
#[test]
fn variables_keep_their_numbers() {
    let text = "\
func f(%c.0) {
block0:
  %later.0 = neg %c.0
  branch %c.0, block1, block2
block1: <- block0, block2
  %x.0 = phi undef.y, %z.0
  return %x.0, %later.0
block2:
  %z.0 = neg %c.0
  jump block1
}
";
    let function: Function<Basic> = read(text);
    assert_eq!(function.variable_name(function.variables().nth(3).expect("five variables")), "y");
    assert_eq!(spelled(&function, PhiStyle::List), text, "the order of the text");
    assert!(spelled(&function, PhiStyle::Params).contains("var c, later, x, y, z\n"));
    check_spellings(&function);
    check_spellings(&to_memory(&function));
}

#[test]
fn blocks_and_operations_may_have_the_names_of_words() {
    let odd = "func func(%upsilon.0, var) {\nvar upsilon, var, entry\nentry:\n  jump phi(1)\nphi(%entry.0):\n  \
               var = entry\n  jump upsilon(%entry.0)\nupsilon(%upsilon.1):\n  return %upsilon.1\n}\n";
    check_spellings(&read::<Basic>(odd));
    let empty = read::<Basic>("func f() {\na():\n  jump b()\nb():\n  return\n}\n");
    assert_eq!(empty.to_string(), "func f() {\na:\n  jump b\nb:\n  return\n}\n");
}

/// Operands are made only where their numbers agree: a small text is no large function.
#[test]
fn a_thousand_phis_do_not_multiply_with_a_thousand_edges() {
    use std::fmt::Write;
    let mut text = String::from("func f(%p.0) {\nfrom:\n  upsilon %0 = 1 on slot 0\n  switch %p.0, [");
    text += &vec!["to"; 20_000].join(", ");
    text += "], to\nto:\n";
    for phi in 0..20_000 {
        let _ = writeln!(text, "  %{phi} = phi()");
    }
    text += "  return\n}\n";
    let errors = parse::<Basic>(&text).expect_err("operands are missing").errors;
    assert_eq!(errors.len(), SyntaxErrors::LIMIT);
    assert_eq!(errors[0].kind.to_string(), "wrong number of operands: expected 20001, one per incoming edge, got 1");
}

const TWO_DIALECTS: &str = "\u{feff}; functions
func f() {
a:
  return
}

dialect memory.basic ; from here on

func g() {
a:
  %0 = slot _
  store 1, %0
  return
}
";

#[test]
fn a_text_says_of_which_dialect_its_functions_are() {
    let outline = Outline::new(TWO_DIALECTS).expect("two functions");
    let functions: Vec<_> = outline.functions().collect();
    assert_eq!(functions.iter().map(|function| function.dialect()).collect::<Vec<_>>(), [None, Some("memory.basic")]);
    assert_eq!(functions[0].parse::<Basic>().expect("the first").name(), "f");
    let second = functions[1].parse::<Memory<Basic>>().expect("the second");
    check_spellings(&second);
    let wrong = parse_all::<Basic>(TWO_DIALECTS).expect_err("the second is of another dialect").to_string();
    let expected = "\
7:9: `memory.basic`: expected functions of dialect `basic`
    7 | dialect memory.basic ; from here on
      |         ^";
    assert_eq!(wrong, expected);
    let unknown = functions[1].unknown_dialect().to_string();
    assert!(unknown.starts_with("7:9: `memory.basic`: no such dialect\n"), "{unknown}");
    // A function whose dialect is not said may be of any.
    assert!(functions[0].parse::<Memory<Basic>>().is_ok());
    assert_eq!(read::<Basic>("dialect basic\nfunc f() {\na:\n  return\n}\n").name(), "f");
}

#[test]
fn lines_about_dialects_are_checked() {
    let check = |line: &str, column: usize, message: &str| {
        let errors = parse_all::<Basic>(&format!("{line}\nfunc f() {{\na:\n  return\n}}\n")).expect_err("it is wrong");
        let error = &errors.errors[0];
        assert_eq!((error.line, error.column, error.kind.to_string().as_str()), (1, column, message), "{line}");
    };
    check("dialect", 8, "expected the name of a dialect");
    check("  dialect 'x", 11, "the quote does not end on this line");
    check("dialect 7", 9, "expected the name of a dialect");
    check("dialect basic 7", 15, "expected the end of the line");
    check("dialects basic", 1, "expected a function or the end of the file");
    check("dialect llvm", 9, "`llvm`: expected functions of dialect `basic`");
}

#[test]
fn a_byte_order_mark_is_skipped_and_counts_as_no_column() {
    assert_eq!(read::<Basic>(&format!("\u{feff}{LISTED}")), read(LISTED));
    let errors = parse::<Basic>("\u{feff}hello").expect_err("no function").errors;
    assert_eq!((errors[0].line, errors[0].column, errors[0].source.as_str()), (1, 1, "hello"));
}
