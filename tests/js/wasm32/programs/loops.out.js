function sum(items, start) {
  let total = start ?? 0;
  for (const { price, count = 1 } of items) {
    if (!(price < 0)) {
      total += price * count;
    }
  }
  return total;
}
console.log(sum([{ price: 2 }, { price: 3, count: 4 }, { price: -1 }]));
