//! The lexical level: names, strings, comments and brackets of LLVM's textual IR.

/// Whether a byte can be part of a name without quotes.
pub(crate) const fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'$' | b'.' | b'_')
}

/// By byte, whether it [can be part of a name](is_name_byte).
const IS_IN_NAME: [bool; 256] = {
    let mut is_in_name = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        is_in_name[byte] = is_name_byte(byte as u8);
        byte += 1;
    }
    is_in_name
};

/// The length of the name at the start of `text`, without its sigil: quoted, or a run of name bytes; 0 if there is none.
pub(crate) fn name_len(text: &[u8]) -> usize {
    match text.first() {
        Some(b'"') => string_len(text),
        _ => plain_name_len(text),
    }
}

/// The length of the run of name bytes at the start of `text`.
fn plain_name_len(text: &[u8]) -> usize {
    text.iter().position(|&byte| !IS_IN_NAME[usize::from(byte)]).unwrap_or(text.len())
}

/// The length of the string literal at the start of `text`, quotes included; quotes inside of it are escaped as `\22`.
pub(crate) fn string_len(text: &[u8]) -> usize {
    let rest = text.iter().skip(1).position(|&byte| byte == b'"');
    rest.map_or(text.len(), |quote| quote + 2)
}

/// Where a comment ends that starts at `text`: before the line break.
pub(crate) fn comment_len(text: &[u8]) -> usize {
    text.iter().position(|&byte| byte == b'\n').unwrap_or(text.len())
}

/// By byte, whether it ends a word: see [`first_word`].
const ENDS_WORD: [bool; 256] = {
    let mut ends = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        ends[byte] = (byte as u8).is_ascii_whitespace() || matches!(byte as u8, b',' | b'(' | b'[' | b'{' | b'<');
        byte += 1;
    }
    ends
};

/// By byte, whether it is a letter, a digit or a sign that neither ends anything nor begins a string, a comment or a bracket.
const IS_PLAIN: [bool; 256] = {
    let mut is_plain = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        let is_sign = matches!(byte as u8, b'%' | b'@' | b'!' | b'#' | b'*' | b'.' | b'_' | b'-' | b'$');
        is_plain[byte] = (byte as u8).is_ascii_alphanumeric() || is_sign;
        byte += 1;
    }
    is_plain
};

/// By byte, whether it ends a line, or begins or ends what a line break may be part of.
const BOUNDS: [bool; 256] = table_of(b"\n\";()[]{}<>");

/// By byte, whether it is one of these.
pub(crate) const fn table_of(mut bytes: &[u8]) -> [bool; 256] {
    let mut table = [false; 256];
    while let [byte, rest @ ..] = bytes {
        table[*byte as usize] = true;
        bytes = rest;
    }
    table
}

/// The length of the part of `text` before the first line break outside of brackets, strings and comments, or before a closing
/// bracket without an opening one.
pub(crate) fn line_len(text: &[u8]) -> usize {
    let (mut at, mut depth) = (0, 0u32);
    while let Some(found) = text[at..].iter().position(|&byte| BOUNDS[usize::from(byte)]) {
        at += found;
        match text[at] {
            b'\n' if depth == 0 => return at,
            b'\n' => {}
            b'"' => at += string_len(&text[at..]) - 1,
            b';' => at += comment_len(&text[at..]) - 1,
            b'(' | b'[' | b'{' | b'<' => depth += 1,
            _ => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return at,
            },
        }
        at += 1;
    }
    text.len()
}

/// The length of the part of `text` before the first byte outside of brackets, strings and comments for which `ends` is
/// true, or before a closing bracket without an opening one. `ends` is not asked about [plain](IS_PLAIN) bytes.
pub(crate) fn len_until(text: &[u8], ends: impl Fn(u8) -> bool) -> usize {
    let (mut at, mut depth) = (0, 0u32);
    while let Some(&byte) = text.get(at) {
        match byte {
            _ if IS_PLAIN[usize::from(byte)] => {}
            _ if depth == 0 && ends(byte) => return at,
            b'"' => at += string_len(&text[at..]) - 1,
            b';' => at += comment_len(&text[at..]) - 1,
            b'(' | b'[' | b'{' | b'<' => depth += 1,
            b')' | b']' | b'}' | b'>' => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return at,
            },
            _ => {}
        }
        at += 1;
    }
    text.len()
}

/// The part of `text` before the first comma outside of brackets and strings.
pub(crate) fn until_comma(text: &str) -> &str {
    &text[..len_until(text.as_bytes(), |byte| byte == b',')]
}

