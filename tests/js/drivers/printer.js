// The structure of a value as text, which tells apart whatever a program can tell apart but identities and the text of functions.
'use strict';

const DEPTH = 7;
const WIDTH = 60;

function string(value) {
  return value.length > 300 ? `${JSON.stringify(value.slice(0, 300))}~${value.length}` : JSON.stringify(value);
}

function members(value, depth, seen) {
  const parts = [];
  const keys = Reflect.ownKeys(value);
  for (const key of keys.slice(0, WIDTH)) {
    const property = Object.getOwnPropertyDescriptor(value, key);
    const hidden = property.enumerable ? '' : '~';
    const content = 'value' in property ? show(property.value, depth - 1, seen) : '<accessor>';
    parts.push(`${hidden}${String(key)}:${content}`);
  }
  if (keys.length > WIDTH) parts.push(`and ${keys.length - WIDTH} more`);
  return parts;
}

function object(value, depth, seen) {
  if (value instanceof Error) return `<${value.name}>`;
  if (value instanceof Date) return `Date ${value.getTime()}`;
  if (value instanceof RegExp) return `${value} ${value.lastIndex}`;
  if (value instanceof Promise) return '<promise>';
  if (seen.includes(value)) return `<up ${seen.length - seen.indexOf(value)}>`;
  if (depth === 0) return Object.prototype.toString.call(value);
  const inner = [...seen, value];
  const name = Object.getPrototypeOf(value)?.constructor?.name;
  if (value instanceof Map || value instanceof Set) {
    const parts = [...value].slice(0, WIDTH).map(item => show(item, depth - 1, inner));
    return `${name}(${parts.join(',')})`;
  }
  if (Array.isArray(value)) {
    const parts = [];
    for (let index = 0; index < Math.min(value.length, WIDTH); index++) {
      parts.push(index in value ? show(value[index], depth - 1, inner) : '-');
    }
    return `[${parts.join(',')}]${value.length > WIDTH ? `~${value.length}` : ''}`;
  }
  const boxed = value instanceof String || value instanceof Number || value instanceof Boolean ? show(value.valueOf(), 1, inner) : '';
  return `${name === 'Object' ? '' : name}${boxed}{${members(value, depth, inner).join(',')}}`;
}

function show(value, depth = DEPTH, seen = []) {
  switch (typeof value) {
    case 'number': return Object.is(value, -0) ? '-0' : String(value);
    case 'bigint': return `${value}n`;
    case 'string': return string(value);
    case 'function': return `function ${string(value.name)}/${value.length}`;
    case 'object':
      if (value === null) return 'null';
      try {
        return object(value, depth, seen);
      } catch (error) {
        return `<opaque ${error?.name}>`;
      }
    default: return String(value);
  }
}

exports.show = show;
