//! Blocks, loops, conditionals and branches.

use super::translation::{Frame, Kind, Translation, block_args, number_type};
use crate::Front;
use cranelift_codegen::ir::{Block, BlockCall, InstBuilder, JumpTableData, Value};
use wasmparser::{BlockType, FuncType, Operator, ValType};

/// Whether the operator has an `end` of its own.
pub(super) fn opens_block(operator: &Operator<'_>) -> bool {
    matches!(
        operator,
        Operator::Block { .. }
            | Operator::Loop { .. }
            | Operator::If { .. }
            | Operator::TryTable { .. }
            | Operator::Try { .. }
    )
}

impl<'f, F: Front<'f>> Translation<'_, 'f, F> {
    pub(super) fn open_function(&mut self, ty: &FuncType) -> Option<()> {
        let end = self.block_with(ty.results())?;
        let num_results = ty.results().len();
        self.frames.push(Frame {
            kind: Kind::Block,
            end,
            num_params: 0,
            num_results,
            height: 0,
            is_left: false,
            params: Vec::new(),
        });
        Some(())
    }

    /// Creates a block with parameters of these types.
    fn block_with(&mut self, types: &[ValType]) -> Option<Block> {
        let block = self.builder.create_block();
        for &ty in types {
            let ty = number_type(ty)?;
            self.builder.func_mut().dfg.append_block_param(block, ty);
        }
        Some(block)
    }

    /// The parameter and result types of a block, if all of them are numbers.
    fn block_types(&self, ty: BlockType) -> Option<(Vec<ValType>, Vec<ValType>)> {
        let (params, results) = self.any_block_types(ty);
        params.iter().chain(&results).all(|&ty| number_type(ty).is_some()).then_some((params, results))
    }

    fn any_block_types(&self, ty: BlockType) -> (Vec<ValType>, Vec<ValType>) {
        match ty {
            BlockType::Empty => (Vec::new(), Vec::new()),
            BlockType::Type(ty) => (Vec::new(), vec![ty]),
            BlockType::FuncType(number) => {
                let types = self.module.types();
                let ty = types[types.as_ref().core_type_at_in_module(number)].unwrap_func();
                (ty.params().to_vec(), ty.results().to_vec())
            }
        }
    }

    /// Continues in a block that may have several predecessors.
    fn switch_to(&mut self, block: Block) {
        self.builder.switch_to_block(block);
        self.begin_stretch();
    }

    /// Ends the reachable part of the frame: control does not continue.
    pub(super) fn leave(&mut self) -> Option<()> {
        self.is_reachable = false;
        Some(())
    }

    /// Skips an unreachable operator.
    pub(super) fn skip(&mut self, operator: &Operator<'_>) -> Option<()> {
        match operator {
            _ if opens_block(operator) => self.skipped += 1,
            Operator::Else if self.skipped == 0 => return self.otherwise(),
            Operator::End if self.skipped == 0 => return self.close(),
            // A legacy `try` with `delegate` has no `end`. A reachable one is not supported.
            Operator::End | Operator::Delegate { .. } => self.skipped = self.skipped.saturating_sub(1),
            _ => {}
        }
        Some(())
    }

    /// Translates an operator of structured control or a branch.
    pub(super) fn control(&mut self, operator: &Operator<'_>) -> Option<()> {
        match *operator {
            Operator::Block { blockty } => self.open(blockty, Kind::Block),
            Operator::Loop { blockty } => self.open_loop(blockty),
            Operator::If { blockty } => self.open_if(blockty),
            Operator::Else => self.otherwise(),
            Operator::End => self.close(),
            Operator::Br { relative_depth } => self.br(relative_depth),
            Operator::BrIf { relative_depth } => self.br_if(relative_depth),
            Operator::BrTable { ref targets } => {
                let default = targets.default();
                let targets: Vec<u32> = targets.targets().collect::<Result<_, _>>().ok()?;
                self.br_table(&targets, default)
            }
            Operator::Return => self.br(self.frames.len() as u32 - 1),
            _ => None,
        }
    }

    fn open(&mut self, ty: BlockType, kind: Kind) -> Option<()> {
        let (params, results) = self.block_types(ty)?;
        let end = self.block_with(&results)?;
        let height = self.stack.len().checked_sub(params.len())?;
        let (num_params, num_results) = (params.len(), results.len());
        let params = self.stack[height..].to_vec();
        self.frames.push(Frame { kind, end, num_params, num_results, height, is_left: false, params });
        Some(())
    }

    fn open_loop(&mut self, ty: BlockType) -> Option<()> {
        let (params, _) = self.block_types(ty)?;
        let header = self.block_with(&params)?;
        let args = self.pop_many(params.len())?;
        self.builder.ins().jump(header, &block_args(&args));
        self.switch_to(header);
        self.count_way_back();
        self.stack.extend_from_slice(self.builder.func().dfg.block_params(header));
        self.open(ty, Kind::Loop { header })
    }

