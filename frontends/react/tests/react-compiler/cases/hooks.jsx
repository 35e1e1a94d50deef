import React, {useCallback, useMemo as memo} from 'react';
import {useMemo as other} from 'elsewhere';
function Both({a, b}) {
  const sum = memo(() => a + b, [a, b]);
  const call = useCallback(event => { a.onClick(event, sum); }, [a.onClick, sum, b?.c.d, globalThing]);
  return <button onClick={call}>{sum}</button>;
}
function WithBranches({list}) {
  const first = React.useMemo(() => { if (list) { return list[0]; } return null; }, []);
  const never = React.useCallback(() => first);
  return [first, never];
}
function NotReacts(a) { const x = other(() => a, [a]); return x; }
function NoArray(a, list) { return useMemo(() => a, list); }
function WithParams(a) { return useMemo(b => a + b, [a]); }
function NotInline(f) { return useCallback(f, [f]); }
function Unbound(a) { return useMemo(() => { const b = a.b; return {b}; }, [a?.b]); }
