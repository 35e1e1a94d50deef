//! What is known of an instruction: as much as promotion and passes need.

use crate::promise;
use crate::scan::{first_word, len_until, type_len, until_comma};

/// The kind of an instruction, which follows from its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    /// A slot for a value of the type at this place of the text.
    Alloca(Access),
    Load(Access),
    Store(Access),
    /// A marker of the lifetime of a slot.
    Lifetime,
    /// A call of `llvm.fake.use`, which goes with a slot whose address it has.
    FakeUse,
    /// The declaration of a variable of the source program: a call of `llvm.dbg.declare` or a record.
    Declare,
    /// Another call for debuggers, or record.
    Debug,
    /// A cast or an address computation, which may give the address of a slot to a marker.
    Address,
    /// A computation from its arguments alone.
    Compute,
    Call,
    /// A call of `llvm.assume`.
    Assume,
    /// What a load that is gone said of its value: see [`crate::promise`].
    Promise,
    /// The start of a handler.
    Pad,
    /// Anything else that does not end a block.
    Other,
    /// The targets of the instruction before it.
    Edges,
    Jump,
    Branch,
    Switch,
    Return,
    /// Anything else that ends a block.
    End,
}

/// How an instruction accesses memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Access {
    /// Where the text has the type of the value.
    start: u32,
    len: u32,
    /// Whether it is of a form that promotion understands: neither volatile nor with an address that is no local value.
    pub(crate) is_plain: bool,
}

impl Access {
    /// The type of the value in the text of the instruction.
    pub(crate) fn ty(self, text: &str) -> &str {
        text.get(self.start as usize..(self.start + self.len) as usize).unwrap_or("")
    }
}

/// Operations that compute from their arguments alone; some give poison, none has undefined behavior as divisions have.
const COMPUTE: [&str; 35] = [
    "add",
    "and",
    "ashr",
    "extractelement",
    "extractvalue",
    "fadd",
    "fcmp",
    "fdiv",
    "fmul",
    "fneg",
    "fpext",
    "fptosi",
    "fptoui",
    "fptrunc",
    "frem",
    "fsub",
    "icmp",
    "insertelement",
    "insertvalue",
    "inttoptr",
    "lshr",
    "mul",
    "or",
    "ptrtoaddr",
    "ptrtoint",
    "select",
    "sext",
    "shl",
    "shufflevector",
    "sitofp",
    "sub",
    "trunc",
    "uitofp",
    "xor",
    "zext",
];

impl Kind {
    /// The kind of the instruction with this text.
    pub(crate) fn of(text: &str) -> Self {
        let word = first_word(text);
        match word {
            "alloca" => Self::Alloca(of_alloca(text)),
            "load" => Self::Load(of_load(text)),
            "store" => Self::Store(of_store(text)),
            "call" | "tail" | "musttail" | "notail" => of_call(text),
            "bitcast" | "addrspacecast" | "getelementptr" => Self::Address,
            "landingpad" | "catchpad" | "cleanuppad" => Self::Pad,
            "br" if text.starts_with("br label") => Self::Jump,
            "br" => Self::Branch,
            "switch" => Self::Switch,
            "ret" => Self::Return,
            super::EDGES => Self::Edges,
            super::RESULT => Self::Call,
            "indirectbr" | "invoke" | "callbr" | "resume" | "unreachable" | "catchswitch" | "catchret"
            | "cleanupret" => Self::End,
            _ if word.starts_with("#dbg_declare") => Self::Declare,
            _ if word.starts_with("#dbg_") => Self::Debug,
            promise::NONNULL | promise::NOUNDEF => Self::Promise,
            super::FLAGS => Self::Compute,
            _ if COMPUTE.contains(&word) => Self::Compute,
            _ => Self::Other,
        }
    }

    /// Whether an instruction with this text has a result.
    pub(crate) fn has_result(self, text: &str) -> bool {
        match self {
            Self::Alloca(_) | Self::Load(_) | Self::Address | Self::Compute | Self::Pad => true,
            Self::Call | Self::End if text.starts_with("catchswitch") => true,
            Self::Call => returns(text),
            Self::End => (text.starts_with("invoke") || text.starts_with("callbr")) && returns(text),
            Self::Other => !text.starts_with("fence"),
            _ => false,
        }
    }

    /// Whether it ends its block.
    pub(crate) fn is_terminator(self) -> bool {
        matches!(self, Self::Edges | Self::Jump | Self::Branch | Self::Switch | Self::Return | Self::End)
    }
}

