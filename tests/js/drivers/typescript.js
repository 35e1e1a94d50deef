// Compiles with the compiler of TypeScript: `node typescript.js TYPESCRIPT FILE...`.
// Transpiles the files, and checks a program that needs most of the checker.
'use strict';

const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');

const ts = require(path.resolve(process.argv[2]));

function digest(text) {
  return `${text.length} characters, ${createHash('sha256').update(text).digest('hex')}`;
}

for (const file of process.argv.slice(3)) {
  const text = fs.readFileSync(file, 'utf8');
  for (const target of [ts.ScriptTarget.ES5, ts.ScriptTarget.ES2022]) {
    const result = ts.transpileModule(text, {
      fileName: path.basename(file),
      reportDiagnostics: true,
      compilerOptions: { target, module: ts.ModuleKind.CommonJS, sourceMap: true, allowJs: true, downlevelIteration: true },
    });
    console.log(`${path.basename(file)} for ${ts.ScriptTarget[target]}: ${digest(result.outputText)}; map: ${digest(result.sourceMapText)}`);
    for (const diagnostic of result.diagnostics.slice(0, 5)) {
      console.log(`  ${diagnostic.code} at ${diagnostic.start}: ${ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ')}`);
    }
  }
}

const LIBRARY = `
interface Array<T> { length: number; [index: number]: T; push(...items: T[]): number; map<U>(f: (value: T, index: number) => U): U[]; }
interface ReadonlyArray<T> { readonly length: number; readonly [index: number]: T; }
interface String { length: number; charAt(index: number): string; }
interface Number { toFixed(digits?: number): string; }
interface Boolean {} interface Object {} interface Function {} interface CallableFunction {} interface NewableFunction {}
interface RegExp {} interface IArguments { length: number; } interface TemplateStringsArray extends ReadonlyArray<string> {}
interface Promise<T> { then<U>(f: (value: T) => U): Promise<U>; } interface PromiseConstructor { new <T>(f: (resolve: (value: T) => void) => void): Promise<T>; }
declare var Promise: PromiseConstructor;
interface SymbolConstructor { readonly iterator: unique symbol; } declare var Symbol: SymbolConstructor; interface Symbol {}
type Partial<T> = { [K in keyof T]?: T[K] };
type Pick<T, K extends keyof T> = { [P in K]: T[P] };
type Exclude<T, U> = T extends U ? never : T;
type ReturnType<T extends (...args: any) => any> = T extends (...args: any) => infer R ? R : any;
`;

const PROGRAM = `
import { area, Shape } from './shapes';
enum Color { Red, Green = 4, Blue }
const enum Level { Low = "low", High = "high" }
namespace Outer.Inner { export const depth = 2; export function twice(n: number) { return n * depth; } }
abstract class Base<T> { static count = 0; #secret = 1; protected constructor(readonly value: T) { Base.count++; } abstract show(): string;
  get secret() { return this.#secret; } static { Base.count = 10; } }
class Derived extends Base<number> { constructor(value: number, private extra = "x") { super(value); } show() { return this.extra + this.value.toFixed(2); } }
function overload(a: string): string; function overload(a: number): number; function overload(a: any) { return a; }
const tuple: [number, string?, ...boolean[]] = [1, "a", true];
type Deep<T> = T extends object ? { readonly [K in keyof T]: Deep<T[K]> } : T;
const deep: Deep<{ a: { b: number } }> = { a: { b: 1 } };
deep.a.b = 2;
let wrong: string = overload(3);
function narrow(x: string | number | null) { if (typeof x === "string") return x.length; if (x) return x.toFixed(); return x.toFixed(); }
async function* stream(n: number) { for (let i = 0; i < n; i++) { yield i; await new Promise<void>(r => r()); } }
const shapes: Shape[] = [{ kind: "circle", radius: 1 }, { kind: "square", side: 2 }, { kind: "hexagon" }];
label: for (const s of shapes) { switch (s.kind) { case "circle": continue label; default: area(s); } }
const { a: { ...rest } = {} as any, ["b" + 1]: computed = 3, ...others } = { a: { x: 1 }, b1: 2, c: 3 } as any;
const chained = others?.c?.[0]?.(rest)! ?? computed ** 2;
function assertNever(x: never): never { throw x; }
export default class { declare field: string; accessor auto = 1; }
export { Color, Level, Outer, narrow, stream, tuple, wrong, chained, Derived, assertNever };
const element = <div id="a" {...rest}>text {tuple[0]} <b/></div>;
`;

const SHAPES = `
export type Shape = { kind: "circle", radius: number } | { kind: "square", side: number };
export function area(shape: Shape): number { switch (shape.kind) { case "circle": return 3 * shape.radius ** 2; case "square": return shape.side ** 2; } }
export const keys = <K extends keyof any>(k: K): { [P in K]: number } => ({ [k]: 1 }) as any;
const unused: number = "text";
`;

const files = new Map([['/lib.d.ts', LIBRARY], ['/main.tsx', PROGRAM], ['/shapes.ts', SHAPES]]);
for (const target of [ts.ScriptTarget.ES5, ts.ScriptTarget.ES2015, ts.ScriptTarget.ESNext]) {
  const options = { target, module: ts.ModuleKind.CommonJS, strict: true, jsx: ts.JsxEmit.React, noUnusedLocals: true, declaration: true, noLib: false, ignoreDeprecations: '5.0', experimentalDecorators: true };
  const host = {
    getSourceFile: (name, version) => (files.has(name) ? ts.createSourceFile(name, files.get(name), version, true) : undefined),
    getDefaultLibFileName: () => '/lib.d.ts',
    writeFile: (name, text) => console.log(`--- ${name} for ${ts.ScriptTarget[target]}\n${text}`),
    getCurrentDirectory: () => '/',
    getCanonicalFileName: name => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    fileExists: name => files.has(name),
    readFile: name => files.get(name),
  };
  const program = ts.createProgram(['/main.tsx'], options, host);
  program.emit();
  for (const diagnostic of ts.getPreEmitDiagnostics(program)) {
    const place = diagnostic.file ? `${diagnostic.file.fileName}:${diagnostic.start}` : 'nowhere';
    console.log(`${place} ${diagnostic.code} ${ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n')}`);
  }
}
