//! "Port your IR" quotes what the calls and the judge say, word for word.

use ssaphire::check::{Mode, Program, validate};
use ssaphire::graph::FlatCfg;
use ssaphire::{
    Block, Builder, CallError, Certified, IdLimits, Options, PhiHost, SsaBuilder, SsaBuilderExt, Strict, Value,
    Variable,
};

const PAGE: &str = include_str!("../../../docs/port-your-ir.md");

const ENTRY: Block = Block::new(0);
const B4: Block = Block::new(4);
const B7: Block = Block::new(7);
const X2: Variable = Variable::new(2);
const V5: Value = Value::new(5);

/// A host whose values are numbered from 5.
#[derive(Default)]
struct Host {
    num_values: usize,
}

impl Host {
    fn value(&mut self) -> Value {
        self.num_values += 1;
        Value::new(self.num_values + 4)
    }
}

impl PhiHost for Host {
    fn new_phi(&mut self, _: Block, _: Variable) -> Value {
        self.value()
    }

    fn undefined(&mut self, _: Variable) -> Value {
        self.value()
    }
}

const FINE: &str = "nothing is wrong";

fn words<T>(result: Result<T, CallError>) -> String {
    result.err().map_or(FINE.to_owned(), |error| error.to_string())
}

fn start() -> (Host, Builder) {
    (Host::default(), Builder::default())
}

/// The graph 0 -> 7 -> 4, or with an edge back to the entry.
fn announced(has_edge_to_entry: bool) -> (Builder, String) {
    let mut successors = vec![vec![]; 8];
    successors[0] = vec![B7];
    successors[7] = vec![B4];
    successors[4] = if has_edge_to_entry { vec![ENTRY] } else { vec![] };
    let mut ssa = Builder::default();
    let said = words(ssa.announce(&FlatCfg::from_successors(ENTRY, &successors).unwrap()));
    (ssa, said)
}

fn sealing() -> Vec<String> {
    let mut said = Vec::new();
    let (mut host, mut ssa) = start();
    ssa.terminate(ENTRY, &[B4]);
    ssa.read_variable(&mut host, B4, X2);
    ssa.read_variable(&mut host, B4, Variable::new(0));
    ssa.terminate(B4, &[]);
    said.push(words(ssa.finish(&mut host).map(drop)));
    ssa.seal_block(&mut host, B4);
    said.push(words(ssa.try_seal_block(&mut host, B4)));
    said.push(words(ssa.try_terminate(B7, &[B4])));

    said
}

fn filling() -> Vec<String> {
    let mut said = Vec::new();
    let (mut host, mut ssa) = start();
    ssa.terminate(ENTRY, &[B4]);
    ssa.seal_block(&mut host, B4);
    said.push(words(ssa.finish(&mut host).map(drop)));
    ssa.terminate(B4, &[]);
    said.push(words(ssa.try_terminate(B4, &[])));
    said.push(words(ssa.try_write_variable(B4, X2, V5)));
    said.push(words(ssa.try_read_variable(&mut host, B4, X2)));
    said.push(words(ssa.try_read_at_end(&mut host, B7, X2, None)));
    said.push(words(ssa.try_terminate(B7, &[ENTRY])));
    said.push(words(ssa.try_add_edge(B7, B4)));
    said.push(words(ssa.set_entry(B4)));
    ssa.finish(&mut host).unwrap();
    said.push(words(ssa.try_write_variable(B4, X2, V5)));

    let (_, mut ssa) = start();
    ssa.write_variable(ENTRY, X2, V5);
    said.push(words(ssa.try_set_initial(X2, V5)));
    ssa.clear();
    ssa.set_initial(X2, V5);
    said.push(words(ssa.try_set_initial(X2, V5)));
    said
}

fn announcing() -> Vec<String> {
    let (mut ssa, fine) = announced(false);
    assert_eq!(fine, FINE);
    let other_targets = words(ssa.try_terminate(B4, &[B7]));

    // 0 -> 4, 1 -> 4, and block 1 is forgotten.
    let (mut host, mut ssa) = start();
    let successors = [vec![B4], vec![B4], vec![], vec![], vec![]];
    ssa.announce(&FlatCfg::from_successors(ENTRY, &successors).unwrap()).unwrap();
    ssa.terminate(ENTRY, &[B4]);
    let too_early = words(ssa.try_seal_block(&mut host, B4));
    [2, 3, 4].map(Block::new).iter().for_each(|&block| ssa.terminate(block, &[]));
    let unfinished = words(ssa.finish(&mut host).map(drop));
    let unsealed = unfinished.strip_suffix("; block1: never terminated").unwrap().to_owned();
    vec![announced(true).1, other_targets, too_early, unsealed]
}

fn writing_on_edges() -> Vec<String> {
    let mut said = Vec::new();
    let (mut host, mut ssa) = start();
    ssa.terminate(ENTRY, &[B7]);
    ssa.terminate(B7, &[B4]);
    said.push(words(ssa.try_write_on_edge(B7, 1, X2, V5)));
    said.push(words(ssa.try_write_on_edge(B7, 0, X2, V5)));
    ssa.seal_block(&mut host, B4);
    ssa.read_variable(&mut host, B4, X2);
    said.push(words(ssa.try_write_on_edge(B7, 0, X2, V5)));
    said
}

