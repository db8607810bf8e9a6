const DEEPEST = 24;

/**
 * A value as JSON with line breaks. What is nested deeper than anybody reads is left out, because an agent can nest its
 * arguments deeper than a stack is.
 */
export function prettyJson(value: unknown): string {
  return JSON.stringify(withoutDepths(value, 0), null, 2) ?? 'null';
}

function withoutDepths(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === DEEPEST) return '…';
  if (Array.isArray(value)) return value.map((part) => withoutDepths(part, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withoutDepths(part, depth + 1)]));
}
