var $TypeError = (() => {
  try {
    (void 0)();
  } catch (error) {
    return error.constructor;
  }
})();
var $checkCoercible = (value) => {
  if (value === void 0 || value === null) throw new $TypeError(`Cannot destructure '${value}' as it is ${value}.`);
};
function sum(items, start) {
  if (start == null) {
    start = 0;
  }
  for (const t_4 of items) {
    $checkCoercible(t_4);
    const price = t_4.price;
    let t_6 = t_4.count;
    if (t_6 === void 0) {
      t_6 = 1;
    }
    if (!(price < 0)) {
      start += price * t_6;
    }
  }
  return start;
}
console.log(sum([{ price: 2 }, { price: 3, count: 4 }, { price: -1 }]));
