import { isRecord } from '../../text/json/is-record.ts';

/** Whether a value surely obeys a keyword, of which `rule` is the value. */
type Obeys = (value: unknown, rule: unknown, schema: Record<string, unknown>) => boolean;

const isFine: Obeys = () => true;
const onTexts =
  (obeys: (length: number, limit: number) => boolean): Obeys =>
  (value, rule) =>
    typeof value !== 'string' || obeys([...value].length, Number(rule));
const onLists =
  (obeys: (length: number, limit: number) => boolean): Obeys =>
  (value, rule) =>
    !Array.isArray(value) || obeys(value.length, Number(rule));
const onNumbers =
  (obeys: (value: number, limit: number) => boolean): Obeys =>
  (value, rule) =>
    typeof value !== 'number' || obeys(value, Number(rule));

const KEYWORDS: ReadonlyMap<string, Obeys> = new Map([
  ['type', (value, rule) => (Array.isArray(rule) ? rule : [rule]).some((type) => isOfType(value, type))],
  [
    'properties',
    (value, rule) =>
      !isRecord(value) ||
      !isRecord(rule) ||
      Object.entries(rule).every(
        ([key, schema]) => !Object.hasOwn(value, key) || value[key] === undefined || surelyFits(schema, value[key]),
      ),
  ],
  [
    'required',
    (value, rule) =>
      !isRecord(value) ||
      (Array.isArray(rule) && rule.every((key) => Object.hasOwn(value, key) && value[key] !== undefined)),
  ],
  [
    'additionalProperties',
    (value, rule, { properties = {} }) =>
      !isRecord(value) ||
      Object.keys(value).every((key) => Object.hasOwn(Object(properties), key) || surelyFits(rule, value[key])),
  ],
  ['items', (value, rule) => !Array.isArray(value) || value.every((item) => surelyFits(rule, item))],
  ['enum', (value, rule) => Array.isArray(rule) && rule.includes(value)],
  ['const', (value, rule) => value === rule],
  ['anyOf', (value, rule) => Array.isArray(rule) && rule.some((schema) => surelyFits(schema, value))],
  ['allOf', (value, rule) => Array.isArray(rule) && rule.every((schema) => surelyFits(schema, value))],
  ['minLength', onTexts((length, limit) => length >= limit)],
  ['maxLength', onTexts((length, limit) => length <= limit)],
  ['minItems', onLists((length, limit) => length >= limit)],
  ['maxItems', onLists((length, limit) => length <= limit)],
  ['minimum', onNumbers((value, limit) => value >= limit)],
  ['maximum', onNumbers((value, limit) => value <= limit)],
  ['exclusiveMinimum', onNumbers((value, limit) => value > limit)],
  ['exclusiveMaximum', onNumbers((value, limit) => value < limit)],
  // These describe, and demand nothing.
  ...['title', 'description', 'default', 'examples', 'format'].map((word): [string, Obeys] => [word, isFine]),
]);

/**
 * Whether a value surely fits a plain schema. False if it does not, and if only Ajv can say: most values fit, and then
 * a run need not load Ajv, which takes longer than all else of a run with one trial.
 */
export function surelyFits(schema: unknown, value: unknown): boolean {
  if (!isRecord(schema)) return schema === true;
  return Object.entries(schema).every(([keyword, rule]) => KEYWORDS.get(keyword)?.(value, rule, schema) ?? false);
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isRecord(value);
  if (type === 'integer') return Number.isInteger(value);
  return type === 'number' ? Number.isFinite(value) : typeof value === type;
}
