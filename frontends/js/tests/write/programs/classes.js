const log = console.log;
class A {
  static #count = 0;
  #x;
  y = this.constructor.name;
  ["z" + 1] = () => this.#x;
  static s = this.#count;
  constructor(x = 1) { this.#x = x; A.#count++; }
  get x() { return this.#x; }
  set x(v) { log("set", v); this.#x = v; }
  #private(...args) { return args.length + this.#x; }
  call() { return this.#private(1, 2); }
  static made() { return A.#count; }
  static has(o) { return #x in o; }
  up() { return [this.#x++, ++this.#x, (this.#x += 2)]; }
  static { log("static block", this.name, this.s); }
  toString() { return "A" + this.#x; }
}
class B extends A {
  constructor(...args) { const f = () => super(...args); f(); this.own = new.target.name; }
  toString() { return "B" + super.toString() + super.x; }
  get up2() { return super.up; }
  static made() { return super.made() + 100; }
}
const b = new B(5);
log(String(b), b.own, b.y, b.z1(), b.call(), b.up(), A.made(), B.made(), A.has(b), A.has({}));
b.x = 9; log(b.x, b.up2 === A.prototype.up);
try { new (class extends A { constructor() { this.x; } })(); } catch (e) { log(e.name); }
try { A(); } catch (e) { log(e.name); }
const o = { __proto__: { p: 1 }, "__proto__"() { return "m"; }, get a() { return 1; }, set a(v) { log("a", v); }, ["b" + 1]() { return super.p; }, async c() {}, *d() {} };
log(o.a, o.b1(), o.__proto__(), o.b1.name, o.c.name, o.d.name, Object.getOwnPropertyDescriptor(o, "a").get.name);
const Named = class Inner { static self() { return Inner; } };
log(Named.self() === Named, Named.name, (class {}).name, [class {}][0].name);
const key = Symbol("k");
const fs = { [key]: () => 1, f: function () {}, g: class {}, h: (0, function () {}) };
log(fs[key].name, fs.f.name, fs.g.name, fs.h.name === "");
class Counter { static n = 0; static next = () => ++Counter.n; }
log(Counter.next(), Counter.next(), Counter.n);
log(Object.getOwnPropertyNames(A.prototype).join(), Object.keys(new A()).join());
function Old() { if (!new.target) return new Old(); this.old = true; }
log(Old().old, new Old() instanceof Old);
log(class { static x = 1; static y = this.x + 1; }.y);

// A function or class in parentheses with something else in it gets no name from a field.
class Fields {
  plain = () => 1;
  nameless = (0, () => 2);
  [key] = class {};
  [`${2}k`] = (0, class {});
  #hidden = function () {};
  #bare = (0, function () {});
  static named = class {};
  static bare = (0, class {});
  names = [this.plain, this.nameless, this[key], this[`${2}k`], this.#hidden, this.#bare].map((f) => f.name);
}
log(new Fields().names.join(), Fields.named.name, Fields.bare.name === "");

// Functions in the heritage and the keys of a class are strict, and some parameters go with no directive.
const noted = [];
const note = (text) => "key" + noted.push(text);
class Strict extends (function (x = 0) {
  note(typeof this + x);
  return Array;
})() {
  [((x = 1) => note((function () { return typeof this; })() + x))()]() {}
  [(function (...rest) { return note(typeof this + rest.length); })(1, 2)]() {}
  [note((function named({ a } = {}) { return named.name + a + typeof this; })())]() {}
  [note({ called: (x = 0) => x }.called.name)]() {}
  static [note((([x] = []) => { try { undeclared = x; } catch (error) { return error.name; } })())] = 1;
}
console.log(noted.join(), Object.getOwnPropertyNames(Strict.prototype).join(), Strict.name);

// A method with such parameters, in an object that is computed by statements.
function strictMethods(isFirst, key, value) {
  let kept;
  class Inner extends (isFirst ? (kept = { m(x = 0) { return typeof this + x; }, [key]: value, get own() { return this[key]; } }, Object) : Array) {}
  return [(0, kept.m)(), kept.own, Inner.name];
}
console.log(strictMethods(true, "k", 7).join());

// Here it is computed by statements whatever the class looks like: a key before it and a branch behind it.
function strictMethodsBetween(isFirst, key) {
  const kept = [];
  class Inner { [key("a")]() {} [(kept.push({ m(x = 0) { return typeof this + x; } }), isFirst ? key("b") : key("c"), isFirst && key("d"))]() {} }
  return [(0, kept[0].m)(), Object.getOwnPropertyNames(Inner.prototype)];
}
console.log(strictMethodsBetween(true, note).join());

// The name of a class and its private names, where only the inside of the class has them.
for (const make of [
  () => class Own { [(Own, 42)]() {} },
  () => class Own extends (noted.length ? Own : Object) {},
]) {
  try {
    make();
  } catch (error) {
    console.log(error.name);
  }
}
function headed(isThere) {
  let has;
  class Headed { #p = 1; [isThere ? ((has = (o) => #p in o), "is") : ((has = (o) => o.#p), "read")]() {} }
  return [has(new Headed()), Object.getOwnPropertyNames(Headed.prototype).join()];
}
console.log(headed(true).join(), headed(false).join());

// Code in the head of a class is strict.
function strictHead(isFirst) {
  try {
    return class extends ((1).p = isFirst ? Object : Array) {};
  } catch (error) {
    return error.name;
  }
}
console.log(strictHead(true));

// A private name is looked for in what is true or false.
class Nested {
  #a;
  #b;
  static has(object, isSecond) {
    const found = isSecond ? #b in object : #a in object;
    try {
      return #a in found;
    } catch (error) {
      return [found, error.name].join();
    }
  }
  static once(object) {
    const found = #b in object;
    return (() => { try { return #a in found; } catch (error) { return error.name; } })();
  }
}
class Row {
  #a;
  #b;
  static has(object) {
    const found = #b in object;
    return #a in found;
  }
}
try { console.log(Row.has(new Row())); } catch (error) { console.log(error.name); }
console.log(Nested.has(new Nested(), true), Nested.has({}, false), Nested.once({}));
