function parameters({a, b: {c = 1}, ...rest}, [d, , e = a, ...more], f = 2, ...others) { return [a, c, rest, d, e, more, f, others]; }
function restPattern(a, ...[b, {c}]) { return a + b + c; }
function declares(o) { const {a, 'b c': b, 3: c, d = {e: [1]}, ...rest} = o; let [x, [y, z], ...w] = rest; return [a, b, c, d, x, y, z, w]; }
function reassigns(o) { let a, b, c; ({a, b: [b], ...c} = o); [a, b] = [b, a]; [a, o.b, ...c] = o; [, a] = o; return [a, b, c]; }
function reassignsPlain(o) { let a, b; ({a, x: b} = o); [a, b] = o; const r = ([a] = o); return [a, b, r]; }
function toGlobals(o) { [one, two] = o; ({three, x: four} = o); }
function defaults(a = 1, b = a, c = -1, d = [1, {x: null}], e = () => {}, f = Math.max(1, 2), g = a ? 1 : 2, h = Math.PI) { return [a, b, c, d, e, f, g, h]; }
function defaultArrow(a = () => Math.E, b = x => moduleX) { return [a, b]; }
function notReorderable(a = new Map()) { return a; }
function context(o) { let {a, b} = o; let [c] = o; const {d, ...e} = o; const f = () => { a = 1; c = 2; return [a, b, c, d, e]; }; ({a, b} = o); return f; }
function empty(o) { const {} = o; const [] = o; return o; }
function nestedDefault(o) { const {a: {b = 1} = {}} = o; return b; }
function catches(f) { try { f(); } catch ({message}) { f(message); } }
function duplicate(a, a) { return a; }
function computed(o, k) { const {[k]: v} = o; return v; }
