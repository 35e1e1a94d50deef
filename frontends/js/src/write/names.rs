//! Names that a file takes, and names for what is written.

use super::literal::is_binding_name;
use super::prelude;
use crate::Program;
use crate::dialect::{Immediates, Opcode};
use crate::program::{FunctionId, ImportClause};
use foldhash::fast::RandomState;
use oxc_syntax::identifier::{is_identifier_part, is_identifier_start};
use ssaphire_ir::Action;
use std::collections::{HashMap, HashSet};

/// What a `catch` clause calls what it assigns to a variable.
const CAUGHT: &str = "$error";

type Set = HashSet<String, RandomState>;

/// The names that mean something in a file, and where: those of globals and imports where functions mention them, those
/// of helpers, and all words of what is written as it stands in the source.
#[derive(Debug)]
pub(super) struct FileNames {
    /// What the names of helpers begin with.
    pub(super) prefix: String,
    /// Taken all over the file.
    taken: Set,
    /// By name, the functions that mention it, as positions in preorder, ascending.
    mentions: HashMap<String, Vec<u32>, RandomState>,
    /// By function: its own position in preorder of the functions, and the one behind the last function inside of it.
    ranges: Vec<(u32, u32)>,
    /// The names of functions and classes that are mentioned inside of these, by the functions in between.
    own: HashSet<(u32, String), RandomState>,
    /// By such a name, all of these functions, as positions in preorder.
    own_positions: HashMap<String, Vec<u32>, RandomState>,
}

impl FileNames {
    pub(super) fn new(program: &Program, source: &str) -> Self {
        let (taken, mentions, own) = (Set::default(), HashMap::default(), HashSet::default());
        let (ranges, own_positions) = (ranges(program), HashMap::default());
        let mut names = Self { prefix: String::new(), taken, mentions, own, own_positions, ranges };
        let class_names = class_names(program);
        for (index, function) in program.functions.iter().enumerate() {
            let id = FunctionId(index as u32);
            if function.is_verbatim && (index > 0 || !program.functions[0].is_verbatim) {
                names.add_words(source.get(function.span.start as usize..function.span.end as usize).unwrap_or(""));
            }
            for block in function.body.blocks() {
                for inst in function.body.block(block).insts().iter() {
                    let Action::Op(op) = inst.action else { continue };
                    let Immediates::Name(name) = &op.immediates else { continue };
                    match op.opcode {
                        Opcode::GetName
                        | Opcode::TypeofName
                        | Opcode::SetName
                        | Opcode::DeleteName
                        | Opcode::InitName => names.mention(id, name),
                        Opcode::Native => names.mention_native(program, &class_names, id, name),
                        _ => {}
                    }
                }
            }
        }
        if program.functions.first().is_some_and(|top| top.is_verbatim) {
            names.add_words(source);
        }
        program.free.iter().for_each(|(function, name)| names.mention(*function, name));
        let top = &program.top;
        for import in &top.imports {
            let ImportClause::Bind { bindings, .. } = &import.clause else { continue };
            bindings.iter().for_each(|binding| names.mention(FunctionId::TOP, &binding.local));
        }
        let globals = top.vars.iter().chain(top.functions.iter().map(|(name, _)| name));
        globals.chain(top.lexical.iter().map(|(name, _)| name)).for_each(|name| names.mention(FunctionId::TOP, name));
        names.choose_prefix(source);
        let lists = names.mentions.values_mut().chain(names.own_positions.values_mut());
        lists.for_each(|positions| positions.sort_unstable());
        names
    }

    /// Lets the names of helpers begin with something that leaves those of the file alone.
    fn choose_prefix(&mut self, source: &str) {
        let words = source.split(|c: char| !is_identifier_part(c)).filter(|word| word.starts_with('$'));
        let words: HashSet<&str, RandomState> = words.collect();
        let helpers = || prelude::names().chain([CAUGHT]).map(|name| name.trim_start_matches('$'));
        let mut prefix = "$".to_owned();
        let is_met = |prefix: &str| {
            helpers().any(|name| {
                let name = format!("{prefix}{name}");
                words.contains(&*name) || self.taken.contains(&name) || self.mentions.contains_key(&name)
            })
        };
        while is_met(&prefix) {
            prefix.push('$');
        }
        helpers().for_each(|name| self.add(&format!("{prefix}{name}")));
        self.prefix = prefix;
    }

    fn add(&mut self, name: &str) {
        if !self.taken.contains(name) {
            self.taken.insert(name.to_owned());
        }
    }

    fn mention(&mut self, function: FunctionId, name: &str) {
        let position = self.ranges[function.index()].0;
        match self.mentions.get_mut(name) {
            Some(positions) if positions.last() == Some(&position) => {}
            Some(positions) => positions.push(position),
            None => {
                self.mentions.insert(name.to_owned(), vec![position]);
            }
        }
    }

