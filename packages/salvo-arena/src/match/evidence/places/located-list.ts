import { remembered } from 'salvo/kit/text';
import type { Lexicon } from '../lexicon/compile-lexicon.ts';
import { looseKeys } from './loose-name.ts';
import { areTypesRelated, type KnownType, type Place } from './place.ts';

/** Findings that have something in common, by resource, so that those of other resources need not be visited. */
export interface LocatedList {
  add(finding: number, place: Place): void;
  /** Visits at least every finding that is not known to be at another resource, or at one of another kind. */
  visit(place: Place, visitor: (finding: number) => void): void;
}

interface LocatedByName extends KnownType {
  byName: Map<string, number[]>;
  /** Names by the key of their words, and by the keys of all subsets of their words. */
  byKey: Map<string, string[]>;
  bySubset: Map<string, string[]>;
}

export function createLocatedList(lexicon: Lexicon): LocatedList {
  /** Findings with one resource, by its type and its name. */
  const located = new Map<string, LocatedByName>();
  const others: number[] = [];

  return {
    add(finding, { addresses, objects, isPlain }) {
      const [address, second] = addresses;
      const isLocated = address !== undefined && second === undefined && isPlain;
      if (!isLocated || address.type === null || address.name === null) {
        others.push(finding);
        return;
      }
      const { type } = address;
      const [object = null] = objects;
      const ofType = located.get(type) ?? { type, object, byName: new Map(), byKey: new Map(), bySubset: new Map() };
      located.set(type, ofType);
      const findings = ofType.byName.get(address.name);
      if (findings !== undefined) {
        findings.push(finding);
        return;
      }
      ofType.byName.set(address.name, [finding]);
      const keys = looseKeys(address);
      for (const key of keys) remembered(ofType.bySubset, key, () => []).push(address.name);
      remembered(ofType.byKey, keys.at(-1) ?? '', () => []).push(address.name);
    },
    visit({ addresses, objects, isPlain }, visitor) {
      others.forEach(visitor);
      const [address, second] = addresses;
      // A vulnerability with further sites may be found at any of them.
      const only = second === undefined && isPlain ? address : undefined;
      const own = only && only.type !== null ? { type: only.type, object: objects[0] ?? null } : null;
      for (const ofType of located.values()) {
        const { type, byName, byKey, bySubset } = ofType;
        if (only === undefined || only.type !== type) {
          if (own && !areTypesRelated(lexicon, own, ofType)) continue;
          for (const findings of byName.values()) findings.forEach(visitor);
          continue;
        }
        // Two resources of one type are the same only if their names are.
        const keys = looseKeys(only);
        const names = new Set([only.name ?? '', ...(bySubset.get(keys.at(-1) ?? '') ?? [])]);
        for (const key of keys) for (const name of byKey.get(key) ?? []) names.add(name);
        for (const name of names) byName.get(name)?.forEach(visitor);
      }
    },
  };
}
