const log = console.log;
const later = (value, fails) => new Promise((yes, no) => setTimeout(() => (fails ? no(value) : yes(value)), 1));
async function main() {
  try {
    log(await later(1), await 2);
    await later("failed", true);
  } catch (e) {
    log("caught", e);
  } finally {
    log("finally");
  }
  for await (const x of [later(3), 4, later(5)]) log(x);
  async function* gen(n) {
    try {
      for (let i = 0; i < n; i++) yield later(i);
    } finally {
      log("closed");
    }
  }
  for await (const x of gen(10)) {
    if (x === 2) break;
    log("gen", x);
  }
  const g = gen(3);
  log(await g.next(), await g.return("r"), await g.next());
  async function* outer() {
    try { yield* gen(2); yield* [later(7), 8]; } catch (e) { log("outer", e); }
  }
  const all = [];
  for await (const x of outer()) all.push(x);
  log(all);
  log(await Promise.all([1, later(2)].map(async (x) => (await x) * 2)));
  const arrow = async ({ a } = {}, ...rest) => [a, rest, await a];
  log(await arrow({ a: 1 }, 2), await arrow());
  await arrow(null).catch((e) => log(e.name));
  class A { async m() { return (await later(super.toString)) === Object.prototype.toString; } static async *s() { yield this.name; } }
  log(await new A().m(), await A.s().next());
}
main().then(() => log("end"), (e) => log("error", e));
(async () => { log("order 1"); await null; log("order 3"); })();
log("order 2");
