// Runs acorn's own tests: `node acorn-suite.js ACORN CHECKOUT`. Prints what fails, and how many pass.
'use strict';

const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');

const [, , file, checkout] = process.argv;
const acorn = require(path.resolve(file));
const folder = path.resolve(checkout, 'test');

// The tests ask for the package by its place in the repository.
const load = Module._load;
Module._load = (request, ...rest) => (request === '../acorn' ? acorn : load(request, ...rest));

const driver = require(path.join(folder, 'driver.js'));
for (const name of fs.readdirSync(folder).sort()) {
  if (/^tests.*\.js$/.test(name)) require(path.join(folder, name));
}

// One test is about the depth of the stack.
const isFlat = ({ code }) => !code.includes('['.repeat(200));

const modes = {
  normal: { parse: acorn.parse, filter: isFlat },
  commonjs: {
    parse: (code, options) => acorn.parse(code, { ...options, sourceType: 'commonjs' }),
    filter: ({ code, options = {} }) =>
      isFlat({ code }) && options.commonjs !== false && !options.allowAwaitOutsideFunction && (!options.sourceType || options.sourceType === 'script'),
  },
};
for (const [name, config] of Object.entries(modes)) {
  let passed = 0;
  driver.runTests(config, (state, code, message) => {
    if (state === 'ok') passed++;
    else console.log(`${name} ${state}: ${JSON.stringify(code)}: ${message}`);
  });
  console.log(`${name}: ${passed} pass`);
}
