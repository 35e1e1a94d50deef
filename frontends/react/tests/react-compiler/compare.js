// Compares the HIR of all functions of files with that of the published React Compiler.
//
// usage: node compare.js HIR-PROGRAM FILE...
//        node compare.js --expect FILE...     writes FILE.hir for each: what the published compiler makes of it
//
// HIR-PROGRAM is the example `hir` of this package (`cargo build -p ssaphire-react --example hir`). In the folder where it runs, the
// npm packages babel-plugin-react-compiler@1.0.0 and @babel/core must be installed.
'use strict';
const fs = require('fs');
const path = require('path');
const Module = require('module');
const {execFileSync} = require('child_process');

const from = Module.createRequire(path.join(process.cwd(), 'index.js'));
const babel = from('@babel/core');
const STAGES = ['HIR', 'SSA', 'EliminateRedundantPhi', 'ConstantPropagation'];

// The bundle exports neither its passes nor its environment: it is loaded with a line more at its end.
function loadCompiler() {
  const file = from.resolve('babel-plugin-react-compiler');
  const more = `
module.exports.passes = {lower, pruneMaybeThrows, inlineImmediatelyInvokedFunctionExpressions, mergeConsecutiveBlocks, enterSSA,
  validateUseMemo, dropManualMemoization, eliminateRedundantPhi, constantPropagation, findContextIdentifiers, ProgramContext, printFunction,
  Environment: typeof Environment2 !== 'undefined' ? Environment2 : Environment};`;
  const loaded = new Module(file, module);
  loaded.filename = file;
  loaded.paths = Module._nodeModulePaths(path.dirname(file));
  loaded._compile(fs.readFileSync(file, 'utf8') + more, file);
  return loaded.exports;
}
const compiler = loadCompiler();
const passes = compiler.passes;

// What the compiler renames is given its name back, so that one function does not change the next one.
function restoringNames(scopeClass, run) {
  const rename = scopeClass.prototype.rename;
  const done = [];
  scopeClass.prototype.rename = function (before, after) {
    done.push([this, before, after]);
    return rename.call(this, before, after);
  };
  try {
    return run();
  } finally {
    scopeClass.prototype.rename = rename;
    for (const [scope, before, after] of done.reverse()) scope.rename(after, before);
  }
}

function theirs(file, code, onlyOutermost) {
  const hasTypes = /\.[cm]?tsx?$/.test(file);
  const plugins = [...(hasTypes ? ['typescript'] : []), ...(hasTypes && !/x$/.test(file) ? [] : ['jsx'])];
  const tree = babel.parseSync(code, {
    filename: file, babelrc: false, configFile: false, sourceType: 'unambiguous',
    parserOpts: {plugins, allowReturnOutsideFunction: true, errorRecovery: true},
  });
  const options = compiler.parsePluginOptions({compilationMode: 'all', panicThreshold: 'none'});
  const functions = [];
  let context, scopeClass;
  babel.traverse(tree, {
    Program(program) {
      scopeClass = program.scope.constructor;
      context = new passes.ProgramContext(
        {program, suppressions: [], opts: options, filename: file, code, hasModuleScopeOptOut: false});
    },
    'FunctionDeclaration|FunctionExpression|ArrowFunctionExpression'(found) {
      if (!onlyOutermost || found.scope.parent === found.scope.getProgramParent()) functions.push(found);
    },
  });
  return functions.map(found => {
    const result = {start: found.node.start, name: found.node.id ? found.node.id.name : '', stages: {}};
    try {
      restoringNames(scopeClass, () => {
        const environment = new passes.Environment(found.scope, 'Other', 'all_features', options.environment,
          passes.findContextIdentifiers(found), found, null, file, code, context);
        const hir = passes.lower(found, environment).unwrap();
        const print = stage => { result.stages[stage] = passes.printFunction(hir); };
        print('HIR');
        passes.pruneMaybeThrows(hir);
        passes.validateUseMemo(hir).unwrap();
        passes.dropManualMemoization(hir).unwrap();
        passes.inlineImmediatelyInvokedFunctionExpressions(hir);
        passes.mergeConsecutiveBlocks(hir);
        passes.enterSSA(hir);
        print('SSA');
        passes.eliminateRedundantPhi(hir);
        print('EliminateRedundantPhi');
        passes.constantPropagation(hir);
        print('ConstantPropagation');
      });
    } catch (error) {
      result.error = String(error.message || error).split('\n')[0];
    }
    return result;
  });
}

