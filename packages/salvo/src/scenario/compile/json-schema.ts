import type { ErrorObject, Options } from 'ajv';
import { errorMessage, SalvoError } from '../../text/errors/salvo-error.ts';
import { memoByWord, once, remembered } from '../../text/memo.ts';
import { requireDependency } from '../../text/modules/dependency.ts';
import { compilePattern } from '../../text/pattern.ts';
import { isPlainSchema, surelyFits } from './plain-schema.ts';

/** The problems of a value: one line each, with the position in the value. Empty when the value fits. */
export type JsonSchemaCheck = (value: unknown) => string[];

export class JsonSchemaError extends SalvoError {
  /** The position of the error in the schema; empty when it is not known. */
  readonly path: string[];

  constructor(reason: string, { path = [], cause }: { path?: string[]; cause?: unknown } = {}) {
    super('JSON_SCHEMA_INVALID', `The JSON Schema cannot be used: ${reason}.`, { cause });
    this.path = path;
  }
}

const MAX_PROBLEMS = 20;
const LONGEST_SHARED = 10_000;
const MOST_SHARED = 1000;
const compiled = new WeakMap<object, JsonSchemaCheck>();
/** A thousand scenarios often have the same tools: they share one check. */
const compiledText = memoByWord((text) => compile(JSON.parse(text)), LONGEST_SHARED, MOST_SHARED);

/**
 * Compiles a JSON Schema: draft 2020-12, or draft-07 if the schema says so or is only valid as draft-07. Equal schemas
 * are compiled once. Nothing is fetched: a `$ref` must stay within the schema. Patterns cannot hang.
 */
export function compileJsonSchema(schema: Record<string, unknown> | boolean): JsonSchemaCheck {
  if (typeof schema === 'boolean') return () => (schema ? [] : ['nothing is allowed here']);
  return remembered(compiled, schema, () => {
    const text = jsonText(schema);
    return text === null ? compile(schema) : compiledText(text);
  });
}

/** Null for an object of a user's module that is no JSON. */
function jsonText(schema: object): string | null {
  try {
    return JSON.stringify(schema);
  } catch {
    return null;
  }
}

const OPTIONS: Options = {
  strict: false,
  allErrors: true,
  // `compileAs` does this, and only for schemas that need it.
  validateSchema: false,
  // The schemas of two tools may have the same $id.
  addUsedSchema: false,
  // Formats are annotations unless a vocabulary says otherwise (2020-12, 7.2.1).
  validateFormats: false,
  logger: false,
  ownProperties: true,
  code: { regExp: Object.assign(patternFor, { code: 'compilePattern' }) },
};

/** Ajv identifies patterns by their string form. */
function patternFor(pattern: string) {
  return { test: compilePattern(pattern).test, toString: () => pattern };
}

function compile(schema: Record<string, unknown>): JsonSchemaCheck {
  if (!isPlainSchema(schema)) return compileInDialect(schema);
  const check = once(() => compileAs(modern(), schema));
  return (value) => (surelyFits(schema, value) ? [] : check()(value));
}

function compileInDialect(schema: Record<string, unknown>): JsonSchemaCheck {
  const dialect = typeof schema.$schema === 'string' ? schema.$schema : '';
  if (/draft-0[3-7]/.test(dialect)) return compileAs(draft7(), schema);
  try {
    return compileAs(modern(), schema);
  } catch (error) {
    // `items` as a list and `definitions` are common, and valid in draft-07.
    if (/2019-09|2020-12/.test(dialect)) throw error;
    try {
      return compileAs(draft7(), schema);
    } catch {
      throw error;
    }
  }
}

type Ajv = InstanceType<typeof import('ajv').Ajv>;

/** One instance per dialect, because each compiles a metaschema. */
const modern = once((): Ajv => {
  const { Ajv2020 }: typeof import('ajv/dist/2020.js') = requireDependency('ajv/dist/2020.js');
  return new Ajv2020(OPTIONS);
});
const draft7 = once((): Ajv => {
  const { Ajv }: typeof import('ajv') = requireDependency('ajv');
  return new Ajv(OPTIONS);
});

function compileAs(ajv: Ajv, schema: Record<string, unknown>): JsonSchemaCheck {
  // The dialect has been chosen already, and ajv rejects a $schema without a metaschema.
  const { $schema: _, ...rest } = schema;
  if (!isPlainSchema(rest) && !ajv.validateSchema(rest)) {
    const error = ajv.errors?.[0];
    throw new JsonSchemaError(error ? describe(error) : 'it is not a schema', {
      path: steps(error?.instancePath ?? ''),
    });
  }
  try {
    const validate = ajv.compile(rest);
    return (value) => {
      if (validate(value)) return [];
      return (validate.errors ?? []).slice(0, MAX_PROBLEMS).map(describe);
    };
  } catch (error) {
    const reason = errorMessage(error);
    const remote = /can't resolve reference (\S+)/.exec(reason)?.[1];
    throw new JsonSchemaError(
      remote ? `$ref "${remote}" is not within the schema, and nothing is fetched` : reason.replace(/\.$/, ''),
      { cause: error },
    );
  } finally {
    // Our own cache releases a schema with its scenario; ajv's cache would keep it. Not for a schema with an $id: it could
    // be the $id of a metaschema.
    if (rest.$id === undefined) ajv.removeSchema(rest);
  }
}

function describe(error: ErrorObject): string {
  const place = error.instancePath === '' ? '' : `${error.instancePath}: `;
  const { additionalProperty, unevaluatedProperty, allowedValues, allowedValue } = error.params;
  const extra = additionalProperty ?? unevaluatedProperty;
  if (typeof extra === 'string') return `${place}must not have the property "${extra}"`;
  if (Array.isArray(allowedValues)) {
    const values = allowedValues.map((value) => JSON.stringify(value)).join(', ');
    return `${place}must be one of ${values.slice(0, 300)}`;
  }
  if (error.keyword === 'const') return `${place}must be ${JSON.stringify(allowedValue)}`;
  return place + (error.message ?? `breaks "${error.keyword}"`);
}

function steps(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}
