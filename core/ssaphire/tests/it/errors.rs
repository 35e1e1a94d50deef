//! What errors wrap: `source` leads to each error whose words are not shown already.

use ssaphire::check::certificate::{ParseErrorKind, Reader};
use ssaphire::check::{Program, ProgramError};
use ssaphire::graph::CfgError;
use ssaphire::{
    BatchError, Block, Builder, Call, CallError, CallErrorKind, CertifyError, ContractError, IdError, IdLimits,
    SsaBuilder, Stopped, Value, Variable, rename,
};
use std::error::Error;

/// The words of the error and of all below it.
fn chain(error: &dyn Error) -> Vec<String> {
    let (mut words, mut next) = (Vec::new(), Some(error));
    while let Some(error) = next {
        words.push(error.to_string());
        next = error.source();
    }
    words
}

fn too_large() -> IdError {
    IdLimits { values: 5, ..IdLimits::default() }.check_value(Value::new(7)).unwrap_err()
}

#[test]
fn variants_without_words_of_their_own_are_transparent() {
    let stopped = Stopped::Contract(ContractError::Id(too_large()));
    let words = ["v7: exceeds the limit of 5 values (returned by the host)", "v7: exceeds the limit of 5 values"];
    assert_eq!(chain(&stopped), words);
    let refused = CallError::new(Call::Finish, stopped);
    assert_eq!(chain(&refused), words);
    let found = BatchError::Call(refused);
    assert_eq!(chain(&found), words);
    assert_eq!(found.source().and_then(|source| source.downcast_ref()), Some(&too_large()));
}

#[test]
fn an_error_that_shows_all_there_is_has_no_source() {
    assert_eq!(chain(&CallError::new(Call::Finish, too_large())), ["v7: exceeds the limit of 5 values"]);
    assert_eq!(chain(&CallError::new(Call::Finish, Stopped::Finished)).len(), 1);
    let entry = Block::new(3);
    assert_eq!(chain(&BatchError::Cfg(CfgError::NoEntry { entry, num_blocks: 2 })).len(), 1);
    assert_eq!(chain(&CertifyError::Program(ProgramError::OutsideBlock)).len(), 1);
}

#[test]
fn unwrap_shows_the_sentence() {
    let (mut ssa, block, variable) = (Builder::new(), Block::new(0), Variable::new(2));
    ssa.terminate(block, &[]);
    let error = ssa.try_write_variable(block, variable, Value::new(0)).unwrap_err();
    assert_eq!(format!("{error:?}"), "block0: x2 is written after the block was filled");
    // Any other pair of a call and a reason is shown, too.
    let other = CallError::new(Call::Finish, CallErrorKind::Twice);
    assert_eq!(other.to_string(), "Finish was refused: Twice");
}

#[test]
fn a_function_without_blocks_is_said_to_have_none() {
    let error = rename::<Vec<_>, Vec<_>>([], &[]).expect_err("no block");
    assert_eq!(error.to_string(), "the graph has no blocks, and so no entry");
}

#[test]
fn an_error_with_a_place_leads_to_what_is_wrong_there() {
    let (mut name, mut program) = (String::new(), Program::new());
    let read = Reader::new("ssacert 1\n".lines()).read_into(&mut name, &mut program);
    let error = read.expect("a line").expect_err("another format");
    let words = chain(&error);
    assert_eq!(words.len(), 2, "{words:?}");
    assert!(words[0].ends_with(&words[1]), "{words:?}");
    assert_eq!(error.source().and_then(|source| source.downcast_ref::<ParseErrorKind>()), Some(&error.kind));
}