    /// A name that the text binds: of a function or class around, or of an import.
    fn mention_native(
        &mut self,
        program: &Program,
        class_names: &HashMap<FunctionId, &str, RandomState>,
        function: FunctionId,
        name: &str,
    ) {
        let mut between = Vec::new();
        let mut around = Some(function);
        while let Some(id) = around {
            let Some(function) = program.functions.get(id.index()) else { break };
            between.push(id.0);
            // The text binds the name here: it is taken in the functions up to this one, but not in others.
            if function.self_name.as_deref() == Some(name) || class_names.get(&id) == Some(&name) {
                for id in between {
                    let position = self.ranges[id as usize].0;
                    if self.own.insert((id, name.to_owned())) {
                        self.own_positions.entry(name.to_owned()).or_default().push(position);
                    }
                }
                return;
            }
            around = function.parent;
        }
        self.mention(function, name);
    }

    /// Adds what might be a name in a text.
    fn add_words(&mut self, text: &str) {
        let words = text.split(|c: char| !is_identifier_part(c));
        words.filter(|word| word.starts_with(is_identifier_start)).for_each(|word| self.add(word));
    }

    /// Whether `function` stands in a function or class that is called `name` there.
    pub(super) fn is_own(&self, function: FunctionId, name: &str) -> bool {
        self.own.contains(&(function.0, name.to_owned()))
    }

    /// Whether a function inside of `function` stands in one that is called `name` there: it would not mean a variable
    /// of `function` by it.
    pub(super) fn is_own_inside(&self, function: FunctionId, name: &str) -> bool {
        let (first, end) = self.ranges[function.index()];
        let positions = self.own_positions.get(name);
        positions.is_some_and(|positions| {
            let at = positions.partition_point(|&position| position <= first);
            positions.get(at).is_some_and(|&position| position < end)
        })
    }

    /// Whether `function`, or one inside of it, means something else by `name` than a variable of `function`.
    pub(super) fn is_taken(&self, function: FunctionId, name: &str) -> bool {
        if self.taken.contains(name) || self.is_own(function, name) {
            return true;
        }
        let (first, end) = self.ranges[function.index()];
        // In preorder, the functions inside of `function` follow it: its mentions and theirs are adjacent.
        self.mentions.get(name).is_some_and(|positions| {
            let at = positions.partition_point(|&position| position < first);
            positions.get(at).is_some_and(|&position| position < end)
        })
    }
}

/// By function, its position in preorder and the one behind all functions inside of it.
fn ranges(program: &Program) -> Vec<(u32, u32)> {
    let num_functions = program.functions.len();
    // A function comes behind the one that holds it: sizes add up from the last one to the first.
    let mut sizes = vec![1u32; num_functions];
    for index in (1..num_functions).rev() {
        if let Some(parent) = program.functions[index].parent {
            sizes[parent.index()] += sizes[index];
        }
    }
    let mut next: Vec<u32> = vec![0; num_functions];
    let mut ranges: Vec<(u32, u32)> = Vec::with_capacity(num_functions);
    let mut after_roots = 0;
    for (index, function) in program.functions.iter().enumerate() {
        let from = function.parent.map_or(&mut after_roots, |parent| &mut next[parent.index()]);
        let first = *from;
        *from += sizes[index];
        next[index] = first + 1;
        ranges.push((first, first + sizes[index]));
    }
    ranges
}

/// By function, the name of the class whose element it is.
fn class_names(program: &Program) -> HashMap<FunctionId, &str, RandomState> {
    let mut names = HashMap::default();
    for class in &program.classes {
        if let Some(name) = &class.self_name {
            let elements = class.elements.iter().filter_map(|element| element.function);
            for function in elements.chain(class.constructor) {
                names.insert(function, &**name);
            }
        }
    }
    names
}

/// The names that a function and those inside of it must not take, and those that it has taken.
#[derive(Debug, Default)]
pub(super) struct Scope {
    own: Set,
    /// The last suffix given out, by name.
    suffixes: HashMap<String, u32, RandomState>,
}

impl Scope {
    pub(super) fn take(&mut self, name: &str) {
        self.own.insert(name.to_owned());
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.own.contains(name)
    }

    /// A name like `wanted` that nothing has, by `is_taken` or in this scope.
    pub(super) fn unique(&mut self, wanted: &str, is_taken: impl Fn(&str) -> bool) -> String {
        let base = as_name(wanted);
        let mut name = base.clone();
        // Remembering the last suffix keeps a thousand variables of one name from costing a million look-ups.
        let suffix = self.suffixes.entry(base.clone()).or_insert(1);
        while is_taken(&name) || self.own.contains(&name) {
            *suffix += 1;
            name = format!("{base}_{suffix}");
        }
        self.own.insert(name.clone());
        name
    }
}

/// The name that is most like `wanted`.
pub(super) fn as_name(wanted: &str) -> String {
    // What tells versions of a variable apart is behind a point.
    let wanted = wanted.split_once('.').map_or(wanted, |(name, _)| name);
    let mut name: String = wanted.chars().map(|c| if is_identifier_part(c) { c } else { '_' }).collect();
    if !name.starts_with(is_identifier_start) || !is_binding_name(&name) {
        name.insert(0, '_');
    }
    name
}
