// Parses files with acorn: `node acorn.js ACORN FILE...`. One line a file: a hash of all its tokens, comments and nodes.
'use strict';

const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');

const acorn = require(path.resolve(process.argv[2]));

// Adds all that there is below `value`; a tree of a large file is too large to be one string.
function add(hash, value) {
  if (value === null || typeof value !== 'object') {
    hash.update(`${typeof value} ${Object.is(value, -0) ? '-0' : String(value)};`);
    return;
  }
  if (value instanceof RegExp) {
    hash.update(`RegExp ${value};`);
    return;
  }
  hash.update(`${value.constructor?.name}{`);
  for (const key of Object.keys(value)) {
    hash.update(`${key}:`);
    add(hash, value[key]);
  }
  hash.update('}');
}

function treeOf(text, options) {
  const hash = createHash('sha256');
  let tokens = 0;
  const comments = [];
  const onToken = token => {
    tokens++;
    hash.update(`${token.type.label} ${token.start} ${token.end} ${String(token.value)};`);
  };
  try {
    add(hash, acorn.parse(text, { ecmaVersion: 'latest', onToken, onComment: comments, ...options }));
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
  add(hash, comments);
  return `${tokens} tokens, ${comments.length} comments, ${hash.digest('hex')}`;
}

for (const file of process.argv.slice(3)) {
  const text = fs.readFileSync(file, 'utf8');
  const sourceType = /three/.test(file) ? 'module' : 'script';
  const locations = text.length < 1000000;
  console.log(`${path.basename(file)}: ${treeOf(text, { sourceType, locations })}`);
  // Texts that end too early are wrong in many ways.
  const part = text.slice(0, 60000);
  for (let end = 997; end < part.length; end += 1999) {
    console.log(`${path.basename(file)} up to ${end}: ${treeOf(part.slice(0, end), { sourceType, ranges: true })}`);
  }
}
