class Counter {
  #count = 0;
  static made = 0;
  constructor(step = 1) {
    this.step = step;
    const t_3 = Counter;
    t_3.made++;
  }
  next() {
    return this.#count += this.step;
  }
}
const makers = [1, 2, 3].map((step) => () => new Counter(step));
let text = "";
for (const make of makers) {
  const counter = make();
  counter.next();
  text += `${counter.next()};`;
}
console.log(text, Counter.made);
