//! A driver with keys of the host's own.

use ssaphire::{Block, Builder, Certified, Driver, KeyedHost, Options, SsaBuilder, Uses, ValueCounter, Variable};

/// A key that is neither dense nor in order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Key(u32);

fn key(number: usize) -> Key {
    Key((number as u32).wrapping_mul(0x9e37_79b9).rotate_left(7))
}

/// Values are `key(0)`, `key(1)`, and so on.
#[derive(Default)]
struct Ir {
    num_values: usize,
    /// What instructions use, if they are asked.
    uses: Option<Vec<Key>>,
    undefined: Vec<&'static str>,
}

impl Ir {
    fn fresh(&mut self) -> Key {
        self.num_values += 1;
        key(self.num_values - 1)
    }
}

impl KeyedHost for Ir {
    type Block = Key;
    type Variable = &'static str;
    type Value = Key;

    fn new_phi(&mut self, _: Key, _: &'static str) -> Key {
        self.fresh()
    }

    fn undefined(&mut self, variable: &'static str) -> Key {
        self.undefined.push(variable);
        self.fresh()
    }

    fn visit_uses(&self, visit: &mut dyn FnMut(Key)) -> Uses {
        let Some(uses) = &self.uses else { return Uses::EveryRead };
        uses.iter().copied().for_each(visit);
        Uses::Visited
    }
}

const NAMES: [&str; 4] = ["i", "n", "sum", "t"];

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }
}

/// Per block its accesses (variable, whether it is a write) and its targets, none of which is block 0.
type Program = Vec<(Vec<(usize, bool)>, Vec<usize>)>;

fn program(random: &mut Random) -> Program {
    let num_blocks = 2 + random.below(10);
    let accesses = |random: &mut Random| (random.below(NAMES.len()), random.below(3) == 0);
    let block = |_| {
        let accesses = (0..random.below(5)).map(|_| accesses(random)).collect();
        let targets = (0..random.below(4)).map(|_| 1 + random.below(num_blocks - 1)).collect();
        (accesses, targets)
    };
    (0..num_blocks).map(block).collect()
}

/// The variables and blocks of the phis, in order.
fn by_builder(program: &Program) -> Vec<(&'static str, Key)> {
    let (mut host, mut ssa) = (ValueCounter::default(), Builder::default());
    for (at, (accesses, targets)) in program.iter().enumerate() {
        let block = Block::new(at);
        for &(variable, is_write) in accesses {
            let variable = Variable::new(variable);
            if is_write {
                let value = host.fresh();
                ssa.write_variable(block, variable, value);
            } else {
                ssa.read_variable(&mut host, block, variable);
            }
        }
        ssa.terminate(block, &targets.iter().copied().map(Block::new).collect::<Vec<_>>());
    }
    ssa.seal_all_blocks(&mut host);
    let result = ssa.finish(&mut host).unwrap();
    let phis = result.phis.iter().map(|phi| (NAMES[phi.variable.index()], key(phi.block.index())));
    sorted(phis)
}

fn by_driver<B: SsaBuilder>(program: &Program, ssa: &mut Driver<Ir, B>) -> Vec<(&'static str, Key)> {
    ssa.begin(key(0));
    for (at, (accesses, targets)) in program.iter().enumerate() {
        for &(variable, is_write) in accesses {
            if is_write {
                let value = ssa.host.fresh();
                ssa.write_variable(key(at), NAMES[variable], value).unwrap();
            } else {
                ssa.read_variable(key(at), NAMES[variable]).unwrap();
            }
        }
        ssa.terminate(key(at), &targets.iter().copied().map(key).collect::<Vec<_>>()).unwrap();
    }
    ssa.seal_all_blocks().unwrap();
    let (result, _) = ssa.finish().unwrap();
    sorted(result.phis().map(|phi| (phi.variable, phi.block)))
}

fn sorted<T: Ord>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.collect();
    items.sort_unstable();
    items
}

#[test]
fn the_result_is_that_of_the_builder_in_keys() {
    let mut random = Random(4);
    let mut driver = Driver::new(Ir::default(), Certified::default());
    let mut num_phis = 0;
    for _ in 0..2000 {
        let program = program(&mut random);
        let expected = by_builder(&program);
        assert_eq!(by_driver(&program, &mut driver), expected, "{program:?}");
        assert_eq!(driver.builder.complaints(), [""; 0], "{program:?}");
        num_phis += expected.len();
    }
    assert!(num_phis > 1000, "{num_phis} phis test little");
}

