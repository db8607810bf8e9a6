import { z } from 'zod';
import { isRecord } from '../../text/json/is-record.ts';
import { ASSERTION_SCHEMAS, shorthandSchema } from './assertion-schema.ts';
import { allAssertionTypes } from './assertion-types.ts';
import { criteriaSchema, rubricSchema } from './criterion-schema.ts';
import { projectSchema } from './project-schema.ts';
import { promptsSchema, scenarioFieldsSchema, writtenDataSchema } from './scenario-schema.ts';
import { someText } from './shared-fields.ts';

export type JsonSchemaDocument = Record<string, unknown>;

const OF_ROW = 'Assertions of this row alone, after those of the scenario.';

/** The JSON Schema of scenario files for editors, from the same schemas that `salvo validate` uses. */
export function scenarioJsonSchema(): JsonSchemaDocument {
  const { description } = scenarioFieldsSchema.shape.assertions;
  const assertion = z.union([...allAssertionTypes().values(), shorthandSchema, judgeSentenceSchema()]);
  const schema = scenarioFieldsSchema.extend({
    data: z
      .union([someText, z.array(z.looseObject({ assertions: z.array(assertion).optional().describe(OF_ROW) })).min(1)])
      .optional()
      .describe(writtenDataSchema.description ?? ''),
    prompts: promptsSchema.optional(),
    assertions: z
      .array(assertion)
      .default([])
      .describe(description ?? ''),
  });
  const { properties, ...rest } = editorSchema(schema, 'Salvo scenario');
  if (!isRecord(properties)) return { ...rest, properties };
  const templated = ['messages', 'tools', 'script', 'assertions'];
  const open = Object.entries(properties).map(([key, value]) => [
    key,
    templated.includes(key) && isRecord(value) ? withTemplates(value) : value,
  ]);
  return { ...rest, properties: Object.fromEntries(open) };
}

/** `{judge: The answer is polite.}`, which `expandJudgeSentence` makes longer. */
function judgeSentenceSchema() {
  return ASSERTION_SCHEMAS.judge
    .omit({ type: true, criteria: true, rubric: true })
    .extend({ judge: someText.describe('A sentence that is true of a good answer: the only criterion of the judge.') })
    .meta({ title: 'judge in one sentence' });
}

const TEMPLATE = { type: 'string', pattern: '^\\{\\{[^{}]+\\}\\}$', title: 'Template' };

/** The same JSON Schema, but a number or a boolean may also be `{{column}}`. */
function withTemplates(schema: JsonSchemaDocument): JsonSchemaDocument {
  const inner = mapValues(schema, (value) => {
    if (Array.isArray(value)) return value.map((part) => (isRecord(part) ? withTemplates(part) : part));
    return isRecord(value) ? withTemplates(value) : value;
  });
  return inner.type === 'number' || inner.type === 'integer' || inner.type === 'boolean' ? or(inner, TEMPLATE) : inner;
}

/** The description and the default belong to the key, not to one of its forms. */
function or({ description, default: defaultValue, ...schema }: JsonSchemaDocument, other: object): JsonSchemaDocument {
  return {
    ...(description === undefined ? {} : { description }),
    ...(defaultValue === undefined ? {} : { default: defaultValue }),
    anyOf: [schema, other],
  };
}

/** The JSON Schema of salvo.yaml. */
export function projectJsonSchema(): JsonSchemaDocument {
  return editorSchema(projectSchema, 'Salvo project (salvo.yaml)');
}

/** The JSON Schema of a rubric file. */
export function rubricJsonSchema(): JsonSchemaDocument {
  return editorSchema(z.union([rubricSchema(), criteriaSchema()]), 'Salvo rubric');
}

/** Draft-07, which yaml-language-server (used by most editors) supports best. */
export function editorSchema(schema: z.ZodType, title: string): JsonSchemaDocument {
  const { $schema, title: _, ...rest } = jsonFileSchema(schema, title);
  return { $schema, title, ...withIncludes(rest) };
}

/** The JSON Schema of a file that cannot include others. */
export function jsonFileSchema(schema: z.ZodType, title: string): JsonSchemaDocument {
  const { $schema, ...rest } = z.toJSONSchema(schema, { target: 'draft-7', io: 'input', unrepresentable: 'any' });
  return { $schema, title, ...rest };
}

/** An editor sees `!include tools.yaml` as the string `tools.yaml`. The pattern asks for a file name, to catch typos. */
const INCLUDE = {
  type: 'string',
  pattern: '\\.[A-Za-z][A-Za-z0-9]*$',
  title: 'Included file',
  description: '`!include file`: the value is in another file, whose path is relative to this file.',
};

/** The same JSON Schema, but below the root `!include file` is allowed for every map and list. */
function withIncludes(schema: JsonSchemaDocument): JsonSchemaDocument {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === 'properties' && isRecord(value)) return [keyword, mapValues(value, includable)];
      if (keyword === 'items' || keyword === 'additionalProperties') return [keyword, includable(value)];
      if (['anyOf', 'oneOf', 'allOf'].includes(keyword) && Array.isArray(value)) {
        return [keyword, value.map((option) => (isRecord(option) ? withIncludes(option) : option))];
      }
      return [keyword, value];
    }),
  );
}

function includable(schema: unknown): unknown {
  if (!isRecord(schema)) return schema;
  const inner = withIncludes(schema);
  if (!isCollection(schema)) return inner;
  return Array.isArray(inner.anyOf) ? { ...inner, anyOf: [...inner.anyOf, INCLUDE] } : or(inner, INCLUDE);
}

/** Whether a map or a list is required. Where a string is allowed, a file name is allowed already. */
function isCollection(schema: JsonSchemaDocument): boolean {
  const options = flatOptions(schema);
  return options.some(({ type }) => type === 'object' || type === 'array') && !options.some(isText);
}

function flatOptions(schema: JsonSchemaDocument): JsonSchemaDocument[] {
  const options = schema.anyOf ?? schema.oneOf;
  return Array.isArray(options) ? options.filter(isRecord).flatMap(flatOptions) : [schema];
}

function isText({ type }: JsonSchemaDocument): boolean {
  return type === 'string' || type === undefined || (Array.isArray(type) && type.includes('string'));
}

function mapValues(map: JsonSchemaDocument, change: (value: unknown) => unknown): JsonSchemaDocument {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}
