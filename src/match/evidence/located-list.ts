import type { Place } from './place.ts';

/** Findings that have something in common, by resource, so that those of other resources need not be visited. */
export interface LocatedList {
  add(finding: number, place: Place): void;
  /** Visits at least every finding that is not known to be at another resource. */
  visit(place: Place, visitor: (finding: number) => void): void;
}

export function createLocatedList(): LocatedList {
  /** Findings with one resource, by its type and its name. */
  const located = new Map<string, Map<string, number[]>>();
  const others: number[] = [];

  return {
    add(finding, { addresses }) {
      const [address, second] = addresses;
      if (address === undefined || second !== undefined || address.type === null || address.name === null) {
        others.push(finding);
        return;
      }
      const byName = located.get(address.type) ?? new Map<string, number[]>();
      located.set(address.type, byName);
      const findings = byName.get(address.name);
      if (findings === undefined) byName.set(address.name, [finding]);
      else findings.push(finding);
    },
    visit({ addresses, sites }, visitor) {
      others.forEach(visitor);
      const [address, second] = addresses;
      // A vulnerability with further sites may be found at any of them.
      const only = second === undefined && sites.further.length === 0 ? address : undefined;
      for (const [type, byName] of located) {
        // Two resources of one type are the same only if their names are. Resources of two types may belong together.
        if (only !== undefined && only.type === type) byName.get(only.name ?? '')?.forEach(visitor);
        else for (const findings of byName.values()) findings.forEach(visitor);
      }
    },
  };
}
