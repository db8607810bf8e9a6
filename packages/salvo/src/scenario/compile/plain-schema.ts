import { isRecord } from '../../text/json/is-record.ts';

type Test = (value: unknown) => boolean;

const isText: Test = (value) => typeof value === 'string';
const isTexts: Test = (value) => Array.isArray(value) && value.every(isText) && new Set(value).size === value.length;
const isNumber: Test = (value) => Number.isFinite(value);
const isCount: Test = (value) => Number.isInteger(value) && Number(value) >= 0;
const isFlag: Test = (value) => typeof value === 'boolean';
const isSchema: Test = (value) => typeof value === 'boolean' || isPlainSchema(value);
const isSchemas: Test = (value) => Array.isArray(value) && value.length > 0 && value.every(isSchema);
const isSchemaMap: Test = (value) => isRecord(value) && Object.values(value).every(isSchema);
const isValues: Test = (value) =>
  Array.isArray(value) && value.length > 0 && new Set(value.map((each) => JSON.stringify(each))).size === value.length;
const isAnything: Test = () => true;

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);
const isType: Test = (value) => typeof value === 'string' && TYPES.has(value);

const KEYWORDS: ReadonlyMap<string, Test> = new Map([
  [
    'type',
    (value) => isType(value) || (isTexts(value) && Array.isArray(value) && value.length > 0 && value.every(isType)),
  ],
  ['properties', isSchemaMap],
  ['required', isTexts],
  ['enum', isValues],
  ['examples', Array.isArray],
  ['uniqueItems', isFlag],
  ...eachOf(['additionalProperties', 'items', 'not'], isSchema),
  ...eachOf(['anyOf', 'oneOf', 'allOf'], isSchemas),
  ...eachOf(['title', 'description', 'format'], isText),
  ...eachOf(['const', 'default'], isAnything),
  ...eachOf(['minLength', 'maxLength', 'minItems', 'maxItems'], isCount),
  ...eachOf(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'], isNumber),
]);

function eachOf<T>(keywords: string[], entry: T): [string, T][] {
  return keywords.map((keyword) => [keyword, entry]);
}

/**
 * Whether a schema uses only common keywords, all with valid values, so that it is valid in every draft. Ajv need not
 * compile its metaschema then, which takes 53 ms (median of 5, Node 24) of the 350 ms of a run with one trial.
 */
export function isPlainSchema(schema: unknown): boolean {
  return isRecord(schema) && Object.entries(schema).every(([key, value]) => KEYWORDS.get(key)?.(value) ?? false);
}

/** Whether a value surely obeys a keyword, of which `rule` is the value. */
type Obeys = (value: unknown, rule: unknown, schema: Record<string, unknown>) => boolean;

const isFine: Obeys = () => true;
type Compare = (size: number, limit: number) => boolean;
const onTexts =
  (compare: Compare): Obeys =>
  (value, rule) =>
    typeof value !== 'string' || compare([...value].length, Number(rule));
const onLists =
  (compare: Compare): Obeys =>
  (value, rule) =>
    !Array.isArray(value) || compare(value.length, Number(rule));
const onNumbers =
  (compare: Compare): Obeys =>
  (value, rule) =>
    typeof value !== 'number' || compare(value, Number(rule));
const atLeast: Compare = (size, limit) => size >= limit;
const atMost: Compare = (size, limit) => size <= limit;

const DEMANDS: ReadonlyMap<string, Obeys> = new Map([
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
  ['minLength', onTexts(atLeast)],
  ['maxLength', onTexts(atMost)],
  ['minItems', onLists(atLeast)],
  ['maxItems', onLists(atMost)],
  ['minimum', onNumbers(atLeast)],
  ['maximum', onNumbers(atMost)],
  ['exclusiveMinimum', onNumbers((value, limit) => value > limit)],
  ['exclusiveMaximum', onNumbers((value, limit) => value < limit)],
  // These describe, and demand nothing.
  ...eachOf(['title', 'description', 'default', 'examples', 'format'], isFine),
]);

/**
 * Whether a value surely fits a plain schema. False if it does not, and if only Ajv can say: most values fit, and then
 * a run need not load Ajv, which takes longer than all else of a run with one trial.
 */
export function surelyFits(schema: unknown, value: unknown): boolean {
  if (!isRecord(schema)) return schema === true;
  return Object.entries(schema).every(([keyword, rule]) => DEMANDS.get(keyword)?.(value, rule, schema) ?? false);
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isRecord(value);
  if (type === 'integer') return Number.isInteger(value);
  return type === 'number' ? Number.isFinite(value) : typeof value === type;
}
