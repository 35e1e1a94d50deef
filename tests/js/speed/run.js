// Measures one program: `node run.js FOLDER NAME` prints the least milliseconds of a call, and what it returned.
// `FOLDER` has `programs.js` and the packages; without NAME, all names are printed.
'use strict';

const { createRequire } = require('node:module');
const path = require('node:path');

const [folder, name] = process.argv.slice(2);
const load = createRequire(path.join(path.resolve(folder), 'index.js'));
const programs = require(path.join(path.resolve(folder), 'programs.js'));
const packages = require('./packages.js');

if (name === undefined) {
  console.log([...Object.keys(programs), ...Object.keys(packages)].join('\n'));
} else {
  const run = Object.hasOwn(programs, name) ? programs[name]() : packages[name](load(name));
  let result;
  // So long that V8 has compiled it with its last compiler.
  for (const end = Date.now() + 400; Date.now() < end; ) result = run();
  let least = Infinity;
  for (const end = Date.now() + 600; Date.now() < end; ) {
    const start = process.hrtime.bigint();
    for (let i = 0; i < 3; i++) run();
    least = Math.min(least, Number(process.hrtime.bigint() - start) / 3e6);
  }
  console.log(`${least.toFixed(4)}\n${result}`);
}
