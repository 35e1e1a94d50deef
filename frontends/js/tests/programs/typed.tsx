// Types go, what is left of them stays, JSX stays too.
import { type Kind, make } from './make';
enum Color { Red, Green = Red + 2, Name = 'n' }
namespace Space { export let inside = 1; export const twice = () => inside * 2; }
abstract class Shape<T> { declare z: T; constructor(private readonly kind: Kind, public size = 1) {} abstract area(): number; get(this: Shape<T>): T { return this.z!; } }
function isKind(x: unknown): x is Kind { return (x as Kind satisfies Kind) === make; }
export const view = (props: { items: string[] }) => (
  <main id="a" data-x={Color.Red} {...props}>
    text &amp; {props.items.map((item, i) => <Space.Item key={i} on={() => item}>{item}</Space.Item>)}
    <></>
  </main>
);
export type { Kind };
export default isKind;
