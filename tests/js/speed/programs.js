// Programs whose time is measured before and after the round trip: idioms that have protocols behind them, and classics.
//
// Each makes a function that does the same work each time it is called, and returns what shows it.
'use strict';

// Numbers that look random, and are always the same.
function randomNumbers(seed) {
  let state = seed;
  return () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
}

function bytes(length) {
  const random = randomNumbers(7);
  return Uint8Array.from({ length }, () => random() * random() * 256);
}

// Idioms.

exports.swap = () => {
  const values = Array.from({ length: 1000 }, (_, i) => i);
  return () => {
    for (let i = 0, j = values.length - 1; i < j; i++, j--) {
      [values[i], values[j]] = [values[j], values[i]];
    }
    let [a, b] = [1, 1];
    for (let i = 0; i < 5000; i++) [a, b] = [b, (a + b) % 1009];
    return values[0] + values[values.length - 1] + a;
  };
};

exports.patterns = () => {
  const pairs = Array.from({ length: 3000 }, (_, i) => [i, { x: i, y: [i + 1] }]);
  return () => pairs.map(([n, { x, y: [z] = [0] }]) => n + x + z).reduce((a, b) => a + b, 0);
};

exports.rest = () => {
  const sum = (first, ...others) => {
    let total = first;
    for (let i = 0; i < others.length; i++) total += others[i];
    return total;
  };
  const parts = ({ a, ...others }) => a + others.b + others.c;
  return () => {
    let total = 0;
    for (let i = 0; i < 4000; i++) total += sum(i, 1, 2, 3) + parts({ a: i, b: 1, c: 2 });
    return total;
  };
};

exports.entries = () => {
  const map = new Map(Array.from({ length: 3000 }, (_, i) => [`key${i}`, i]));
  return () => {
    let total = 0;
    for (const [key, value] of map) total += key.length * value;
    for (const value of map.values()) if (value % 3) total -= value;
    return total;
  };
};

exports.keys = () => {
  const object = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`key${i}`, i]));
  return () => {
    let total = 0;
    for (let round = 0; round < 10; round++) {
      for (const key in object) if (key !== 'key7') total += object[key];
    }
    return total;
  };
};

exports.generators = () => {
  function* evens(values) {
    for (const value of values) if (value % 2 === 0) yield value;
  }
  function* squares(values) {
    for (const value of values) yield value * value;
  }
  const values = Array.from({ length: 3000 }, (_, i) => i);
  return () => {
    let total = 0;
    for (const value of squares(evens(values))) total += value;
    return total;
  };
};

exports.closures = () => {
  const compose = (f, g) => x => f(g(x));
  return () => {
    const counter = (start, step) => {
      let count = start;
      const next = () => (count += step);
      const twice = () => next() + next();
      return { next, twice };
    };
    const up = counter(0, 1), down = counter(9, -2);
    const both = compose(x => x + up.twice(), x => x - down.next());
    let total = 0;
    for (let i = 0; i < 5000; i++) total = both(total) % 65537;
    return total;
  };
};

exports.elements = () => {
  const histogram = new Uint32Array(256), counts = {}, data = bytes(20000);
  const words = ['one', 'two', 'three', 'four'];
  return () => {
    histogram.fill(0);
    for (const word of words) counts[word] = 0;
    for (let i = 0; i < data.length; i++) {
      histogram[data[i]]++;
      histogram[i & 255] ^= data[i] << 3;
      counts[words[i & 3]] += data[i];
    }
    return histogram[9] + counts.three;
  };
};

// Classics.

