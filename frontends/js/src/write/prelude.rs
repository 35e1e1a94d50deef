//! Helpers: operations that JavaScript has no expression for, as functions at the top of a file.
//!
//! Each does what ECMAScript says that the operation does, by the intrinsic functions that were there when the file was
//! loaded. They are reached through syntax, as `({}).constructor` is `Object`: a declaration of the file, an import or a
//! script beside it may give another meaning to any name.
//! A script may be one of several that were written like this and share their global variables: so each helper is a `var` that may be
//! assigned again, and those that are known by identity are kept.

use std::collections::BTreeSet;

/// A helper.
struct Helper {
    name: &'static str,
    /// The helpers that it calls.
    needs: &'static [&'static str],
    /// What it is, as an expression.
    source: &'static str,
    /// Whether there must be only one of it.
    is_identity: bool,
}

const fn helper(name: &'static str, needs: &'static [&'static str], source: &'static str) -> Helper {
    Helper { name, needs, source, is_identity: false }
}

/// All helpers, each behind those that it needs.
const HELPERS: &[Helper] = &[
    helper("$Object", &[], "({}).constructor"),
    helper("$Array", &[], "[].constructor"),
    helper("$bind", &[], "(() => {}).bind"),
    helper("$apply", &["$bind"], "(() => {}).call.bind($bind.apply)"),
    helper(
        "$TypeError",
        &[],
        "(() => {\n  try {\n    (void 0)();\n  } catch (error) {\n    return error.constructor;\n  }\n})()",
    ),
    helper(
        "$ReferenceError",
        &[],
        "(() => {\n  try {\n    value;\n    let value;\n  } catch (error) {\n    return error.constructor;\n  }\n})()",
    ),
    helper(
        "$SyntaxError",
        &[],
        "(() => {\n  try {\n    new (/x/.constructor)(\"(\");\n  } catch (error) {\n    return error.constructor;\n  }\n})()",
    ),
    helper(
        "$RangeError",
        &[],
        "(() => {\n  try {\n    [].length = -1;\n  } catch (error) {\n    return error.constructor;\n  }\n})()",
    ),
    helper("$Error", &["$Object", "$TypeError"], "$Object.getPrototypeOf($TypeError)"),
    helper("$defineProperty", &["$Object"], "$Object.defineProperty"),
    helper("$getOwnPropertyDescriptor", &["$Object"], "$Object.getOwnPropertyDescriptor"),
    helper("$getOwnPropertyNames", &["$Object"], "$Object.getOwnPropertyNames"),
    helper("$getOwnPropertySymbols", &["$Object"], "$Object.getOwnPropertySymbols"),
    helper(
        "$append",
        &["$defineProperty"],
        "(array, value) => {\n  $defineProperty(array, array.length, { __proto__: null, value, writable: true, enumerable: true, configurable: true });\n}",
    ),
    helper(
        "$construct",
        &["$append", "$apply", "$bind"],
        "(callee, values) => {\n  const list = [null];\n  for (let i = 0; i < values.length; i++) $append(list, values[i]);\n  return new ($apply($bind, callee, list))();\n}",
    ),
    // No syntax leads to `Reflect`; where its name means something else, a proxy is asked for its keys twice.
    helper(
        "$ownKeys",
        &["$append", "$getOwnPropertyNames", "$getOwnPropertySymbols"],
        "(() => {\n  try {\n    const { ownKeys } = globalThis.Reflect;\n    if (typeof ownKeys === \"function\") return ownKeys;\n  } catch {}\n  return (object) => {\n    const keys = $getOwnPropertyNames(object);\n    const symbols = $getOwnPropertySymbols(object);\n    for (let i = 0; i < symbols.length; i++) $append(keys, symbols[i]);\n    return keys;\n  };\n})()",
    ),
    helper("$Symbol", &["$Array", "$getOwnPropertySymbols"], "$getOwnPropertySymbols($Array.prototype)[0].constructor"),
    helper("$iteratorSymbol", &["$Symbol"], "$Symbol.iterator"),
    helper("$asyncIteratorSymbol", &["$Symbol"], "$Symbol.asyncIterator"),
    Helper { name: "$tdz", needs: &[], source: "{ __proto__: null }", is_identity: true },
    helper(
        "$check",
        &["$tdz", "$ReferenceError"],
        "(value, name) => {\n  if (value === $tdz) throw new $ReferenceError(`Cannot access '${name}' before initialization`);\n  return value;\n}",
    ),
    helper("$checked", &["$check"], "(value, before, name) => {\n  $check(before, name);\n  return value;\n}"),
    helper(
        "$constant",
        &["$check", "$TypeError"],
        "(value, before, name) => {\n  $check(before, name);\n  throw new $TypeError(\"Assignment to constant variable.\");\n}",
    ),
    helper("$call", &["$apply"], "(callee, receiver, ...values) => $apply(callee, receiver, values)"),
    helper("$inc", &[], "(value) => ++value"),
    helper("$dec", &[], "(value) => --value"),
    helper(
        "$toKeyName",
        &["$ownKeys"],
        "(key) => (typeof key === \"string\" || typeof key === \"symbol\" ? key : $ownKeys({ __proto__: null, [key]: 0 })[0])",
    ),
    // To convert a primitive value again does nothing else.
    helper(
        "$toKey",
        &["$isObject", "$toKeyName"],
        "(key) => (typeof key !== \"number\" && $isObject(key) ? $toKeyName(key) : key)",
    ),
    helper(
        "$checkCoercible",
        &["$TypeError"],
        "(value) => {\n  if (value === void 0 || value === null) throw new $TypeError(`Cannot destructure '${value}' as it is ${value}.`);\n}",
    ),
    helper(
        "$toKeyOf",
        &["$TypeError", "$toKey"],
        "(object, key) => {\n  if (object === void 0 || object === null) throw new $TypeError(`Cannot read properties of ${object}`);\n  return $toKey(key);\n}",
    ),
    helper(
        "$isObject",
        &[],
        "(value) => (typeof value === \"object\" && value !== null) || typeof value === \"function\"",
    ),
    helper(
        "$rest",
        &["$Object", "$ownKeys", "$getOwnPropertyDescriptor", "$defineProperty", "$toKeyName"],
        "(object, ...without) => {\n  const source = $Object(object);\n  for (let j = 0; j < without.length; j++) without[j] = $toKeyName(without[j]);\n  const copy = {};\n  const keys = $ownKeys(source);\n  next: for (let i = 0; i < keys.length; i++) {\n    for (let j = 0; j < without.length; j++) if (keys[i] === without[j]) continue next;\n    const property = $getOwnPropertyDescriptor(source, keys[i]);\n    if (property === void 0 || !property.enumerable) continue;\n    $defineProperty(copy, keys[i], { __proto__: null, value: source[keys[i]], writable: true, enumerable: true, configurable: true });\n  }\n  return copy;\n}",
    ),
    helper(
        "$appendSpread",
        &["$append"],
        "(array, values) => {\n  for (const value of values) $append(array, value);\n}",
    ),
    helper("$appendHole", &[], "(array) => {\n  array.length++;\n}"),
    helper(
        "$getIterator",
        &["$TypeError", "$isObject", "$iteratorSymbol"],
        "(values) => {\n  const iterator = values[$iteratorSymbol]();\n  if (!$isObject(iterator)) throw new $TypeError(\"Result of the Symbol.iterator method is not an object\");\n  return { __proto__: null, iterator, next: iterator.next };\n}",
    ),
    helper(
        "$checkResult",
        &["$TypeError", "$isObject"],
        "(result) => {\n  if (!$isObject(result)) throw new $TypeError(`Iterator result ${typeof result === \"symbol\" ? \"\" : result} is not an object`);\n  return result;\n}",
    ),
    helper("$iteratorCall", &["$apply"], "(state) => $apply(state.next, state.iterator, [])"),
    helper(
        "$iteratorNext",
        &["$apply", "$checkResult"],
        "(state) => $checkResult($apply(state.next, state.iterator, []))",
    ),
    helper(
        "$iteratorReturn",
        &["$TypeError"],
        "(state) => {\n  const method = state.iterator.return;\n  if (method === void 0 || method === null) return void 0;\n  if (typeof method !== \"function\") throw new $TypeError(\"iterator.return is not a function\");\n  return method;\n}",
    ),
    helper(
        "$iteratorClose",
        &["$apply", "$iteratorReturn", "$checkResult"],
        "(state) => {\n  const method = $iteratorReturn(state);\n  if (method !== void 0) $checkResult($apply(method, state.iterator, []));\n}",
    ),
    helper(
        "$iteratorAbandon",
        &["$apply", "$iteratorReturn"],
        "(state) => {\n  try {\n    const method = $iteratorReturn(state);\n    if (method !== void 0) $apply(method, state.iterator, []);\n  } catch {}\n}",
    ),
    helper("$Promise", &[], "(async () => {})().constructor"),
    helper(
        "$fromSync",
        &["$Promise", "$apply", "$checkResult", "$iteratorAbandon", "$iteratorReturn", "$TypeError", "$iteratorClose"],
        "(state) => {\n  const settle = async (result, closes) => {\n    const done = !!result.done;\n    let value = result.value;\n    try {\n      value = await value;\n    } catch (error) {\n      if (!done && closes) $iteratorAbandon(state);\n      throw error;\n    }\n    return { value, done };\n  };\n  const attempt = (action) => {\n    try {\n      return action();\n    } catch (error) {\n      return new $Promise((_, reject) => reject(error));\n    }\n  };\n  return {\n    __proto__: null,\n    next(...values) {\n      return attempt(() => settle($checkResult($apply(state.next, state.iterator, values)), true));\n    },\n    return(...values) {\n      return attempt(() => {\n        const method = $iteratorReturn(state);\n        if (method === void 0) return (async () => ({ value: values[0], done: true }))();\n        return settle($checkResult($apply(method, state.iterator, values)), false);\n      });\n    },\n    throw(...values) {\n      return attempt(() => {\n        const method = state.iterator.throw;\n        if (method === void 0 || method === null) {\n          $iteratorClose(state);\n          throw new $TypeError(\"The iterator does not provide a 'throw' method\");\n        }\n        return settle($checkResult($apply(method, state.iterator, values)), true);\n      });\n    },\n  };\n}",
    ),
    helper(
        "$getAsyncIterator",
        &["$apply", "$asyncIteratorSymbol", "$fromSync", "$getIterator", "$isObject", "$TypeError"],
        "(values) => {\n  const method = values[$asyncIteratorSymbol];\n  let iterator;\n  if (method === void 0 || method === null) {\n    iterator = $fromSync($getIterator(values));\n  } else {\n    iterator = $apply(method, values, []);\n    if (!$isObject(iterator)) throw new $TypeError(\"Result of the Symbol.asyncIterator method is not an object\");\n  }\n  return { __proto__: null, iterator, next: iterator.next };\n}",
    ),
    helper("$forIn", &[], "function* (object) {\n  for (const key in object) yield key;\n}"),
    helper("$generatorNext", &[], "(function* () {})().next"),
    helper("$forInNext", &["$apply", "$generatorNext"], "(state) => $apply($generatorNext, state, [])"),
    Helper {
        name: "$Return",
        needs: &["$isObject"],
        source: "class {\n  #value;\n  constructor(value) {\n    this.#value = value;\n  }\n  static is(value) {\n    return $isObject(value) && #value in value;\n  }\n  static open(completion) {\n    return completion.#value;\n  }\n}",
        is_identity: true,
    },
    helper(
        "$yield",
        &["$Return", "$iteratorSymbol"],
        "(value) => {\n  let done = false;\n  return {\n    __proto__: null,\n    [$iteratorSymbol]() {\n      return this;\n    },\n    next(sent) {\n      if (done) return { value: sent, done };\n      done = true;\n      return { value, done: false };\n    },\n    throw(error) {\n      throw error;\n    },\n    return(value) {\n      throw new $Return(value);\n    },\n  };\n}",
    ),
    helper(
        "$asyncYield",
        &["$Return", "$asyncIteratorSymbol"],
        "(value) => {\n  let done = false;\n  return {\n    __proto__: null,\n    [$asyncIteratorSymbol]() {\n      return this;\n    },\n    async next(sent) {\n      if (done) return { value: sent, done };\n      done = true;\n      return { value: await value, done: false };\n    },\n    async throw(error) {\n      throw error;\n    },\n    async return(value) {\n      throw new $Return(await value);\n    },\n  };\n}",
    ),
    helper(
        "$delegate",
        &[
            "$Return",
            "$apply",
            "$checkResult",
            "$getIterator",
            "$iteratorClose",
            "$iteratorReturn",
            "$iteratorSymbol",
            "$TypeError",
        ],
        "(values) => {\n  const state = $getIterator(values);\n  return {\n    __proto__: null,\n    [$iteratorSymbol]() {\n      return this;\n    },\n    next(sent) {\n      return $apply(state.next, state.iterator, [sent]);\n    },\n    throw(error) {\n      const method = state.iterator.throw;\n      if (method !== void 0 && method !== null) return $apply(method, state.iterator, [error]);\n      $iteratorClose(state);\n      throw new $TypeError(\"The iterator does not provide a 'throw' method\");\n    },\n    return(value) {\n      const method = $iteratorReturn(state);\n      if (method === void 0) throw new $Return(value);\n      const result = $checkResult($apply(method, state.iterator, [value]));\n      if (result.done) throw new $Return(result.value);\n      return result;\n    },\n  };\n}",
    ),
    helper(
        "$asyncDelegate",
        &[
            "$Return",
            "$apply",
            "$checkResult",
            "$getAsyncIterator",
            "$iteratorReturn",
            "$asyncIteratorSymbol",
            "$TypeError",
        ],
        "(values) => {\n  const state = $getAsyncIterator(values);\n  return {\n    __proto__: null,\n    [$asyncIteratorSymbol]() {\n      return this;\n    },\n    next(sent) {\n      return $apply(state.next, state.iterator, [sent]);\n    },\n    async throw(error) {\n      const method = state.iterator.throw;\n      if (method !== void 0 && method !== null) return $apply(method, state.iterator, [error]);\n      const close = $iteratorReturn(state);\n      if (close !== void 0) $checkResult(await $apply(close, state.iterator, []));\n      throw new $TypeError(\"The iterator does not provide a 'throw' method\");\n    },\n    async return(value) {\n      const method = $iteratorReturn(state);\n      if (method === void 0) throw new $Return(await value);\n      const result = $checkResult(await $apply(method, state.iterator, [value]));\n      if (result.done) throw new $Return(result.value);\n      return result;\n    },\n  };\n}",
    ),
    helper(
        "$slice",
        &["$Array"],
        "(values, start) => {\n  const rest = new $Array(values.length > start ? values.length - start : 0);\n  for (let i = 0; i < rest.length; i++) rest[i] = values[start + i];\n  return rest;\n}",
    ),
];

/// The names of all helpers.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    HELPERS.iter().map(|helper| helper.name)
}