    fn open_if(&mut self, ty: BlockType) -> Option<()> {
        // Unsupported types are detected before the block is left.
        self.block_types(ty)?;
        let condition = self.pop()?;
        let [then, otherwise] = [self.builder.create_block(), self.builder.create_block()];
        self.builder.ins().brif(condition, then, &[], otherwise, &[]);
        self.builder.seal_block(then);
        self.builder.seal_block(otherwise);
        self.switch_to(then);
        self.open(ty, Kind::If { otherwise: Some(otherwise) })
    }

    /// Ends the part before the `else`, and continues after it.
    fn otherwise(&mut self) -> Option<()> {
        self.fall_out()?;
        let frame = self.frames.last_mut()?;
        let Kind::If { otherwise } = &mut frame.kind else { return None };
        let block = otherwise.take()?;
        let (height, params) = (frame.height, frame.params.clone());
        self.begin_otherwise(block, height, params)
    }

    fn begin_otherwise(&mut self, block: Block, height: usize, params: Vec<Value>) -> Option<()> {
        self.switch_to(block);
        self.stack.truncate(height);
        self.stack.extend(params);
        self.is_reachable = true;
        Some(())
    }

    /// Jumps to the end of the frame with its results, if the current point is reachable.
    fn fall_out(&mut self) -> Option<()> {
        if self.is_reachable {
            let num_results = self.frames.last()?.num_results;
            let results = self.pop_many(num_results)?;
            let frame = self.frames.last_mut()?;
            frame.is_left = true;
            self.builder.ins().jump(frame.end, &block_args(&results));
        }
        Some(())
    }

    fn close(&mut self) -> Option<()> {
        self.fall_out()?;
        if let Frame { kind: Kind::If { otherwise: Some(block) }, height, ref params, .. } = *self.frames.last()? {
            // Without an `else`, the operands are the results.
            let params = params.clone();
            self.begin_otherwise(block, height, params)?;
            self.fall_out()?;
        }
        let Frame { kind, end, height, is_left, .. } = self.frames.pop()?;
        if let Kind::Loop { header } = kind {
            self.builder.seal_block(header);
        }
        self.builder.seal_block(end);
        self.stack.truncate(height);
        self.is_reachable = is_left;
        if is_left {
            self.switch_to(end);
            self.stack.extend_from_slice(self.builder.func().dfg.block_params(end));
            if self.frames.is_empty() {
                let results = std::mem::take(&mut self.stack);
                self.builder.ins().return_(&results);
            }
        }
        Some(())
    }

    /// The destination of a branch of depth `depth`, and its number of operands. Notes that the frame's end has an
    /// edge.
    fn label(&mut self, depth: u32) -> Option<(Block, usize)> {
        let place = self.frames.len().checked_sub(1 + depth as usize)?;
        let frame = &mut self.frames[place];
        Some(match frame.kind {
            Kind::Loop { header } => (header, frame.num_params),
            Kind::Block | Kind::If { .. } => {
                frame.is_left = true;
                (frame.end, frame.num_results)
            }
        })
    }

    fn br(&mut self, depth: u32) -> Option<()> {
        let (block, count) = self.label(depth)?;
        let args = self.pop_many(count)?;
        self.builder.ins().jump(block, &block_args(&args));
        self.leave()
    }

    fn br_if(&mut self, depth: u32) -> Option<()> {
        let condition = self.pop()?;
        let (block, count) = self.label(depth)?;
        let args = block_args(&self.stack[self.stack.len().checked_sub(count)?..]);
        let next = self.builder.create_block();
        self.builder.ins().brif(condition, block, &args, next, &[]);
        self.builder.seal_block(next);
        self.switch_to(next);
        Some(())
    }

    fn br_table(&mut self, targets: &[u32], default: u32) -> Option<()> {
        let index = self.pop()?;
        let (otherwise, count) = self.label(default)?;
        let args = block_args(&self.pop_many(count)?);
        let mut blocks = Vec::with_capacity(targets.len());
        for &target in targets {
            blocks.push(self.label(target)?.0);
        }
        let pool = &mut self.builder.func_mut().dfg.value_lists;
        let mut call = |block| BlockCall::new(block, args.iter().copied(), pool);
        let otherwise = call(otherwise);
        let calls: Vec<BlockCall> = blocks.into_iter().map(call).collect();
        let table = self.builder.func_mut().create_jump_table(JumpTableData::new(otherwise, &calls));
        self.builder.ins().br_table(index, table);
        self.leave()
    }
}
