function folds() { const a = 1; const b = a + 2; const c = b * 3 - 1; return [c / 4, c % 3, 2 ** 10, c | 1, c & 6, c ^ 3, c << 2, c >> 1, -c >>> 28, c < 9, c >= 8]; }
function strings() { const a = 'x' + 'y'; return [a, a.length, a === 'xy', a == 1, `${a}-${1.5}-${true}-${null}`, '😀'.length, `${'a'}`]; }
function equal() { return [null == undefined, null === undefined, '1' == 1, '' == 0, true == '1', 'a' != 'b', null == 0, NaN === NaN, -0 === 0]; }
function branches() { let y = 333; if (y > 1) { y = 111; } else { y = 222; } let x = y; return x; }
function nestedBranches(a) { let r = 0; if (false) { r = a; } else if (true) { r = 2; } if (!r) { return a(r); } while (a) { if (r === 2) { break; } a = r; } return r; }
function sameOnBothSides(a) { let x; if (a) { x = 1; } else { x = 1; } return x + 1; }
function zeros(a) { let x; if (a) { x = 0; } else { x = -0; } return 1 / x; }
function globalsPropagate(a) { const m = Math; const x = a ? m : Math; return x.max(m); }
function updatesFold() { let i = 0; const a = i++; const b = ++i; i--; return [a, b, i]; }
function computedNames(o) { const k = 'key', n = 3, w = 'class', s = 'a b'; o[k] = o[n]; o[w] = o[s]; return o[k][w]; }
function intoClosures() { const a = 1; let b = 2; if (a === 1) { b = 3; } return () => a + b; }
function inSequence(a) { const x = (a, 1 + 2); return x; }
function notLoops() { let i = 0; while (i < 10) { i = i + 1; } return i; }
function removesTry(f) { if (1 > 2) { try { f(); } catch (e) { f(e); } } return f; }
function removesLoop(n) { for (let i = 0; i < n; i++) { if (true) { break; } } do { if (true) { return 1; } } while (n); }
function numbers() { return [1e21 + 1, 0.1 + 0.2, 1 / 3, 1e-7 * 1, 5e-324 / 1, 1.7976931348623157e308 * 10, 0 / 0, 4294967296 | 0, 2 ** 53 + 1]; }
