// Runs underscore's own tests: `node underscore-suite.js UNDERSCORE CHECKOUT`. Prints what fails, and how many pass.
'use strict';

const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { isDeepStrictEqual } = require('node:util');

// A clock that goes on when it is looked at, and when nothing is left to do but to wait: the machine may be slow.
let now = 1700000000000;
const timers = [];
let timerCount = 0;
const realSetTimeout = setTimeout;

Date.now = () => {
  now += 1 / 64;
  return Math.floor(now);
};
globalThis.Date = new Proxy(Date, {
  construct: (target, values, newTarget) => Reflect.construct(target, values.length === 0 ? [target.now()] : values, newTarget),
});
globalThis.setTimeout = (call, delay = 0, ...values) => {
  timers.push({ id: ++timerCount, due: now + Math.max(delay, 1), call, values });
  return timerCount;
};
globalThis.clearTimeout = id => {
  const index = timers.findIndex(timer => timer.id === id);
  if (index >= 0) timers.splice(index, 1);
};

// Runs the timers in their order, until there are none.
async function runTimers() {
  for (let count = 0; timers.length > 0 && count < 10000; count++) {
    timers.sort((a, b) => a.due - b.due || a.id - b.id);
    const { due, call, values } = timers.shift();
    now = Math.max(now, due);
    call(...values);
    await null;
  }
}

const [, , file, checkout] = process.argv;
const underscore = require(path.resolve(file));
const folder = path.resolve(checkout, 'test');

const load = Module._load;
Module._load = (request, ...rest) => (request === '..' ? underscore : load(request, ...rest));

function holds(check) {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}

// As QUnit compares: values of the same prototype, own enumerable properties.
const isDeepEqual = (a, b) => isDeepStrictEqual(a, b);

const tests = [];
let moduleName = '';
let hooks = {};
let passed = 0;

class Assertions {
  constructor(name) {
    this.name = name;
    this.failures = [];
    this.count = 0;
    this.pending = 0;
  }

  note(ok, message) {
    this.count++;
    if (!ok) this.failures.push(`${this.count} ${message ?? ''}`);
  }

  ok(value, message) { this.note(value, message); }
  notOk(value, message) { this.note(!value, message); }
  equal(a, b, message) { this.note(a == b, message); }
  notEqual(a, b, message) { this.note(a != b, message); }
  strictEqual(a, b, message) { this.note(a === b, message); }
  notStrictEqual(a, b, message) { this.note(a !== b, message); }
  deepEqual(a, b, message) { this.note(isDeepEqual(a, b), message); }
  notDeepEqual(a, b, message) { this.note(!isDeepEqual(a, b), message); }
  throws(call, expected, message) { this.note(!holds(call), message); }
  raises(call, expected, message) { this.note(!holds(call), message); }
  expect(count) { this.expected = count; }

  async() {
    this.pending++;
    return () => { this.pending--; };
  }
}

globalThis.QUnit = {
  config: {},
  module: (name, options = {}) => { [moduleName, hooks] = [name, options]; },
  test: (name, run) => tests.push({ name: `${moduleName}: ${name}`, run, hooks }),
};

for (const name of fs.readdirSync(folder).sort()) {
  // The others need a page.
  if (/^(arrays|chaining|collections|functions|objects|utility)\.js$/.test(name)) require(path.join(folder, name));
}

(async () => {
  for (const { name, run, hooks } of tests) {
    const assertions = new Assertions(name);
    try {
      const receiver = {};
      hooks.beforeEach?.call(receiver, assertions);
      run.call(receiver, assertions);
      // A test reads a file.
      for (let turns = 0; turns < 100 && assertions.pending > 0; turns++) {
        await runTimers();
        await new Promise(resolve => { realSetTimeout(resolve, turns); });
      }
      if (assertions.pending > 0) assertions.failures.push('is not done');
      hooks.afterEach?.call(receiver, assertions);
    } catch (error) {
      assertions.failures.push(`threw ${error}`);
    }
    if (assertions.expected !== undefined && assertions.expected !== assertions.count) {
      assertions.failures.push(`${assertions.count} assertions, and not ${assertions.expected}`);
    }
    if (assertions.failures.length === 0) passed++;
    for (const failure of assertions.failures) console.log(`${name}: ${failure}`);
  }
  console.log(`${passed} of ${tests.length} pass`);
})();
