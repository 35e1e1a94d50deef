//! Certificates as text, format 2: one line per fact, so that any compiler can write them.
//!
//! ```text
//! ssacert 2                 the first line of the text
//! program NAME              begins a program; several may follow each other
//! entry B                   the block where control enters
//! global V                  V is bound before the entry: a constant or a parameter
//! undef V                   V is a distinguished undefined value, bound before the entry too
//! initial X V               variable X has value V at the entry
//! block B p1 .. pk          a block and the sources of its incoming edges
//! phi W a1 .. ak            a phi of that block, one operand per incoming edge
//! dropped W a1 .. ak        a phi of that block that is not in the result: evidence for other claims
//! def X V                   X is assigned V: a result made here, or a global
//! use X V                   X is read, and the read is claimed to give V
//! copy X Y                  X is assigned the content of Y
//! compute V F a1 .. ak      V, which the next line defines, is the result of operator F for these values
//! opaque V F a1 .. ak       the same, but V depends on more than these values: it is congruent to nothing else
//! op V E F a1 .. ak         F of these values was folded to V, by equation E
//! late W V E F a1 .. ak     the same, found after an instruction had computed it as W
//! branch E F a1 .. ak to t1 .. tn
//!                           branch F of these values, to these blocks by slot, was decided: by equation E
//! equation s1 .. = t1 ..    two terms that are always the same; equations are numbered as they come
//! operator F NAME           the name of operator F
//! constant V NAME           the name of global V
//! num V N                   the number of V, to prove minimality
//! live W RANK USER          a use of phi W, to prove prunedness
//! end                       ends the program
//! ```
//!
//! Tokens are separated by blanks. Ids are those of the library plus one, since they start at 1. The blocks of a
//! program are numbered without a gap, and may come in any order; the phis of a block come before its events. All other
//! lines of a program may come anywhere in it. `live W 0 0` claims that `W` has a use that is not a phi. `op V 0 ..`
//! claims that V is computed by F from the same values, elsewhere. In NAME a byte that is a control code, a blank or
//! `%` is written as `%` and two hexadecimal digits, and `%` alone is the empty name.
//!
//! The symbols of a term come in prefix order: `F/k` is F applied to the k terms that follow, `?n` anything, `?n:F`
//! anything that F gives, `V` a global, and `@s/k` slot s of k, counted from 0. The right side of the equation of a
//! `branch` is such a slot, k is the number of targets, and the only outgoing edge of the block leads to the target of
//! slot s.
//!
//! A `dropped` phi merges its operands as a `phi` does, and may answer a `use` and be an argument or the value of
//! `compute`, `op`, `late` and `branch`. It is no phi of the result: no `phi` has it as an operand, proofs of
//! minimality and prunedness ignore it, and no instruction may use the result of a read that it answers.
//! Every value in `compute`, `op`, `late` and `branch` has a definition that dominates the line: a `global`, `undef`,
//! `phi`, `dropped` or `def`; or it is the W of a `late` line that dominates it.
//!
//! A reader accepts 2^20 ids for all programs of a text together, and 16 more for each of its bytes. The judge matches
//! applications with equations for at most 64 symbols, on average, for each application, argument and symbol of a
//! program; it refuses the applications after that.
//!
//! Format 2 has changed before its first release. A decided branch was `op 0 E F a1 .. ak`, which did not say where it
//! leads; arguments of `op` and `late` needed no definition; there were no `dropped` lines.
//!
//! There are no comments and no empty lines: an unknown line is an error, so no reader silently ignores a claim. Names
//! are for people, and for checkers that know the operators: the judge takes equations as given.

mod error;
mod line;
mod read;

pub use error::{ParseError, ParseErrorKind};
pub use read::{DEFAULT_LIMIT, Reader};

use crate::program::{Application, Grounds, Program, ProgramEvent, Rank, Symbol};
use core::fmt::{self, Write};
use ssaphire_graph::{Block, Cfg, Id};

/// The first line of the text, without its line break.
pub const HEADER: &str = "ssacert 2";

/// Writes a whole text: the header, then each program with its name.
///
/// # Errors
/// If `out` returns one.
///
/// # Examples
/// ```
/// use ssaphire::check::{Program, ProgramEvent, certificate};
/// use ssaphire::{Block, Value, Variable};
///
/// let (block, variable, value) = (Block::new(0), Variable::new(0), Value::new(0));
/// let mut program = Program::new();
/// let mut writer = program.rewrite(block);
/// writer.block(block, []);
/// writer.event(ProgramEvent::Def { variable, value });
/// writer.finish()?;
///
/// let mut text = String::new();
/// certificate::write(&mut text, [("f", &program)])?;
/// assert_eq!(text, "ssacert 2\nprogram f\nentry 1\nblock 1\ndef 1 1\nend\n");
///
/// let (name, read) = certificate::Reader::new(text.lines()).next().unwrap()?;
/// assert_eq!((name.as_str(), read), ("f", program));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write<'a>(out: &mut dyn Write, programs: impl IntoIterator<Item = (&'a str, &'a Program)>) -> fmt::Result {
    writeln!(out, "{HEADER}")?;
    programs.into_iter().try_for_each(|(name, program)| write_program(out, name, program))
}

