// What a random program observes, as text. The value of this script is a function that installs `log` and `tick`.
(function (fuel) {
  'use strict';
  const { is, getOwnPropertyDescriptor, prototype: { toString } } = Object;
  const { ownKeys } = Reflect;
  const apply = Reflect.apply;
  const push = Array.prototype.push;
  const lines = [];
  const LIMIT = 4000;
  let left = fuel;
  let dropped = 0;

  function add(line) {
    if (lines.length < LIMIT) apply(push, lines, [line]);
    else dropped++;
  }

  function showObject(value, depth) {
    if (value instanceof Error) return `<${value.name}>`;
    if (Array.isArray(value)) {
      if (depth === 0) return `[${value.length}]`;
      const parts = [];
      for (let index = 0; index < value.length && index < 20; index++) {
        parts.push(index in value ? show(value[index], depth - 1) : '-');
      }
      return `[${parts.join(',')}]`;
    }
    const tag = apply(toString, value, []);
    if (depth === 0) return tag;
    const parts = [];
    for (const key of ownKeys(value)) {
      const property = getOwnPropertyDescriptor(value, key);
      if (property === undefined) continue;
      const marks = `${property.writable ? '' : 'r'}${property.enumerable ? '' : 'h'}${property.configurable ? '' : 'f'}`;
      const content = 'value' in property ? show(property.value, depth - 1) : `${property.get ? 'get' : ''}/${property.set ? 'set' : ''}`;
      parts.push(`${String(key)}${marks && `(${marks})`}:${content}`);
    }
    return `${tag === '[object Object]' ? '' : tag}{${parts.join(',')}}`;
  }

  function show(value, depth) {
    switch (typeof value) {
      case 'number': return is(value, -0) ? '-0' : String(value);
      case 'bigint': return `${value}n`;
      case 'string': return value.length > 200 ? `${JSON.stringify(value.slice(0, 200))}~${value.length}` : JSON.stringify(value);
      case 'function': return `function ${show(value.name, 0)}/${value.length}`;
      case 'object':
        if (value === null) return 'null';
        // A script adds helpers to it.
        if (value === globalThis) return '<global>';
        try {
          return showObject(value, depth);
        } catch (error) {
          return '<opaque>';
        }
      default: return String(value);
    }
  }

  // The text of a function is not the same after a round trip, and need not be.
  Object.defineProperty(Function.prototype, 'toString', {
    value: { toString() { return `function ${this.name}/${this.length}`; } }.toString,
    writable: true,
    configurable: true,
  });

  const global = globalThis;
  const define = (name, value) => Object.defineProperty(global, name, { value });
  // Logs its arguments and returns the last one.
  define('log', function log(...values) {
    let line = '';
    for (let index = 0; index < values.length; index++) line += (index ? ' ' : '') + show(values[index], 2);
    add(line);
    return values[values.length - 1];
  });
  // Whether the program has run for long enough.
  define('tick', function tick() {
    return --left < 0;
  });
  // An object that logs each trap.
  define('traced', function traced(name, target) {
    const handler = {};
    for (const trap of ['get', 'set', 'has', 'deleteProperty', 'defineProperty', 'ownKeys', 'getOwnPropertyDescriptor', 'apply', 'construct']) {
      handler[trap] = (object, key, ...rest) => {
        add(`${name}.${trap} ${typeof key === 'symbol' || typeof key === 'string' ? String(key) : ''}`);
        return Reflect[trap](object, key, ...rest);
      };
    }
    return new Proxy(target, handler);
  });
  // An iterable of `count` numbers that logs how it is used. Its `return` is absent, throws, or returns no object, if `mode` says so.
  define('iterable', function iterable(name, count, mode) {
    return {
      get [Symbol.iterator]() {
        add(`${name} iterator`);
        return () => {
          let index = 0;
          const iterator = {
            get next() {
              add(`${name} next?`);
              return value => {
                add(`${name} next ${show(value, 0)}`);
                if (mode === 'throws' && index === count - 1) throw new EvalError(name);
                return {
                  get done() { add(`${name} done`); return index >= count; },
                  get value() { add(`${name} value`); return index++; },
                };
              };
            },
          };
          if (mode !== 'no return') {
            iterator.return = value => {
              add(`${name} return ${show(value, 0)}`);
              if (mode === 'return throws') throw new URIError(name);
              return mode === 'return primitive' ? 1 : { done: true, value };
            };
          }
          if (mode === 'throw') {
            iterator.throw = value => {
              add(`${name} throw ${show(value, 0)}`);
              return { done: false, value: 7 };
            };
          }
          return iterator;
        };
      },
    };
  });
  // An object that logs when it becomes a primitive value.
  define('primitive', function primitive(name, value) {
    return {
      [Symbol.toPrimitive](hint) {
        add(`${name} to ${hint}`);
        return value;
      },
    };
  });
  const seen = new WeakSet();
  // A tag that logs its strings, and whether it has met the same object before.
  define('tag', function tag(strings, ...values) {
    add(`tag ${show(strings, 1)} ${show(strings.raw, 1)} ${seen.has(strings) ? 'again' : 'new'}`);
    seen.add(strings);
    return values.length;
  });
  // Drives a generator by letters: `n`ext, `r`eturn, `t`hrow.
  define('drive', function drive(name, generator, letters) {
    for (const letter of letters) {
      const method = letter === 'n' ? 'next' : letter === 'r' ? 'return' : 'throw';
      try {
        add(`${name}.${method} ${show(generator[method](letter), 2)}`);
      } catch (error) {
        add(`${name}.${method} threw ${show(error, 1)}`);
      }
    }
  });
  // Logs how a promise ends, and what an asynchronous iterable gives.
  define('settle', function settle(name, promise) {
    Promise.resolve(promise).then(
      value => add(`${name} fulfilled ${show(value, 2)}`),
      error => add(`${name} rejected ${show(error, 1)}`),
    );
  });
  define('collect', function collect(name, iterable) {
    (async () => {
      let count = 0;
      for await (const value of iterable) {
        add(`${name} gives ${show(value, 2)}`);
        if (++count === 5) break;
      }
      add(`${name} ends`);
    })().catch(error => add(`${name} rejected ${show(error, 1)}`));
  });
  return function finish() {
    return `${lines.join('\n')}\n${dropped} more, ${fuel - left} ticks\n`;
  };
})
