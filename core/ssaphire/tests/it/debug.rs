//! `Debug` of results.

use ssaphire::{Block, Builder, PhiHost, Value, Variable};

/// Numbers from 2 on.
struct Numbers(usize);

impl Numbers {
    fn next(&mut self) -> Value {
        self.0 += 1;
        Value::new(self.0 - 1)
    }
}

impl PhiHost for Numbers {
    fn new_phi(&mut self, _: Block, _: Variable) -> Value {
        self.next()
    }

    fn undefined(&mut self, _: Variable) -> Value {
        self.next()
    }
}

#[test]
fn a_result_shows_what_values_stand_for() {
    // A loop that writes one variable, and reads another.
    let (mut host, mut ssa) = (Numbers(2), Builder::default());
    let [entry, header, body] = [0, 1, 2].map(Block::new);
    let [kept, changed] = [0, 1].map(Variable::new);
    ssa.write_variable(entry, kept, Value::new(0));
    ssa.write_variable(entry, changed, Value::new(1));
    ssa.terminate(entry, &[header]);
    let phis = [kept, changed].map(|variable| ssa.read_variable(&mut host, header, variable));
    assert_eq!(phis, [2, 3].map(Value::new));
    ssa.terminate(header, &[body]);
    ssa.seal_block(&mut host, body);
    let next = host.next();
    ssa.write_variable(body, changed, next);
    ssa.terminate(body, &[header]);
    ssa.seal_block(&mut host, header);
    let result = ssa.finish(&mut host).unwrap();
    assert_eq!(format!("{:?}", result.stands_for), "{v2: v0}");
    let phi = "KeptPhi { value: v3, block: block1, variable: x1, operands: [v1, v4], \
               edges: [IncomingEdge { source: block0, slot: 0 }, IncomingEdge { source: block2, slot: 0 }] }";
    assert_eq!(format!("{result:?}"), format!("Ssa {{ phis: [{phi}], stands_for: {{v2: v0}}, undefined_reads: [] }}"));
}
