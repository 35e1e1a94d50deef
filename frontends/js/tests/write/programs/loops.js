const log = (...values) => console.log(...values.map((value) => (Object.is(value, -0) ? "-0" : value)));
outer: for (let i = 0; i < 4; i++) {
  for (let j = 0; ; j++) {
    if (j === 1) continue outer;
    if (i === 3) break outer;
    if (j > 5) break;
    log(i, j);
  }
}
let n = 0;
do {
  n++;
  if (n === 2) continue;
  log("do", n);
} while (n < 4);
while (true) {
  if (n-- < 0) break;
  switch (n) {
    case 3:
      log("three");
    case 2:
      log("two or three");
      continue;
    default:
      log("other", n);
      break;
    case 0:
      log("zero");
  }
  log("end", n);
}
for (const key in { a: 1, b: 2, __proto__: { c: 3 } }) log(key);
for (const [k, v] of new Map([[1, 2], [3, 4]])) log(k, v);
const closing = {
  [Symbol.iterator]() {
    let i = 0;
    return {
      next() {
        log("next", i);
        return { value: i++, done: i > 4 };
      },
      return() {
        log("return");
        return {};
      },
    };
  },
};
for (const x of closing) if (x === 1) break;
try {
  for (const x of closing) if (x === 2) throw "thrown";
} catch (e) {
  log(e);
}
function leave() {
  for (const x of closing) {
    try {
      if (x) return "left " + x;
    } finally {
      log("finally", x);
    }
  }
}
log(leave());
block: {
  log("in");
  if (n < 100) break block;
  log("never");
}
var fs = [];
for (let i = 0; i < 3; i++) {
  fs.push(() => i++);
  i += 0;
}
log(fs.map((f) => f() + f()).join());
for (var i = 0, j = 10; i < j; i += 3, j--);
log(i, j, -0, 0 * -1);
function assignedInExit(values) {
  const seen = [];
  for (;;) {
    let value;
    if ((value = values.shift()) === undefined) break;
    seen.push(() => value);
  }
  return seen.map((f) => f()).join();
}
log(assignedInExit([1, 2, 3]));
function continuedPastExit(steps) {
  const trace = [];
  const next = (name) => { trace.push(name); return steps.shift(); };
  outer: for (;;) {
    while (next("more")) if (next("odd")) continue outer;
    next("step");
    if (next("over")) break;
  }
  return trace.join();
}
log(continuedPastExit([1, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1]));
function sharedByClosures() {
  const fs = [];
  var count = 0;
  while (count < 3) {
    fs.push(() => count);
    count++;
  }
  return fs.map((f) => f()).join();
}
log(sharedByClosures());

// `in` in functions in the head of a `for`.
const heads = [];
for (const has = key => { const isThere = key in { a: 1 }; if (isThere in { true: 1 }) return 1; return 2; }; heads.length < 2; ) {
  heads.push(has(heads.length ? "b" : "a"));
}
for (let each = () => { for (const key in { p: 1, q: 2 }) if (key in { q: 1 }) heads.push(key); }, i = 0; i < 1; i++) each();
console.log(heads.join());

// What a closure in the condition of a loop sees is declared in the body.
function seenTooEarly(isCalled) {
  let count = 0;
  try {
    while (true) {
      if (((get) => isCalled && get())(() => late) || count > 2) break;
      let late = ++count;
    }
  } catch (error) {
    return error.name;
  }
  return count;
}
console.log(seenTooEarly(true), seenTooEarly(false));

// An assignment in the dead zone, while the variable before it is looked at.
function assignedTooEarly(first) {
  const seen = [];
  try {
    do {
      ({ 1: late, [seen.push(1)]: other } = first);
    } while (true);
    let late = 2, other;
  } catch (error) {
    return error.name + seen.length;
  }
}
console.log(assignedTooEarly(1), assignedTooEarly(""));

// What is thrown in nested loops is not replaced by what closing their iterators throws.
function* failingToClose(values) {
  try {
    for (;;) yield values;
  } finally {
    throw new URIError("closed");
  }
}
function throwingInside(lists, fails) {
  out: for (const list of lists) {
    for (const value of list) {
      if (value) continue out;
      if (value + 1) break out;
      fails(value);
    }
  }
}
for (const [value, fails] of [[0n], [NaN, () => { throw new RangeError("inside"); }], [0]]) {
  try {
    throwingInside(failingToClose([value]), fails);
  } catch (error) {
    console.log(error.name);
  }
}