exports['n-body'] = () => {
  class Body {
    constructor(x, y, z, vx, vy, vz, mass) {
      Object.assign(this, { x, y, z, vx, vy, vz, mass });
    }
  }
  const bodies = [
    new Body(0, 0, 0, 0, 0, 0, 39.47),
    new Body(4.84, -1.16, -0.1, 0.6, 2.81, -0.02, 0.037),
    new Body(8.34, 4.12, -0.4, -1.01, 1.82, 0.008, 0.011),
    new Body(12.89, -15.11, -0.22, 1.08, 0.86, -0.01, 0.0017),
    new Body(15.37, -25.9, 0.17, 0.97, 0.59, -0.03, 0.002),
  ];
  const advance = dt => {
    for (let i = 0; i < bodies.length; i++) {
      const one = bodies[i];
      for (let j = i + 1; j < bodies.length; j++) {
        const other = bodies[j];
        const dx = one.x - other.x, dy = one.y - other.y, dz = one.z - other.z;
        const square = dx * dx + dy * dy + dz * dz;
        const magnitude = dt / (square * Math.sqrt(square));
        one.vx -= dx * other.mass * magnitude;
        one.vy -= dy * other.mass * magnitude;
        one.vz -= dz * other.mass * magnitude;
        other.vx += dx * one.mass * magnitude;
        other.vy += dy * one.mass * magnitude;
        other.vz += dz * one.mass * magnitude;
      }
    }
    for (const body of bodies) {
      body.x += dt * body.vx;
      body.y += dt * body.vy;
      body.z += dt * body.vz;
    }
  };
  return () => {
    for (let step = 0; step < 500; step++) advance(0.0001);
    return bodies.length;
  };
};

exports.fannkuch = () => () => {
  const n = 7, p = [], q = [], s = [];
  let sign = 1, maxFlips = 0, sum = 0;
  for (let i = 0; i < n; i++) p[i] = q[i] = s[i] = i;
  for (;;) {
    let q0 = p[0];
    if (q0 !== 0) {
      for (let i = 1; i < n; i++) q[i] = p[i];
      let flips = 1;
      for (;;) {
        const qq = q[q0];
        if (qq === 0) {
          sum += sign * flips;
          if (flips > maxFlips) maxFlips = flips;
          break;
        }
        q[q0] = q0;
        if (q0 >= 3) {
          let i = 1, j = q0 - 1;
          do {
            const t = q[i];
            q[i] = q[j];
            q[j] = t;
            i++;
            j--;
          } while (i < j);
        }
        q0 = qq;
        flips++;
      }
    }
    if (sign === 1) {
      const t = p[0];
      p[0] = p[1];
      p[1] = t;
      sign = -1;
    } else {
      let t = p[1];
      p[1] = p[2];
      p[2] = t;
      sign = 1;
      for (let i = 2; i < n; i++) {
        if (s[i] !== 0) {
          s[i]--;
          break;
        }
        if (i === n - 1) return sum + maxFlips;
        s[i] = i;
        t = p[0];
        for (let j = 0; j <= i; j++) p[j] = p[j + 1];
        p[i + 1] = t;
      }
    }
  }
};

exports['spectral-norm'] = () => {
  const a = (i, j) => 1 / (((i + j) * (i + j + 1)) / 2 + i + 1);
  const times = (v, at) => v.map((_, i) => {
    let total = 0;
    for (let j = 0; j < v.length; j++) total += at(i, j) * v[j];
    return total;
  });
  const both = v => times(times(v, a), (i, j) => a(j, i));
  return () => {
    let u = new Float64Array(60).fill(1), v = u;
    for (let round = 0; round < 5; round++) {
      v = both(u);
      u = both(v);
    }
    let vBv = 0, vv = 0;
    u.forEach((value, i) => {
      vBv += value * v[i];
      vv += v[i] * v[i];
    });
    return Math.sqrt(vBv / vv).toFixed(6);
  };
};

exports.mandelbrot = () => () => {
  let inside = 0;
  for (let y = 0; y < 80; y++) {
    for (let x = 0; x < 80; x++) {
      const cr = (2 * x) / 80 - 1.5, ci = (2 * y) / 80 - 1;
      let zr = 0, zi = 0, n = 0;
      while (zr * zr + zi * zi < 4 && ++n < 60) [zr, zi] = [zr * zr - zi * zi + cr, 2 * zr * zi + ci];
      if (n === 60) inside++;
    }
  }
  return inside;
};

