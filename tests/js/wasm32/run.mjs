// Runs the module, and ends with its exit code. What its dependencies import of a page is never called.
import { readFileSync } from "node:fs";

const module = new WebAssembly.Module(readFileSync(process.argv[2]));
const imports = {};
for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
  if (kind !== "function") throw new Error(`the module imports a ${kind}, ${name}`);
  imports[from] ??= {};
  imports[from][name] = () => {
    throw new Error(`${name} is called`);
  };
}
const { exports } = new WebAssembly.Instance(module, imports);
process.exitCode = exports.main(0, 0);
