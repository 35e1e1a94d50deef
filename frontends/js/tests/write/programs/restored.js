// What is written as it was meant: `finally`, assignments in expressions, and variables of one name.

const log = (...values) => console.log(values.map(value => (typeof value === 'function' ? 'function' : JSON.stringify(value))).join(' '));

function attempt(run) {
  try {
    log('result', run());
  } catch (error) {
    log('error', error instanceof Error ? error.name : error);
  }
}

// `finally`, whatever leaves the statement.

function leaves(how) {
  const seen = [];
  outer: for (const round of [1, 2]) {
    for (let i = 0; i < 3; i++) {
      try {
        seen.push(`${round}.${i}`);
        if (how === 'return') return seen;
        if (how === 'break') break;
        if (how === 'break outer') break outer;
        if (how === 'continue') continue;
        if (how === 'continue outer') continue outer;
        if (how === 'throw') throw seen;
        if (how === 'nothing') return;
      } finally {
        seen.push('finally');
        if (i > 1) seen.push('late');
      }
      seen.push('behind');
    }
    seen.push('after');
  }
  return seen;
}

for (const how of ['return', 'break', 'break outer', 'continue', 'continue outer', 'throw', 'nothing', 'none']) attempt(() => leaves(how));

function overrides(how) {
  for (const x of [1, 2, 3]) {
    try {
      if (how === 'throw') throw 'thrown';
      return ['returned', x];
    } finally {
      if (how === 'break' || how === 'throw') break;
      if (how === 'return') return ['overridden', x];
      if (how === 'continue' && x < 3) continue;
    }
  }
  return 'end';
}

for (const how of ['break', 'throw', 'return', 'continue', 'none']) attempt(() => overrides(how));

function nested(first, second) {
  const seen = [];
  try {
    try {
      if (first) throw 'a';
      seen.push('body');
      return seen;
    } catch (error) {
      seen.push(error);
      if (second) throw 'b';
    } finally {
      seen.push('inner');
      if (first && second) seen.push('both');
    }
    seen.push('between');
  } finally {
    seen.push('outer');
    log(...seen);
  }
  return seen.length;
}

for (const first of [false, true]) for (const second of [false, true]) attempt(() => nested(first, second));

function valueBefore() {
  let x = 1;
  try {
    return x;
  } finally {
    x = 2;
  }
}

function throwsBefore(a) {
  let x = a.first;
  try {
    x = a.second();
    return x;
  } finally {
    log('finally', x);
  }
}

attempt(valueBefore);
attempt(() => throwsBefore({ first: 1, second: () => 2 }));
attempt(() => throwsBefore({ first: 1, second() { throw 3; } }));
// The exception comes before the statement.
attempt(() => throwsBefore(null));

function* generates() {
  try {
    const x = yield 1;
    if (x) return x;
    yield 2;
  } finally {
    log('closed', yield 'cleanup');
  }
}

for (const x of [0, 5]) {
  const it = generates();
  log(it.next(), it.next(x), it.return(9), it.next(), it.next());
}

// Assignments in expressions: what is read before them has been read before them.

const traced = {
  get a() { log('get a'); return { set x(v) { log('set a.x', v); }, get x() { return 0; } }; },
  get b() { log('get b'); return { set y(v) { log('set b.y', v); } }; },
  key(name) { log('key', name); return name; },
  call(...values) { log('call', ...values); return values.length; },
};

function chains(v) {
  traced.a.x = traced.b.y = true;
  traced.a[traced.key('x')] = traced.b[traced.key('y')] = null;
  traced.a.x = 1;
  traced.b.y = 1;
  traced.a.x = traced.b.y = v;
}
chains('v');

function embeds(o) {
  let x = 1, y;
  o.call(x, x = o.call(y = 2), x, y);
  o.call(x + (x = 5), x, y = x++, --x, y);
  let o2 = o;
  o2.call((o2 = { call: 1 }).call, o2);
  x = x + (x ??= 7);
  y = null;
  return [x, y ?? (y = x), y, (x = y) > 5 ? x : y, (y = 0) || (x = y), x];
}
attempt(() => embeds(traced));

function catchesEmbedded(f) {
  let x = 'before';
  try {
    traced.call(x = 'inside', f());
  } catch {
    return x;
  }
  return 'none';
}
attempt(() => catchesEmbedded(() => { throw 1; }));
attempt(() => catchesEmbedded(() => 1));

