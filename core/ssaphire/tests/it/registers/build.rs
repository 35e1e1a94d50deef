//! From registers to values: the front end.

use super::code::{Code, Inst, Op};
use super::host::{Host, number_of};
use ssaphire::fold::{FoldHost, Folder};
use ssaphire::{Block, Cfg, SsaBuilder, SsaBuilderExt, Strict, Value, Variable};
use std::error::Error;

/// The SSA form of the code: blocks are filled in order, and sealed as soon as those that lead there are filled.
pub(crate) fn build(
    source: &Code,
    ssa: &mut impl SsaBuilder,
    folder: &mut Folder,
) -> Result<Strict<Host>, Box<dyn Error>> {
    let mut host = Strict::new(Host::default());
    folder.clear();
    let parameter = host.value();
    ssa.set_initial(Variable::new(0), parameter);
    let cfg = source.cfg()?;
    let mut num_missing: Vec<usize> = cfg.blocks().map(|block| cfg.incoming(block).len()).collect();
    for block in cfg.blocks().filter(|block| block.index() > 0 && num_missing[block.index()] == 0) {
        ssa.try_seal_block(&mut host, block)?;
    }
    for block in cfg.blocks() {
        host.push(Op::Head, None, &[], &[block]);
        if ssa.is_unreachable(block) {
            ssa.try_terminate(block, &[])?;
        } else {
            source.insts(block).iter().try_for_each(|inst| fill(block, inst, ssa, folder, &mut host))?;
        }
        for target in cfg.successors(block) {
            num_missing[target.index()] -= 1;
            if num_missing[target.index()] == 0 {
                ssa.try_seal_block(&mut folder.watch(&mut host), target)?;
                folder.resimplify(ssa, &mut host)?;
            }
        }
    }
    let result = ssa.finish(&mut host)?;
    host.write(&result);
    host.check(&result);
    Ok(host)
}

fn fill(
    block: Block,
    inst: &Inst,
    ssa: &mut impl SsaBuilder,
    folder: &mut Folder,
    host: &mut Strict<Host>,
) -> Result<(), Box<dyn Error>> {
    let variable = |register: Value| Variable::new(register.index());
    let mut args = Vec::new();
    for &register in &inst.args {
        args.push(ssa.try_read_variable(&mut folder.watch(host), block, variable(register))?);
    }
    let value = match inst.op {
        Op::Const(number) => host.constant(number),
        Op::Move => args[0],
        Op::Input => {
            let value = host.value();
            host.push(inst.op, Some(value), &[], &[]);
            ssa.try_define(block, value)?;
            value
        }
        Op::Branch => {
            let branch = (number_of(Op::Branch), &args[..]);
            match folder.terminate(ssa, host, block, branch, &inst.blocks)? {
                Some(slot) => host.push(Op::Jump, None, &[], &[inst.blocks[slot as usize]]),
                None => host.push(inst.op, None, &args, &inst.blocks),
            }
            return Ok(());
        }
        Op::Print | Op::Jump | Op::Return => {
            if inst.op != Op::Print {
                ssa.try_terminate(block, &inst.blocks)?;
            }
            host.push(inst.op, None, &args, &inst.blocks);
            return Ok(());
        }
        op => folder.apply(ssa, host, block, number_of(op), &args)?,
    };
    if host.is_constant(value) {
        ssa.try_global(value)?;
    }
    ssa.try_write_variable(block, variable(inst.result.expect("a result")), value)?;
    Ok(())
}