/// Where `part`, which is a part of `text`, is in it.
fn access(text: &str, part: &str, is_plain: bool) -> Access {
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    Access { start: start as u32, len: part.len() as u32, is_plain }
}

/// The text without these words at its start, and whether there was any.
fn without_words<'t>(mut text: &'t str, words: &[&str]) -> (&'t str, bool) {
    let mut had_any = false;
    while let Some(rest) = words.iter().find_map(|word| text.strip_prefix(word)?.strip_prefix(' ')) {
        (text, had_any) = (rest.trim_ascii_start(), true);
    }
    (text, had_any)
}

fn of_alloca(text: &str) -> Access {
    let rest = text["alloca".len()..].trim_ascii_start();
    let (rest, _) = without_words(rest, &["inalloca", "swifterror"]);
    let ty = &rest[..type_len(rest)];
    access(text, ty, is_tail(&rest[ty.len()..]))
}

fn of_load(text: &str) -> Access {
    let (rest, _) = without_words(text["load".len()..].trim_ascii_start(), &["atomic"]);
    let (rest, is_volatile) = without_words(rest, &["volatile"]);
    let ty = &rest[..type_len(rest)];
    let address = rest[ty.len()..].trim_ascii_start().strip_prefix(',').map_or("", str::trim_ascii_start);
    access(text, ty, !is_volatile && is_last_address(address))
}

fn of_store(text: &str) -> Access {
    let (rest, _) = without_words(text["store".len()..].trim_ascii_start(), &["atomic"]);
    let (rest, is_volatile) = without_words(rest, &["volatile"]);
    let ty = &rest[..type_len(rest)];
    let value = until_comma(rest);
    let address = rest[value.len()..].strip_prefix(',').map_or("", str::trim_ascii_start);
    access(text, ty, !is_volatile && value[ty.len()..].trim_ascii() == "{}" && is_last_address(address))
}

/// Whether an operand with its type is a local value, and nothing but orders of memory, alignments and metadata follow.
fn is_last_address(operand: &str) -> bool {
    let value = operand[type_len(operand)..].trim_ascii_start();
    value.strip_prefix("{}").is_some_and(is_tail)
}

/// The words of a text, in which brackets count as part of the word before.
fn words_of(text: &str) -> Vec<&str> {
    let (mut words, mut rest) = (Vec::new(), text.trim_ascii());
    while !rest.is_empty() {
        let len = len_until(rest.as_bytes(), |byte| byte.is_ascii_whitespace()).max(1);
        words.push(&rest[..len]);
        rest = rest[len..].trim_ascii_start();
    }
    words
}

/// Whether a text ends an access or an `alloca`: another instruction in the same line would be lost with it.
fn is_tail(text: &str) -> bool {
    const ORDERS: [&str; 6] = ["acq_rel", "acquire", "monotonic", "release", "seq_cst", "unordered"];
    // Nearly always there is nothing else.
    let number = text.strip_prefix(", align ").unwrap_or(text);
    if number.bytes().all(|byte| byte.is_ascii_digit()) {
        return true;
    }
    let mut rest = text;
    for is_first in std::iter::once(true).chain(std::iter::repeat(false)) {
        let part = until_comma(rest);
        let words = words_of(part);
        let is_good = match &*words {
            words if is_first => words.iter().all(|word| ORDERS.contains(word) || word.starts_with("syncscope(")),
            [_] => true,
            [first, _] => *first != "call",
            [first, "distinct", _] => first.starts_with('!'),
            _ => false,
        };
        match rest[part.len()..].strip_prefix(',') {
            _ if !is_good => return false,
            Some(next) => rest = next,
            None => return part.len() == rest.len(),
        }
    }
    false
}

/// The function that a call names, without sigil: what comes before the arguments, and is in no string.
pub(super) fn callee(text: &str) -> Option<&str> {
    let head = text.split(['"', '(']).next().unwrap_or("");
    head.split_once('@').map(|(_, name)| name)
}

fn of_call(text: &str) -> Kind {
    let kind = match callee(text) {
        Some(callee) if callee.starts_with("llvm.lifetime.") => Kind::Lifetime,
        Some("llvm.dbg.declare" | "llvm.dbg.addr") => Kind::Declare,
        Some(callee) if callee.starts_with("llvm.dbg.") => Kind::Debug,
        Some("llvm.assume") => Kind::Assume,
        None if text.contains("void (...) @llvm.fake.use(") => Kind::FakeUse,
        _ => Kind::Call,
    };
    if kind == Kind::Call || is_alone(text) { kind } else { Kind::Call }
}

