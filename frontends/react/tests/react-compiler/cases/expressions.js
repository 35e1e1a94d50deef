import fromDefault, {named, other as renamed, 'a-b' as quoted} from 'mod';
import * as all from 'other-mod';
let moduleVariable = 1;
function globals() { moduleVariable = named(fromDefault, renamed, all, quoted, missing); missing += 2; return moduleVariable; }
function literals() { return [1, 1.5, 1e21, 1e-7, 123456789012345680000, 0x1f, -0, "a\"\\\n\t\u0001é\u2028", 'q', null, true, /a[/]b/giu, undefined]; }
function templates(a, b) { return [`plain`, `one ${a} two ${b}`, `multi
line \${x}`, a`tag`, String.raw`raw`]; }
function operators(a, b) { return [a + b, a ** b, a >>> b, a in b, a instanceof b, typeof a, void a, !a, -a, +a, ~a, a === b, a != b]; }
function logical(a, b, c) { return (a && b) || (b ?? c); }
function ternaries(a, b, c) { return a ? b ? 1 : 2 : c ? 3 : 4; }
function sequences(a, b) { const c = (a = 1, b = a, a + b); return (a, c); }
function members(o, k) { o.a = o.b.c; o[k] = o[k + 1]; o[0] = o[1.5]; o['s'] = o["t"]; delete o.a; delete o[k]; return o.a.b[k].c; }
function updates(o, k, n) { n++; ++n; n--; const a = n++ + --n; o.a++; --o.b; const b = o[k]++; return [a, b, ++o[k]]; }
function compound(o, k, n) { n += 1; n <<= 2; o.a *= n; o[k] **= 2; const r = (n -= 3); return r; }
function calls(f, o, list) { f(); f(1, ...list); o.m(); o.m(list, ...list); o[f](1); new f; new o.C(1, ...list); return f(f(1))(2); }
function chains(a, k) { return [a?.b, a?.b.c, a?.[k], a?.(1), a.b?.(k), a?.b?.c(1), a?.b.c?.[k]?.(2), (a?.b).c, a?.b(k).c.d(1)]; }
function objects(a, k) { return {a, b: a, 'c d': 1, 3: 2, [k]: 4, [a.b]: 5, ...a, m() { return a; }, async n(x) { await x; }, ['s']: 6}; }
function arrays(a) { return [a, , ...a, [a], ,]; }
function names(e) { e = arguments.length; return Symbol.iterator; }
function meta() { return import.meta; }
function shadows(x) { { let x = 1; { const x = 2; moduleVariable(x); } x = 3; moduleVariable(x); } return x; }
function selfReference() { return selfReference; }
const named1 = function inner(a) { return a ? inner(a - 1) : a; };
function assigns(a, b) { a = b = 3; const c = (a = 4); return [a, b, c]; }
function noThis() { return this; }
function noClass() { return class {}; }