#[test]
fn a_block_in_front_is_needed_for_a_back_edge_to_the_first() {
    let mut ssa: Driver<Ir> = Driver::default();
    for is_loop in [true, false] {
        let ([first, exit], [n, one]) = ([3, 5].map(key), [(); 2].map(|()| ssa.host.fresh()));
        ssa.begin_with_front(first).unwrap();
        ssa.set_initial("n", n).unwrap();
        let read = ssa.read_variable(first, "n").unwrap();
        ssa.write_variable(first, "n", one).unwrap();
        ssa.terminate(first, &[first, exit][usize::from(!is_loop)..]).unwrap();
        let error = ssa.finish().map(|_| ()).unwrap_err();
        let words = ssa.describe(&error);
        assert!(words.starts_with(&format!("{first:?}: never sealed (")), "{words}");
        ssa.terminate(exit, &[]).unwrap();
        ssa.seal_blocks(&[first, exit]).unwrap();
        let (result, _) = ssa.finish().unwrap();
        assert_eq!(result.needs_front(), is_loop);
        let phis: Vec<_> = result.phis().collect();
        assert_eq!(phis.len(), usize::from(is_loop));
        let Some(phi) = phis.first() else {
            assert_eq!((result.resolve(read), result.forwarded().collect::<Vec<_>>()), (n, vec![(read, n)]));
            continue;
        };
        assert_eq!((phi.block, phi.variable, phi.value), (first, "n", read));
        assert_eq!(phi.operands_by_source().unwrap(), [(None, n), (Some(first), one)]);
        let operands = phi.operands().map(|operand| (operand.source, operand.slot, operand.value));
        assert_eq!(operands.collect::<Vec<_>>(), [(None, 0, n), (Some(first), 0, one)]);
        let edges = result.edges().map(|edge| (edge.source, edge.slot, edge.target, edge.arguments));
        let expected = [(None, 0, first, vec![(read, n)]), (Some(first), 0, first, vec![(read, one)])];
        assert_eq!(edges.collect::<Vec<_>>(), expected);
    }
}

#[test]
fn only_uses_visited_keep_phis() {
    for is_used in [false, true] {
        let mut ssa: Driver<Ir> = Driver::default();
        let [top, left, join] = [9, 8, 7].map(key);
        ssa.begin(top);
        let [one, two] = [(); 2].map(|()| ssa.host.fresh());
        ssa.write_variable(top, "i", one).unwrap();
        ssa.terminate(top, &[left, join]).unwrap();
        ssa.seal_block(left).unwrap();
        ssa.write_variable(left, "i", two).unwrap();
        ssa.terminate(left, &[join]).unwrap();
        ssa.seal_block(join).unwrap();
        let read = ssa.read_variable(join, "i").unwrap();
        ssa.terminate(join, &[]).unwrap();
        // A value that no call has named is nobody's business.
        ssa.host.uses = Some(if is_used { vec![read, key(99)] } else { vec![key(99)] });
        let (result, _) = ssa.finish().unwrap();
        assert_eq!(result.phis().count(), usize::from(is_used));
        let unused: Vec<Key> = result.unused().collect();
        assert_eq!(unused, if is_used { vec![] } else { vec![read] });
        assert_eq!(result.resolve(key(99)), key(99));
        assert!(result.is_reachable(left) && !result.is_reachable(key(1)));
    }
}

