const log = (...values) => console.log(...values.map((v) => (Object.is(v, -0) ? "-0" : v)));
const t = (name, value) => (log(name), value);
log(t("a", 1) + t("b", 2) * t("c", 3) - t("d", 4));
log(-(2 ** 2), (-2) ** 2, 2 ** -1, (2 ** 3) ** 2, 2 ** 3 ** 2, -(-1), +"3", - -1, !(!0), ~~5.7);
log((1, 2), typeof typeof 1, void 0, 1 < 2 < 3, 3 > 2 > 1, "b" in { b: 1 }, [] instanceof Array, !("x" in {}));
log(null ?? "n", 0 ?? "n", (0 || null) ?? "x", 0 || (null ?? "y"), (1 && 0) || "or", 1 && (0 || "and"));
const o = { p: { q() { return this.r; }, r: 5 }, n: null, f: () => "f" };
log(o?.p?.q(), o.n?.x.y.z, o.n?.[t("never")], o.g?.(t("never")), o.f?.(), (o?.p).r, o.p?.["r"], delete o?.p?.none);
let x = 1; x += t("rhs", 2); x **= 2; x <<= 1; x >>>= 1; x ??= 5; x &&= x + 1; log(x);
o.c ||= 7; o.c &&= 8; o.d ??= t("assigned", 9); o.d ??= t("never"); log(o.c, o.d);
let i = 0; const arr = [i++, i++, ++i, i--, i]; arr[i++] = i; log(arr, i, arr[i] = i = 3, i);
o.x = 1; log(o.x++ + ++o.x, o.x--, o["x"] += 5, o);
log(`a${1}${`b${2}`}c\n\`\${}`, String.raw`\n${1}\u0041`, ((s, ...v) => [s.raw.length, s[0], v, Object.isFrozen(s)])`x${1}y${2}`);
const tag = (s) => s; const same = () => tag`z`; log(same() === same(), tag`z` === tag`z`);
log("\u2028\ud800</script>".length, "'\"\\\0\x01\v", 1e21, 1e-7, 123456789012345680000, 0.1 + 0.2, 5e-324, 0xff, 1_000, 10n ** 20n, -5n, 0 === -0, 1 / -0);
log(NaN, Infinity, -Infinity, undefined, [undefined, , null].length, [, 1, ,].length);
log(/a\/[/]b/gi.test("A/[/]b".replace("[/]", "/")), /(?<y>\d{4})/.exec("in 2020").groups.y, "a-b".replace(/-/, "$&$&"));
log(((a, b) => a + b)(1, 2), (function () { return arguments.length; })(1, 2), (() => ({}))(), (() => {})());
const valueOf = { valueOf() { log("valueOf"); return 2; }, toString() { log("toString"); return "s"; } };
log(valueOf + 1, `${valueOf}`, valueOf * 2, valueOf == 2, [valueOf] + "", { s: 1 }[valueOf], valueOf < 3);
log((() => { let y = valueOf; y++; return y; })(), (() => { let y = valueOf; return y++; })());
const getters = { get a() { log("get a"); return 1; }, get b() { log("get b"); return { c: () => "c" }; } };
log(getters.a + getters.b.c(), getters.b["c"](t("arg", 1)));
log(eval("1 + 1"), (0, eval)("typeof log"), typeof nothing, (() => { try { nothing; } catch (e) { return e.name; } })());
if (t("cond", 0) || t("cond2", 1) && !t("cond3", 0)) log("yes"); else log("no");
log(t("x", 0) ? t("y") : t("z", 1) ? "deep" : t("w"));
var a = 1; { let a = 2; { const a = 3; log(a); } log(a); } log(a);
log([1, 2, 3].includes(2) && !![].length === false, !!"a", !!"" + "", typeof !!1);
log(((a) => { a = a || {}; a.b = a.b || []; a.b.push(1); return a.b.length; })());
log([3, 1, 2].sort((a, b) => a - b).map((n) => n * 2).filter(Boolean).reduce((s, n) => s + n, ""));
log(...[7].flatMap((a) => [`$${`{${a}}`}`, `x$${"{"}${a}${1 + 2}$`, `$${a}{`, `$$${`{`}`]));

// Steps, comparisons and conversions that are no updates, and happen where they stand.
function stepped(a) { let x = a.p; const y = x++; return [x, y]; }
function steppedElsewhere(a) { let x = a.p; const y = x++; a.q = x; return [y, a.p, a.q]; }
log(stepped({ p: 4 }).join(), steppedElsewhere({ p: 4, q: 0 }).join());
function compared(x, y) { x = x < y; for (let i = 0; i < 3; i++) x = x === y; return x; }
log(compared(1, 2), compared(2, 1));
const converted = (name) => ({ valueOf() { log("converted", name); return 1; } });
function ordered(a, b) { const sum = a + b; const isLess = a < b; log("between"); return [sum, isLess]; }
log(ordered(converted("a"), converted("b")).join());
