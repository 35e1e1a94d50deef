// Runs acorn's own tests: `node acorn-suite.js FOLDER ACORN [LOOSE]`. Prints what fails, and how many pass.
//
// FOLDER is a checkout, or a package that has its tests; LOOSE is the parser of damaged programs of such a package.
'use strict';

const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');

const [, , checkout, ...files] = process.argv;
const folder = path.resolve(checkout, 'test');

// The tests, and the loose parser, ask for the package by its place.
const isAcorn = request => ['..', './acorn', '../acorn'].includes(request);
const load = Module._load;
const acorn = require(path.resolve(files[0]));
Module._load = (request, ...rest) => (isAcorn(request) ? acorn : load(request, ...rest));
const loose = files[1] && require(path.resolve(files[1]));

const driver = require(path.join(folder, 'driver.js'));
for (const name of fs.readdirSync(folder).sort()) {
  if (/^tests.*\.js$/.test(name)) require(path.join(folder, name));
}

// One test is about the depth of the stack.
const isFlat = ({ code }) => !code.includes('['.repeat(200));

const modes = { normal: { parse: acorn.parse, filter: isFlat } };
if (loose) {
  modes.loose = {
    parse: loose.parse_dammit,
    loose: true,
    filter: ({ options = {} }) => options.loose !== false && (options.ecmaVersion || 5) <= 6,
  };
} else {
  modes.commonjs = {
    parse: (code, options) => acorn.parse(code, { ...options, sourceType: 'commonjs' }),
    filter: ({ code, options = {} }) =>
      isFlat({ code }) && options.commonjs !== false && !options.allowAwaitOutsideFunction && (!options.sourceType || options.sourceType === 'script'),
  };
}
for (const [name, config] of Object.entries(modes)) {
  let passed = 0;
  driver.runTests(config, (state, code, message) => {
    if (state === 'ok') passed++;
    else console.log(`${name} ${state}: ${JSON.stringify(code)}: ${message}`);
  });
  console.log(`${name}: ${passed} pass`);
}
