"use strict";
const log = console.log;
const let_ = 1, _arguments = 2, $inc = 3, $iteratorNext = 4, $error = 5, t = 6, L1 = 7;
L1_: for (const x of [1, 2]) { let i = x; i++; try { if (x === 2) throw i; log(x, i, let_, _arguments, $inc, $iteratorNext, $error, t, L1); } catch (e) { log(e, $error); break L1_; } }
const undefined_ = ((undefined) => undefined)(8); log(undefined_);
(function (NaN, Infinity) { log(NaN, Infinity, 0 / 0, 1 / 0, void 0); })(1, 2);
(function () { const Object = { create: 1 }, Symbol = null, Reflect = null, TypeError = null; const { create, ...rest } = { create: 2, b: 3 }; for (const y of [rest]) log(Object.create, create, y); })();
const async = (of) => of, get = 1, set = 2, of = 3, from = 4, static_ = 5; log(async(of), get, set, from, static_);
function eval_(x) { const console = { log: (y) => log("shadowed", y) }; console.log(x); } eval_(1);
const f = function f_() { return typeof f_; }; log(f(), f.name);
class A { static m() { const A_2 = "inner"; return [A.name, A_2]; } } log(A.m());
{ const x = 1; { const x = 2; { const x_2 = 3; log(x, x_2); } log(x); } log(x); }
const $tdz = "not the one"; const later = () => [$tdz, value]; let value = 9; log(later());
const { log: renamed } = console; renamed("renamed");
log(((x) => { const y = x; return ((x) => [x, y])(2); })(1), "€ünïcödé", ((ñ, 名) => ñ + 名)(1, 2));
globalThis.i = "global i"; log((() => { for (let j = 0; j < 1; j++) return i; })());

// A parameter may take the value of a keyword, and is no keyword then.
function keywordOrParameter(v) { return [(function () {}) ? this === undefined : v, (function () {}) ? new.target : v, (function () {}) ? typeof this : v]; }
console.log(keywordOrParameter(1).length);
function thisOrParameter(v, take) { take((function () {}) ? this : v); take([] ? new.target : v); }
thisOrParameter.call({ k: 1 }, 2, (value) => console.log(typeof value));
let taken;
function take(value) { taken = typeof value; }
function keywordAlone(v) { take(function () {} ? this : v); }
keywordAlone.call({ k: 1 }, 2);
console.log(taken);

// A function that a variable gets later is not there before.
for (const early of [
  () => { use(); let later = function () {}; function use() { later--; } },
  () => { const use = () => later; use(); const later = function later() { return 1; }; },
  () => { let later; const use = () => later; console.log(use()); later = function () {}; },
]) {
  try {
    early();
  } catch (error) {
    console.log(error.name);
  }
}

// Global variables that are initialized before what ends early.
let firstGlobal = 1;
let secondGlobal = 1;
try {
  for (let i = 0; i < 3; i++) {
    if (console.log.noProperty) break;
    switch (1) {
      default:
        for (const {} of []) {
          if (1) break;
        }
    }
  }
  if (1) throw firstGlobal + secondGlobal;
} catch (error) {
  console.log(error);
} finally {}

// Constants that a pattern initializes stay constants.
const [patterned, patternedToo = 1] = [5];
try {
  const stepped = patterned += 1;
  console.log(stepped);
} catch (error) {
  console.log(error.name, patterned, patternedToo);
}
