import type { Json } from '../evaluate/value.ts';

/** Whether AWS would take two settings for the same: `"true"` is `true`, `"5"` is `5`, and `ENABLED` is `Enabled`. */
export function equalsSetting(value: Json, wanted: string | number | boolean): boolean {
  return typeof value !== 'object' && String(value).toLowerCase() === String(wanted).toLowerCase();
}
