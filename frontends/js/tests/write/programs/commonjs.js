// The five parameters of the function around the file, which `var` declares again and does not change.
var exports = exports || {};
var module = module || { exports: {} };
var require = typeof require === "function" ? require : null;
var __filename;
exports.a = 1;
console.log(module.exports.a, typeof require, typeof __filename, typeof __dirname);
(() => {
  exports.b = 2;
  module.exports.c = 3;
})();
console.log(module.exports === exports, Object.keys(module.exports), arguments.length);
{
  let exports = 4;
  console.log(exports);
}
function inside(exports) {
  var module;
  return [exports, typeof module];
}
console.log(inside(5));

// `var arguments` begins with what the name means among the parameters.
(function (a = 0) { var arguments; console.log(typeof arguments, arguments.length); })(1, 2);
(function ({}) { var arguments; console.log(typeof arguments); })({});
(function (a = 0) { for (var arguments in {}); console.log(typeof arguments); })();
(function (a = arguments) { var arguments = 5; console.log(a.length, arguments); })();
(function (a = () => arguments) { var arguments; console.log(a() === arguments); arguments = 1; console.log(typeof a()); })();
((a = 0) => { var arguments; console.log(typeof arguments); })();
(function (...arguments) { { var arguments; } console.log(arguments); })(1, 2);
(function (a = 0) { let arguments = 6; console.log(arguments); })();
(function (a = 0) { function arguments() {} console.log(typeof arguments); })();

// A name without binding throws, except as the operand of `typeof` itself.
const attempt = (action) => {
  try {
    return action();
  } catch (error) {
    return error.name;
  }
};
console.log(
  attempt(() => typeof missing),
  attempt(() => typeof (0, missing)),
  attempt(() => { const value = missing; return typeof value; }),
  attempt(() => { let value; try { value = missing; } catch { return "caught"; } return typeof value; }),
  attempt(() => { const value = missing; return typeof value === "undefined"; }),
);

// What it is called on is not what it was read from.
const object = { method() { return this === object; }, tag(strings) { return [this === object, strings[0]]; } };
const { method, tag } = object;
console.log(object.method(), (0, object.method)(), method(), object.tag`a`, (0, object.tag)`b`, tag`c`);
const found = object.method;
console.log(found(), attempt(() => { const read = eval; return read("typeof attempt"); }));

// Words that strict code reserves.
globalThis.package = "p";
globalThis.interface = { x: class {} };
const sloppy = () => {
  const key = package;
  const heritage = interface.x;
  const made = (function () { return this === undefined; })();
  return class extends heritage {
    [key]() {}
    static [made] = key;
  };
};
console.log(Object.getOwnPropertyNames(sloppy().prototype), sloppy()[false]);

// A function mentions itself by a name that a variable around might get.
let x = 1;
(function x_2() { console.log(x, typeof x_2); })();
{
  let x = 2;
  (function x_3() { (() => console.log(x, typeof x_3))(); })();
}

// `new` takes the first call that it finds.
function classes() { return (strings) => class { constructor(x) { this.x = x + strings[0]; } }; }
console.log(new (classes()`a`)(2).x, (new class { y = 3 }).y);

// Annex B: the name of the constant is taken, so the function stays in its block.
if (true) { function late() { return 1; } }
const late = 2;
console.log(late);
