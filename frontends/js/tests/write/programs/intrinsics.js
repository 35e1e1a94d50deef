// The names of the intrinsic functions mean something else here.
const outer = globalThis.Object;
export const Symbol = (x) => "own " + x;
export const Object = (x) => "own " + x;
export const Reflect = 1, TypeError = 2, ReferenceError = 3, Promise = 4, Array = 5, Error = 6;
export class globalThis2 {}
export function String() {}
const log = [];
const [a, b = 3, ...rest] = [1, undefined, 4, 5];
const { p, ...others } = { p: 1, q: 2, [outer.getOwnPropertySymbols(outer.getPrototypeOf([]))[0]]: 3 };
log.push(Symbol(a + b), Object(p), others.q, rest.join());
const key = { toString: () => "k" };
const o = { k: 1 };
o[key] += 1;
o[key]++;
log.push(o.k);
const attempt = (action) => {
  try {
    return action();
  } catch (error) {
    return error.constructor === outer.getPrototypeOf(error).constructor && error.name;
  }
};
log.push(attempt(() => { const { x } = null; }), attempt(() => { early; let early; }), attempt(() => { const c = 1; c = 2; }));
function* numbers() {
  try {
    yield 1;
    yield* [2, 3];
  } finally {
    log.push("closed");
  }
}
for (const value of numbers()) {
  log.push(value);
  if (value === 2) break;
}
const [first] = numbers();
log.push(first);
async function* later() {
  yield 5;
  yield* numbers();
}
for await (const value of later()) log.push(value);
for (const name in { u: 1, v: 2 }) log.push(name);
log.push(outer.keys(((...args) => ({ ...args }))(1, 2)).join(), Math.max(...[1, 2], ...numbers()));
class Pair { constructor(one, two) { this.sum = one + two; } }
log.push(new Pair(...numbers()).sum);
for (const line of log) console.log(line);
console.log(Reflect, TypeError, ReferenceError, Promise, Array, Error);
