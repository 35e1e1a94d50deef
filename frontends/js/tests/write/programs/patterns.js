const log = console.log;
const traced = (name, value) => new Proxy(value, { get(t, k) { if (typeof k === "string") log("get", name, k); return Reflect.get(t, k); }, has(t, k) { log("has", k); return k in t; }, ownKeys(t) { log("keys", name); return Reflect.ownKeys(t); } });
const { a, b: { c = log("default c") } = {}, ["d" + 1]: d, ...rest } = traced("o", { a: 1, d1: 2, e: 3, f: 4 });
log(a, c, d, rest);
const iter = (n) => ({ [Symbol.iterator]() { let i = 0; return { next() { log("next"); return { value: i++, done: i > n }; }, return() { log("return"); return {}; } }; } });
let x, y, z;
[x, , y = "dy", ...z] = iter(5); log(x, y, z);
[x, y] = iter(1); log(x, y);
[] = iter(1);
[x = log("no")] = iter(3);
try { [x, { y }] = iter(3); log(x, y); } catch (e) { log(e.name); }
try { const [{ q }] = [null]; } catch (e) { log(e.name); }
const target = {};
({ a: target.p, b: target["q"] = 5, ...target.r } = { a: 1, c: 2 }); log(target);
[x, y] = [y, x]; log(x, y);
function f({ a = 1, b } = {}, [c, d = c] = [10], ...{ length }) { return [a, b, c, d, length]; }
log(f(), f({ b: 2 }, [3], 4, 5), f.length);
for (const { a, b = a } of [{ a: 1 }, { a: 2, b: 3 }]) log(a, b);
for ([x, y] of [[1, 2]]) log(x, y);
for (target.k in { one: 1 }) log(target.k);
const [p, q = p, ...[r, s]] = "abcd"; log(p, q, r, s);
try { ({ x } = null); } catch (e) { log(e.name); }
log([...iter(2), ..."ab"], Math.max(...iter(3)), { ..."hi", ...null, ...[9] });
((...args) => log(args.length, ...args))(...[1, 2], 3, ...iter(1));
new Date(...[2020, 1]).getMonth() === 1 && log("new spread");
const { length, [length]: last = "none" } = [1, 2]; log(length, last);
catching: try { throw [1, { m: 2 }]; } catch ([one, { m }]) { log(one, m); }

// `arguments` beside the targets of strict code.
function besideTargets(places) {
  "use strict";
  [places[arguments[1]], places.last = arguments[2]] = [1];
  ({ [arguments[3]]: places.third } = { third: 3 });
  return Object.entries(places).join();
}
console.log(besideTargets({}, "first", 2, "third"));

// Where nothing can tell the steps of a pattern from its end, and where something can.
function atOnce() {
  const steps = (n, see, end) => ({
    [Symbol.iterator]() {
      let i = 0;
      return {
        next() {
          see?.(i);
          if (i === end) throw new Error("end");
          return { value: i++, done: i > n };
        },
        return() {
          see?.("return");
          return {};
        },
      };
    },
  });
  let a = 1, b = 2;
  [a, b] = [b, a]; log(a, b);
  const [c, d = a] = steps(1); log(c, d);
  [a, b = a] = [7]; log(a, b);
  try { [a, b] = steps(2, null, 1); } catch { log(a, b); }
  const peek = () => { try { return late; } catch (error) { return error.name; } };
  const [late, later] = steps(3, (i) => log(i, peek())); log(late, later);
  let cell = 5;
  const get = () => cell;
  [cell, b, ...a] = steps(3, () => log(get())); log(cell, b, a);
  const o = { self: null };
  [o.x, o["y" + 1], ...o.z] = steps(4); log(o);
  ({ x: o.w, z: [, a], ...b } = o); log(o.w, a, b);
  [o.self, a = () => cell] = [o]; log(o.self === o, a.name, a());
  for (const [k, { v = k, ...w }] of [[1, { u: 2 }], [3, { v: 4 }]]) log(k, v, w);
  for (const { p: [q] } of [{ p: "ab" }]) log(() => q, q);
  const g = ([e, f], { h, i = 2 } = {}) => [e, f, h, i]; log(g("xy"), g([1], { h: 3, i: 4 }), g.length);
  try { g(1); } catch (error) { log(error.name); }
}
atOnce();

// What is no object is refused before a key is computed.
function keyed(o) {
  const { [console.log("key")]: found } = o;
  return found;
}
try { keyed(null); } catch (error) { log(error.name); }
log(keyed({ undefined: 1 }));
