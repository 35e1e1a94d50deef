import React, {useState} from 'react';
import type {Shape} from './shape';
enum Color { Red, Green }
interface Props<T> { items: T[]; onPick?: (item: T) => void }
export function List<T extends Shape>({items, onPick}: Props<T>): JSX.Element {
  const [picked, setPicked] = useState<T | null>(null);
  type Local = T[];
  const shown = (items as Local).filter((item): item is T => item != null) satisfies T[];
  const first = shown[0]!.name as string, many = shown as Array<T>, length: number = shown!.length;
  return (
    <ul className="list" data-length={length} hidden {...first}>
      {shown.map(item => <Item key={item.id} {...item} onClick={() => { setPicked(item); onPick?.(item); }} />)}
      {/* nothing */}
      some text,   with spaces
      and a line
      <></> <>a{picked}</>
      <React.Fragment>&nbsp;&amp; text</React.Fragment>
      <svg:path xlink:href="#a" d='&quot;b' />
      <fbt desc="d">  kept  </fbt>
      {many.length > 0 && <b>{many}</b>}
    </ul>
  );
}
function Item(props: {id: number}): React.ReactNode { const Tag = props.id ? 'a' : List; const div = 1; return <Tag.Inner><Tag /><div>{div}</div></Tag.Inner>; }
const generic = <T,>(x: T, y?: number): T => x;
function overloaded(a: string): string;
function overloaded(a: any) { return a?.b!.c!.d?.(a!); }
function enumInside(a: Color) { enum Inner { A } return Color.Red === a; }
function assertion(a: unknown) { (a as any).b = 1; let c: string | undefined; return c; }
