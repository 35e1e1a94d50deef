function returns(a) { if (a) return; return a; }
function elseIf(a, b) { let r; if (a) { r = 1; } else if (b) { r = 2; } else { r = 3; } return r; }
function whileLoop(n) { let i = 0; while (i < n) { if (i === 3) { i = i + 2; continue; } if (i === 9) break; i++; } return i; }
function doWhile(n) { let i = 0; do { i++; if (i > n) break; } while (i < n); return i; }
function neverTested(n) { do { return n; } while (n); }
function forLoop(n) { let s = 0; for (let i = 0, j = 1; i < n; i++, j--) { s += i * j; } return s; }
function forWithoutUpdate(n) { for (let i = 0; i < n;) { i += 2; if (i) continue; } }
function forLeft(n) { for (let i = 0; i < n; i++) { return i; } return n; }
function forOf(list) { let last; for (const [key, value = 3] of list) { last = key + value; } for (last of list) {} return last; }
function forIn(object) { const keys = []; for (const key in object) { keys.push(key); } for (object.key in object); return keys; }
function forVar(list) { for (var x of list) { list.push(x); } return x; }
function labels(n) {
  outer: for (let i = 0; i < n; i++) { inner: while (true) { if (i > 1) continue outer; if (i > 2) break outer; break inner; } }
  block: { if (n) break block; n = 1; }
  return n;
}
function switches(k, a, b) {
  switch (k) { case 1: a = 2; case 'two': a = 3; break; default: return b; case -3: { let c = a; b = c; } }
  switch (k) {}
  switch (k) { case a: break; }
  return a + b;
}
function tries(f) { let r = 1; try { r = f(1, r); r = [r]; } catch (e) { r = e; } try { r = f(2); } catch { r = null; } return r; }
function tryNothing(a) { try { a = 1; } catch (e) { return e; } try { return a; } catch (e) { a = e; } }
function tryLoop(f, n) { for (let i = 0; i < n; i++) { try { f(i); if (i) break; } catch (e) { continue; } } return n; }
function throws(a) { if (a) { throw new Error(`no ${a}`); } throw a; }
function unreachable(a) { while (a) { return a; a = 2; } return 1; a = 3; }
function infinite(a) { while (true) { a = a + 1; } }
function nothing() { 'use no memo'; "quoted"; ; debugger; {} }
async function waits(f) { const a = await f(); return await a; }
function* generates() { return 1; }
const arrow = (a, b) => a + b;
const arrowBlock = async a => { await a; };
function noVar() { var a = 1; return a; }
function noFinally(f) { try { f(); } catch { } finally { f(); } }
function noChainInTry(a) { try { a?.b(); } catch { return a; } }
