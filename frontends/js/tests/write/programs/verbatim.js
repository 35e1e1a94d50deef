var log = console.log;
function direct(x) { var y = 2; eval("x = x + y; var z = 3"); return [x, y, z, (function () { return typeof x; })()]; }
log(direct(1));
function scoped(o) { var inner; with (o) { inner = function (p) { for (const q of [p]) return a + q; }; a = 5; } return [o.a, inner(1)]; }
log(scoped({ a: 1 }));
function plain(a) { for (const x of [a]) return () => x; }
log(plain(4)());
log((function (code) { "use strict"; var secret = 1; return eval(code); })("secret + 1"));
var arrow = (x) => eval("x * 2"); log(arrow(4));
log(typeof z);
