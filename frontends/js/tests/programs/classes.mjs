// Classes, with all their elements.
const key = 'computed';
class Base {
  static #count = 0;
  #secret = () => this.#secret;
  name = 'base';
  [key] = key;
  'quoted' = 1;
  3 = 3;
  static { this.made = Base.#count++; for (const x of [1]) this.x = x; }
  static make = () => new this();
  constructor(x) { this.x = x; if (new.target === Base) this.y = 1; }
  get secret() { return this.#secret; }
  set secret(v) { this.#secret = v; this.#secret ||= 1; this.#secret++; }
  static async *[Symbol.iterator]() { yield super.toString; }
  #method() { return Base; }
  call() { return this.#method() ?? this?.#secret?.x; }
}
class Derived extends (key, Base) {
  field = super.call;
  constructor(...args) { const f = () => super(...args, 1); f(); super.name = super['name'] + 1; super.n ??= 2; return () => this; }
  static m() { return [super.make(), Derived, class {}, class Inner extends Derived {}]; }
}
let Named = class {}, again = class Self { static self = Self; };

export { Base, Derived as default };
export const exported = Named, { length: len } = 'x';
export function late() { return exported; }
export * from './other.js';
import def, * as ns from './ns.js';
import { a as b, default as c } from './named.js' with { type: 'json' };
b(def, ns, c, import.meta.url, import('./x.js'));
