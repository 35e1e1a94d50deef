// Expressions, with what the order of evaluation decides.
function order(a, i, f) {
  a[i++] = f(i);
  let x = i + (i = 2) + i++;
  a[f()] += i--;
  a.b.c ||= f(); a.d &&= x; a[i] ??= () => x;
  x = a ? b : c ? d : x, x ** 2;
  return `${x}${f(a)}${'s'}` + void 0 + typeof missing + (delete a.b) + !x + ~i + -i + +x;
}

function chains(o, k) {
  o?.a.b?.[k]?.(o?.c);
  const r = (o?.m)(1) ?? o.m?.(...k, 2);
  delete o?.x; delete o[k]; delete missing;
  return 'a' in o && o instanceof Object ? r : o.f`a${k}b\u{zz}`;
}

function literals(x, ...rest) {
  const object = { x, 'y z': 1, 2: 3, [x]: rest, ...x, m() { return super.m; }, get g() { return 1; }, set g(v) {}, async *a() {}, __proto__: null, f: () => 1, [x + 1]: function () {} };
  const array = [1, , ...rest, x, ...object.list, , 2];
  return [object, array, /a(b)+/giu, 10n, -0, 1e21, 'lone \ud800', new x(...rest, 1), new.target, new Map];
}

const { a, b: [c, , d = 5, ...e] = [], [`k${a}`]: f = () => {}, ...g } = source;
[a.x, a[c], ...e.list] = e;
({ a: a.y, b = 2, ['c']: c, ...g.rest } = source);
for ({ a: b } of list) [c] = b;
let tagged = String.raw`\n`, immediate = (function () { return this; })();
var undefined_ = undefined, nan = NaN;
class WithPrivate { #p; static has(o) { return #p in o; } }
