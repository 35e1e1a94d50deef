// Calls the functions of a library: `node calls.js LIBRARY FILE SEED ROUNDS`. One line a call.
'use strict';

const path = require('node:path');
const { Random, Arguments, Output, outcome, pinEnvironment, show } = require('./generated.js');

pinEnvironment();
const [, , library, file, seed, rounds] = process.argv;
const random = new Random(Number(seed));
const values = new Arguments(random);
const output = new Output();
const target = require(path.resolve(file));

// What needs a clock, a network, a page, or a loop without end.
const LEFT_OUT = {
  underscore: /^(delay|defer|debounce|throttle|noConflict|bindAll|mixin|templateSettings|times|range)$/,
  lodash: /^(delay|defer|debounce|throttle|noConflict|bindAll|mixin|templateSettings|runInContext|times|range|rangeRight|repeat|pad|padEnd|padStart)$/,
  d3: /^(blob|buffer|csv|dsv|html|image|json|svg|text|tsv|xml|timeout|timer|timerFlush|interval|now|select|selectAll|selection|create|creator|drag\w*|brush\w*|zoom\w*|transition|active|interrupt|window|pointers?|forceSimulation|randomInt|randomB\w*|randomP\w*|randomG\w*|range|ticks|tickStep|tickIncrement|nice|time\w+|utc\w+|shuffle\w*|thresholdSturges|bin|histogram|thresholdScott|thresholdFreedmanDiaconis)$/,
  moment: /^(defineLocale|updateLocale|lang|langData|locale|updateOffset|suppressDeprecationWarnings|deprecationHandler)$/,
};

function functionNames(object) {
  const names = [];
  for (let holder = object; holder !== null && holder !== Object.prototype && holder !== Function.prototype; holder = Object.getPrototypeOf(holder)) {
    for (const name of Object.getOwnPropertyNames(holder)) {
      const property = Object.getOwnPropertyDescriptor(holder, name);
      if ('value' in property && typeof property.value === 'function' && name !== 'constructor') names.push(name);
    }
  }
  return [...new Set(names)].sort();
}

const isLeftOut = name => LEFT_OUT[library].test(name) || name.startsWith('_');

// A call, and calls of what came back, for as long as it has methods.
function call(receiver, name, list, depth) {
  const shown = list.map(value => show(value, 4)).join(', ');
  const [text, value] = outcome(() => receiver[name](...list));
  const after = list.map(item => show(item, 4)).join(', ');
  output.add(`${name}(${shown}) -> ${text}${after === shown ? '' : `; arguments become ${after}`}`);
  if (depth === 0) return;
  if (typeof value === 'function' && value.prototype?.constructor !== value) {
    const list = values.list();
    output.add(`  called: ${outcome(() => value(...list))[0]}`);
  }
  follow(value, depth - 1);
}

// Calls methods of a value of a class of the library.
function follow(value, depth) {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return;
  if (Array.isArray(value) || value instanceof Date || value instanceof RegExp || value instanceof Map || value instanceof Set) return;
  // The text of a function is its own affair.
  const isOpen = name => !isLeftOut(name) && !(name === 'toString' && typeof value === 'function');
  const names = functionNames(value).filter(isOpen);
  if (names.length === 0) return;
  for (let count = 0; count < 3; count++) {
    const name = random.pick(names);
    call(value, name, argumentsFor(name), depth);
  }
}

const UNITS = ['year', 'years', 'y', 'month', 'M', 'day', 'd', 'hours', 'minute', 'ms', 'week', 'quarter', 'isoWeek', 'nonsense'];
const FORMATS = ['YYYY-MM-DD', 'LLLL', '[in] dddd Do MMM', 'HH:mm:ss.SSS Z', 'x X', 'gggg GGGG w W', '', 'h A'];
const DATES = ['2020-02-29', '2021-03-28T02:30:00', '12/25/1995', 'not a date', '2013-W06-5', 1318781876406, '20130208T080910,123', [2010, 1, 14], { year: 2010, month: 3 }];

function argumentsFor(name) {
  if (library === 'moment' && random.chance(85)) {
    switch (random.below(6)) {
      case 0: return [];
      case 1: return [random.pick(DATES)];
      case 2: return [random.pick(DATES), random.pick(FORMATS), random.chance(50)];
      case 3: return [values.number(), random.pick(UNITS)];
      case 4: return [random.pick(FORMATS)];
      default: return [random.pick(UNITS)];
    }
  }
  if (library === 'd3' && random.chance(60)) {
    switch (random.below(6)) {
      case 0: return [[0, 1, 5, 10].map(value => value * random.below(4))];
      case 1: return [[[1, 2], [3, 5], [4, values.number()]]];
      case 2: return [values.number(), values.number()];
      case 3: return [random.pick(['steelblue', '#abc', 'rgb(1,2,3)', 'hsl(120,50%,20%)', ',.2f', '+.3s', '$,.2r', 'nonsense'])];
      case 4: return [values.function()];
      default: return [];
    }
  }
  const first = random.below(10);
  if (/^(each|map|filter|reduce|some|every|find|sort|group|count|index|key|partition|reject|sum|min|max|uniq|take|drop|for|flat)/i.test(name) && first < 8) {
    const collection = random.chance(70) ? values.array(2) : values.object(2);
    return [collection, values.function(), ...(random.chance(30) ? [values.any(1)] : [])];
  }
  if (/(case|trim|escape|words|split|starts|ends|capitalize|first|deburr|truncate|template|replace)/i.test(name) && first < 8) {
    return [values.string(), ...(random.chance(50) ? [values.string()] : [])];
  }
  if (/^(is|to)/.test(name) && first < 8) return [values.any()];
  if (/^(bind|partial|curry|flip|memoize|negate|once|ary|unary|wrap|before|after|spread|rest|over|flow|compose|method|attempt|result)/.test(name) && first < 8) {
    return [values.function(), values.any(1), values.any(1)];
  }
  return values.list();
}

// Chains of methods, for the libraries that have them.
function chain() {
  const names = ['map', 'filter', 'reject', 'sortBy', 'uniq', 'compact', 'flatten', 'first', 'initial', 'rest', 'value', 'reverse', 'concat', 'invert', 'keys', 'values', 'tap', 'take', 'groupBy', 'countBy', 'zip', 'chunk'];
  const start = values.array(2);
  let text = `chain ${show(start, 4)}`;
  const [shown] = outcome(() => {
    let wrapped = target.chain(start);
    for (let count = 1 + random.below(5); count > 0; count--) {
      const name = random.pick(names);
      if (name === 'value' || typeof wrapped[name] !== 'function') continue;
      text += `.${name}`;
      wrapped = wrapped[name](random.chance(70) ? values.function() : values.small());
    }
    return wrapped.value();
  });
  output.add(`${text} -> ${shown}`);
}

const names = functionNames(target).filter(name => !isLeftOut(name));
for (let round = 0; round < Number(rounds); round++) {
  for (const name of names) call(target, name, argumentsFor(name), 3);
  if (library === 'moment') {
    for (let count = 0; count < 40; count++) call(target, random.pick(['utc', 'parseZone', 'duration', 'unix']), argumentsFor('moment'), 3);
    for (let count = 0; count < 60; count++) follow(outcome(() => target(...argumentsFor('moment')))[1], 2);
  }
  if (typeof target.chain === 'function') for (let count = 0; count < 40; count++) chain();
}
output.end();
