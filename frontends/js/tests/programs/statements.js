// Statements, labels, and what leaves them.
function loops(n, list) {
  let total = 0;
  outer: for (let i = 0; i < n; i++) {
    for (const item of list) {
      if (item === null) continue outer;
      if (item < 0) break outer;
      total += item;
    }
    do { total--; } while (total > 100);
    while (true) { if (total & 1) break; total >>= 1; if (total === 0) return 'zero'; }
  }
  for (var key in { a: 1, b: 2 }) total += key.length;
  for (;;) { total++; if (total > n) break; }
  block: { if (n > 3) break block; total = -total; }
  return total;
}

function choose(value, f) {
  let result = '';
  switch (value) {
    case 1: result += 'one';
    case 2: result += 'two'; break;
    case f(): result += 'call';
    default: result += 'default';
    case 'x': { let inner = result; result = inner + 'x'; break; }
    case -0: result = 'zero';
  }
  switch (typeof value) { case 'string': return 's'; case 'number': return 'n'; }
  switch (value) {}
  switch (value) { default: return result; }
}

function exceptions(f) {
  let state = 'before';
  try {
    state = 'in';
    f(state);
    state = 'after';
  } catch ({ message = 'none', ...rest }) {
    state = message;
    if (rest.again) return rest;
  } finally {
    state += '!';
    f(() => state);
  }
  for (const x of [1, 2, 3]) {
    try { if (x === 2) continue; if (f(x)) break; return x; } finally { state += x; if (x === 3) break; }
  }
  try { throw state; } catch { return state; }
}

function hoisted(flag) {
  if (flag) { function inner() { return flag; } }
  if (flag) function other() { return 2; }
  var value = typeof inner;
  { let value = 3; flag = value; }
  debugger;
  return [value, inner, other];
}

with ({ p: 1 }) p;
