// Loops over keys.
function a(o) { const ks = []; for (const k in o) { ks.push(k); } return ks; }
function b(o) { let k; for (k in o) { if (k == "b") break; } return k; }
function c(o) { const fs = []; for (const k in o) fs.push(() => k); for (let k in o) { fs.push(() => k); k += "x"; } return fs.map((f) => f()); }
function d(o) { let n = 0; for (var k in o) { if (k === "a") continue; for (const j in o[k]) { n += j.length; if (n > 5) return [k, n]; } } return [k, n]; }
function e(o) { try { for (const k in o) { if (k == "b") throw k; } } catch (x) { return "caught " + x; } return "none"; }
function f(o, p) { for (p.x in o); for (const [first, second] in { ab: 1, cd: 2 }) p[first] = second; return p; }
function g(o) { for (const k in o) { return k; } return "empty"; }
function h(o) { outer: for (const k in o) { for (const j in o) { if (j !== k) continue outer; if (j === "c") break outer; } } return "end"; }
function* i(o) { for (const k in o) yield k; }
async function j(o) { const r = []; for (const k in o) r.push(await k); return r; }
function l(o) { var s = ""; for (const k in o) { if (k === undefined) s += "?"; s += k; } for (var x = 1 in {}); return s + x; }
function m(o) { for (const k in o) { delete o[k]; o["new" + k] = 1; if (Object.keys(o).length > 9) break; } return Object.keys(o); }
function n(o) { let last = 0; for (const k in o) { const v = o[k]; if (!v) last = k; else last = v; } return last; }
const o = () => Object.assign(Object.create({ inherited: 1 }), { a: 1, b: { xx: 1, yyyy: 2 }, c: 0 });
console.log(a(o()), a(null), a(undefined), a("hey"), a(5), b(o()), b({}), c(o()), d(o()), e(o()), f(o(), {}), g(o()), g({}), h(o()), [...i(o())], l(o()), m(o()), n(o()));
j(o()).then((r) => console.log(r));
const p = new Proxy({ z: 1, y: 2 }, { ownKeys(t) { console.log("ownKeys"); return Reflect.ownKeys(t); }, getOwnPropertyDescriptor(t, k) { console.log("desc", k); return Reflect.getOwnPropertyDescriptor(t, k); } });
console.log(a(p));
function copied(o, p) {
  let last = p, first = 0, y = 1;
  const change = () => { y = 2; return o; };
  const before = y;
  for (const k in change()) { first = first || k; last = k; }
  return [last, first, before, y];
}
console.log(copied(o(), "p"), copied({}, "q"));
function both(xs, o) {
  let last, count = xs.length;
  for (const x of xs) { last = x; count--; for (last in o) count++; }
  return [last, count];
}
console.log(both([1, 2], o()), both([], o()), both([3], {}));