function ours(program, file) {
  const text = execFileSync(program, [file, '--all'], {encoding: 'utf8', maxBuffer: 1 << 30});
  return text.split(/^== /m).slice(1).map(part => {
    const [head, ...stages] = part.replace(/\n$/, '').split(/\n-- /);
    const [, start, , outcome] = head.match(/^(\d+) (\d+) (.*)/);
    const result = {start: +start, stages: {}};
    if (outcome !== 'ok') result.error = outcome;
    for (const stage of stages) {
      const end = stage.indexOf('\n');
      result.stages[stage.slice(0, end)] = stage.slice(end + 1);
    }
    return result;
  });
}

function byteOffsets(code) {
  const offsets = new Uint32Array(code.length + 1);
  for (let i = 0; i < code.length; i++) {
    const unit = code.charCodeAt(i);
    const isHalf = unit >= 0xd800 && unit < 0xe000;
    offsets[i + 1] = offsets[i] + (unit < 0x80 ? 1 : unit < 0x800 || isHalf ? 2 : 3);
  }
  return offsets;
}

// The text with its ids in the order of their appearance.
function renumbered(text) {
  const ids = new Map();
  return text.replace(/(#t\d+)?\$(\d+)/g, (_, temporary, id) => {
    if (!ids.has(id)) ids.set(id, ids.size);
    return (temporary ? '#t' : '') + '$' + ids.get(id);
  });
}

// The phis, with their blocks and operands, up to ids.
const phis = text => renumbered(text.split('\n').filter(line => line.includes(': phi(')).join('\n'));
const count = text => (text.match(/: phi\(/g) || []).length;

function compare(program, file, log) {
  const code = fs.readFileSync(file, 'utf8');
  const offsets = byteOffsets(code);
  const mine = new Map(ours(program, file).map(found => [found.start, found]));
  const row = {file: path.basename(file), functions: 0, lowered: 0, samePhis: 0, phis: 0};
  for (const stage of STAGES) row[stage] = 0;
  row.identical = row.onlyTheirs = row.onlyOurs = row.missing = 0;
  for (const expected of theirs(file, code)) {
    const found = mine.get(offsets[expected.start]);
    const where = `${row.file}:${code.slice(0, expected.start).split('\n').length} ${expected.name}`;
    row.functions++;
    if (!found) { row.missing++; log(`MISSING ${where}`); continue; }
    if (expected.error || found.error) {
      if (!expected.error) { row.lowered++; row.onlyTheirs++; log(`ONLY THEIRS ${where}: ${found.error}`); }
      if (!found.error) { row.onlyOurs++; log(`ONLY OURS ${where}: ${expected.error}`); }
      continue;
    }
    row.lowered++;
    const [a, b] = [expected.stages.EliminateRedundantPhi, found.stages.EliminateRedundantPhi];
    row.phis += count(a);
    if (phis(a) === phis(b)) row.samePhis++;
    let isReported = false;
    for (const stage of STAGES) {
      if (renumbered(expected.stages[stage]) === renumbered(found.stages[stage])) row[stage]++;
      else if (!isReported) {
        isReported = true;
        const [left, right] = [expected.stages[stage].split('\n'), found.stages[stage].split('\n')];
        const at = left.findIndex((line, i) => line !== right[i]);
        log(`DIFFERENT ${stage} ${where}\n    theirs: ${left[at]}\n    ours:   ${right[at]}`);
      }
    }
    if (STAGES.every(stage => expected.stages[stage] === found.stages[stage])) row.identical++;
  }
  return row;
}

// The outermost functions: where each starts, and its form at each stage, or `=` if it has not changed.
function expected(file) {
  const code = fs.readFileSync(file, 'utf8');
  const offsets = byteOffsets(code);
  return theirs(file, code, true).map(({start, error, stages}) => {
    if (error) return `== ${offsets[start]} rejected\n`;
    let last = '';
    const forms = STAGES.map(stage => {
      const form = stages[stage] === last ? '=' : stages[stage];
      last = stages[stage];
      return `-- ${stage}\n${form}\n`;
    });
    return `== ${offsets[start]} ok\n${forms.join('')}`;
  }).join('');
}

const [program, ...files] = process.argv.slice(2);
if (program === '--expect') {
  for (const file of files) fs.writeFileSync(`${file}.hir`, expected(file));
  process.exit();
}
const rows = files.flatMap(file => {
  try {
    return [compare(path.resolve(program), file, console.error)];
  } catch (error) {
    console.error(`SKIPPED ${file}: ${String(error.message).split('\n')[0]}`);
    return [];
  }
});
if (rows.length < 50) console.table(rows);
const sum = {};
for (const row of rows) for (const [key, value] of Object.entries(row)) if (key !== 'file') sum[key] = (sum[key] || 0) + value;
console.log(JSON.stringify(sum));
