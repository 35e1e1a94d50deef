//! An operator with its immediates.

use super::opcode::Opcode;
use std::sync::Arc;
use wasmparser::{HeapType, MemArg, MemArgOrdering, MemArgTarget, Operator, Ordering, RefType};

/// The name of a function. All calls of it share one.
pub type FunctionName = Arc<Box<str>>;

/// An operator of WebAssembly. Its operands are the arguments of the instruction; its labels are the targets.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Op {
    /// The operator without its immediates.
    pub opcode: Opcode,
    /// The rest of its encoding.
    pub immediates: Immediates,
}

/// The immediates of an operator, without labels, and without types that are known otherwise.
///
/// Every instruction contains one, so rare and long immediates are boxed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Immediates {
    /// Nothing.
    None,
    /// The number of a type, table, global, tag, segment or memory.
    Index(u32),
    /// Two such numbers.
    Indices(u32, u32),
    /// A function.
    Callee {
        /// Its number.
        index: u32,
        /// Its name, if it has one.
        name: Option<FunctionName>,
    },
    /// A lane of a vector.
    Lane(u8),
    /// The lanes of a shuffle.
    Lanes(Box<[u8; 16]>),
    /// An access to the first memory.
    Memory {
        /// Bytes to be added to the address.
        offset: u64,
        /// The logarithm of the alignment, where it is not the natural one.
        align: Option<u8>,
    },
    /// An access to another memory.
    OtherMemory(Box<Memory>),
    /// An access to memory for one lane of a vector.
    MemoryLane(Box<(Memory, u8)>),
    /// A heap type.
    Heap(HeapType),
    /// The source and target types of a cast.
    Cast {
        /// The type before the cast.
        from: RefType,
        /// The type after the cast.
        to: RefType,
    },
    /// The given immediates, of an atomic operation with acquire-release order. Without this, it is sequentially
    /// consistent.
    AcquireRelease(Box<Self>),
}

/// The memory, offset and alignment of an access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Memory {
    /// Bytes to be added to the address.
    pub offset: u64,
    /// Number of the memory.
    pub memory: u32,
    /// The logarithm of the alignment, where it is not the natural one.
    pub align: Option<u8>,
}

impl Immediates {
    /// An access to memory.
    pub fn access(access: Memory) -> Self {
        match access {
            Memory { memory: 0, offset, align } => Self::Memory { offset, align },
            _ => Self::OtherMemory(Box::new(access)),
        }
    }

    /// The memory access of these immediates, if any, without the lane.
    pub fn memory(&self) -> Option<Memory> {
        match *self {
            Self::Memory { offset, align } => Some(Memory { memory: 0, offset, align }),
            Self::OtherMemory(ref access) => Some(**access),
            Self::AcquireRelease(ref ordered) => match **ordered {
                Self::Memory { offset, align } => Some(Memory { memory: 0, offset, align }),
                Self::OtherMemory(ref access) => Some(**access),
                _ => None,
            },
            _ => None,
        }
    }

    /// Adds the order of an atomic operation to these immediates.
    pub(crate) fn ordered(self, ordering: Ordering) -> Self {
        match ordering {
            Ordering::SeqCst => self,
            Ordering::AcqRel => Self::AcquireRelease(Box::new(self)),
        }
    }

    /// The access that an operator encodes, or `None` if it accesses an array.
    pub(crate) fn encoded(memarg: MemArg) -> Option<Self> {
        let access = Self::access(Memory::encoded(memarg)?);
        Some(match memarg.ordering {
            Some(MemArgOrdering::Op(ordering) | MemArgOrdering::Rmw(ordering)) => access.ordered(ordering),
            None => access,
        })
    }
}

impl Memory {
    /// The access that an operator encodes, or `None` if it accesses an array.
    pub(crate) fn encoded(memarg: MemArg) -> Option<Self> {
        let MemArgTarget::Memory(memory) = memarg.target else { return None };
        let align = (memarg.align != memarg.max_align).then_some(memarg.align);
        Some(Self { memory, offset: memarg.offset, align })
    }
}

impl From<Opcode> for Op {
    fn from(opcode: Opcode) -> Self {
        Self { opcode, immediates: Immediates::None }
    }
}

