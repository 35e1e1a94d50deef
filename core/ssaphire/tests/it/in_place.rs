//! Results that the library writes into operands.

use ssaphire::{
    Block, Certified, OperandHost, PhiHost, Placed, Shown, Strict, Value, ValueCounter, Variable, finish_in_place,
};

/// A host whose instructions are uses.
#[derive(Default)]
struct Host {
    values: ValueCounter,
    operands: Vec<Value>,
    phis: Vec<(Block, Value, Vec<Value>)>,
}

impl PhiHost for Host {
    fn new_phi(&mut self, _: Block, _: Variable) -> Value {
        self.values.fresh()
    }

    fn undefined(&mut self, _: Variable) -> Value {
        self.values.fresh()
    }

    fn visit_code(&self, visit: &mut dyn FnMut(Placed<'_>)) -> Shown {
        for (place, &value) in self.operands.iter().enumerate() {
            visit(Placed::Use { place: place as u64, value });
        }
        for (block, value, operands) in &self.phis {
            visit(Placed::Phi { block: *block, value: *value, operands });
        }
        Shown::Everything
    }
}

impl OperandHost for Host {
    fn visit_operands(&mut self, visit: &mut dyn FnMut(&mut Value)) {
        self.operands.iter_mut().for_each(visit);
    }
}

/// x = v0; loop { use x; if .. { x = v1 } }; dead: use x
fn build(ssa: &mut Certified, host: &mut Strict<Host>) {
    let [top, header, then, back, dead] = [0, 1, 2, 3, 4].map(Block::new);
    let x = Variable::new(0);
    let [first, second] = [host.values.fresh(), host.values.fresh()];
    ssa.define(top, first);
    ssa.write_variable(top, x, first);
    ssa.terminate(top, &[header]);
    let read = ssa.read_variable(host, header, x);
    host.operands.push(read);
    ssa.terminate(header, &[then, back]);
    ssa.define(then, second);
    ssa.write_variable(then, x, second);
    ssa.terminate(then, &[back]);
    ssa.terminate(back, &[header]);
    let read = ssa.read_variable(host, dead, x);
    host.operands.push(read);
    ssa.terminate(dead, &[header]);
    for block in [header, then, back, dead] {
        ssa.seal_block(host, block);
    }
}

#[test]
fn strict_and_certified_look_at_what_is_written_in_place() {
    for is_wrong in [false, true] {
        let (mut ssa, mut host) = (Certified::default(), Strict::new(Host::default()));
        build(&mut ssa, &mut host);
        let result = finish_in_place(&mut ssa, &mut host).unwrap();
        assert!(result.phis.iter().all(|phi| result.phis.is_reachable(phi.block)));
        let phis: Vec<_> = result.phis.iter().map(|phi| (phi.block, phi.value, phi.operands.to_vec())).collect();
        host.check_uses(&result, host.operands.iter().copied());
        assert_eq!(phis.len(), 2);
        host.phis = phis;
        if is_wrong {
            host.operands[0] = Value::new(0);
        }
        ssa.compare(&host);
        assert_eq!(ssa.complaints().len(), usize::from(is_wrong), "{:?}", ssa.complaints());
    }
}
