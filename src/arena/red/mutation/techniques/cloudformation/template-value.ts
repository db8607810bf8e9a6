import { parse } from 'yaml';
import type { WeakSpot } from '../../site/weak-spot.ts';

/** The weak value as a text, or as the texts of a list: parameters and mappings contain nothing else. */
export function weakValueText({ insecure }: Pick<WeakSpot, 'insecure'>): string | string[] | null {
  const value: unknown = parse(insecure);
  if (Array.isArray(value)) return value.map(String);
  return typeof value === 'object' ? null : String(value);
}
