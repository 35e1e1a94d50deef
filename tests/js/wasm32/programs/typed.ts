enum Level { Low, High = 5 }
interface Item { level: Level; name?: string }
function label<T extends Item>(item: T): string {
  switch (item.level) {
    case Level.Low: return `low ${item.name ?? "-"}`;
    case Level.High: return "high";
    default: return Level[item.level]!;
  }
}
console.log(label({ level: Level.Low }), label({ level: Level.High, name: "x" }));
