import { isRecord } from '../../../text/json/is-record.ts';

/** Attributes of a span as a map. OTLP has a list of keys with typed values, SDKs have a map. */
export function attributeMap(attributes: unknown): Record<string, unknown> {
  if (isRecord(attributes)) return flatAttributes(attributes);
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
  const whole = attributes[prefix];
  // Exported tables have the list itself, with the names of its fields in one piece.
  if (Array.isArray(whole)) return whole.filter(isRecord).map((entry) => nestedRecord(Object.entries(entry)));
  const own = Object.entries(attributes).filter(([name]) => name.startsWith(`${prefix}.`));
  const list = asList(nestedRecord(own.map(([name, value]) => [name.slice(prefix.length + 1), value])));
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

/** `{'message.role': 'user'}` as `{message: {role: 'user'}}`. */
function nestedRecord(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const nested: Record<string, unknown> = {};
  for (const [name, value] of entries) {
    const path = name.split('.');
    const inner =
      Array.isArray(value) && value.every(isRecord) ? value.map((each) => nestedRecord(Object.entries(each))) : value;
    // Deeper ones are no message, and would take long.
    if (path.length <= MAX_PATH && !path.includes('__proto__')) put(nested, path, inner);
  }
  return nested;
}

/** Attributes within each other, as some tools export them, by their whole names: `{llm: {system}}` as `llm.system`. */
function flatAttributes(attributes: Record<string, unknown>): Record<string, unknown> {
  if (!['gen_ai', 'llm', 'openinference', 'ai'].some((name) => isRecord(attributes[name]))) return attributes;
  const flat = new Map<string, unknown>();
  const add = (value: unknown, name: string, depth: number): void => {
    if (!isRecord(value) || depth > MAX_PATH) flat.set(name, value);
    else for (const [key, inner] of Object.entries(value)) add(inner, `${name}.${key}`, depth + 1);
  };
  for (const [name, value] of Object.entries(attributes)) add(value, name, 0);
  return Object.fromEntries(flat);
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
