var $Object = ({}).constructor;
var $Array = [].constructor;
var $bind = (() => {}).bind;
var $apply = (() => {}).call.bind($bind.apply);
var $TypeError = (() => {
  try {
    (void 0)();
  } catch (error) {
    return error.constructor;
  }
})();
var $getOwnPropertySymbols = $Object.getOwnPropertySymbols;
var $Symbol = $getOwnPropertySymbols($Array.prototype)[0].constructor;
var $iteratorSymbol = $Symbol.iterator;
var $isObject = (value) => (typeof value === "object" && value !== null) || typeof value === "function";
var $getIterator = (values) => {
  const iterator = values[$iteratorSymbol]();
  if (!$isObject(iterator)) throw new $TypeError("Result of the Symbol.iterator method is not an object");
  return { __proto__: null, iterator, next: iterator.next };
};
var $checkResult = (result) => {
  if (!$isObject(result)) throw new $TypeError(`Iterator result ${typeof result === "symbol" ? "" : result} is not an object`);
  return result;
};
var $iteratorNext = (state) => $checkResult($apply(state.next, state.iterator, []));
var $iteratorReturn = (state) => {
  const method = state.iterator.return;
  if (method === void 0 || method === null) return void 0;
  if (typeof method !== "function") throw new $TypeError("iterator.return is not a function");
  return method;
};
var $iteratorClose = (state) => {
  const method = $iteratorReturn(state);
  if (method !== void 0) $checkResult($apply(method, state.iterator, []));
};
var $iteratorAbandon = (state) => {
  try {
    const method = $iteratorReturn(state);
    if (method !== void 0) $apply(method, state.iterator, []);
  } catch {}
};
var $Return = $Return || class {
  #value;
  constructor(value) {
    this.#value = value;
  }
  static is(value) {
    return $isObject(value) && #value in value;
  }
  static open(completion) {
    return completion.#value;
  }
};
var $yield = (value) => {
  let done = false;
  return {
    __proto__: null,
    [$iteratorSymbol]() {
      return this;
    },
    next(sent) {
      if (done) return { value: sent, done };
      done = true;
      return { value, done: false };
    },
    throw(error) {
      throw error;
    },
    return(value) {
      throw new $Return(value);
    },
  };
};
function* words(line) {
  let t_3, t_10;
  try {
    const t = $getIterator(line.split(" "));
    let t_5;
    while (!(t_5 = $iteratorNext(t)).done) {
      const word = t_5.value;
      try {
        yield* $yield(word);
      } catch (t_8) {
        if ($Return.is(t_8)) {
          $iteratorClose(t);
          throw t_8;
        } else {
          $iteratorAbandon(t);
          throw t_8;
        }
      }
    }
    t_10 = 1;
    t_3 = void 0;
  } catch ($error) {
    t_3 = $error;
    t_10 = 0;
  }
  let t_13;
  try {
    console.log("closed");
    switch (t_10) {
      case 1: {
        return;
      }
      default: {
        throw t_3;
      }
    }
  } catch ($error) {
    t_13 = $error;
  }
  if ($Return.is(t_13)) {
    return $Return.open(t_13);
  }
  throw t_13;
}
function first(line) {
  for (const word of words(line)) {
    if (word) {
      return word;
    }
    try {
      throw new Error("empty");
    } catch (error) {
      console.log(error.message);
    }
  }
}
console.log(first(" one two"), first(""));
