//! A host that keeps what it is told, for the tests of this crate.

use ssaphire_construct::{CallError, CallErrorKind, PhiHost, Ssa, SsaBuilder, SsaBuilderExt};
use ssaphire_graph::{Block, Value, Variable};

/// Values are numbered as they come; phis are kept as text.
#[derive(Default)]
pub(crate) struct Recorder {
    pub(crate) next_value: usize,
    /// What each undefined variable got.
    pub(crate) undefined: Vec<(Variable, Value)>,
    /// `block: value = phi(operands)`, in order of hand-over.
    pub(crate) phis: Vec<String>,
    pub(crate) forwarded: Vec<(Value, Value)>,
    pub(crate) unused: Vec<Value>,
}

impl Recorder {
    pub(crate) fn value(&mut self) -> Value {
        self.next_value += 1;
        Value::new(self.next_value - 1)
    }
}

impl PhiHost for Recorder {
    fn new_phi(&mut self, _block: Block, _variable: Variable) -> Value {
        self.value()
    }

    fn undefined(&mut self, variable: Variable) -> Value {
        let value = self.value();
        self.undefined.push((variable, value));
        value
    }
}

impl Recorder {
    /// Takes the result: the last step.
    pub(crate) fn write(&mut self, result: &Ssa<'_>) {
        let Ssa { phis, stands_for, .. } = result;
        for phi in phis.iter() {
            let operands: Vec<String> = phi.edge_operands().map(|operand| format!("{}", operand.value)).collect();
            self.phis.push(format!("{}: {} = phi({})", phi.block, phi.value, operands.join(", ")));
        }
        let unknown = Block::new(Block::LIMIT - 1);
        assert_eq!((phis.incoming(unknown).len(), phis.in_block(unknown).len()), (0, 0));
        self.forwarded.extend(stands_for.iter());
        self.unused.extend_from_slice(phis.unused());
    }
}

/// Why the call was refused, if it was.
pub(crate) fn kind<T>(result: Result<T, CallError>) -> Option<CallErrorKind> {
    result.err().map(|error| error.kind().clone())
}

/// Finishes, and writes the result.
pub(crate) fn finish(builder: &mut impl SsaBuilder, host: &mut Recorder) -> Result<(), CallError> {
    let result = builder.finish(host)?;
    host.write(&result);
    Ok(())
}

pub(crate) fn block(index: usize) -> Block {
    Block::new(index)
}

pub(crate) fn var(index: usize) -> Variable {
    Variable::new(index)
}

/// Writes a fresh value.
pub(crate) fn write(builder: &mut impl SsaBuilder, host: &mut Recorder, at: usize, variable: usize) -> Value {
    let value = host.value();
    builder.write_variable(block(at), var(variable), value);
    value
}

/// Terminates a block with edges to the blocks numbered so.
pub(crate) fn terminate(builder: &mut impl SsaBuilder, from: usize, to: &[usize]) {
    let targets: Vec<Block> = to.iter().map(|&target| block(target)).collect();
    builder.terminate(block(from), &targets);
}
