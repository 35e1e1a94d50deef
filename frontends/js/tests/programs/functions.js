// Closures, dead zones, parameters, generators and async functions.
function counter() {
  let count = 0, seen;
  const add = (by = 1) => { count += by; seen = later; return count; };
  let later = add;
  for (let i = 0, g = () => i; i < 3; g = () => i, i++) { if (i > 1) add(g); }
  for (let j = 0; j < 3; j++) later = () => j++;
  return { add, get: () => count, self: function self() { return self; }, later: () => seen };
}

function early() { return [typeof f, g, () => h]; let f = 1, g = f; const h = 2; function k() { return h; } }
{ use(() => z); let z = 1; z = z + 1; }
switch (early) { case 1: let q = 1; break; case 2: q = 2; use(() => q); }

function parameters(a, { b, c: [d] } = {}, e = () => a + f, f = arguments.length, ...g) { var a; var b = a; function e() {} return [a, b, d, e, f, g]; }
function mapped(a, b) { arguments[0] = b; a = 2; return [arguments, () => a]; }
function unmapped(a) { return arguments.length + arguments[0] + a; }
const arrow = async (x, y = await_) => { await x; return () => arguments_; };

function* generator(n, m = n) {
  const sent = yield n;
  try { yield* [sent, m]; yield; } catch (e) { yield e; } finally { yield 'last'; }
  for (const x of yield sent) { if (x) return x; yield x; }
  const [p, q = yield p] = yield;
  return (yield p) + q;
}

async function* stream(sources) {
  for await (const { value } of sources) { if (!value) continue; yield await value; if (value > 9) return value; }
  try { return await sources; } finally { await 1; }
}

function evil(x) { let y = 1; eval('y = x'); return function inner(z) { return y + z + x; }; }
