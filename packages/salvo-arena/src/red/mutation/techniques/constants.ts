import { parse } from 'yaml';
import type { WeakSpot } from '../site/weak-spot.ts';

/** Whether code of Terraform is a constant of a type, as a default or a values file needs it. */
export function isConstant(type: WeakSpot['type'], code: string | null): code is string {
  return code !== null && (code === 'null' || CONSTANTS[type].test(code));
}

const CONSTANTS: Readonly<Record<WeakSpot['type'], RegExp>> = {
  bool: /^(?:true|false)$/,
  number: /^-?\d+(?:\.\d+)?$/,
  string: /^"[^"$%\n]*"$/,
  'list(string)': /^\[(?:"[^"$%\n]*"(?:, *)?)*\]$/,
};

/**
 * Code of a YAML template as a text, or as the texts of a list: parameters and mappings contain nothing else. Null if
 * it is not a constant.
 */
export function constantText(code: string | null): string | string[] | null {
  // Functions, maps and dynamic references such as `{{resolve:ssm:name}}` are no constants.
  if (code === null || /[!{}|>&#]|: |:$/m.test(code)) return null;
  const value: unknown = parse(code);
  if (Array.isArray(value)) return value.every(isScalar) ? value.map(String) : null;
  return isScalar(value) ? String(value) : null;
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