/// Writes one program, from its `program` line to its `end` line.
///
/// # Errors
/// If `out` returns one.
pub fn write_program(out: &mut dyn Write, name: &str, program: &Program) -> fmt::Result {
    out.write_str("program ")?;
    write_name(out, name)?;
    writeln!(out, "entry {}", number(program.entry()))?;
    for &value in program.global_list() {
        writeln!(out, "global {}", number(value))?;
    }
    for &value in program.undefined_list() {
        writeln!(out, "undef {}", number(value))?;
    }
    for &(variable, value) in program.initial_list() {
        writeln!(out, "initial {} {}", number(variable), number(value))?;
    }
    write_laws(out, program)?;
    for block in program.blocks() {
        write_block(out, program, block)?;
    }
    for &(value, order) in program.number_list() {
        writeln!(out, "num {} {order}", number(value))?;
    }
    for &Rank { phi, rank, user } in program.rank_list() {
        writeln!(out, "live {} {rank} {}", number(phi), user.map_or(0, number))?;
    }
    writeln!(out, "end")
}

/// The text of the certificate.
impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_program(f, "", self)
    }
}

/// Writes the names of operators and constants, and the equations.
fn write_laws(out: &mut dyn Write, program: &Program) -> fmt::Result {
    for (operator, name) in program.operator_names() {
        write!(out, "operator {} ", number(operator))?;
        write_name(out, name)?;
    }
    for (value, name) in program.global_names() {
        write!(out, "constant {} ", number(value))?;
        write_name(out, name)?;
    }
    let write_term = |out: &mut dyn Write, term: &[Symbol]| term.iter().try_for_each(|symbol| write!(out, " {symbol}"));
    for equation in program.equation_list() {
        out.write_str("equation")?;
        write_term(out, &equation.left)?;
        out.write_str(" =")?;
        write_term(out, &equation.right)?;
        out.write_char('\n')?;
    }
    Ok(())
}

fn write_block(out: &mut dyn Write, program: &Program, block: Block) -> fmt::Result {
    write_row(out, "block", block, program.incoming(block))?;
    for &phi in program.phi_list(block) {
        let word = if phi.is_dropped { "dropped" } else { "phi" };
        write_row(out, word, phi.value, program.operand_list(phi))?;
    }
    let mut applications = program.application_list(block).iter().peekable();
    for (position, &event) in (0..).zip(program.event_list(block)) {
        while let Some(&application) = applications.next_if(|application| application.position <= position) {
            write_application(out, program, application)?;
        }
        match event {
            ProgramEvent::Def { variable, value } => writeln!(out, "def {} {}", number(variable), number(value))?,
            ProgramEvent::Use { variable, value } => writeln!(out, "use {} {}", number(variable), number(value))?,
            ProgramEvent::Copy { dst, src } => writeln!(out, "copy {} {}", number(dst), number(src))?,
        }
    }
    applications.try_for_each(|&application| write_application(out, program, application))
}

fn write_application(out: &mut dyn Write, program: &Program, application: Application) -> fmt::Result {
    let Application { value, operator, grounds, late, .. } = application;
    match (grounds, late, value) {
        (Grounds::Computed, ..) => out.write_str("compute")?,
        (Grounds::Opaque, ..) => out.write_str("opaque")?,
        (_, Some(name), _) => write!(out, "late {}", number(name))?,
        (_, None, Some(_)) => out.write_str("op")?,
        (_, None, None) => out.write_str("branch")?,
    }
    let is_branch = value.is_none();
    if let Some(value) = value {
        write!(out, " {}", number(value))?;
    }
    match grounds {
        Grounds::Computed | Grounds::Opaque => {}
        Grounds::Congruent => out.write_str(" 0")?,
        Grounds::Equation(equation) => write!(out, " {}", number(equation))?,
    }
    write!(out, " {}", number(operator))?;
    program.argument_list(application).iter().try_for_each(|&arg| write!(out, " {}", number(arg)))?;
    if is_branch {
        out.write_str(" to")?;
        program.target_list(application).iter().try_for_each(|&target| write!(out, " {}", number(target)))?;
    }
    out.write_char('\n')
}

fn write_row<K: Id, L: Id>(out: &mut dyn Write, word: &str, id: K, list: &[L]) -> fmt::Result {
    write!(out, "{word} {}", number(id))?;
    list.iter().try_for_each(|&id| write!(out, " {}", number(id)))?;
    out.write_char('\n')
}

fn write_name(out: &mut dyn Write, name: &str) -> fmt::Result {
    if name.is_empty() {
        out.write_char('%')?;
    }
    for char in name.chars() {
        match char {
            '\0'..=' ' | '%' | '\x7f' => write!(out, "%{:02x}", u32::from(char))?,
            _ => out.write_char(char)?,
        }
    }
    out.write_char('\n')
}

/// The number of an id in the text.
fn number(id: impl Id) -> usize {
    id.index() + 1
}