function conditions(list) {
  let item, count = -1, seen = [];
  while ((item = list.shift()) !== undefined) {
    if (item < 0) continue;
    seen.push(item);
  }
  while (++count < 3) seen.push(count);
  do seen.push(--count); while (count > 0);
  let made = [];
  for (;;) {
    let fresh = made.length;
    if (fresh > 2) break;
    made.push(() => fresh++);
  }
  return [seen, item, count, made.map(f => f() + f())];
}
attempt(() => conditions([1, -1, 2, 0]));

// What decides and what is chosen.

function chooses(a, b) {
  const one = a ? a : b, other = a ? b : a, not = !a ? a : b, or = !a ? b : a;
  const none = a == null ? b : a, some = a != null ? a : b;
  return [one, other, not, or, none, some];
}
for (const a of [0, 1, null, '', 'x']) attempt(() => chooses(a, 'b'));

// Variables of one name.

function scopes(k) {
  const seen = [];
  for (const k of [{ k: [1, 2] }]) {
    for (const j of k.k) seen.push(j);
    { let k = seen.length; seen.push(k, k); }
    seen.push(k.k.length);
  }
  for (let i = 0; i < 2; i++) seen.push(i);
  for (let i = k; i < 5; i++) {
    for (let i = 7; i < 9; i++) seen.push(i);
    seen.push(i);
  }
  { let k = seen.length; seen.push(k); }
  let old = k;
  k = seen.length;
  seen.push(old, k, old + k);
  try { throw k; } catch (k) { seen.push(k); [k] = [1]; seen.push(k); }
  return [seen, k];
}
attempt(() => scopes(3));

function parameters(a, b) {
  a = a || { n: 1 };
  b = Object(b);
  const inner = () => a;
  a = [inner(), b];
  return [a, arguments.length, inner() === a];
}
attempt(() => parameters(0, 1));

function aliased(a, b) {
  a = 'x';
  const seen = [arguments[0], (() => arguments[1])()];
  arguments[1] = 'y';
  b = b + 'z';
  return [seen, a, b, arguments[1]];
}
attempt(() => aliased(1, 2));

function hoists() {
  const seen = [early()];
  function early() { return [typeof later, typeof never]; }
  var later = 1;
  seen.push(early());
  if (later > 1) var never = 2;
  later = null;
  seen.push(early(), later);
  return seen;
}
attempt(hoists);

function replaced() {
  function f() { return 'old'; }
  const change = () => { f = () => 'new'; return 1; };
  return [f(change()), f(), f(change() ? f() : 0)];
}
attempt(replaced);

// What another function assigns at once has been something else before.
function assignedElsewhere() {
  let state = 1;
  function set() { state = 2; return 3; }
  const before = state;
  const sum = set() + state;
  return [before, sum, state];
}
attempt(assignedElsewhere);

// In each round there is another one.
function kept(list) {
  let last, all = [];
  for (const item of list) {
    if (last) all.push(() => last, item);
    last = item;
    all.push(() => item);
  }
  return [last, all.map(f => (typeof f === 'function' ? f() : f))];
}
attempt(() => kept([1, 2, 3]));

// What is assigned in the value of a pattern, and an object that is there once.
function once(key, list) {
  const made = [];
  const make = () => { const object = { n: made.length, [key]: 1 }; made.push(object); return object; };
  const { n, [(key = String(key))]: one, ...others } = make();
  const [] = list[key = 'all'];
  const count = traced.call(make()[key] += list[1] = 5, make()[(list.all.length, 'n')]++);
  return [n, one, others, key, count, made];
}
attempt(() => once('k', { all: [1] }));
for (let i = 0; i < 2; i++) attempt(() => traced.call({ p: traced.call(), i }[traced] += 1[1] = undefined));

// Functions stand where they stood, and are there before.
function ordered() {
  const seen = [typeof first, typeof second, first()];
  let a = second();
  function first() { return second; }
  const b = first();
  function second() { return 2; }
  seen.push(a, b === second);
  return seen;
}
attempt(ordered);

// What is assigned twice at once, and reads what it held before.
function twice(a, o, list) {
  let x = a;
  list.push(x || (x = o[1] = x / 2), x && (o.p = x = x + 1), x ?? (x = o.q = o.r = [x]), x);
  x = o.s = o[x] = x;
  return [x, o, list];
}
for (const a of [0, 8, null, undefined, 'a']) attempt(() => twice(a, {}, []));

