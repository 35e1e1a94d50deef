//! Builders that construct no SSA form: what a translation costs without.

use cranelift_codegen::cursor::{Cursor, FuncCursor};
use cranelift_codegen::ir::{Block, Function, InsertBuilder, Type, Value};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_frontend::{FuncInstBuilder, FunctionBuilder, FunctionBuilderContext};
use ssaphire_jit::{Builders, Front, FrontError, Options};

/// `cranelift-frontend`'s builder, which is not told of variables: of each it knows only the value written last.
pub struct Skeleton<'f> {
    builder: FunctionBuilder<'f>,
    variables: &'f mut Vec<Value>,
}

/// [`Skeleton`], whatever function it builds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Skeletons;

impl Builders for Skeletons {
    type Context = (FunctionBuilderContext, Vec<Value>);
    type Builder<'f> = Skeleton<'f>;

    fn context(&self, _: &Options) -> Self::Context {
        (FunctionBuilderContext::new(), Vec::new())
    }
}

impl<'f> Front<'f> for Skeleton<'f> {
    type Variable = usize;
    type Context = (FunctionBuilderContext, Vec<Value>);
    type Ins<'s>
        = FuncInstBuilder<'s, 'f>
    where
        Self: 's;

    fn begin(func: &'f mut Function, (context, variables): &'f mut Self::Context) -> Self {
        variables.clear();
        Self { builder: FunctionBuilder::new(func, context), variables }
    }

    fn func(&self) -> &Function {
        self.builder.func
    }

    fn func_mut(&mut self) -> &mut Function {
        self.builder.func
    }

    fn declare_var(&mut self, _: Type) -> usize {
        self.variables.push(Value::from_u32(0));
        self.variables.len() - 1
    }

    fn def_var(&mut self, variable: usize, value: Value) {
        self.variables[variable] = value;
    }

    fn use_var(&mut self, variable: usize) -> Value {
        self.variables[variable]
    }

    fn create_block(&mut self) -> Block {
        self.builder.create_block()
    }

    fn switch_to_block(&mut self, block: Block) {
        self.builder.switch_to_block(block);
    }

    fn seal_block(&mut self, block: Block) {
        self.builder.seal_block(block);
    }

    fn ins(&mut self) -> Self::Ins<'_> {
        self.builder.ins()
    }

    fn finalize(self, config: TargetFrontendConfig) -> Result<(), FrontError> {
        self.builder.finalize(config);
        Ok(())
    }
}

/// No builder but Cranelift's functions themselves.
pub struct Bare<'f> {
    cursor: FuncCursor<'f>,
    variables: &'f mut Vec<Value>,
}

/// [`Bare`], whatever function it builds.
#[derive(Clone, Copy, Debug)]
pub(super) struct BareFunctions;

impl Builders for BareFunctions {
    type Context = Vec<Value>;
    type Builder<'f> = Bare<'f>;

    fn context(&self, _: &Options) -> Vec<Value> {
        Vec::new()
    }
}

impl<'f> Front<'f> for Bare<'f> {
    type Variable = usize;
    type Context = Vec<Value>;
    type Ins<'s>
        = InsertBuilder<'s, &'s mut FuncCursor<'f>>
    where
        Self: 's;

    fn begin(func: &'f mut Function, context: &'f mut Vec<Value>) -> Self {
        context.clear();
        Self { cursor: FuncCursor::new(func), variables: context }
    }

    fn func(&self) -> &Function {
        self.cursor.func
    }

    fn func_mut(&mut self) -> &mut Function {
        self.cursor.func
    }

    fn declare_var(&mut self, _: Type) -> usize {
        self.variables.push(Value::from_u32(0));
        self.variables.len() - 1
    }

    fn def_var(&mut self, variable: usize, value: Value) {
        self.variables[variable] = value;
    }

    fn use_var(&mut self, variable: usize) -> Value {
        self.variables[variable]
    }

    fn create_block(&mut self) -> Block {
        self.cursor.func.dfg.make_block()
    }

    fn switch_to_block(&mut self, block: Block) {
        self.cursor.insert_block(block);
    }

    fn seal_block(&mut self, _: Block) {}

    fn ins(&mut self) -> Self::Ins<'_> {
        self.cursor.ins()
    }

    fn finalize(self, _: TargetFrontendConfig) -> Result<(), FrontError> {
        Ok(())
    }
}
