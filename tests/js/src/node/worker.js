// Runs programs, each in a realm of its own: one job a line on standard input, one answer a line on standard output.
//
// A job names what it is by `kind`:
// - `test`: a test of test262, with its harness;
// - `program`: a script, or a module, that logs what it observes through `log`, or through `console` if the job says so.
//
// An answer is `{ phase, name, message }`, where the phase is `none` if nothing was thrown; that of a program also has `log`.
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const readline = require('node:readline');
const v8 = require('node:v8');
const vm = require('node:vm');

// Turns of the event loop after which a promise that is not settled never will be: nothing here waits for time to pass.
const TURNS = 12;

const turn = () => new Promise(resolve => setImmediate(resolve));

const collect = (() => {
  v8.setFlagsFromString('--expose-gc');
  return vm.runInNewContext('gc');
})();

// The value that `document.all` is in a browser.
const undetectable = (() => {
  v8.setFlagsFromString('--allow-natives-syntax');
  const script = new vm.Script('%GetUndetectable()');
  script.runInThisContext();
  v8.setFlagsFromString('--no-allow-natives-syntax');
  return script;
})();

function newRealm() {
  // An ordinary global object: the one of a contextified object has traps, which tests observe.
  return vm.createContext(vm.constants.DONT_CONTEXTIFY);
}

function define(object, name, value) {
  Object.defineProperty(object, name, { value, writable: true, enumerable: false, configurable: true });
}

// A syntax error belongs to the realm that asks for the script, not to this one.
function compileIn(global, text, options) {
  try {
    return new vm.Script(text, options);
  } catch (error) {
    if (error instanceof SyntaxError) throw new global.SyntaxError(error.message);
    throw error;
  }
}

function hostObject(global, print) {
  const host = {
    global,
    gc: () => collect(),
    createRealm: () => hostObject(newRealm(), print),
    detachArrayBuffer: buffer => void structuredClone(buffer, { transfer: [buffer] }),
    evalScript: text => compileIn(global, String(text), { filename: 'evalScript' }).runInContext(global),
    IsHTMLDDA: undetectable.runInContext(global),
    agent: {
      start() { throw new Error('there are no agents'); },
      broadcast() { throw new Error('there are no agents'); },
      getReport: () => null,
      sleep() {},
      monotonicNow: () => performance.now(),
    },
  };
  define(global, '$262', host);
  define(global, 'print', print);
  return host;
}

// Modules of a realm. `given` has the text of the file under test, which is not the one on the disk.
class Modules {
  constructor(global, given) {
    this.global = global;
    this.given = given;
    this.byKey = new Map();
    this.links = new Map();
    this.import = (specifier, referrer, attributes) =>
      this.evaluate(this.load(this.resolve(specifier, referrer.identifier), attributes));
  }

  resolve(specifier, referrer) {
    return path.resolve(path.dirname(referrer ?? this.given.file), specifier);
  }

  load(file, attributes) {
    const type = attributes?.type;
    const key = `${type ?? ''}:${file}`;
    let module = this.byKey.get(key);
    if (module === undefined) {
      module = type === 'json' ? this.json(file) : this.source(file);
      this.byKey.set(key, module);
    }
    return module;
  }

  source(file) {
    const isGiven = this.given.module && file === this.given.file;
    const text = isGiven ? this.given.text : this.read(file);
    return new vm.SourceTextModule(text, {
      context: this.global,
      identifier: file,
      importModuleDynamically: (specifier, referrer, attributes) =>
        this.evaluate(this.load(this.resolve(specifier, file), attributes)),
    });
  }

  // The message of the host's error has the length of a path in it.
  read(file) {
    try {
      return fs.readFileSync(file, 'utf8');
    } catch {
      throw new this.global.TypeError(`no module ${file}`);
    }
  }

  json(file) {
    const text = this.read(file);
    const value = this.global.JSON.parse(text);
    return new vm.SyntheticModule(['default'], function () {
      this.setExport('default', value);
    }, { context: this.global, identifier: file });
  }

  link(module) {
    let link = this.links.get(module);
    if (link === undefined) {
      link = this.linkNow(module);
      this.links.set(module, link);
    }
    return link;
  }

  async linkNow(module) {
    while (module.status === 'linking') await null;
    if (module.status !== 'unlinked') return;
    await module.link((specifier, referrer, extra) =>
      this.load(this.resolve(specifier, referrer.identifier), extra.attributes ?? extra.assert));
  }

  async evaluate(module) {
    await this.link(module);
    await module.evaluate();
    return module;
  }
}

const harness = new Map();

function harnessScript(root, name) {
  let script = harness.get(name);
  if (script === undefined) {
    const file = path.join(root, 'harness', name);
    script = new vm.Script(fs.readFileSync(file, 'utf8'), { filename: file });
    harness.set(name, script);
  }
  return script;
}

// What was thrown, as text; what is thrown may throw when it is looked at.
function describe(phase, error) {
  const safe = read => {
    try {
      return String(read());
    } catch {
      return '';
    }
  };
  if (error === null || (typeof error !== 'object' && typeof error !== 'function')) {
    return { phase, name: typeof error, message: safe(() => error) };
  }
  return { phase, name: safe(() => error.constructor.name), message: safe(() => error.message).slice(0, 400) };
}

const NOTHING = { phase: 'none', name: '', message: '' };
const UNFINISHED = { phase: 'unfinished', name: '', message: 'it never ends, and waits for nothing' };