/// The immediates with these names; each name comes twice, once to match and once to use.
macro_rules! immediates {
    ($table:ident; function_index $index:ident) => {
        $crate::dialect::Immediates::Callee { index: *$index, name: $table(*$index) }
    };
    ($table:ident; lane $lane:ident) => {
        $crate::dialect::Immediates::Lane(*$lane)
    };
    ($table:ident; lanes $lanes:ident) => {
        $crate::dialect::Immediates::Lanes(Box::new(*$lanes))
    };
    ($table:ident; memarg $memarg:ident) => {
        $crate::dialect::Immediates::encoded(*$memarg)
    };
    ($table:ident; memarg $memarg:ident lane $lane:ident) => {
        $crate::dialect::Memory::encoded(*$memarg)
            .map(|memory| $crate::dialect::Immediates::MemoryLane(Box::new((memory, *$lane))))
    };
    ($table:ident; hty $heap:ident) => {
        $crate::dialect::Immediates::Heap(*$heap)
    };
    ($table:ident; relative_depth $depth:ident from_ref_type $from:ident to_ref_type $to:ident) => {
        $crate::dialect::Immediates::Cast { from: *$from, to: *$to }
    };
    ($table:ident; relative_depth $depth:ident) => {
        $crate::dialect::Immediates::None
    };
    ($table:ident; blockty $x:ident) => {
        $crate::dialect::Immediates::None
    };
    ($table:ident; try_table $x:ident) => {
        $crate::dialect::Immediates::None
    };
    ($table:ident; targets $x:ident) => {
        $crate::dialect::Immediates::None
    };
    ($table:ident; value $x:ident) => {
        $crate::dialect::Immediates::None
    };
    ($table:ident; ty $x:ident) => {
        $crate::dialect::Immediates::None
    };
    ($table:ident; tys $x:ident) => {
        $crate::dialect::Immediates::None
    };
    ($table:ident; ordering $ordering:ident) => {
        $crate::dialect::Immediates::None.ordered(*$ordering)
    };
    ($table:ident; ordering $ordering:ident $name:ident $index:ident) => {
        $crate::dialect::Immediates::Index(*$index).ordered(*$ordering)
    };
    ($table:ident; ordering $ordering:ident $name:ident $first:ident $other:ident $second:ident) => {
        $crate::dialect::Immediates::Indices(*$first, *$second).ordered(*$ordering)
    };
    ($table:ident; cont_type_index $ty:ident resume_table $x:ident) => {
        $crate::dialect::Immediates::Index(*$ty)
    };
    ($table:ident; cont_type_index $ty:ident tag_index $tag:ident resume_table $x:ident) => {
        $crate::dialect::Immediates::Indices(*$ty, *$tag)
    };
    ($table:ident; $name:ident $index:ident) => {
        $crate::dialect::Immediates::Index(*$index)
    };
    ($table:ident; $name:ident $first:ident $other:ident $second:ident) => {
        $crate::dialect::Immediates::Indices(*$first, *$second)
    };
    ($table:ident; $($rest:ident)*) => {
        $crate::dialect::Immediates::None
    };
}

/// The operation, or `None`: the structure of a legacy `try` is translated away.
macro_rules! operation {
    (legacy_exceptions $($rest:tt)*) => { None };
    ($proposal:ident $table:ident $op:ident $($arg:ident)*) => {
        $crate::dialect::Op::with($crate::dialect::Opcode::$op, $crate::dialect::immediates!($table; $($arg $arg)*))
    };
}

pub(crate) use {immediates, operation};

impl Op {
    /// An operation, or `None` if its immediates cannot be represented.
    #[inline]
    pub(crate) fn with(opcode: Opcode, immediates: impl Into<Option<Immediates>>) -> Option<Self> {
        immediates.into().map(|immediates| Self { opcode, immediates })
    }

    /// The operation of an operator, or `None` if it is not supported; `name` gives the names of functions.
    pub(crate) fn new(operator: &Operator<'_>, name: impl Fn(u32) -> Option<FunctionName>) -> Option<Self> {
        macro_rules! convert {
            ($( @$proposal:ident $op:ident $({ $($arg:ident: $argty:ty),* })? => $visit:ident ($($ann:tt)*) )*) => {
                match operator {
                    $(Operator::$op $({ $($arg),* })? => operation!($proposal name $op $($($arg)*)?),)*
                    _ => None,
                }
            };
        }
        #[allow(unused_variables, reason = "not every immediate is kept")]
        let op: Option<Self> = wasmparser::for_each_operator!(convert);
        // The type of a typed `select` is that of its result.
        op.map(|op| if op.opcode == Opcode::TypedSelect { Opcode::Select.into() } else { op })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_small() {
        assert_eq!((size_of::<Immediates>(), size_of::<Op>()), (16, 24));
    }
}
