//! What engines that decide at the end make of code that nothing reaches, and of values that are not there.

use super::contracts::{block, seal, terminate, x};
use ssaphire::{SsaBuilderExt, Value};
use ssaphire_literature::{AnyBuilder, Engine};
use ssaphire_tests::FinishInto;
use ssaphire_tests::{Origin, TestHost};

/// 0; and 1 -> 2, which no path reaches.
#[test]
pub(crate) fn what_a_variable_holds_on_entry_is_not_what_dead_code_reads() {
    for &engine in Engine::ALL {
        let (mut ssa, mut host) = (AnyBuilder::new(engine), TestHost::default());
        let parameter = host.value(Origin::Undefined(None));
        ssa.set_initial(x(), parameter);
        seal(&mut ssa, &mut host, &[1]);
        terminate(&mut ssa, 0, &[]);
        terminate(&mut ssa, 1, &[2]);
        seal(&mut ssa, &mut host, &[2]);
        let read = ssa.read_variable(&mut host, block(2), x());
        terminate(&mut ssa, 2, &[]);
        ssa.finish_into(&mut host).unwrap();
        let found = host.origins[host.resolve(read).index()];
        assert_eq!(found, Origin::Undefined(Some(x())), "{engine}");
    }
}

/// 0 -> 1: block 0 writes what block 1 has read, as no front end should.
#[test]
pub(crate) fn a_value_that_comes_from_itself_is_undefined() {
    for &engine in Engine::ALL {
        let (mut ssa, mut host) = (AnyBuilder::new(engine), TestHost::default());
        let read: Value = ssa.read_variable(&mut host, block(1), x());
        terminate(&mut ssa, 1, &[]);
        ssa.write_variable(block(0), x(), read);
        terminate(&mut ssa, 0, &[1]);
        seal(&mut ssa, &mut host, &[1]);
        ssa.finish_into(&mut host).unwrap();
        let found = host.origins[host.resolve(read).index()];
        assert_eq!(found, Origin::Undefined(Some(x())), "{engine}");
    }
}