async function runTest(job) {
  const global = newRealm();
  let printed;
  const print = value => {
    const line = String(value);
    if (line === 'Test262:AsyncTestComplete') printed ??= NOTHING;
    else if (line.startsWith('Test262:AsyncTestFailure')) printed ??= { phase: 'runtime', name: 'async', message: line.slice(0, 400) };
  };
  hostObject(global, print);
  for (const name of job.harness) harnessScript(job.root, name).runInContext(global);
  const thrown = await (job.module ? runModule(job, global) : runScript(job, global));
  if (thrown.phase !== 'none' || !job.async) return thrown;
  for (let turns = 0; printed === undefined && turns < TURNS; turns++) await turn();
  return printed ?? UNFINISHED;
}

function runScript(job, global) {
  const options = { filename: job.file };
  if (job.text.includes('import')) {
    const modules = new Modules(global, job);
    options.importModuleDynamically = (specifier, _, attributes) =>
      modules.evaluate(modules.load(modules.resolve(specifier, job.file), attributes));
  }
  let script;
  try {
    script = new vm.Script(job.text, options);
  } catch (error) {
    return describe('parse', error);
  }
  try {
    script.runInContext(global);
  } catch (error) {
    return describe('runtime', error);
  }
  return NOTHING;
}

async function runModule(job, global) {
  const modules = new Modules(global, job);
  let module;
  try {
    module = modules.load(job.file);
  } catch (error) {
    return describe('parse', error);
  }
  try {
    await modules.link(module);
  } catch (error) {
    return describe('resolution', error);
  }
  let done;
  module.evaluate().then(() => { done ??= NOTHING; }, error => { done ??= describe('runtime', error); });
  await null;
  for (let turns = 0; done === undefined && turns < TURNS; turns++) await turn();
  return done ?? UNFINISHED;
}

const logger = new vm.Script(fs.readFileSync(path.join(__dirname, 'logger.js'), 'utf8'), { filename: 'logger.js' });

// Timers of a realm: they run one after the other, in the order of their times, and nobody waits.
class Timers {
  constructor(global) {
    this.waiting = [];
    this.now = 0;
    this.count = 0;
    for (const name of ['setTimeout', 'setImmediate', 'setInterval']) {
      define(global, name, (run, delay, ...values) => {
        const at = this.now + (name !== 'setImmediate' && delay > 0 ? Number(delay) : 0);
        const id = ++this.count;
        this.waiting.push({ id, at, run: () => run(...values) });
        return id;
      });
    }
    for (const name of ['clearTimeout', 'clearImmediate', 'clearInterval']) {
      define(global, name, id => void (this.waiting = this.waiting.filter(timer => timer.id !== id)));
    }
  }

  // Whether one was waiting, and has run.
  runNext() {
    if (this.waiting.length === 0) return false;
    const next = this.waiting.reduce((first, timer) => (timer.at < first.at ? timer : first));
    this.waiting.splice(this.waiting.indexOf(next), 1);
    this.now = Math.max(this.now, next.at);
    next.run();
    return true;
  }
}

// The globals that programs of other test suites expect.
function addConsole(global) {
  const { log } = global;
  const console = { log, error: log, warn: log, info: log, debug: log, dir: log, trace: log };
  console.assert = (isTrue, ...values) => isTrue || log('assertion', ...values);
  define(global, 'console', console);
  define(global, 'global', global);
  define(global, 'module', { exports: {} });
  define(global, 'exports', global.module.exports);
  const process = { on() { return process; }, nextTick: run => global.Promise.resolve().then(run), env: {}, argv: [] };
  define(global, 'process', process);
  const require = name => {
    if (name === 'assert') return (isTrue, ...values) => isTrue || log('assertion', ...values);
    throw new global.Error(`no module ${name}`);
  };
  define(global, 'require', require);
  return new Timers(global);
}

const TIMERS_OF_ONE_PROGRAM = 200;
// Milliseconds after which a script that has not ended never will.
const PATIENCE = 4000;

async function runProgram(job) {
  const global = newRealm();
  const finish = logger.runInContext(global)(job.fuel);
  const timers = job.console ? addConsole(global) : undefined;
  let answer = NOTHING;
  try {
    if (job.module) {
      answer = await runModule({ ...job, file: '/program' }, global);
      if (answer.phase === 'runtime') answer = { ...answer, message: '' };
      if (answer.phase === 'parse' || answer.phase === 'resolution') return { ...answer, log: '' };
    } else {
      let script;
      try {
        script = new vm.Script(job.text, { filename: 'program', importModuleDynamically: noImport(global) });
      } catch (error) {
        return { ...describe('parse', error), log: '' };
      }
      hideHelpers(global, job.text);
      script.runInContext(global, { timeout: PATIENCE });
    }
    await turn();
    for (let count = 0; count < TIMERS_OF_ONE_PROGRAM && timers?.runNext(); count++) await turn();
  } catch (error) {
    if (error?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return { phase: 'hung', name: '', message: '', log: '' };
    // Messages name the text of expressions.
    answer = { phase: 'runtime', name: describe('runtime', error).name, message: '' };
  }
  await turn();
  await turn();
  return { ...answer, log: finish() };
}

// The helpers of a script are global variables: not enumerable here, or programs that list all of them see more than before.
function hideHelpers(global, text) {
  for (const [, name] of text.matchAll(/^var (\$\w+) = /gm)) define(global, name, undefined);
}

function noImport(global) {
  return specifier => Promise.reject(new global.TypeError(`no module ${specifier}`));
}

async function answerTo(job) {
  switch (job.kind) {
    case 'test': return runTest(job);
    case 'program': return runProgram(job);
    default: return { phase: 'parse', name: 'job', message: `no kind ${job.kind}` };
  }
}

process.on('unhandledRejection', () => {});
process.on('uncaughtException', () => {});

(async () => {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    let answer;
    try {
      answer = await answerTo(JSON.parse(line));
    } catch (error) {
      answer = describe('harness', error);
    }
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
})();