/// The first word of `text`: up to a blank, a comma or a bracket.
pub(crate) fn first_word(text: &str) -> &str {
    let ends = |&byte: &u8| ENDS_WORD[usize::from(byte)];
    &text[..text.as_bytes().iter().position(ends).unwrap_or(text.len())]
}

/// The length of the type at the start of `text`.
pub(crate) fn type_len(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = match bytes.first() {
        Some(b'%') => 1 + name_len(&bytes[1..]),
        Some(b'[' | b'{' | b'<') => bracket_len(bytes),
        _ => plain_name_len(bytes),
    };
    // What follows: `*`, the parameters of a function type, an address space, the arguments of a target type.
    loop {
        let rest = &bytes[at..];
        let blanks = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        match rest.get(blanks) {
            Some(b'*') => at += blanks + 1,
            Some(b'(') => at += blanks + bracket_len(&rest[blanks..]),
            _ if text[at + blanks..].starts_with("addrspace(") => at += blanks + 9 + bracket_len(&rest[blanks + 9..]),
            _ => return at,
        }
    }
}

/// The length of the bracketed part at the start of `text`, both brackets included.
fn bracket_len(text: &[u8]) -> usize {
    let inner = 1.min(text.len());
    (inner + len_until(&text[inner..], |_| false) + 1).min(text.len())
}

/// Whether two spellings of a type are the same but for blanks.
pub(crate) fn is_same_type(one: &str, other: &str) -> bool {
    let bytes = |text: &'_ str| text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect::<Vec<_>>();
    one == other
        || (one.contains(|c: char| c.is_ascii_whitespace()) || other.contains(|c: char| c.is_ascii_whitespace()))
            && bytes(one) == bytes(other)
}

/// The size of a type in bits, where all of them matter and a pointer has so many: of arrays, integers of whole bytes, floating-point
/// numbers and pointers.
pub(crate) fn size_of(ty: &str, pointer: u64) -> Option<u64> {
    let (mut ty, mut count) = (ty.trim_ascii(), 1u64);
    while let Some(inner) = ty.strip_prefix('[').and_then(|ty| ty.strip_suffix(']')) {
        let (len, element) = inner.split_once(" x ")?;
        count = count.checked_mul(len.trim_ascii().parse().ok()?)?;
        ty = element.trim_ascii();
    }
    let bits = match ty {
        "half" | "bfloat" => 16,
        "float" => 32,
        "double" => 64,
        "fp128" => 128,
        "ptr" => pointer,
        _ if ty.ends_with('*') => pointer,
        _ => ty.strip_prefix('i')?.parse().ok().filter(|bits| bits % 8 == 0)?,
    };
    count.checked_mul(bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_whole_bytes() {
        let sizes = ["i32", "[4 x i8]", "[2 x [3 x i16]]", "ptr", "i1", "i20", "{ i32, i32 }", "[x]", "double"];
        let expected = [Some(32), Some(32), Some(96), Some(64), None, None, None, None, Some(64)];
        assert_eq!(sizes.map(|ty| size_of(ty, 64)), expected);
    }

    #[test]
    fn types_end_where_values_begin() {
        let types = [
            ("i32 %x", "i32"),
            ("ptr addrspace(1) %p", "ptr addrspace(1)"),
            ("i8 addrspace(1)* %p, align 4", "i8 addrspace(1)*"),
            ("void (i32, %T*)* @f", "void (i32, %T*)*"),
            ("[4 x { i8, %\"a b\"* }] zeroinitializer", "[4 x { i8, %\"a b\"* }]"),
            ("<{ i32, <4 x float> }> undef", "<{ i32, <4 x float> }>"),
            ("%struct.S** %p", "%struct.S**"),
            ("target(\"spirv.Image\", i32, 0) %x", "target(\"spirv.Image\", i32, 0)"),
            ("<vscale x 4 x i32> %v", "<vscale x 4 x i32>"),
        ];
        for (text, ty) in types {
            assert_eq!(&text[..type_len(text)], ty);
        }
        assert!(is_same_type("[4 x i32]", "[4  x i32]") && !is_same_type("i3 2", "i31"));
    }

    #[test]
    fn commas_in_brackets_and_strings_do_not_count() {
        assert_eq!(until_comma("{ i32, i32 } { i32 1, i32 2 }, ptr %p"), "{ i32, i32 } { i32 1, i32 2 }");
        assert_eq!(until_comma("ptr @\"a,b\", align 4"), "ptr @\"a,b\"");
        assert_eq!(until_comma("void ()* @f), !dbg"), "void ()* @f");
    }
}
