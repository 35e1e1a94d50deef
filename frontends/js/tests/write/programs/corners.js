const log = (...values) => console.log(...values.map((value) => (Object.is(value, -0) ? "-0" : value)));
const attempt = (f) => {
  try {
    log(f());
  } catch (error) {
    log(error.name, error.message);
  }
};
const items = (count, name) => ({
  [Symbol.iterator]() {
    let i = 0;
    return {
      next() {
        log(name, "next", i);
        if (i === 9) throw new Error(name);
        return { value: i++, done: i > count };
      },
      return() {
        log(name, "return");
        return {};
      },
    };
  },
});
const spelled = (text) => ({
  toString() {
    log("converted", text);
    return text;
  },
});

function loops(n) {
  while (0) log("never");
  for (; 0; ) log("never");
  const later = [];
  for (let i = 0; i < 3; later.push(() => i), i++) if (i < 3) log("round", i);
  log(later.map((f) => f()));
  while (true) {
    a: {
      if (n++ > 2) break;
      log("in a", n);
    }
    log("behind a");
  }
  for (const x of items(3, "continued")) {
    if (x === 1) continue;
    log("of", x);
  }
  for (const x of items(3, "nested")) {
    for (const y of items(3, "inner")) {
      if (y === 1) break;
      log(x, y);
    }
    if (x === 1) return "returned";
  }
}
log(loops(0));
for (var v = log("initial") || 5 in {}) log("never");
log(v);
for (const i of [0, 1]) {
  let own;
  if (i === 0) log(own);
  own = i;
  var kept = kept || [];
  kept.push(() => own);
  var again;
  log(again);
  again = i;
}
log(kept.map((f) => f()));

function choices(a, b, on) {
  if (a ?? b) log("nullish");
  if (!(a && b)) log("not both");
  if (!(a || b)) log("neither");
  if (!(a == b)) log("differ");
  if (!(a === b)) log("strictly differ");
  switch (on) {
    case 1:
      log("one");
      break;
    case log("asked"), 2:
      log("two");
      break;
    case 2:
      log("never");
    case 3:
      log("three");
  }
  return [a || b, a && b, a ?? b, (a ?? b) || on, a ?? (b || on), (a && b) || on, a && (b || on)];
}
log(choices(0, 1, 2), choices(null, 0, 1), choices(1, 1, 3), choices(undefined, null, 4));

function patterns(o) {
  const { x = 1, y = 2 } = o;
  log(x, y);
  try {
    const {} = o.z;
  } catch (error) {
    log(error.name);
  }
  const [first] = items(3, "pattern");
  log(first);
  const [p, , q = "none"] = items(1, "short");
  log(p, q);
  attempt(() => {
    const [r] = { [Symbol.iterator]: () => ({ next() { throw new Error("next"); }, return() { log("wrong"); } }) };
  });
  const { [spelled("x")]: taken, ...rest } = { x: 7, w: 8 };
  log(taken, Object.keys(rest));
  const { w, ...others } = { w: 1, u: 2 };
  log(w, Object.keys(others));
  [(log("target"), o).t] = items(1, "late");
  log(o.t);
}
patterns({ x: null });

function zones() {
  attempt(() => {
    c = 1;
    const c = 2;
    return () => c;
  });
  attempt(() => {
    const c = 2;
    c = 1;
  });
  attempt(() => {
    write();
    let z = 1;
    function write() {
      z = 2;
    }
    return z;
  });
  attempt(() => {
    read();
    let z = 1;
    function read() {
      log(z);
    }
  });
  attempt(() => {
    switch (1) {
      case 0:
        let inside = 1;
      default:
        return inside;
    }
  });
  attempt(function named() {
    "use strict";
    named = 1;
  });
  attempt(function named() {
    named = 1;
    return typeof named;
  });
  let counted = 0;
  const count = () => counted++;
  count();
  count();
  log(counted);
}
zones();

