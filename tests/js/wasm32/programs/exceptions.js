function* words(line) {
  try {
    for (const word of line.split(" ")) yield word;
  } finally {
    console.log("closed");
  }
}
function first(line) {
  for (const word of words(line)) {
    try {
      if (!word) throw new Error("empty");
      return word;
    } catch (error) {
      console.log(error.message);
    }
  }
  return undefined;
}
console.log(first(" one two"), first(""));
