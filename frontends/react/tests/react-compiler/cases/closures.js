function captures(a, b) { const c = 1; const f = () => a + c; const g = function named(x) { return () => x + b + f(); }; return [f, g]; }
function shared() { let n = 0; const add = () => { n = n + 1; return n; }; const read = () => n; add(); return read() + n; }
function reassignedBefore(a) { let x = 1; x = 2; const f = () => x; return f; }
function captureInLoop(list) { const fs = []; for (let i = 0; i < 3; i++) { const k = i; fs.push(() => k); } for (const x of list) { fs.push(() => x); } return fs; }
function hoists() { const f = () => later + other(); const later = 1; let also = () => last; let last = 2; function other() { return later; } return [f, also]; }
function callsBefore() { const r = f(1); function f(x) { return x ? g(x - 1) : 0; } function g(x) { return f(x); } return r; }
function hoistsInBlock(a) { if (a) { use(b); function b() { return a; } } return a; }
function immediately(a) { const x = (() => { const b = a + 1; return b * 2; })(); const y = (() => { if (a) { return 1; } return 2; })(); (function () { a.f(); })(); return x + y; }
function notImmediately(a) { const f = () => 1; const x = f(); const y = (b => b)(); const z = (async () => 1)(); return [x, y, z, f]; }
function methods(a) { let n = 0; return {get() { return n + a; }, set(x) { n = x; }}; }
function nestedScopes(x) { const f = x => { { let x = 1; return () => x; } }; function g(x_0) { return x + x_0; } return [f, g, x]; }
function renames(x) { { const x = 1; const f = function x() { return x; }; { function x() { return f; } f(x); } } return x; }
function catchInClosure(f) { try { f(); } catch (e) { f(() => e); } }
function phiForClosure(a) { let x; if (a) { x = 1; } else { x = 2; } const f = () => x; while (a) { a = f(a); } return f; }
function closureInLoop(n) { let r = null; while (n > 0) { const m = n; r = () => [m, r]; n = n - 1; } return r; }
function deepContext(a) { return b => c => d => [a, b, c, d]; }
function unreachableFunction() { return f; function f() {} }
function parameterName(f) { function f() {} return f; }
function updatesShared() { let n = 0; return () => n++; }