function places(o, key) {
  o[spelled("k")] = 1;
  o[key] = "value";
  log(o.k, o.key, o[key]++, ++o.k, o.k--);
  log(o.missing?.deep.deeper, o.missing?.[log("never")], delete o.missing?.x, o.missing?.(), o?.k);
  let text = "5";
  log(text++, text, typeof text, ++text);
  let named, anonymous;
  named = function () {};
  (anonymous) = function () {};
  log(named.name, anonymous.name);
  log(Math.max(...items(2, "spread"), log("behind") || 1), [...items(2, "element"), log("behind"), , 3].length);
  log(new Array(...[1, , 2]).length, new (o.get())(3).x, (0, o.self)() === o, o.self.call(o) === o, o.self() === o);
  const { self } = o;
  log(typeof self(), self.call(text));
  log({ ...{ get g() { log("getter"); return 1; } }, after: log("after") }.g);
  log(`${spelled("first")}${log("between")}${spelled("second")}`);
  const __proto__ = null;
  const short = { __proto__ };
  log(Object.keys(short), Object.getPrototypeOf({ __proto__: null }), Object.keys({ ["__proto__"]: 1 }));
  log(typeof notDeclared, typeof o);
}
places({ k: 1, self() { return this; }, get: () => function (x) { this.x = x; } }, "key");

class Base {
  static of() {
    return "static";
  }
  of() {
    return "own";
  }
}
class Derived extends Base {
  constructor(early) {
    const read = () => this;
    if (early) read();
    super();
    log(read() === this);
  }
}
log(Base.of(), new Base().of());
attempt(() => typeof new Derived(false));
attempt(() => new Derived(true));
attempt(() => {
  const o = { set x(value) { throw new Error("set " + value); } };
  try {
    o.x = 1;
  } catch (error) {
    return error.message;
  }
});

function* cleaned() {
  try {
    try {
      yield 1;
    } catch (error) {
      log("wrong", error);
    }
    yield 2;
  } finally {
    log("cleaned");
    yield 3;
  }
}
const first = cleaned();
log(first.next().value, first.return(8).value, first.next().value);
attempt(() => {
  const second = cleaned();
  second.next();
  second.next();
  second.throw(new Error("thrown"));
  return second.next().value;
});
function* early(x = log("default")) {
  log("started", x);
  yield x;
}
const begun = early();
log("made");
begun.next();
log(((a, b = 1, c) => {}).length, (function (...rest) {}).length);

function body(a, b = () => a) {
  var a;
  log(a, b());
  a = 2;
  log(a, b());
}
body(1);
function aliased(a) {
  const all = arguments;
  a = 2;
  all[0]++;
  return [a, all[0]];
}
log(aliased(1));
function strictly(a) {
  "use strict";
  const all = arguments;
  a = 2;
  return [a, all[0]];
}
log(strictly(1));
function blocks(x) {
  log(typeof inner);
  {
    function inner() {
      return x;
    }
    log(inner());
  }
  log(inner());
  {
    let hidden = 1;
    {
      function hidden() {}
    }
    log(typeof hidden);
  }
  log(typeof hidden);
}
blocks(4);