#[test]
fn errors_and_reports_name_keys() {
    let mut ssa = Driver::new(Ir::default(), Builder::with_options(Options::default().with_undefined_reads()));
    let (entry, next) = (key(1), key(2));
    ssa.begin(entry);
    let value = ssa.host.fresh();
    ssa.terminate(entry, &[next]).unwrap();
    let error = ssa.write_variable(entry, "n", value).unwrap_err();
    let words = format!("{entry:?}: \"n\" is written after the block was filled");
    assert_eq!(ssa.describe(&error), words);
    let error = ssa.terminate(next, &[entry]).unwrap_err();
    assert!(ssa.describe(&error).starts_with(&format!("{entry:?}: an edge from {next:?} enters the entry")));
    ssa.seal_block(next).unwrap();
    let read = ssa.read_at_site(next, "sum", 7).unwrap();
    let error = ssa.replace(read, value).unwrap_err();
    assert!(ssa.describe(&error).starts_with(&format!("{read:?}: cannot be replaced")));
    ssa.terminate(next, &[]).unwrap();
    let (result, ir) = ssa.finish().unwrap();
    let reads: Vec<u32> = result.ids.undefined_reads.iter().map(|read| read.site).collect();
    assert_eq!((reads, &*ir.undefined), (vec![7], &["sum"][..]));
    assert_eq!(ssa.describe(&"block9 x9 v9"), "block9 x9 v9");
}

#[test]
fn a_driver_of_a_borrow_hands_its_memory_on() {
    struct Borrowed<'a>(&'a mut Ir);

    impl KeyedHost for Borrowed<'_> {
        type Block = Key;
        type Variable = &'static str;
        type Value = Key;

        fn new_phi(&mut self, block: Key, variable: &'static str) -> Key {
            self.0.new_phi(block, variable)
        }

        fn undefined(&mut self, variable: &'static str) -> Key {
            self.0.undefined(variable)
        }
    }

    let (mut irs, mut builder) = ([Ir::default(), Ir::default()], Builder::default());
    for ir in &mut irs {
        let mut ssa = Driver::new(Borrowed(ir), builder);
        ssa.begin(key(4));
        ssa.read_variable(key(4), "t").unwrap();
        ssa.terminate(key(4), &[]).unwrap();
        ssa.finish().unwrap();
        builder = ssa.into_parts().1;
    }
    assert!(irs.iter().all(|ir| ir.undefined == ["t"]));
}

#[test]
fn results_of_throwing_operations_are_written_on_edges() {
    let mut ssa: Driver<Ir> = Driver::default();
    let [at, normal, handler] = [1, 2, 3].map(key);
    ssa.begin(at);
    let [before, result] = [(); 2].map(|()| ssa.host.fresh());
    ssa.global(before).unwrap();
    ssa.define(at, result).unwrap();
    ssa.write_variable(at, "i", before).unwrap();
    ssa.terminate(at, &[normal]).unwrap();
    ssa.add_edge(at, handler).unwrap();
    ssa.seal_blocks(&[normal, handler]).unwrap();
    ssa.write_on_edge(at, 0, "i", result).unwrap();
    assert_eq!([normal, handler].map(|block| ssa.read_variable(block, "i").unwrap()), [result, before]);
}

/// A host whose keys are names, values included.
#[derive(Default)]
struct Named(Vec<String>);

impl KeyedHost for Named {
    type Block = String;
    type Variable = String;
    type Value = String;

    fn new_phi(&mut self, block: String, variable: String) -> String {
        self.0.push(format!("{variable} at {block}"));
        format!("{variable} at {block}")
    }

    fn undefined(&mut self, variable: String) -> String {
        format!("no {variable}")
    }
}

#[test]
fn keys_need_not_be_copied() {
    let mut ssa: Driver<Named> = Driver::default();
    let [entry, header, x] = ["entry", "header", "x"].map(str::to_owned);
    ssa.begin(entry.clone());
    ssa.write_variable(entry.clone(), x.clone(), "zero".to_owned()).unwrap();
    ssa.terminate(entry.clone(), std::slice::from_ref(&header)).unwrap();
    let read = ssa.read_variable(header.clone(), x.clone()).unwrap();
    assert_eq!(read, "x at header");
    ssa.write_variable(header.clone(), x.clone(), "next".to_owned()).unwrap();
    ssa.terminate(header.clone(), std::slice::from_ref(&header)).unwrap();
    ssa.seal_block(header.clone()).unwrap();
    assert_eq!(ssa.read_at_end(header, x).unwrap(), "next");
    let (result, host) = ssa.finish().unwrap();
    let phi = result.phis().next().unwrap();
    assert_eq!(
        (&phi.value, phi.operands_by_source().unwrap()),
        (&read, vec![(Some(entry), "zero".to_owned()), (Some("header".to_owned()), "next".to_owned())])
    );
    assert_eq!(host.0, [read]);
}