exports.queens = () => () => {
  const place = (row, columns, left, right) => {
    if (row === 8) return 1;
    let found = 0;
    for (let free = 255 & ~(columns | left | right); free; ) {
      const bit = free & -free;
      free ^= bit;
      found += place(row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return found;
  };
  return place(0, 0, 0, 0);
};

exports.sieve = () => () => {
  const composite = new Uint8Array(40000);
  let count = 0;
  outer: for (let n = 2; ; n++) {
    while (composite[n]) if (++n >= composite.length) break outer;
    if (n >= composite.length) break;
    count++;
    for (let m = n * n; m < composite.length; m += n) composite[m] = 1;
  }
  return count;
};

exports.trees = () => {
  class Tree {
    left = null;
    right = null;
    static of(depth) {
      const tree = new Tree();
      if (depth > 0) {
        tree.left = Tree.of(depth - 1);
        tree.right = Tree.of(depth - 1);
      }
      return tree;
    }
    get size() {
      return 1 + (this.left?.size ?? 0) + (this.right?.size ?? 0);
    }
  }
  return () => Tree.of(10).size;
};

exports.sorting = () => {
  const random = randomNumbers(3);
  const values = Array.from({ length: 3000 }, () => Math.floor(random() * 10000));
  const quick = (list, from, to) => {
    while (from < to) {
      const pivot = list[(from + to) >> 1];
      let i = from - 1, j = to + 1;
      for (;;) {
        do i++; while (list[i] < pivot);
        do j--; while (list[j] > pivot);
        if (i >= j) break;
        const t = list[i];
        list[i] = list[j];
        list[j] = t;
      }
      quick(list, from, j);
      from = j + 1;
    }
  };
  return () => {
    const list = values.slice();
    quick(list, 0, list.length - 1);
    return list[0] + list[1500];
  };
};

exports.tokens = () => {
  const text = 'let total = 12.5 + (rate * "per year") // note\nif (total >= 100) { go("a\\"b", 7e3); }\n'.repeat(40);
  const isWord = c => (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || c === 95;
  const isDigit = c => c >= 48 && c <= 57;
  return () => {
    const counts = { word: 0, number: 0, string: 0, mark: 0, comment: 0 };
    let at = 0;
    while (at < text.length) {
      const c = text.charCodeAt(at);
      switch (true) {
        case c === 32 || c === 10:
          at++;
          break;
        case isWord(c):
          while (isWord(text.charCodeAt(at)) || isDigit(text.charCodeAt(at))) at++;
          counts.word++;
          break;
        case isDigit(c):
          while (isDigit(text.charCodeAt(at)) || text[at] === '.' || text[at] === 'e') at++;
          counts.number++;
          break;
        case c === 34:
          for (at++; text[at] !== '"'; at++) if (text[at] === '\\') at++;
          at++;
          counts.string++;
          break;
        case c === 47 && text[at + 1] === '/':
          while (at < text.length && text[at] !== '\n') at++;
          counts.comment++;
          break;
        default:
          at++;
          counts.mark++;
      }
    }
    return Object.values(counts).join();
  };
};

exports.life = () => {
  const width = 64, height = 64;
  const start = bytes(width * height).map(value => value & 1);
  return () => {
    let cells = start;
    for (let generation = 0; generation < 4; generation++) {
      const next = new Uint8Array(cells.length);
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          let count = 0;
          for (let dy = -1; dy <= 1; dy++) {
            for (let dx = -1; dx <= 1; dx++) {
              if (dx === 0 && dy === 0) continue;
              count += cells[((y + dy + height) % height) * width + ((x + dx + width) % width)];
            }
          }
          next[y * width + x] = count === 3 || (count === 2 && cells[y * width + x]) ? 1 : 0;
        }
      }
      cells = next;
    }
    return cells.length;
  };
};
