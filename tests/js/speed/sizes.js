// Measures a file before and after: `node sizes.js FOLDER BEFORE AFTER`, where `FOLDER` has terser in its `node_modules`. It
// prints lines, bytes without comments and blanks, and bytes after terser and gzip, each before and after. Without files, it
// prints which ones are measured, by their paths in `node_modules`.
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const zlib = require('node:zlib');
const { createRequire } = require('node:module');

const FILES = [
  '@babel/parser/lib/index.js',
  'acorn/dist/acorn.js',
  'async/dist/async.js',
  'axios/dist/node/axios.cjs',
  'bluebird/js/release/promise.js',
  'commander/lib/command.js',
  'esprima/dist/esprima.js',
  'handlebars/dist/handlebars.js',
  'immer/dist/immer.mjs',
  'js-yaml/dist/js-yaml.mjs',
  'json5/dist/index.js',
  'lodash/lodash.js',
  'postcss/lib/parser.js',
  'react-dom/cjs/react-dom-server.node.production.js',
  'semver/classes/range.js',
];

const [folder, ...files] = process.argv.slice(2);
if (files.length === 0) {
  console.log(FILES.join('\n'));
} else {
  const { minify } = createRequire(path.join(path.resolve(folder), 'index.js'))('terser');
  const texts = files.map(file => fs.readFileSync(file, 'utf8'));
  (async () => {
    const minified = async options => Promise.all(texts.map(async text => (await minify(text, { module: files[0].endsWith('.mjs'), ...options })).code));
    const bare = await minified({ compress: false, mangle: false });
    const packed = await minified({});
    const lines = texts.map(text => text.split('\n').filter(line => line.trim() !== '').length);
    console.log(...lines, ...bare.map(text => text.length), ...packed.map(text => zlib.gzipSync(text).length));
  })();
}
