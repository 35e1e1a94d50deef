// Assignments to elements that they also read.
function f(a, i, g) {
  a[i] += 1; a[i + 1] *= g(a[i]); a[i]++; const x = a[i]--; const y = ++a[i]; const z = (a[i] -= 2);
  try { a[i] += g(1); a[g(i)] ^= 3; } catch (e) { a[e] |= 1; }
  a[i] += i ? g(2) : g(3);
  a[i] += (a[0] += 5);
  a[i] += a[i]++ + g(a[i] += 2);
  a[i] **= 2;
  let s = 0; for (let j = 0; j < 3; j++) { a[j] += s; s += a[j]; }
  b = a; b[i] += 1; this.q = [1]; this.q[0] += 2; this.q[i] += 2;
  const o = g(a); o[i] += 1;
  a[i] += [g(1), ...g([2])].length;
  return [x, y, z, s];
}
const log = []; let b;
const a = new Proxy([1,2,3,4,5,6], { get(t, k) { log.push("get " + String(k)); return t[k]; }, set(t, k, v) { log.push("set " + String(k) + v); t[k] = v; return true; } });
const r = f.call({}, a, 1, (x) => { log.push("g"); return x; });
console.log(r, log.join(","));
const pure = { valueOf: () => 3, toString: () => "key" };
const keyed = { key: 1, 2: 2, [Symbol.iterator]: 3, null: 4, undefined: 5, true: 6 };
for (const key of [pure, 2, Symbol.iterator, null, undefined, true]) {
  keyed[key] += 10;
  keyed[key]--;
}
console.log(keyed[Symbol.iterator], JSON.stringify(keyed));
for (const action of [(o, k) => { o[k] += 1; }, (o, k) => o[k]++, (o, k) => --o[k], (o, k) => { o[k] += o ? 1 : 2; }]) {
  try {
    action(null, pure);
  } catch (error) {
    console.log(error.name);
  }
}
function* parts(array) {
  array[0] += yield array[0];
  array[yield 1] -= yield 2;
  return array;
}
const generator = parts([5, 6]);
console.log(generator.next(), generator.next(1), generator.next(1), generator.next(4).value.join());

// The key of an element whose assigned value a closure sees.
function keptByClosures(object, key) {
  try {
    let divided = object[key()] /= 2;
    const stepped = object[key()]++;
    return [() => divided, () => stepped].map((get) => get()).join();
  } finally {
    console.log(JSON.stringify(object));
  }
}
let numKeys = 0;
console.log(keptByClosures({ k0: 8, k1: 5 }, () => "k" + numKeys++));
