//! Operands by predecessor, for IRs in which a block is at most once a predecessor of another.

use super::KeptPhi;
use alloc::vec::Vec;
use core::fmt;
use ssaphire_graph::{Block, IncomingEdge, Value};

/// Two edges from one block to another pass different operands to a phi.
///
/// An IR whose phis have an operand for each predecessor cannot express this: split one of the edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OperandsDiffer {
    /// The phi.
    pub phi: Value,
    /// Its block.
    pub block: Block,
    /// The block that both edges leave.
    pub source: Block,
    /// An operand on each of the two edges, by slot.
    pub operands: [Value; 2],
}

impl fmt::Display for OperandsDiffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { phi, block, source, operands: [first, second] } = self;
        write!(
            f,
            "{phi}: has operands {first} and {second} on two edges from {source} to {block}: split one of these edges"
        )
    }
}

impl core::error::Error for OperandsDiffer {}

impl KeptPhi<'_> {
    /// The operands by predecessor, each predecessor once, in the order of their first edges.
    ///
    /// # Errors
    /// If two edges from one block have different operands: split one of them before construction, or keep operands by
    /// edge.
    ///
    /// # Complexity
    /// O(*e* log *e*) for *e* incoming edges.
    ///
    /// # Examples
    /// ```
    /// use ssaphire::{Block, Builder, PhiHost, SsaBuilder, Value, Variable};
    ///
    /// struct Numbers(usize);
    ///
    /// impl PhiHost for Numbers {
    ///     fn new_phi(&mut self, _: Block, _: Variable) -> Value { self.0 += 1; Value::new(self.0 - 1) }
    ///     fn undefined(&mut self, variable: Variable) -> Value { self.new_phi(Block::new(0), variable) }
    /// }
    ///
    /// // switch (..) { case 1: case 2: break; default: x = .. } use x
    /// let (mut host, mut ssa) = (Numbers(2), Builder::default());
    /// let ([top, arm, join], x) = ([0, 1, 2].map(Block::new), Variable::new(0));
    /// let [first, second] = [0, 1].map(Value::new);
    /// ssa.write_variable(top, x, first);
    /// ssa.terminate(top, &[join, join, arm]);
    /// ssa.seal_block(&mut host, arm);
    /// ssa.write_variable(arm, x, second);
    /// ssa.terminate(arm, &[join]);
    /// ssa.seal_block(&mut host, join);
    /// ssa.read_variable(&mut host, join, x);
    /// ssa.terminate(join, &[]);
    /// let result = ssa.finish(&mut host).unwrap();
    /// let phi = result.phis.iter().next().unwrap();
    /// assert_eq!(phi.operands, [first, first, second]);
    /// assert_eq!(phi.operands_by_source()?, [(top, first), (arm, second)]);
    /// # Ok::<(), ssaphire::OperandsDiffer>(())
    /// ```
    pub fn operands_by_source(&self) -> Result<Vec<(Block, Value)>, OperandsDiffer> {
        by_source((self.value, self.block), self.edges, self.operands)
    }
}

/// The operands of the phi by predecessor, each predecessor once, in the order of their first edges.
///
/// # Errors
/// If two edges from one block have different operands.
pub fn by_source(
    (phi, block): (Value, Block),
    edges: &[IncomingEdge],
    operands: &[Value],
) -> Result<Vec<(Block, Value)>, OperandsDiffer> {
    let mut order: Vec<usize> = (0..edges.len().min(operands.len())).collect();
    order.sort_unstable_by_key(|&index| (edges[index].source, index));
    let mut kept = Vec::with_capacity(order.len());
    for index in order {
        let (source, value) = (edges[index].source, operands[index]);
        match kept.last() {
            Some(&(_, other, first)) if other == source => {
                if first != value {
                    return Err(OperandsDiffer { phi, block, source, operands: [first, value] });
                }
            }
            _ => kept.push((index, source, value)),
        }
    }
    kept.sort_unstable_by_key(|&(index, ..)| index);
    Ok(kept.into_iter().map(|(_, source, value)| (source, value)).collect())
}

#[cfg(test)]
mod tests {
    use super::KeptPhi;
    use alloc::string::ToString;
    use ssaphire_graph::{Block, IncomingEdge, Value, Variable};

    #[test]
    fn edges_of_one_source_need_not_stand_side_by_side() {
        let edge = |source, slot| IncomingEdge { source: Block::new(source), slot };
        let edges = [edge(3, 0), edge(1, 0), edge(3, 1)];
        let [one, two] = [1, 2].map(Value::new);
        let by_source = |operands: &[Value]| {
            let (value, block, variable) = (Value::new(9), Block::new(4), Variable::new(0));
            KeptPhi { value, block, variable, operands, edges: &edges }.operands_by_source()
        };
        assert_eq!(by_source(&[two, one, two]).unwrap(), [(Block::new(3), two), (Block::new(1), one)]);
        let differ = by_source(&[two, one, one]).unwrap_err();
        assert_eq!(
            differ.to_string(),
            "v9: has operands v2 and v1 on two edges from block3 to block4: split one of these edges"
        );
    }
}
