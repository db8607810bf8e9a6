import { isRecord } from '../../../text/json/is-record.ts';

/** Attributes of a span as a map. OTLP has a list of keys with typed values, SDKs have a map. */
export function attributeMap(attributes: unknown): Record<string, unknown> {
  if (isRecord(attributes)) return attributes;
  if (!Array.isArray(attributes)) return {};
  const entries = attributes.flatMap((entry) =>
    isRecord(entry) && typeof entry.key === 'string' ? [[entry.key, otlpValue(entry.value)] as const] : [],
  );
  return Object.fromEntries(entries);
}

/** The value in `{stringValue}`, `{intValue}`, `{arrayValue: {values}}` and the like; other values as they are. */
export function otlpValue(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const [[kind, given] = ['', undefined], ...others] = Object.entries(value);
  if (others.length > 0 || !/^(?:string|bool|int|double|array|kvlist|bytes)_?[Vv]alue$/.test(kind)) return value;
  // JSON writes 64-bit integers as text.
  if (kind.startsWith('int')) return Number(given);
  if (kind.startsWith('array'))
    return isRecord(given) && Array.isArray(given.values) ? given.values.map(otlpValue) : [];
  if (kind.startsWith('kvlist')) return isRecord(given) ? attributeMap(given.values) : {};
  return given;
}

/** Messages that are spread over attributes: `gen_ai.prompt.0.role` becomes `[{role}]` of the prefix `gen_ai.prompt`. */
export function spreadList(attributes: Record<string, unknown>, prefix: string): Record<string, unknown>[] {
  const nested: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (!name.startsWith(`${prefix}.`)) continue;
    const path = name.slice(prefix.length + 1).split('.');
    // Deeper ones are no message, and would take long.
    if (path.length <= MAX_PATH && !path.includes('__proto__')) put(nested, path, value);
  }
  const list = asList(nested);
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

const MAX_PATH = 10;

function put(into: Record<string, unknown>, [name = '', ...path]: string[], value: unknown): void {
  if (path.length === 0) {
    into[name] = value;
    return;
  }
  const inner = isRecord(into[name]) ? into[name] : {};
  into[name] = inner;
  put(inner, path, value);
}

/** An object whose keys are 0, 1, 2 is a list. */
function asList(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, asList(inner)] as const);
  const isIndexed = entries.length > 0 && entries.every(([key]) => /^\d{1,6}$/.test(key));
  if (!isIndexed) return Object.fromEntries(entries);
  return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, inner]) => inner);
}