/// The declarations of helpers and of those that they need, each behind those; their names begin with `prefix`.
pub(super) fn declarations(named: &BTreeSet<&'static str>, prefix: &str, is_script: bool) -> String {
    let mut used: BTreeSet<&str> = BTreeSet::new();
    let mut work: Vec<&str> = named.iter().copied().collect();
    while let Some(name) = work.pop() {
        if used.insert(name)
            && let Some(helper) = HELPERS.iter().find(|helper| helper.name == name)
        {
            work.extend(helper.needs);
        }
    }
    let mut out = String::new();
    for helper in HELPERS.iter().filter(|helper| used.contains(helper.name)) {
        let (name, source) = (prefixed(helper.name, prefix), prefixed(helper.source, prefix));
        out += &match (is_script, helper.is_identity) {
            (true, true) => format!("var {name} = {name} || {source};\n"),
            (true, false) => format!("var {name} = {source};\n"),
            (false, _) => format!("const {name} = {source};\n"),
        };
    }
    out
}

/// The source of a helper, where the names of helpers begin with `prefix` and not with `$`.
fn prefixed(source: &str, prefix: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut chars = source.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '$' if chars.peek().is_some_and(char::is_ascii_alphabetic) => out += prefix,
            _ => out.push(c),
        }
    }
    out
}
