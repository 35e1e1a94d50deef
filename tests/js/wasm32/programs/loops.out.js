function sum(items, start) {
  if (start == null) {
    start = 0;
  }
  for (const { price, count = 1 } of items) {
    if (!(price < 0)) {
      start += price * count;
    }
  }
  return start;
}
console.log(sum([{ price: 2 }, { price: 3, count: 4 }, { price: -1 }]));
