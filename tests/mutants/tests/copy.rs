//! What is written for a small workspace.

use ssaphire_mutants::{tester_of, write_copy};
use std::fs;
use std::path::{Path, PathBuf};

const MANIFEST: &str = "[workspace]\nmembers = ['core/a', 'core/b', 'tests/mutants/found']\nexclude = ['fuzz']\n\
                        dependencies.a.path = 'core/a'\ndependencies.b.path = 'core/b'\ndependencies.outer = '1'\n";

const LIST: &str = "[[mutant]]\nname = 'SumsAreProducts'\nabout = 'Sums are products.'\n\
                    file = 'core/a/src/lib.rs'\nold = 'x + y'\nnew = 'x * y'\n";

const SOURCE: &str = "pub fn sum(x: u8, y: u8) -> u8 { x + y }\n";

/// Files of a workspace in which `found` needs `a`, and nothing `b`.
const FILES: [(&str, &str); 8] = [
    ("Cargo.toml", MANIFEST),
    ("Cargo.lock", "version = 4\n"),
    (
        "core/a/Cargo.toml",
        "package.name = 'a'\ndependencies.outer.workspace = true\ndev-dependencies.b.workspace = true",
    ),
    ("core/a/src/lib.rs", SOURCE),
    ("core/b/Cargo.toml", "package.name = 'b'"),
    ("tests/mutants/Cargo.toml", "package.name = 'mutants'"),
    ("tests/mutants/sums.toml", LIST),
    ("tests/mutants/found/Cargo.toml", "package.name = 'found'\ndependencies.a.workspace = true"),
];

/// A folder that has the files.
fn workspace(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if root.exists() {
        fs::remove_dir_all(&root).unwrap();
    }
    FILES.iter().for_each(|(path, text)| write(&root, path, text));
    root
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[test]
fn the_copy_has_switches_and_what_the_finder_needs() {
    let root = workspace("with_switches");
    let copy = root.join("target");
    let sources = write_copy(&root, &copy).unwrap();
    let expected = ["core/a", "tests/mutants/found", "tests/mutants", "Cargo.toml", "Cargo.lock"];
    assert_eq!(sources, expected.map(|path| root.join(path)));
    let read = |path: &str| fs::read_to_string(copy.join(path)).unwrap();
    assert_eq!(
        read("core/a/src/lib.rs"),
        "pub fn sum(x: u8, y: u8) -> u8 { (if ::ssaphire_mutants_switch::is_on(0) { x * y } else { x + y }) }\n"
    );
    let manifest = read("core/a/Cargo.toml");
    assert!(manifest.contains("[dependencies.ssaphire-mutants-switch]\nworkspace = true"), "{manifest}");
    assert!(!manifest.contains("dev-dependencies"), "{manifest}");
    assert!(!read("tests/mutants/found/Cargo.toml").contains("switch"));
    assert!(read("Cargo.toml").contains("members = [\"core/a\", \"tests/mutants/found\"]"));
    assert!(read("tests/mutants/switch/src/names.rs").contains("\"SumsAreProducts\""));
    assert!(!copy.join("core/b").exists());
}

#[test]
fn a_package_whose_tests_look_for_mutants_has_what_they_need() {
    let root = workspace("with_tester");
    write(&root, "Cargo.toml", &MANIFEST.replace("['core/a'", "['hosts/cranelift', 'core/a'"));
    write(&root, "hosts/cranelift/Cargo.toml", "package.name = 'host'\ndev-dependencies.b.workspace = true");
    write(&root, "hosts/cranelift/src/lib.rs", SOURCE);
    write(&root, "corpus/cases/one.ssa", "; One.\n");
    write(&root, "tests/mutants/hosts.toml", &LIST.replace("SumsAre", "HostsAre").replace("core/a", "hosts/cranelift"));
    let copy = root.join("target");
    write_copy(&root, &copy).unwrap();
    let read = |path: &str| fs::read_to_string(copy.join(path)).unwrap();
    assert!(read("hosts/cranelift/Cargo.toml").contains("[dev-dependencies.b]"));
    assert!(read("tests/mutants/switch/src/names.rs").contains("&[true, false]"));
    assert!(copy.join("core/b/Cargo.toml").exists() && copy.join("corpus/cases/one.ssa").exists());
    assert_eq!(tester_of("hosts/cranelift/src/lib.rs"), Some("hosts/cranelift"));
    assert_eq!([tester_of("core/a/src/lib.rs"), tester_of("ir/src/cps/open.rs")], [None; 2]);
}

#[test]
fn what_is_as_it_should_be_is_left_alone_and_what_is_no_more_is_removed() {
    let root = workspace("twice");
    write(&root, "core/a/src/gone.rs", "");
    let copy = root.join("target");
    write_copy(&root, &copy).unwrap();
    let written = |path: &str| fs::metadata(copy.join(path)).and_then(|metadata| metadata.modified());
    let before = written("core/a/src/lib.rs").unwrap();
    fs::remove_file(root.join("core/a/src/gone.rs")).unwrap();
    write_copy(&root, &copy).unwrap();
    assert_eq!(written("core/a/src/lib.rs").unwrap(), before);
    written("core/a/src/gone.rs").unwrap_err();
}

#[test]
fn a_text_that_matches_no_more_is_refused_by_name() {
    let root = workspace("unmatched");
    let list = format!("{LIST}{}", LIST.replace("SumsAre", "DifferencesAre").replace("x + y", "x - y"));
    write(&root, "tests/mutants/sums.toml", &list);
    write(&root, "tests/mutants/more.toml", &LIST.replace("Sums", "Ratios").replace("x + y", "x / y"));
    let problems = write_copy(&root, &root.join("target")).unwrap_err();
    assert_eq!(
        problems.iter().map(ToString::to_string).collect::<Vec<_>>(),
        [
            "mutant `RatiosAreProducts`: its old text is not in core/a/src/lib.rs",
            "mutant `DifferencesAreProducts`: its old text is not in core/a/src/lib.rs",
        ]
    );
}

#[test]
fn a_file_that_the_finder_does_not_need_is_refused() {
    let root = workspace("not_there");
    write(&root, "tests/mutants/sums.toml", &LIST.replace("core/a", "core/b"));
    let problems = write_copy(&root, &root.join("target")).unwrap_err();
    let expected = "mutant `SumsAreProducts`: no package that the tests depend on has the file core/b/src/lib.rs";
    assert_eq!(problems.iter().map(ToString::to_string).collect::<Vec<_>>(), [expected]);
}
