//! Calls of `useMemo` and `useCallback` become calls of their functions, between marks of where they were.
//!
//! # Departures
//! React Compiler knows the two by the types of globals; here they are known by their names, and by the module that they come from.

use super::function::{Block, ClosureId, HirFunction, Instruction, Place};
use super::lower::Unsupported;
use super::order;
use super::terminal::Terminal;
use super::value::{Dependency, DependencyRoot, Element, Global, PropertyName, Value};
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};
use ssaphire_js::source::Span;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Hook {
    UseMemo,
    UseCallback,
}

impl Hook {
    fn named(name: &str) -> Option<Self> {
        match name {
            "useMemo" => Some(Self::UseMemo),
            "useCallback" => Some(Self::UseCallback),
            _ => None,
        }
    }

    /// The hook that a global is, if it is React's.
    fn of(global: &Global) -> Option<Self> {
        let is_react = |module: &str| module.eq_ignore_ascii_case("react") || module.eq_ignore_ascii_case("react-dom");
        match global {
            Global::Unbound(name) => Self::named(name),
            Global::Module(_) => None,
            Global::ImportSpecifier { imported, module, .. } => {
                Self::named(imported.as_str()?).filter(|_| module.as_str().is_some_and(is_react))
            }
            Global::ImportDefault { name, module } | Global::ImportNamespace { name, module } => {
                Self::named(name).filter(|_| module.as_str().is_some_and(is_react))
            }
        }
    }
}

/// What is known of the places so far.
#[derive(Default)]
struct Seen {
    functions: HashMap<Place, ClosureId>,
    /// The hooks, and the instructions that load them.
    hooks: HashMap<Place, (Hook, u32)>,
    react: HashSet<Place>,
    dependencies: HashMap<Place, Dependency>,
    lists: HashMap<Place, Vec<Place>>,
    /// The values of links of chains behind a `?.`.
    optional: HashSet<Place>,
}

/// Replaces the calls in the outermost function.
///
/// # Errors
/// A call of which React Compiler cannot tell the function or the dependencies; an optional chain in a `try`.
pub(super) fn drop_manual_memoization(nest: &mut HirFunction) -> Result<(), Unsupported> {
    let mut seen = Seen { optional: optional_values(nest)?, ..Seen::default() };
    let mut marks: HashMap<u32, Instruction> = HashMap::new();
    for id in nest.function(ClosureId::OUTERMOST).order.clone() {
        let Some(block) = nest.block_mut(id) else { continue };
        let mut instructions = std::mem::take(&mut block.instructions);
        for instruction in &mut instructions {
            seen.instruction(nest, instruction);
            replace(nest, instruction, &seen, &mut marks)?;
        }
        if let Some(block) = nest.block_mut(id) {
            block.instructions = instructions;
        }
    }
    if !marks.is_empty() {
        for id in nest.function(ClosureId::OUTERMOST).order.clone() {
            if let Some(block) = nest.block_mut(id) {
                insert(block, &marks);
            }
        }
        order::number(nest, ClosureId::OUTERMOST);
    }
    Ok(())
}

fn insert(block: &mut Block, marks: &HashMap<u32, Instruction>) {
    let instructions = std::mem::take(&mut block.instructions);
    block.instructions = instructions
        .into_iter()
        .flat_map(|instruction| {
            let mark = marks.get(&instruction.order).cloned();
            std::iter::once(instruction).chain(mark)
        })
        .collect();
}

impl Seen {
    fn instruction(&mut self, nest: &HirFunction, instruction: &Instruction) {
        let place = instruction.place;
        match &instruction.value {
            Value::Call { .. } | Value::MethodCall { .. } => return,
            Value::Function(closure) => _ = self.functions.insert(place, *closure),
            Value::LoadGlobal(global) => match Hook::of(global) {
                Some(hook) => _ = self.hooks.insert(place, (hook, instruction.order)),
                None if &**global.name() == "React" => _ = self.react.insert(place),
                None => {}
            },
            Value::PropertyLoad { object, property: PropertyName::Text(name) } if self.react.contains(object) => {
                if let Some(hook) = name.as_str().and_then(Hook::named) {
                    self.hooks.insert(place, (hook, instruction.order));
                }
            }
            Value::Array(elements) => {
                let places = elements.iter().map(|element| match element {
                    Element::Place(place) => Some(*place),
                    Element::Spread(_) | Element::Hole => None,
                });
                self.lists.extend(places.collect::<Option<_>>().map(|places| (place, places)));
            }
            _ => {}
        }
        if let Some(dependency) = self.dependency(nest, instruction) {
            self.dependencies.insert(place, dependency);
        }
    }

