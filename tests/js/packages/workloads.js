// Uses packages of npm, and prints what they do: `node workloads.js FOLDER NAME`, where FOLDER has `node_modules`.
'use strict';

const path = require('node:path');
const { createRequire } = require('node:module');
const { pathToFileURL } = require('node:url');
const { inspect } = require('node:util');

const [folder, name] = process.argv.slice(2);
const requireFrom = createRequire(path.join(path.resolve(folder), 'index.js'));
// As a module if it is one.
const load = async id => {
  try {
    return requireFrom(id);
  } catch (error) {
    if (error.code !== 'ERR_REQUIRE_ESM' && error.code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED' && error.code !== 'ERR_REQUIRE_ASYNC_MODULE') throw error;
    return import(pathToFileURL(resolveModule(id)).href);
  }
};

// The file that `import` finds.
function resolveModule(id) {
  const root = path.join(path.resolve(folder), 'node_modules', id);
  const manifest = require(path.join(root, 'package.json'));
  const pick = target => {
    if (typeof target === 'string') return target;
    if (target === undefined || target === null) return undefined;
    return pick(target.import ?? target.node ?? target.default ?? target.require);
  };
  const { exports } = manifest;
  const entry = typeof exports === 'string' ? exports : pick(exports?.['.'] ?? (exports && !Object.keys(exports)[0].startsWith('.') ? exports : undefined));
  return path.join(root, entry ?? manifest.module ?? manifest.main ?? 'index.js');
}

const show = value => console.log(inspect(value, { depth: 6, breakLength: 120, maxArrayLength: 200, maxStringLength: 4000 }));
const attempt = run => {
  try {
    return run();
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
};
// Numbers that look random, and are always the same.
const random = (seed => () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648)(7);
const numbers = Array.from({ length: 200 }, () => Math.floor(random() * 1000));
const SOURCE = `
  class A extends B { static #x = 1; get y() { return A.#x ?? 2; } async *z(a = 1, { b, ...c }, [d]) { for await (const e of a) yield* e; } }
  label: for (let i = 0, n = 3; i < n; i++) { switch (i) { case 0: continue label; default: try { f(i) } catch { break } finally { g() } } }
  const h = async x => (await x)?.y(\`a\${1 + 2}b\`), r = /[a-z]+/giu, big = 10n ** 2n; export default h; export { r as "q" };
`;

const workloads = {
  async semver(m) {
    const versions = ['1.2.3', '1.10.0', '2.0.0-beta.2', '2.0.0-beta.11', '0.0.1', '10.2.1+x'];
    show([m.sort([...versions]), m.rsort([...versions]), versions.map(v => m.satisfies(v, '>=1.2 <2 || ^10')), m.inc('1.2.3-a.1', 'prerelease'), m.validRange('1.x || >=2.5.0 || 5.0.0 - 7.2.3'), m.minVersion('>1.0.0 <2'), m.coerce('v3.4 foo').version, m.diff('1.2.3', '1.3.0-0'), m.parse('bad'), m.intersects('^1.2', '~1.5'), m.subset('~1.2.1', '^1')]);
  },
  async debug(m) {
    m.enable('app:*,-app:no');
    const lines = [], log = m('app:a');
    log.log = (...args) => lines.push(args.map(String).map(line => line.replace(/^\S+Z |\+\d+ms|\u001b\[[\d;]*m/g, '')));
    log('hello %s %d %o', 'x', 3, { a: 1 });
    log.extend('b')('inner');
    show([lines, m.enabled('app:no'), m.enabled('app:yes'), m.disable()]);
  },
  async chalk(m) {
    const { Chalk } = m, c = new Chalk({ level: 3 });
    show([c.red('a'), c.bold.underline.hex('#aabbcc')('x', 'y'), c.bgRgb(1, 2, 3).inverse`t`, c.blue(`a${c.green('b')}c\nd`), new Chalk({ level: 1 }).rgb(200, 10, 10)('z')]);
  },
  async ms(m) {
    show(['2 days', '1.5h', '-3 min', '1y', '100', '5 weeks', 'bad'].map(text => attempt(() => m(text))));
    show([60000, 2 * 3600000, -86400000, 17].map(value => [m(value), m(value, { long: true })]));
    show([attempt(() => m('')), attempt(() => m({}))]);
  },
  async minimatch(m) {
    const { minimatch, Minimatch } = m;
    for (const pattern of ['*.js', '**/*.{js,ts}', '!(a|b)*', '+(ab|c)?.x', '[a-c]*', '{1..5}.txt', 'a/**/b']) show([pattern, ['a.js', 'x/y/b.ts', 'abab1.x', 'b', '3.txt', 'a/x/y/b', 'c.js'].map(file => minimatch(file, pattern)), attempt(() => String(new Minimatch(pattern).makeRe?.()))]);
  },
  async 'lru-cache'(m) {
    const { LRUCache } = m, gone = [];
    const cache = new LRUCache({ max: 5, maxSize: 20, sizeCalculation: value => value, dispose: (value, key, why) => gone.push([key, value, why]) });
    numbers.slice(0, 40).forEach((n, i) => { cache.set(n % 9, 1 + (n % 7)); if (i % 3 === 0) cache.get(n % 5); });
    show([[...cache.entries()], cache.size, cache.calculatedSize, gone.length, gone.slice(0, 9), cache.peek(3), cache.delete(2), cache.dump().map(([k, v]) => [k, v.value])]);
  },
  async tslib(m) {
    const made = m.__rest({ a: 1, b: 2, c: 3 }, ['a']);
    const gen = m.__values([1, 2]);
    class A {} class B {}
    m.__extends(B, A);
    const step = function () { return m.__generator(this, function (s) { switch (s.label) { case 0: return [4, 1]; case 1: s.sent(); return [4, 2]; case 2: return [2, s.sent()]; } }); };
    const it = step();
    show([made, gen.next(), new B() instanceof A, it.next(), it.next('x'), it.next('y'), m.__spreadArray([1], [2, 3]), await m.__awaiter(null, [], Promise, function* () { return (yield Promise.resolve(4)) + 1; }), m.__makeTemplateObject(['a'], ['b']).raw, m.__read([1, 2, 3], 2)]);
  },
  async 'ansi-styles'(m) {
    const styles = m.default;
    show([styles.red, styles.color.ansi256(styles.rgbToAnsi256(199, 20, 250)), styles.hexToRgb('#abc'), styles.bgColor.ansi16m(1, 2, 3), styles.hexToAnsi('ff0000'), [...styles.codes].length, Object.keys(styles)]);
  },
  async 'strip-ansi'(m) {
    const strip = m.default;
    show([strip('\u001b[4mU\u001b[0m'), strip('\u001b]8;;https://x\u0007link\u001b]8;;\u0007'), attempt(() => strip(1))]);
  },
  async 'supports-color'(m) {
    show([m.createSupportsColor({ isTTY: false }), m.createSupportsColor({ isTTY: true }, { sniffFlags: false }) !== undefined]);
  },
  async commander(m) {
    const program = new m.Command(), output = [];
    program.name('p').exitOverride().configureOutput({ writeOut: text => output.push(text), writeErr: text => output.push(text) });
    program.option('-d, --debug', 'debug').option('-n, --num <n>', 'number', Number, 4).requiredOption('-r <x>').option('--no-color').argument('<first>').argument('[rest...]');
    program.command('sub <a> [b...]').alias('s').option('-x').description('does it').action((a, b, options) => output.push(['sub', a, b, options]));
    program.action((first, rest, options) => output.push([first, rest, options]));
    for (const args of [['-d', '-n', '7', '-r', 'q', 'one', 'two', 'three'], ['sub', '-x', 'a', 'b', 'c'], ['--help'], ['--nope'], ['-r', 'z', '--no-color', 'f']]) output.push(attempt(() => program.parse(args, { from: 'user' }) && 'parsed'));
    show(output);
  },
  async glob(m) {
    const cwd = path.join(path.resolve(folder), 'node_modules/semver');
    show([m.globSync('**/*.js', { cwd, ignore: 'internal/**' }).sort(), (await m.glob('{classes,ranges}/[a-m]*', { cwd, posix: true })).sort(), m.hasMagic('a*'), m.escape('a*b?')]);
  },
  async uuid(m) {
    show([m.v5('hello', m.v5.DNS), m.v3('hello', m.v3.URL), m.validate('nope'), m.parse('6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b'), attempt(() => m.stringify(new Uint8Array(16).fill(7))), m.version(m.v4()), m.version(m.v7()), m.v4({ random: new Uint8Array(16).fill(9) }), m.v1({ node: [1, 2, 3, 4, 5, 6], clockseq: 0x1234, msecs: 1e12, nsecs: 5678 }), m.NIL]);
  },
  async yargs(m) {
    const yargs = m.default ?? m['module.exports'] ?? m, lines = [];
    const make = args => yargs(args).scriptName('p').option('a', { type: 'number', default: 3, describe: 'an a' }).option('list', { type: 'array' }).command('go <where>', 'goes', y => y.option('fast', { type: 'boolean' }), argv => lines.push(['go', argv.where, argv.fast])).strict(false).exitProcess(false).help();
    show(await make(['go', 'home', '--fast', '--list', 'x', 'y', '-a', '5', '--', 'z']).parse());
    show([lines, (await make([]).getHelp()).split('\n')]);
  },
  async lodash(m) {
    show([m.chunk(numbers.slice(0, 7), 3), m.groupBy(numbers.slice(0, 20), n => n % 3), m.sortBy(numbers.slice(0, 9), n => -n), m.merge({ a: [1, { b: 2 }] }, { a: [3, { c: 4 }] }), m.template('<% _.forEach(u, x => { %><li><%- x %></li><% }) %>')({ u: ['a', '<b>'] }), m.camelCase('foo bar-baz'), m.debounce(() => 1, 10)(), m.curry((a, b, c) => [a, b, c])(1)(2, 3), m.isEqual({ a: new Map([[1, { b: [1] }]]) }, { a: new Map([[1, { b: [1] }]]) }), m.get({ a: [{ b: { c: 3 } }] }, 'a[0].b.c'), m.set({}, 'x.y[2]', 1), m.zipObjectDeep(['a.b[0].c'], [1]), m.words('fred, barney & pebbles'), m(numbers).map(n => n * 2).filter(n => n % 3 === 0).take(4).value(), m.cloneDeep({ d: new Date(0), r: /x/g, s: new Set([1]) }), m.truncate('hi-diddly-ho there, neighborino', { length: 24, separator: /,? +/ }), m.orderBy([{ a: 1, b: 2 }, { a: 1, b: 1 }], ['a', 'b'], ['asc', 'desc'])]);
  },
  async async(m) {
    const steps = [];
    const sums = await m.mapLimit([1, 2, 3, 4], 2, async n => n * n);
    await m.auto({ a: async () => steps.push('a'), b: ['a', async () => steps.push('b')], c: ['a', 'b', async () => steps.push('c')] });
    const queue = m.queue(async task => { steps.push(task); }, 2);
    queue.push([1, 2, 3]);
    await queue.drain();
    show([sums, steps, await m.reduce([1, 2, 3], 0, async (sum, n) => sum + n), await m.retry(3, async () => 7), await m.series([async () => 1, async () => 2]), await m.filter([1, 2, 3], async n => n > 1), await new Promise(done => m.waterfall([next => next(null, 1), (n, next) => next(null, n + 1)], (error, value) => done([error, value])))]);
  },
  async 'readable-stream'(m) {
    const parts = [];
    const upper = new m.Transform({ transform(chunk, _, done) { this.push(String(chunk).toUpperCase()); done(); } });
    await new Promise((done, fail) => m.pipeline(m.Readable.from(['a', 'b', 'c']), upper, new m.Writable({ write(chunk, _, next) { parts.push(String(chunk)); next(); } }), error => (error ? fail(error) : done())));
    show([parts, await m.Readable.from([1, 2, 3, 4]).filter(n => n % 2).map(async n => n * 10).toArray()]);
  },
  async 'string-width'(m) { show(['a', '古', '\u001b[1mb\u001b[0m', '👨‍👩‍👧', 'é', '\t', ''].map(text => m.default(text))); },
  async 'wrap-ansi'(m) {
    const text = 'The quick brown \u001b[31mfox jumped over \u001b[39mthe lazy \u001b[32mdog and then ran away with the unicorn.\u001b[39m';
    show([m.default(text, 20), m.default(text, 8, { hard: true }), m.default(text, 12, { trim: false, wordWrap: false })]);
  },
  async 'brace-expansion'(m) { show(['{a,b}{1..3}', 'x{01..10..3}y', '{a..e..2}', '{,a}{b,{c,d}}', '{{a,b}', 'a\\{b,c}', '{3..-2}'].map(text => (m.expand ?? m)(text))); },
  async 'escape-string-regexp'(m) { show([m.default('a.b*c-d[e]^$|\\(x)'), attempt(() => m.default(1))]); },
  async 'color-convert'(m) {
    const convert = m.default;
    show([convert.rgb.hsl(140, 200, 100), convert.keyword.rgb('blue'), convert.hex.lab('ff8800'), convert.rgb.ansi256.raw(123, 45, 67), convert.cmyk.hsv(20, 30, 40, 10), convert.hsl.hwb.raw(96, 48, 59), convert.lch.xyz(50, 40, 30), Object.keys(convert)]);
  },
  async micromatch(m) {
    show([m(['foo', 'bar', 'baz', 'a/b/c.js'], ['b*', '!baz', '**/*.js']), m.isMatch('a.b', '*.@(a|b)'), m.capture('test/*.js', 'test/foo.js'), m.braces('{a..d}-{1,2}', { expand: true }), String(m.makeRe('**/[[:alpha:]]*.{js,ts}')), m.parse('a/+(b|c)').length, m.not(['a.a', 'b.b'], '*.a')]);
  },
  async ajv(m) {
    const ajv = new m.default({ allErrors: true });
    const validate = ajv.compile({ type: 'object', properties: { a: { type: 'integer', minimum: 3 }, b: { type: 'array', items: { $ref: '#/$defs/s' }, uniqueItems: true }, c: { oneOf: [{ const: 1 }, { pattern: '^x' }] } }, required: ['a'], additionalProperties: false, $defs: { s: { type: 'string', maxLength: 3 } } });
    for (const data of [{ a: 3, b: ['x', 'y'], c: 'xx' }, { a: 2.5, b: ['long!', 'long!'], d: 1 }, [], { a: 1, c: 2 }]) show([validate(data), validate.errors]);
    show(attempt(() => ajv.compile({ type: 'nope' })));
  },
  async json5(m) {
    const text = "{ // c\n a: 'x\\\ny', 'b': [1,.5,+0x1F,-Infinity,NaN,], \"\\u0063\": null, /* d */ $e: true,}";
    show([m.parse(text), m.stringify({ a: "it's", 'b-c': [1, { d: undefined }], e: Infinity }, null, 2), attempt(() => m.parse('{a:}')), attempt(() => m.parse('[1,,2]')), m.parse('[1,{a:2}]', (key, value) => (typeof value === 'number' ? value + 1 : value))]);
  },
  async 'js-yaml'(m) {
    const text = 'a: &x\n  - 1\n  - 0x1f\n  - 1.5e3\n  - null\nb: *x\nc: |\n  line\n    more\n\nd: >-\n  folded\n  text\n? [k, l]\n: {m: "q\\n", n: \'it\'\'s\'}\ne: 2001-12-14t21:59:43.10-05:00\nf: !!set {p, q}\n';
    show([attempt(() => m.load(text)), m.dump({ a: [1, { b: 'x: y', c: null }], d: 'multi\nline', e: [], f: '' }), attempt(() => m.load('a: [1, 2')), attempt(() => m.load('\tx: 1')), attempt(() => m.loadAll('--- 1\n--- 2\n...'))]);
  },
  async argparse(m) {
    const parser = new m.ArgumentParser({ prog: 'p', description: 'it does', exit_on_error: false });
    parser.add_argument('-f', '--foo', { help: 'a foo', type: 'int', default: 3 });
    parser.add_argument('--bar', { action: 'append', choices: ['a', 'b'] });
    parser.add_argument('rest', { nargs: '*' });
    show([parser.format_help(), { ...parser.parse_args(['-f', '5', '--bar', 'a', '--bar=b', 'x', 'y']) }, attempt(() => parser.parse_args(['--bar', 'c'])), parser.format_usage()]);
  },
  async qs(m) {
    const texts = ['a[b][c]=1&a[b][d]=2', 'a[]=1&a[]=2&b=%20x+y', 'a[1]=x&a[0]=y', 'a.b=c', '=x&y', 'a[b]=1&a=2', 'u=%E2%82%AC'];
    show(texts.map(text => m.parse(text, { allowDots: true })));
    show([m.stringify({ a: [1, { b: null }], c: { d: 'é &' }, e: undefined }), m.stringify({ a: ['x', 'y'] }, { arrayFormat: 'brackets', encode: false }), m.stringify({ b: 1, a: new Date(0) }, { sort: (x, y) => (x < y ? -1 : 1) })]);
  },
  async 'iconv-lite'(m) {
    const text = 'Grüße, мир, 世界, こんにちは €';
    for (const encoding of ['utf16le', 'latin1', 'win1251', 'shift_jis', 'gbk', 'big5', 'euc-jp', 'utf7', 'cp437', 'utf-32', 'gb18030']) { const bytes = m.encode(text, encoding); show([encoding, bytes.toString('hex'), m.decode(bytes, encoding)]); }
  },
  async acorn(m) {
    show([attempt(() => m.parse(SOURCE, { ecmaVersion: 2024, sourceType: 'module' }).body.map(node => [node.type, node.start, node.end])), [...m.tokenizer('a + /b/g.test(`x${1}`)', { ecmaVersion: 2020 })].map(token => token.type.label), attempt(() => m.parse('let let = 1', { ecmaVersion: 6 })), JSON.stringify(m.parseExpressionAt('x => ({...y, [z]: 1})', 0, { ecmaVersion: 2020 }))]);
  },
  async esprima(m) {
    show([JSON.stringify(m.parseScript('class A { get x() { return `a${1}` } } for (let [a, ...b] of c) d?e:f', { range: true, comment: true })).length, m.tokenize('var x = /a/g, y = 0x1F; // c').map(token => [token.type, token.value]), attempt(() => m.parseScript('var 1x')), attempt(() => m.parseModule('import a from'))]);
  },
  async 'source-map'(m) {
    const generator = new m.SourceMapGenerator({ file: 'out.js' });
    for (const n of numbers.slice(0, 30)) generator.addMapping({ generated: { line: 1 + (n % 5), column: n }, original: { line: 1 + (n % 7), column: n % 40 }, source: `s${n % 2}.js`, name: n % 3 ? undefined : `n${n}` });
    generator.setSourceContent('s0.js', 'text');
    const node = new m.SourceNode(1, 2, 'a.js', ['x', new m.SourceNode(3, 4, 'b.js', 'y\nz'), '\n']);
    show([generator.toString(), node.toStringWithSourceMap({ file: 'f.js' }).map.toString(), node.join(',').toString()]);
  },
  async resolve(m) { show([m.isCore('fs'), m.sync('semver/functions/lt', { basedir: path.resolve(folder) }).split('node_modules').pop(), attempt(() => m.sync('nowhere', { basedir: '/' }))]); },
  async ieee754(m) {
    const bytes = Buffer.alloc(16);
    const values = [0.1, -0, 1e308, 5e-324, NaN, Infinity, -123.456];
    show(values.map(value => { m.write(bytes, value, 0, true, 52, 8); m.write(bytes, value, 8, false, 23, 4); return [bytes.toString('hex'), m.read(bytes, 0, true, 52, 8), m.read(bytes, 8, false, 23, 4)]; }));
  },
  async buffer(m) {
    const { Buffer: B } = await requireFrom('buffer/'), b = B.from('héllo wörld €', 'utf8');
    show([b.toString('base64'), b.toString('hex'), b.slice(2, 8).toString(), B.concat([b, B.from([1, 2])]).length, b.indexOf('w'), b.readUInt32BE(1), b.readDoubleLE(3), B.from('aGk=', 'base64').toString(), B.compare(b, B.alloc(3)), b.swap16 && B.from([1, 2, 3, 4]).swap16(), B.from('ff00', 'hex').readInt16LE(0), b.equals(B.from(b)), b.fill('xy', 2, 6).toString(), attempt(() => b.readInt8(99)), b.toJSON().data.length, b.writeBigUInt64LE && b.writeBigUInt64LE(5n, 0)]);
  },
  async postcss(m) {
    const css = '@media (x) { a:hover, .b > c { color: red !important; --x: { y }; } }\n/* c */ @import "z";';
    const root = m.parse(css);
    root.walkDecls(declaration => { declaration.value = declaration.value.toUpperCase(); });
    root.first.append(m.rule({ selector: 'n', nodes: [m.decl({ prop: 'p', value: 'v' })] }));
    const result = await m([{ postcssPlugin: 't', Once(node, { result: r }) { r.warn('w', { node }); } }]).process(css, { from: 'a.css', map: { inline: false } });
    show([root.toString(), result.css, result.map.toString(), result.warnings().map(String), attempt(() => m.parse('a { b: c')), JSON.stringify(root.toJSON()).length]);
  },
  async nanoid(m) { show([m.nanoid().length, m.customAlphabet('ab', 7)().replace(/[ab]/g, '.'), m.customRandom('abc', 10, size => new Uint8Array(size).map((_, i) => i))(), m.urlAlphabet]); },
  async dayjs(m) {
    m.extend(requireFrom('dayjs/plugin/utc'));
    m.extend(requireFrom('dayjs/plugin/weekOfYear'));
    m.extend(requireFrom('dayjs/plugin/duration'));
    m.extend(requireFrom('dayjs/plugin/customParseFormat'));
    const d = m.utc('2024-02-28T23:59:58.123Z');
    show([d.format('dddd, MMMM D, YYYY h:mm:ss.SSS A [at] Z'), d.add(2, 'day').toISOString(), d.diff(m.utc('2020-01-01'), 'month', true), d.startOf('week').format(), d.week(), m.duration(1e8).toISOString(), m.duration({ hours: 2, minutes: 3 }).humanize === undefined, m.utc('05/02/69 1:02:03 PM -05:00', 'MM/DD/YY H:mm:ss A Z').isValid(), d.set('month', 0).endOf('month').date(), d.isBefore(m.utc()), m.utc('bad').format()]);
  },
  async rxjs(m) {
    const { of, from, interval, merge, zip, Subject, lastValueFrom, map, filter, scan, mergeMap, take, toArray, catchError, throwError, bufferCount, switchMap, groupBy, reduce, distinctUntilChanged, concat } = m;
    const collect = source => lastValueFrom(source.pipe(toArray()));
    const subject = new Subject(), seen = [];
    const subscription = subject.pipe(distinctUntilChanged()).subscribe({ next: value => seen.push(value), complete: () => seen.push('end') });
    [1, 1, 2, 2, 3].forEach(value => subject.next(value));
    subject.complete();
    show([seen, subscription.closed, await collect(from(numbers).pipe(filter(n => n % 2), scan((sum, n) => sum + n, 0), take(5))), await collect(zip(of(1, 2), of('a', 'b'))), await collect(of(1, 2, 3).pipe(mergeMap(n => of(n, n * 10)), bufferCount(4))), await collect(throwError(() => new Error('x')).pipe(catchError(error => of(error.message)))), await collect(from([1, 2, 3, 4]).pipe(groupBy(n => n % 2), mergeMap(group => group.pipe(reduce((sum, n) => sum + n))))), await collect(concat(interval(1).pipe(take(2)), merge(of(1), of(2)).pipe(switchMap(n => of(n + 1)))))]);
  },
  async immer(m) {
    m.enableMapSet?.();
    m.enablePatches?.();
    const base = { a: [1, { b: 2 }], s: new Set([1]), map: new Map([['k', { v: 1 }]]) };
    const [next, patches, inverse] = m.produceWithPatches(base, draft => { draft.a[1].b++; draft.a.push(3); draft.s.add(2); draft.map.get('k').v = 5; delete draft.z; });
    show([base, next, patches, m.applyPatches(next, inverse), next.a[0] === base.a[0], attempt(() => { next.a.push(1); }), m.produce(base, draft => { draft.a.length = 1; }), m.isDraft(next)]);
  },
  async react(m) { show([m.createElement('a', { href: 'x', key: 1 }, 'b', m.createElement(m.Fragment)).props, m.Children.toArray([1, [2, null, m.createElement('i')]]).length, m.isValidElement({}), attempt(() => m.useState(1)), m.cloneElement(m.createElement('b', { c: 1 }), { d: 2 }).props]); },
  async 'react-dom'() {
    const react = requireFrom('react'), server = requireFrom('react-dom/server');
    const Context = react.createContext('none'), e = react.createElement;
    function Item({ n }) { const [state] = react.useState(() => n * 2); const theme = react.useContext(Context); const memo = react.useMemo(() => state + 1, [state]); return e('li', { className: theme, 'data-n': n, style: { color: 'red', marginTop: memo } }, state, ' <&> ', memo, react.useId()); }
    class Old extends react.Component { render() { return this.props.children; } }
    const tree = e(Context.Provider, { value: 'dark' }, e('ul', { dangerouslySetInnerHTML: undefined, hidden: true }, numbers.slice(0, 5).map(n => e(Item, { n, key: n }))), e(Old, null, e('input', { defaultValue: '"x"', disabled: true, onClick() {} }), e('svg', { viewBox: '0 0 1 1' })));
    show([server.renderToString(tree), server.renderToStaticMarkup(tree)]);
    const stream = await new Promise((done, fail) => { const chunks = []; const { pipe } = server.renderToPipeableStream(e(react.Suspense, { fallback: 'wait' }, tree), { onAllReady() { const out = new (require('node:stream').PassThrough)(); out.on('data', chunk => chunks.push(String(chunk))); out.on('end', () => done(chunks.join(''))); pipe(out); }, onError: fail }); });
    show(stream);
  },
  async express(m) {
    const app = m();
    app.use(m.json());
    app.get('/a/:id', (request, response, next) => (request.params.id === 'x' ? next(new Error('bad x')) : response.set('X-A', '1').json({ id: request.params.id, query: request.query })));
    app.post('/b', (request, response) => response.status(201).send(`<p>${JSON.stringify(request.body)}</p>`));
    app.use('/sub', m.Router().get('/', (_, response) => response.redirect('/a/1')));
    app.use((error, _request, response, _next) => response.status(500).send(error.message));
    const server = app.listen(0);
    await new Promise(done => server.on('listening', done));
    const at = `http://127.0.0.1:${server.address().port}`;
    const ask = async (url, options) => { const response = await fetch(at + url, { redirect: 'manual', ...options }); return [response.status, response.headers.get('content-type'), response.headers.get('etag'), await response.text()]; };
    show([await ask('/a/7?x[]=1&y=2'), await ask('/a/x'), await ask('/b', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"k":[1]}' }), await ask('/b', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' }), await ask('/sub'), await ask('/none')]);
    server.close();
    server.closeAllConnections();
  },
  async ws(m) {
    const server = new m.WebSocketServer({ port: 0, perMessageDeflate: true }), log = [];
    server.on('connection', socket => socket.on('message', (data, isBinary) => { socket.send(isBinary ? data : `echo ${data}`); }));
    await new Promise(done => server.on('listening', done));
    const client = new m.WebSocket(`ws://127.0.0.1:${server.address().port}`);
    await new Promise(done => { client.on('open', () => { client.send('hi'); client.send(Buffer.from([1, 2, 3])); client.send('x'.repeat(70000)); }); client.on('message', data => { log.push(data.length > 50 ? data.length : String(data)); if (log.length === 3) client.close(1000, 'bye'); }); client.on('close', (code, reason) => { log.push([code, String(reason)]); done(); }); });
    server.close();
    show(log);
  },
  async axios(m) {
    const axios = m.default ?? m;
    const http = require('node:http').createServer((request, response) => { let body = ''; request.on('data', chunk => { body += chunk; }); request.on('end', () => { response.statusCode = request.url.includes('404') ? 404 : 200; response.setHeader('content-type', 'application/json'); response.end(JSON.stringify({ url: request.url, method: request.method, body, type: request.headers['content-type'] })); }); }).listen(0);
    await new Promise(done => http.on('listening', done));
    const api = axios.create({ baseURL: `http://127.0.0.1:${http.address().port}`, proxy: false });
    api.interceptors.request.use(config => ({ ...config, params: { ...config.params, z: 1 } }));
    const failed = await api.get('/404').catch(error => [error.name, error.code, error.response.status]);
    show([(await api.get('/a', { params: { x: [1, 2], y: 'é' } })).data, (await api.post('/b', { k: 1 })).data, (await api.put('/c', new URLSearchParams('a=1'))).data, failed, axios.isAxiosError({}), api.getUri({ url: '/q', params: { a: { b: 1 } } }).replace(/:\d+/, '')]);
    http.close();
    http.closeAllConnections();
  },
  async 'mime-types'(m) { show(['json', 'x.html', '.md', 'a/b.tar.gz', 'nope.zzz'].map(file => [m.lookup(file), m.contentType(file)]).concat([[m.extension('text/html; charset=x'), m.charset('text/plain')]])); },
  async '@babel/core'(m) {
    const seen = [];
    const plugin = ({ types: t }) => ({ visitor: { NumericLiteral(p) { if (p.node.value === 1) p.replaceWith(t.numericLiteral(42)); }, Identifier(p) { seen.push(p.node.name); }, FunctionDeclaration(p) { p.scope.rename('a', 'renamed'); } } });
    const result = m.transformSync(`${SOURCE}\nfunction q(a) { let b = a + 1; return () => b++ + a; }`, { plugins: [plugin], sourceMaps: true, filename: 'x.js', sourceType: 'module', configFile: false, babelrc: false, comments: false });
    show([result.code, result.map.mappings, seen.join(), attempt(() => m.parseSync('let x = ;', { configFile: false }).type), m.types.isIdentifier({ type: 'Identifier' }), (m.template.default ?? m.template).ast`const x = 1;`.type]);
  },
  async terser(m) {
    const result = await m.minify({ 'a.js': SOURCE, 'b.js': 'function f(a, b) { var unused = 1; if (a) { return b ? 1 : 2 } else { return !!b } } export { f }' }, { module: true, sourceMap: true, compress: { passes: 2 }, mangle: { toplevel: true } });
    show([result.code, result.map, await m.minify('var x = (').catch(error => [error.name, error.message, error.line])]);
  },
  async zod(m) {
    const z = m.z ?? m;
    const schema = z.object({ a: z.string().min(2).transform(text => text.length), b: z.array(z.union([z.number().int(), z.literal('x')])).nonempty(), c: z.discriminatedUnion('t', [z.object({ t: z.literal('u'), v: z.date() }), z.object({ t: z.literal('w') })]).optional(), d: z.record(z.string(), z.tuple([z.boolean(), z.bigint()])).default({}) }).refine(value => value.a !== 3, 'not three');
    for (const data of [{ a: 'hello', b: [1, 'x'], c: { t: 'w' } }, { a: 'x', b: [], c: { t: 'q' } }, { a: 'abc', b: [1.5] }, 5]) { const result = schema.safeParse(data); show(result.success ? result.data : result.error.issues); }
    show([z.coerce.number().parse('42'), z.string().email().safeParse('a@b.co').success, attempt(() => z.enum(['p', 'q']).parse('r')).slice(0, 400)]);
  },
  async 'date-fns'(m) {
    const d = new Date(2024, 1, 28, 23, 59, 58);
    show([m.format(d, "EEEE, do 'of' MMMM yyyy HH:mm:ss.SSS"), m.addMonths(d, 13).getMonth(), m.differenceInBusinessDays(new Date(2024, 5, 1), d), m.formatDistance(d, new Date(2025, 0, 1), { addSuffix: true }), m.parse('02/11/2014', 'MM/dd/yyyy', new Date(0)).getDate(), m.eachDayOfInterval({ start: d, end: m.addDays(d, 3) }).length, m.getISOWeek(d), m.isLeapYear(d), m.intervalToDuration({ start: d, end: new Date(2026, 3, 1) }), m.formatISO(d).slice(0, 19), m.closestTo(d, [new Date(0), new Date(2024, 0, 1)]).getFullYear(), m.isValid(m.parseISO('2024-13-01'))]);
  },
  async bluebird(m) {
    const log = [];
    log.push(await m.map([1, 2, 3], n => m.delay(4 - n).then(() => n * 2), { concurrency: 2 }), await m.reduce([1, 2, 3], (sum, n) => sum + n, 0), await m.props({ a: m.resolve(1), b: 2 }), await m.any([m.reject(new Error('x')), m.resolve(3)]), await m.coroutine(function* () { const a = yield m.resolve(1); return a + (yield m.resolve(2)); })(), await m.promisify((a, done) => done(null, a + 1))(4), await m.using(m.resolve(1).disposer(() => log.push('disposed')), value => value), await m.resolve(1).timeout(50), await m.delay(30).timeout(1).catch(m.TimeoutError, error => error.name), await m.try(() => { throw new TypeError('t'); }).catch(TypeError, error => error.message), await m.each([1, 2], n => log.push(n)), await m.settle?.([1]));
    show(log);
  },
  async marked(m) {
    show([m.parse('# T *e* **s**\n\n- a\n  1. b\n- [x] c\n\n> q\n\n| a | b |\n|---|:-:|\n| `c` | [d](e "f") |\n\n```js\nlet x < 1;\n```\n\nhttp://x.y <b>h</b> ~~s~~ \\* &amp; ![i](j)\n***\n'), m.lexer('a\n\n* b').map(token => token.type), m.parseInline('*a* `b`')]);
  },
  async handlebars(m) {
    m.registerHelper('up', text => String(text).toUpperCase());
    m.registerPartial('p', '<i>{{x}}</i>');
    const render = m.compile('{{#each items as |item i|}}{{i}}:{{up item.n}}{{#if item.z}} z{{else}} -{{/if}}{{> p x=item.n}}{{/each}}{{#with o}}{{a.[0]}}{{../t}}{{/with}}{{{raw}}}{{esc}}{{!-- c --}}{{#unless no}}u{{/unless}}{{lookup o "k"}}');
    show([render({ items: [{ n: 'a', z: 1 }, { n: 'b' }], o: { a: [5], k: 'v' }, t: 't', raw: '<b>', esc: '<b>&"' }), m.precompile('a{{b}}').length > 100, attempt(() => m.compile('{{#if}}')({})), attempt(() => m.compile('{{/x}}')({})), JSON.stringify(m.parse('a{{b c=1}}')).length]);
  },
  async 'fast-glob'(m) {
    const cwd = path.join(path.resolve(folder), 'node_modules/semver');
    show([m.sync(['**/*.js', '!internal/**'], { cwd }).sort(), (await m('{classes,ranges}/[a-m]*', { cwd, objectMode: true })).map(entry => entry.name).sort(), m.generateTasks(['a/*', '!b']), m.escapePath('a(b)*'), m.isDynamicPattern('a/*')]);
  },
  async dotenv(m) { show([m.parse('A=1\n# c\nB="x\\ny"\nC=\'q # r\'\nD = `t`\nexport E=f # g\nH=\nI="multi\nline"\n'), m.populate.length]); },
};

// The programs whose time is measured do the same, too.
for (const [id, program] of Object.entries(require('../speed/packages.js'))) workloads[id] ??= async m => show(program(m)());

const workload = workloads[name];
if (!workload) {
  console.log(Object.keys(workloads).join('\n'));
} else {
  (async () => workload(name === 'buffer' || name === 'react-dom' ? undefined : await load(name)))().catch(error => {
    console.log(`failed: ${error?.stack ?? error}`);
    process.exitCode = 1;
  });
}
