/**
 * Gives as many entries as possible a call of their own, and returns the position of each entry's call, or null. `fitting`
 * lists the calls that each entry accepts. An entry that accepts several calls leaves one to an entry that accepts fewer
 * (augmenting paths), so that the result does not depend on the order of the entries.
 */
export function assignCalls(fitting: readonly (readonly number[])[]): (number | null)[] {
  const assigned: (number | null)[] = fitting.map(() => null);
  const takenBy = new Map<number, number>();
  // Calls that a failed search has tried lead nowhere, also later.
  let tried = new Set<number>();
  const findCall = (entry: number): boolean => {
    for (const call of fitting[entry] ?? []) {
      if (tried.has(call)) continue;
      tried.add(call);
      const holder = takenBy.get(call);
      if (holder !== undefined && !findCall(holder)) continue;
      takenBy.set(call, entry);
      assigned[entry] = call;
      return true;
    }
    return false;
  };
  for (const entry of fitting.keys()) if (findCall(entry)) tried = new Set();
  return assigned;
}
