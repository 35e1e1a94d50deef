const log = console.log;
function thrower(x) {
  if (x) throw x;
  return "none";
}
function nested(a, b, c) {
  let state = "start";
  try {
    state = "try";
    log(thrower(a));
    try {
      log(thrower(b), state);
      state = "inner";
      return state;
    } catch (e) {
      state += " caught " + e;
      log(thrower(c));
    } finally {
      log("inner finally", state);
      if (c === "override") return "overridden";
    }
    state = "after";
  } catch (e) {
    log("outer", e, state);
    return "outer";
  } finally {
    log("outer finally", state);
  }
  return state;
}
for (const args of [[], ["a"], ["", "b"], ["", "b", "c"], ["", "b", "override"]]) log(nested(...args));
function values() {
  let x = 1;
  try {
    x = 2;
    thrower(x === 2 && "two");
    x = 3;
  } catch {
    return x;
  }
}
log(values());
function early() {
  try {
    later;
    let later = 1;
  } catch (e) {
    return e.name;
  }
}
log(early());
const tdz = () => value;
try {
  tdz();
} catch (e) {
  log(e.name);
}
let value = 5;
log(tdz());
function rethrow() {
  for (let i = 0; i < 3; i++) {
    try {
      if (i === 1) continue;
      if (i === 2) throw new TypeError("t" + i);
    } finally {
      log("f", i);
    }
  }
}
try {
  rethrow();
} catch ({ message, constructor: { name } }) {
  log(message, name);
}
const constant = 1;
try {
  constant = 2;
} catch (e) {
  log(e instanceof TypeError);
}
try {
  null.x;
} catch (e) {
  log(e.constructor.name);
}
log((() => { try { return 1; } finally { log("last"); } })());
label: try {
  break label;
} finally {
  log("broken");
}
function nothingThrows() {
  try {
    debugger;
  } catch (e) {
    undeclared = e;
  }
  try {} catch { undeclared(); }
  return "quiet";
}
function* quietParams(a = (() => { try { debugger; } catch { undeclared(); } return 1; })(), b = false && undeclared) { yield [a, b]; }
log(nothingThrows(), [...quietParams()]);
