import { isRecord } from '../../text/json/is-record.ts';

const DEEPEST = 4;

type JsonSchema = Record<string, unknown>;

/** A JSON Schema that all these values fit, and not much more than they. */
function inferredSchema(values: readonly unknown[], depth = 0): JsonSchema {
  const kinds = new Set(values.map(kindOfJson));
  const [kind] = kinds;
  if (kind === undefined || kinds.size > 1 || depth > DEEPEST) return {};
  if (kind === 'object') return objectSchema(values.filter(isRecord), depth);
  if (kind !== 'array') return { type: kind };
  const items = inferredSchema(values.filter(Array.isArray).flat(), depth + 1);
  return Object.keys(items).length === 0 ? { type: 'array' } : { type: 'array', items };
}

/** What every object has is required. */
export function objectSchema(objects: readonly Record<string, unknown>[], depth = 0): JsonSchema {
  const keys = [...new Set(objects.flatMap((object) => Object.keys(object)))];
  const has = (key: string) => objects.filter((object) => Object.hasOwn(object, key));
  const required = keys.filter((key) => has(key).length === objects.length);
  const properties = keys.map((key) => {
    const values = has(key).map((object) => object[key]);
    return [key, inferredSchema(values, depth + 1)];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
}

/** As JSON Schema calls it. */
function kindOfJson(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
