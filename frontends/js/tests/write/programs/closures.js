const log = console.log;
function counter() {
  let n = 0;
  return { up: () => ++n, down() { return --n; }, get n() { return n; }, set n(x) { n = x; } };
}
const c = counter();
c.up(); c.up(); c.down();
log(c.n); c.n = 10; log(c.n, counter().n);
const fs = [];
for (let i = 0; i < 3; i++) { let j = i * 2; fs.push(() => [i, j++]); }
for (const f of fs) log(f(), f());
for (const x of [1, 2]) fs.push(() => x);
for (const k in { a: 1, b: 1 }) fs.push(() => k);
log(fs.map((f) => String(f())).join("|"));
let k = 0;
while (k < 3) { const own = k; fs[k] = () => own; if (k === 1) { log(fs.map((f) => String(f())).join("|"), own); } k++; }
log(fs.slice(0, 3).map((f) => f()));
function outer(a) {
  function inner(b) { return a + b + (b > 0 ? inner(b - 1) : 0); }
  a++;
  return inner(2);
}
log(outer(10));
function sloppy(a, b) { arguments[0] = "changed"; b = "b"; return [a, arguments[1], arguments.length]; }
log(sloppy(1, 2), sloppy(1));
function strict(a) { "use strict"; arguments[0] = "changed"; return a + arguments[0]; }
log(strict(1));
function defaults(a, b = () => a, c = b()) { a = 5; return [a, b(), c]; }
log(defaults(1), defaults.length);
const self = function me(n) { return n ? n * me(n - 1) : 1; };
log(self(5), self.name);
log(typeof hoisted, hoisted());
function hoisted() { return "hoisted"; }
var x = "global";
function shadow() { var r = x; var x = "local"; return [r, x]; }
log(shadow());
log([1, 2, 3].map((x) => ({ x })).map(({ x }) => x));
(function () { log(this === globalThis, new.target); })();
new (function () { log(typeof this, new.target.name); })();
const nested = () => () => () => arguments?.length;
log(typeof nested);
function collect() { const all = []; for (let i = 0; i < 2; i++) { all.push({ get: () => i, set(v) { i = v; } }); } all[0].set(7); return all.map((o) => o.get()); }
log(collect());