fn redirecting() -> Vec<String> {
    let (mut host, mut ssa) = start();
    ssa.terminate(ENTRY, &[B7]);
    ssa.terminate(B7, &[B4]);
    ssa.seal_block(&mut host, B4);
    vec![words(ssa.try_redirect_edge(B7, 1, ENTRY)), words(ssa.try_redirect_edge(B7, 0, Block::new(1)))]
}

fn replacing() -> Vec<String> {
    let (mut host, mut ssa) = start();
    ssa.terminate(ENTRY, &[B4]);
    let phi = ssa.read_variable(&mut host, B4, X2);
    let of_phi = words(ssa.try_replace(&mut host, phi, Value::new(1)));
    let (mut host, mut ssa) = start();
    let undefined = ssa.read_variable(&mut host, ENTRY, X2);
    vec![of_phi, words(ssa.try_replace(&mut host, undefined, Value::new(1)))]
}

/// A host that returns one value whatever it is asked for.
struct Constant(Value);

impl PhiHost for Constant {
    fn new_phi(&mut self, _: Block, _: Variable) -> Value {
        self.0
    }

    fn undefined(&mut self, _: Variable) -> Value {
        self.0
    }
}

fn values_in_use() -> Vec<String> {
    let (mut host, mut ssa) = (Strict::new(Constant(V5)), Builder::default());
    ssa.write_variable(ENTRY, X2, V5);
    ssa.terminate(ENTRY, &[B4]);
    let phi = words(ssa.try_read_variable(&mut host, B4, X2));
    ssa.clear();
    ssa.write_variable(ENTRY, Variable::new(1), V5);
    vec![phi, words(ssa.try_read_variable(&mut host, ENTRY, X2))]
}

fn ids_beyond_limits() -> Vec<String> {
    let ids = IdLimits { blocks: 4, variables: 2, values: 5 };
    let (mut host, mut ssa) = (Constant(V5), Builder::with_options(Options::default().with_ids(ids)));
    let one = Variable::new(1);
    vec![
        words(ssa.try_terminate(B4, &[])),
        words(ssa.try_read_variable(&mut host, ENTRY, X2)),
        words(ssa.try_write_variable(ENTRY, one, V5)),
        words(ssa.try_read_variable(&mut host, ENTRY, one)),
    ]
}

fn limits() -> Vec<String> {
    let (mut host, mut ssa) = (Host::default(), Builder::with_options(Options::default().with_work_limit(100)));
    let mut reads = (0..).map(|number| words(ssa.try_read_variable(&mut host, ENTRY, Variable::new(number))));
    vec![reads.find(|said| said != FINE).unwrap()]
}

/// The words in the first column of the table.
fn quoted() -> Vec<&'static str> {
    let section = PAGE.split("## What errors mean").nth(1).unwrap().split("\n## ").next().unwrap();
    section.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect()
}

#[test]
fn the_table_has_the_words_of_every_error() {
    let calls = [sealing(), filling(), announcing(), writing_on_edges(), redirecting(), replacing()];
    let others = [limits(), values_in_use(), ids_beyond_limits()];
    let mut said = [calls.concat(), others.concat()].concat();
    let mut quoted = quoted();
    said.sort();
    quoted.sort_unstable();
    assert_eq!(said, quoted);
}

/// What the judge says when both arms of an `if` write a constant that was made in the entry.
fn judged(tell: fn(&mut Certified, Value)) -> Vec<String> {
    let (mut host, mut ssa) = (Host::default(), Certified::default());
    // It is judged below.
    ssa.set_judging(false);
    let [then, otherwise, join] = [1, 2, 3].map(Block::new);
    let (variable, constant) = (Variable::new(0), Value::new(0));
    tell(&mut ssa, constant);
    ssa.terminate(ENTRY, &[then, otherwise]);
    for arm in [then, otherwise] {
        ssa.seal_block(&mut host, arm);
        ssa.write_variable(arm, variable, constant);
        ssa.terminate(arm, &[join]);
    }
    ssa.seal_block(&mut host, join);
    ssa.read_variable(&mut host, join, variable);
    ssa.terminate(join, &[]);
    ssa.finish(&mut host).unwrap();
    let mut program = Program::new();
    ssa.certify(&mut program).unwrap();
    let found = validate(&program, Mode::Exact).err().unwrap_or_default();
    found.iter().map(ToString::to_string).collect()
}

#[test]
fn the_page_quotes_the_judge_on_a_constant_it_was_not_told_of() {
    let said = judged(|_, _| {}).join("\n");
    assert!(PAGE.contains(&format!("```text\n{said}\n```")), "{said}");
    assert!(judged(SsaBuilderExt::global).is_empty());
    assert!(judged(|ssa, constant| ssa.define(ENTRY, constant)).is_empty());
}