/// Whether nothing but attributes, bundles and metadata follow the arguments of a call: it may be removed with its text.
fn is_alone(text: &str) -> bool {
    let args = text.find('@').and_then(|at| Some(at + text[at..].find('(')? + 1));
    let Some(args) = args else { return false };
    let mut rest =
        text.get(args + len_until(&text.as_bytes()[args..], |_| false) + 1..).unwrap_or("").trim_ascii_start();
    // Groups of attributes, by number or spelled out.
    while rest.starts_with(['#', '(']) {
        let len = len_until(rest.as_bytes(), |byte| byte.is_ascii_whitespace() || byte == b',').max(1);
        rest = rest[len..].trim_ascii_start();
    }
    if let Some(bundles) = rest.strip_prefix('[') {
        rest = bundles.get(len_until(bundles.as_bytes(), |_| false) + 1..).unwrap_or("");
    }
    is_tail(rest)
}

/// Whether a call has a result: its type stands before the function.
fn returns(text: &str) -> bool {
    let is_void = |head: &str| head.split_ascii_whitespace().any(|word| word == "void");
    let end = text.find(['"', '(', '@']).unwrap_or(text.len());
    // Brackets belong to a function type, whose result comes first, or to an attribute.
    if text[end..].starts_with('(') && !is_void(&text[..end]) {
        let head = words_of(text).into_iter().take_while(|word| !word.starts_with(['@', '"']));
        return !head.into_iter().any(|word| word == "void");
    }
    !is_void(&text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ty(text: &str) -> (&str, bool) {
        match Kind::of(text) {
            Kind::Alloca(access) | Kind::Load(access) | Kind::Store(access) => (access.ty(text), access.is_plain),
            kind => panic!("{text}: {kind:?}"),
        }
    }

    #[test]
    fn accesses_are_understood() {
        assert_eq!(ty("alloca i32, align 4"), ("i32", true));
        assert_eq!(ty("alloca [4 x i8], i32 3, align 4"), ("[4 x i8]", true));
        assert_eq!(ty("alloca inalloca %T"), ("%T", true));
        assert_eq!(ty("alloca ptr addrspace(1), addrspace(5)"), ("ptr addrspace(1)", true));
        assert_eq!(ty("load i32, ptr {}, align 4, !dbg !3"), ("i32", true));
        assert_eq!(ty("load i8*, i8** {}, align 8"), ("i8*", true));
        assert_eq!(ty("load volatile i32, ptr {}"), ("i32", false));
        assert_eq!(ty("load atomic i32, ptr {} seq_cst, align 4"), ("i32", true));
        assert_eq!(ty("load i32, ptr @g"), ("i32", false));
        assert_eq!(ty("store {{ i32, i1 }} {}, ptr {}"), ("{{ i32, i1 }}", true));
        assert_eq!(ty("store void (i32)* {}, void (i32)** {}, align 8"), ("void (i32)*", true));
        assert_eq!(ty("store i32 {}, ptr addrspace(5) {}"), ("i32", true));
        assert_eq!(ty("store i32 {}, ptr getelementptr (i8, ptr @g, i64 4)"), ("i32", false));
        assert_eq!(ty("store atomic volatile i32 {}, ptr {} monotonic, align 4"), ("i32", false));
    }

    #[test]
    fn kinds_follow_from_the_text() {
        assert_eq!(Kind::of("br label {b}"), Kind::Jump);
        assert_eq!(Kind::of("call void @llvm.lifetime.start.p0(i64 4, ptr {})"), Kind::Lifetime);
        assert_eq!(Kind::of("#dbg_declare(ptr {}, !1, !DIExpression(), !2)"), Kind::Declare);
        assert_eq!(Kind::of("tail call i32 @f(i32 {})"), Kind::Call);
        assert_eq!(Kind::of("fence seq_cst"), Kind::Other);
        assert_eq!(Kind::of("edges"), Kind::Edges);
        let text = "call void asm sideeffect \"# @llvm.dbg.value(\", \"r\"(ptr {})";
        assert_eq!((Kind::of(text), Kind::of(text).has_result(text)), (Kind::Call, false));
        let text = "call i32 (ptr, ...) @printf(ptr {})";
        assert!(Kind::of(text).has_result(text));
    }
}
