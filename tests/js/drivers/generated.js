// Calls that are generated from a seed: the functions of a library, with arguments that fit their names.
'use strict';

const { show } = require('./printer.js');

class Random {
  constructor(seed) {
    this.state = seed >>> 0 || 1;
  }

  next() {
    // xorshift32
    let x = this.state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.state = x >>> 0;
    return this.state;
  }

  below(limit) {
    return this.next() % limit;
  }

  pick(items) {
    return items[this.below(items.length)];
  }

  chance(percent) {
    return this.below(100) < percent;
  }
}

// A clock that goes on by a second each time, and numbers that are random in the same way each time.
function pinEnvironment() {
  process.env.TZ = 'Europe/Berlin';
  let now = 1700000000000;
  const RealDate = Date;
  class PinnedDate extends RealDate {
    constructor(...values) {
      super(...(values.length === 0 ? [PinnedDate.now()] : values));
    }

    static now() {
      return (now += 1000);
    }
  }
  globalThis.Date = PinnedDate;
  const random = new Random(77);
  Math.random = () => random.next() / 4294967296;
}

const NUMBERS = [0, -0, 1, 2, 3, -1, 5, 10, 1.5, -2.25, NaN, 0.1, 100, 7, 255];
const STRINGS = ['', 'a', 'b', 'abc', 'Hello World', 'fooBar', 'foo_bar-baz', ' padded ', '12', '1.5', 'a.b', 'x[0].y', 'é', '😀x', '<b>&"', 'length'];
const FUNCTIONS = [
  function identity(value) { return value; },
  function second(a, b) { return b; },
  function isOdd(value) { return value % 2 === 1; },
  function add(a, b) { return a + b; },
  function compare(a, b) { return a < b ? -1 : a > b ? 1 : 0; },
  function sizeOf(value) { return value == null ? -1 : value.length; },
  function isString(value) { return typeof value === 'string'; },
  function count() { return arguments.length; },
  function receiver() { return this === undefined ? 'none' : typeof this; },
  function fails() { throw new RangeError('fails'); },
  (value, key) => `${String(key)}=${typeof value}`,
];

class Arguments {
  constructor(random) {
    this.random = random;
  }

  number() {
    return this.random.pick(NUMBERS);
  }

  small() {
    return this.random.pick([0, 1, 2, 3, 4, -1]);
  }

  string() {
    return this.random.pick(STRINGS);
  }

  function() {
    return this.random.pick(FUNCTIONS);
  }

  primitive() {
    switch (this.random.below(8)) {
      case 0: return null;
      case 1: return undefined;
      case 2: return this.random.chance(50);
      case 3: case 4: return this.string();
      default: return this.number();
    }
  }

  array(depth) {
    const length = this.random.below(6);
    const kind = this.random.below(5);
    const items = [];
    for (let index = 0; index < length; index++) {
      if (kind === 0) items.push(this.number());
      else if (kind === 1) items.push(this.string());
      else if (kind === 2 && depth > 0) items.push(this.object(depth - 1));
      else if (kind === 3 && depth > 0) items.push(this.array(depth - 1));
      else items.push(this.any(depth - 1));
    }
    if (this.random.chance(5)) delete items[1];
    return items;
  }

  object(depth) {
    const value = this.random.chance(10) ? Object.create({ inherited: 1 }) : {};
    for (const key of ['a', 'b', 'c', '0', 'length', 'name']) {
      if (this.random.chance(key === 'length' ? 10 : 45)) value[key] = this.any(depth - 1);
    }
    return value;
  }

  any(depth = 2) {
    if (depth <= 0) return this.primitive();
    switch (this.random.below(12)) {
      case 0: case 1: case 2: return this.array(depth);
      case 3: case 4: return this.object(depth);
      case 5: return this.function();
      case 6: return new Date(1500000000000 + this.random.below(1000000) * 100000);
      case 7: return this.random.pick([/a/, /(\w+)/g, /^$/i]);
      case 8: return this.random.chance(50) ? new Map([['a', this.primitive()], [1, 2]]) : new Set([1, this.primitive()]);
      default: return this.primitive();
    }
  }

  list() {
    const values = [];
    for (let count = this.random.below(5); count > 0; count--) values.push(this.any());
    return values;
  }
}

// What a call gives, as one line; a function that comes back is called in turn.
function outcome(call) {
  try {
    const value = call();
    return [show(value), value];
  } catch (error) {
    return [`threw ${show(error)}`, undefined];
  }
}

// Writes lines; node does not wait for what is written to a pipe before it exits.
class Output {
  constructor() {
    this.lines = [];
  }

  add(line) {
    this.lines.push(line);
  }

  end() {
    const text = this.lines.join('\n') + '\n';
    require('node:fs').writeSync(1, '');
    process.stdout.write(text);
  }
}

module.exports = { Random, Arguments, Output, outcome, pinEnvironment, show };
