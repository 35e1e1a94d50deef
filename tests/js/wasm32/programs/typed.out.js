var Level;
function label(item) {
  const t = item.level;
  if (t === Level.Low) {
    return `low ${item.name ?? "-"}`;
  }
  if (t === Level.High) {
    return "high";
  }
  return Level[item.level];
}
Level = (function (Level) {
  Level["Low"] = 0;
  Level[0] = "Low";
  Level["High"] = 5;
  Level[5] = "High";
  return Level;
})(Level || {});
console.log(label({ level: Level.Low }), label({ level: Level.High, name: "x" }));