function operators(a, b, c, x) {
  log(a - (b - c), a - b - c, a / (b * c), (-a) ** 2, (a ** b) ** 2, a ** (b ** 2), - -a, -(-a), +(+a), - --a, a);
  log((x = a) ? b : c, x, (a, b) ? 1 : 2, a ? (b ? 1 : 2) : 3, (a ? b : c) ? 1 : 2);
  log(!(a && b), !(a || b), !(a < b), !(a == b), !(a != b), !!a, !(a instanceof Object), !("k" in {}));
  log((() => ({}))(), typeof (() => {}), (function () { return 1; })(), 1..toFixed(1), (5).constructor.name, a.toString());
  x = b + 1;
  x = x - 1;
  x = a * x;
  log(x, b);
  let i = 3;
  log(i--, i++, i);
}
operators(5, 2, 1, 0);
const literals = (s) => [
  "both \" and '", "it's", 'say "x"', "nul\u00001", "nul\0", "line\nbreak\r\t\\", "\u2028\ufeff", `back\`tick`, `$\{${s}}`, `\${s}`,
  "</script>", "<!--", "\ud800", -0, 0, 1e21, 123456789012345680000, 1e-7, 5e-324, 1e300, 1 / 0, -1 / 0, 0 / 0, 0xff, 10n, -10n,
];
literals("s").forEach((value) => log(typeof value === "string" ? JSON.stringify(value) : value));
log(Object.keys({ "01": 1, 1: 2, "a b": 3, class: 4, 1.5: 5, "-1": 6, 1e21: 7 }));
log([, 1, , ].length, [1, , ].length, [, ].length, 0 in [, 1]);

function joined(a, b, o) {
  let r = a;
  if (!r) r = b;
  let s = a;
  if (s) s = b;
  let t = o.missing;
  if (t == null) t = b;
  let u = 1, w = 2;
  if (a) u = b;
  else w = b;
  return [r, s, t, u, w];
}
log(joined(0, 3, {}), joined(1, 3, { missing: 0 }));
function ordered(o) {
  let before = o.n;
  o.n = 5;
  const after = o.n;
  let x = before + after;
  const y = x;
  x = 9;
  const bump = () => ++x;
  const z = x + bump() + x;
  return [before, after, x, y, z];
}
log(ordered({ n: 1 }));
function caught(f) {
  let step = 0;
  try {
    step = 1;
    f(1);
    step = 2;
    f(2);
    step = 3;
  } catch (error) {
    return [step, error];
  }
  let seen = step;
  try {
    f(3);
  } catch (error) {
    seen = error;
    error = 1;
    return [seen, error];
  } finally {
    log("finally", step);
  }
  return step;
}
for (const at of [1, 2, 3, 4]) log(caught((n) => { if (n === at) throw n; }));
function dispatch(n) {
  outer: for (;;) {
    inner: while (true) {
      switch (n++) {
        case 0:
          continue outer;
        case 1:
          continue inner;
        case 2:
          break inner;
        case 4:
          break outer;
        default:
          if (n > 9) return n;
      }
      log("round", n);
    }
    log("behind", n);
    do {
      if (n === 3) continue;
      if (n > 5) break outer;
      log("do", n);
    } while (n++ < 3);
  }
  return n;
}
log(dispatch(0), dispatch(5));
function rounds(count) {
  let last, total = 0;
  for (let i = 0; i < count; i++) {
    const now = i * 2;
    if (last !== undefined) total += now - last;
    last = now;
  }
  return [last, total];
}
log(rounds(4));
function shadows(alert) {
  let $ = 1;
  const parseInt = (x) => "own " + x;
  {
    let $ = 2;
    log($);
    {
      const $ = alert;
      log($, globalThis.parseInt("7"));
    }
  }
  return [$, parseInt(1), Number.parseInt("2")];
}
log(shadows("a"));

async function* produced() {
  try {
    yield Promise.resolve("awaited");
    yield 2;
  } finally {
    await null;
    log("closed");
  }
  return Promise.resolve("returned");
}
async function main() {
  for await (const x of produced()) {
    log(x);
    if (x === "awaited") break;
  }
  log("behind");
  const all = produced();
  await all.next();
  await all.next();
  log(await all.next());
  for await (const x of [Promise.resolve(1), 2]) log(x);
  for await (const x of { [Symbol.asyncIterator]: () => ({ next: async () => ({ value: 1 }), return: async () => { await null; log("return"); return {}; } }) }) break;
  log("end");
  async function* given() {
    return Promise.reject(new Error("given"));
  }
  await given().next().catch((error) => log(error.message));
}
main();