    /// What a dependency that `instruction` computes is.
    fn dependency(&mut self, nest: &HirFunction, instruction: &Instruction) -> Option<Dependency> {
        let is_variable =
            |place: Place| nest.identifiers[place.index()].name.as_deref().is_some_and(|name| !name.starts_with('#'));
        match &instruction.value {
            Value::LoadGlobal(global) => {
                Some(Dependency { root: DependencyRoot::Global(global.name().clone()), path: Vec::new() })
            }
            Value::PropertyLoad { object, property } => {
                let mut dependency = self.dependencies.get(object)?.clone();
                dependency.path.push((property.clone(), self.optional.contains(&instruction.place)));
                Some(dependency)
            }
            Value::LoadLocal { place } | Value::LoadContext { place } => match self.dependencies.get(place) {
                Some(dependency) => Some(dependency.clone()),
                None if is_variable(*place) => {
                    Some(Dependency { root: DependencyRoot::Local(*place), path: Vec::new() })
                }
                None => None,
            },
            Value::StoreLocal { target, value, .. } if !is_variable(*target) => {
                let dependency = self.dependencies.get(value)?.clone();
                self.dependencies.insert(*target, dependency.clone());
                Some(dependency)
            }
            _ => None,
        }
    }
}

fn replace(
    nest: &mut HirFunction,
    instruction: &mut Instruction,
    seen: &Seen,
    marks: &mut HashMap<u32, Instruction>,
) -> Result<(), Unsupported> {
    let (Value::Call { callee, arguments } | Value::MethodCall { property: callee, arguments, .. }) =
        &instruction.value
    else {
        return Ok(());
    };
    let Some(&(hook, loaded)) = seen.hooks.get(callee) else { return Ok(()) };
    let function = match arguments.first() {
        Some(Element::Place(function)) => *function,
        _ => return Err(unclear("a hook without a function")),
    };
    let dependencies = arguments.get(1).map(|list| dependencies(list, seen)).transpose()?;
    let Some(&closure) = seen.functions.get(&function) else {
        return Err(unclear("a hook of a function from elsewhere"));
    };
    let closure = nest.function(closure);
    if hook == Hook::UseMemo && (!closure.params.is_empty() || closure.is_async || closure.is_generator) {
        return Err(unclear("`useMemo` of a function that cannot be called at once"));
    }
    let declaration = match hook {
        Hook::UseMemo => {
            instruction.value = Value::Call { callee: function, arguments: Vec::new() };
            instruction.place
        }
        Hook::UseCallback => {
            instruction.value = Value::LoadLocal { place: function };
            function
        }
    };
    let mut mark = |value| Instruction { order: 0, place: nest.temporary(), value };
    marks.insert(loaded, mark(Value::StartMemoize { dependencies }));
    marks.insert(instruction.order, mark(Value::FinishMemoize { declaration }));
    Ok(())
}

fn dependencies(list: &Element, seen: &Seen) -> Result<Vec<Dependency>, Unsupported> {
    let places = match list {
        Element::Place(list) => seen.lists.get(list),
        Element::Spread(_) | Element::Hole => None,
    };
    let places = places.ok_or_else(|| unclear("a hook whose dependencies are no array literal"))?;
    let find = |place| seen.dependencies.get(place).cloned();
    let found = places.iter().map(find).collect::<Option<_>>();
    found.ok_or_else(|| unclear("a hook with a dependency that is no variable nor a property of one"))
}

fn unclear(reason: &str) -> Unsupported {
    Unsupported { reason: reason.into(), span: Span::NOWHERE }
}

/// What the links of optional chains behind a `?.` compute. React Compiler fails on one whose blocks end in edges to a handler.
fn optional_values(nest: &HirFunction) -> Result<HashSet<Place>, Unsupported> {
    let mut values = HashSet::new();
    for &id in &nest.function(ClosureId::OUTERMOST).order {
        let Some(Block { terminal: Terminal::Optional { is_optional: true, test, fallthrough }, .. }) = nest.block(id)
        else {
            continue;
        };
        let mut next = Some(*test);
        while let Some(block) = next.take().and_then(|test| nest.block(test)) {
            match block.terminal {
                Terminal::Branch { consequent, fallthrough: end, .. } if end == *fallthrough => {
                    let last = nest.block(consequent).and_then(|block| block.instructions.last());
                    if let Some(Instruction { value: Value::StoreLocal { value, .. }, .. }) = last {
                        values.insert(*value);
                    }
                }
                Terminal::Branch { fallthrough, .. }
                | Terminal::Optional { fallthrough, .. }
                | Terminal::Logical { fallthrough, .. }
                | Terminal::Sequence { fallthrough, .. }
                | Terminal::Ternary { fallthrough, .. } => next = Some(fallthrough),
                _ => return Err(unclear("an optional chain in a `try`")),
            }
        }
    }
    Ok(values)
}
