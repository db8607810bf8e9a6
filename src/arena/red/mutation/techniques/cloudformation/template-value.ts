import { parse } from 'yaml';
import type { WeakSpot } from '../../site/weak-spot.ts';

/** The weak value as a text or a list of texts, which is all that parameters and mappings can have. */
export function textsOfValue({ insecure }: Pick<WeakSpot, 'insecure'>): string | string[] | null {
  const value: unknown = parse(insecure);
  if (Array.isArray(value)) return value.map(String);
  return typeof value === 'object' ? null : String(value);
}
