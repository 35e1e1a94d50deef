// Inner loops of packages: each makes a function that does the same work each time it is called.
'use strict';

const random = (seed => () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648)(7);
const bytes = length => Uint8Array.from({ length }, () => random() * random() * 256);
const TEXT = 'the quick brown fox jumps over the lazy dog '.repeat(400);

const sign = m => {
  const pair = m.sign.keyPair.fromSeed(new Uint8Array(32)), data = bytes(100);
  return () => Buffer.from(m.sign(data, pair.secretKey)).toString('hex');
};

module.exports = {
  tweetnacl: sign,
  'tweetnacl/nacl.js': sign,
  pako(m) {
    const data = bytes(60000);
    return () => m.inflate(m.deflate(data)).length;
  },
  fflate(m) {
    const data = bytes(60000);
    return () => m.unzlibSync(m.zlibSync(data)).length;
  },
  'ml-matrix'(m) {
    const matrix = new m.Matrix(60, 60);
    for (let i = 0; i < 60; i++) for (let j = 0; j < 60; j++) matrix.set(i, j, random());
    return () => m.inverse(matrix.mmul(matrix)).get(1, 1).toFixed(6);
  },
  'bn.js'(m) {
    const a = new m('f'.repeat(200), 16), b = new m('7'.repeat(180), 16);
    return () => a.mul(b).mod(b.addn(3)).toString(10).length;
  },
  'lz-string'(m) {
    return () => m.decompress(m.compress(TEXT)).length;
  },
  'jpeg-js'(m) {
    const data = Buffer.from(bytes(64 * 64 * 4));
    return () => m.decode(m.encode({ data, width: 64, height: 64 }, 60).data).width;
  },
  'sha.js'(m) {
    const data = Buffer.from(bytes(20000));
    return () => m('sha256').update(data).digest('hex') + m('sha1').update(data).digest('hex');
  },
  'fast-levenshtein'(m) {
    const one = TEXT.slice(0, 700), other = TEXT.slice(5, 720);
    return () => m.get(one, other);
  },
  'murmurhash-js'(m) {
    return () => m.murmur3(TEXT, 3) + m.murmur2(TEXT, 5);
  },
  seedrandom(m) {
    return () => {
      const next = m('x');
      let total = 0;
      for (let i = 0; i < 20000; i++) total += next();
      return total.toFixed(6);
    };
  },
  xxhashjs(m) {
    return () => m.h32(TEXT, 5).toString(16) + m.h64(TEXT, 7).toString(16);
  },
  snappyjs(m) {
    const data = bytes(60000);
    return () => m.uncompress(m.compress(data)).length;
  },
};
