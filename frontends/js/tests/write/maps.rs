//! Source maps, as engines read them.

use super::behavior::node;
use ssaphire_js::source::{SourceKind, with_parsed};
use ssaphire_js::write::{WriteOptions, write};
use std::fs;

/// Fails in many places, and prints the lines of each failure and of its call.
const SOURCE: &str = r#"function fail(a) {
  const o = a;

  return o.x.y;
}

const attempt = (action) => {
  try {
    action();
  } catch (error) {
    const lines = error.stack.split("\n").filter((line) => line.includes("mapped.cjs")).slice(0, 2);
    console.log(lines.map((line) => /:(\d+):\d+\)?$/.exec(line)[1]).join(" "));
  }
};
attempt(() => {
  fail({});
});
attempt(() => {
  if (
    attempt.p.q
  ) return 1;
});
attempt(() => {
  const list = [
    1,
    attempt.r
      .s,
  ];
  return list;
});
attempt(() => {
  let text = "";
  for (
    const item of attempt.items
  ) text += item;
  return text;
});
attempt(() => {
  const first = attempt.first,
    second = attempt.second;
  return first.a +
    second.b;
});
attempt(() => {
  throw new Error(
    "x",
  );
});
attempt(() => [3].map((x) => {
  return x
    .toFixed(0)
    .missing();
}));
"#;

#[test]
fn stack_traces_lead_to_the_source() {
    let folder = std::env::temp_dir().join(format!("ssaphire-maps-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let original = folder.join("mapped.cjs");
    fs::write(&original, SOURCE).expect("a file");
    let expected = node(&[original.to_str().expect("a path")]);
    let written = with_parsed(SOURCE, SourceKind::COMMON_JS, |parsed| {
        let program = ssaphire_js::lower(&parsed).expect("a program");
        write(&program, SOURCE, &WriteOptions::default()).expect("a text")
    });
    let written = written.expect("a source without errors");
    let text = format!("{}//# sourceMappingURL=mapped.cjs.map\n", written.text);
    fs::write(&original, &text).expect("a file");
    fs::write(folder.join("mapped.cjs.map"), written.source_map("mapped.cjs", SOURCE)).expect("a file");
    // Without the map, the places are those of what was written.
    let unmapped = node(&[original.to_str().expect("a path")]);
    let found = node(&["--enable-source-maps", original.to_str().expect("a path")]);
    fs::remove_dir_all(&folder).expect("what has been written");
    assert_eq!(found, expected, "{text}");
    if let Some(expected) = expected {
        assert_eq!(expected.lines().count(), 7, "{expected}");
        assert_ne!(unmapped, Some(expected));
    }
}
