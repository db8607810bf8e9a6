import type { Json } from '../../../iac/evaluate/value.ts';

/** As AWS compares settings: `"true"` is `true`, `"5"` is `5`, and `ENABLED` is `Enabled`. */
export function isSame(value: Json, wanted: string | number | boolean): boolean {
  if (typeof value === 'object') return false;
  return String(value).toLowerCase() === String(wanted).toLowerCase();
}
