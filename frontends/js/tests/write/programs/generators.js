const log = console.log;
function* count(n) {
  try {
    for (let i = 0; i < n; i++) {
      const sent = yield i;
      if (sent) log("sent", sent);
    }
    return "done";
  } finally {
    log("cleanup");
  }
}
log([...count(3)]);
let g = count(5);
log(g.next("ignored"), g.next("x"), g.return("r"), g.next());
g = count(5);
g.next();
try { g.throw(new Error("in")); } catch (e) { log(e.message); }
function* delegate() {
  const result = yield* count(2);
  log("result", result);
  try { yield* [10, 20]; } catch (e) { log("caught", e.name ?? e); yield "recovered"; } finally { yield "last"; }
}
log([...delegate()]);
g = delegate();
g.next(); g.next(); g.next();
log(g.throw("e"), g.next(), g.next());
g = delegate();
log(g.next(), g.return(9), g.next());
function* returns() { try { yield 1; } finally { return "overridden"; } }
g = returns(); g.next(); log(g.return(1));
function* params(a, { b = log("default b") } = {}, ...[c, ...d]) { log("body"); yield [a, b, c, d]; }
g = params(1, undefined, 3, 4, 5); log("called"); log(g.next());
try { params(1, null); } catch (e) { log(e.name); }
function* restParams(a = log("a"), ...rest) { yield rest; yield arguments.length; }
log([...restParams(undefined, 2, 3)]);
log(params.length, restParams.length, Object.getPrototypeOf(params).constructor.name);
const o = { *m() { yield this.x; }, x: 4, *[Symbol.iterator]() { yield* this.m(); yield 5; } };
log([...o]);
function* fib() { let [a, b] = [0, 1]; for (;;) { yield a; [a, b] = [b, a + b]; } }
for (const x of fib()) { if (x > 50) break; log(x); }
function* inLoop() { for (const x of [1, 2, 3]) { try { yield x; } finally { log("f" + x); } } }
for (const x of inLoop()) if (x === 2) break;
function* deadDefault(a = (false && undeclared, 1)) { yield a; }
log([...deadDefault()]);