// Defaults, undefined ones too, and what paths that meet have in common.
function defaults(a, b) {
  var s = '', n = 0, u, seen = [];
  if (a) { seen.push(s, n, u); s = b; n = 1; } else if (b) { s = 'b'; u = n; }
  for (var i = 0; i < 3; i++) {
    var v = undefined, w;
    if (i === a) { v = i; seen.push(w); w = 5; } else if (i === b) { w = i; seen.push(v); }
    seen.push(v, w, () => u);
  }
  var last = n;
  if (a) { seen.reverse(); last = i; } else { last = i; }
  try {
    var t;
    if (a === 1) { t = 'one'; attempt(() => null); } else { if (b === 2) throw t; t = 0; }
  } catch (e) { seen.push(e, t); }
  return [s, n, u, last, t, seen.map(f => (typeof f === 'function' ? f() : f))];
}
for (const a of [0, 1, 2]) for (const b of [0, 1, 2]) attempt(() => defaults(a, b));

// A captured variable that is assigned once; one that may be read before; ones that are assigned in turns.
function captured(a) {
  var one = a || [], fs = [() => one], two;
  fs.push(() => two, () => late);
  const early = fs.map(f => f());
  two = one.length;
  var late = two + 1;
  if (a) { var maybe = a.concat(); }
  for (var i = 0; i < 2; i++) { var last = [i]; fs.push(() => last, () => maybe); }
  switch (two) { case 0: var chosen = 'none'; break; default: fs.push(() => chosen); }
  function named() { return [typeof one, chosen]; }
  return [one, early, fs.map(f => f()), named()];
}
for (const a of [null, [], [1]]) attempt(() => captured(a));

// Clauses in a row within another one: each path out of any of them.
function rows(log, at) {
  const step = n => { log.push(n); if (at === n) throw `out of ${n}`; return at === -n; };
  try {
    try { step(1); } finally { step(2); }
    try { if (step(3)) return 'returned'; } finally { step(4); }
    for (let i = 0; i < 2; i++) {
      try { if (step(5)) break; if (step(6)) continue; step(7); } finally { step(8); }
      try { step(9); } finally { if (step(10)) return 'overridden'; }
    }
    try { try { step(11); } finally { step(12); } step(13); } finally { step(14); }
  } finally { step(15); }
  step(16);
  return log.length;
}
for (let at = -16; at <= 16; at++) {
  const log = [];
  attempt(() => { try { return [rows(log, at), log]; } catch (e) { return [e, log]; } });
}

// What is copied into an object is copied before what follows is computed; getters and setters see it.
function copied(log, key) {
  const noisy = n => ({ get [n]() { log.push(`get ${n}`); return n; }, [`${n}x`]: log.length });
  const call = n => { log.push(`call ${n}`); return noisy(n); };
  const one = { ...noisy('a'), ...call('b'), [key]: call('c'), ...call('d') };
  const two = { ...{ __proto__: one, e: 1 }, ...call('f') };
  const three = { ...{ get g() { log.push('get g'); return 7; } }, ...call('h'), __proto__: null };
  return [one, two, Object.getPrototypeOf(two) === Object.prototype, three, Object.getPrototypeOf(three), log];
}
attempt(() => copied([], 'k'));
attempt(() => copied([], '__proto__'));

// What a constant of a loop holds is read behind the loop, by what ends it; methods of an object have no arguments.
function ended(list) {
  const seen = [];
  out: for (const { p: [], q: { 1: one = 1, 1: two = one } = 1 } of list) {
    for (let i = 0; i < 3; i++) {
      try {
        if ({ *p() { return i; }, q: 1, get () {}, set () { return one; }, ...seen, ...list[0], __proto__: null }.r) seen.push(0);
      } finally {
        seen.push(one, two);
        break out;
      }
    }
  }
  return seen;
}
attempt(() => ended([{ p: [] }]));
attempt(() => ended([{ p: [], q: [5, 6] }]));

// A loop at the end of a `try` whose `finally` is at the end of a loop: going on with the one is not going on with the other.
function merged(max) {
  let n = 0;
  const seen = [], tick = () => ++n > max;
  do try { do 1; while (!tick() && max); } finally { seen.push(n); } while (!tick && seen);
  return seen;
}
attempt(() => merged(4));
attempt(() => merged(0));
