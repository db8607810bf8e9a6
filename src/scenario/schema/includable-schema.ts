import { isRecord } from '../../text/is-record.ts';

type JsonSchema = Record<string, unknown>;

/** An editor sees `!include tools.yaml` as the text `tools.yaml`. Something like a file name, so that slips still show. */
const INCLUDE = {
  type: 'string',
  pattern: '\\.[A-Za-z][A-Za-z0-9]*$',
  title: 'Included file',
  description: '`!include file`: the value stands in another file, named relative to this one.',
};

/** The same JSON Schema, but wherever a map or a list is wanted below the root, `!include file` will do, too. */
export function withIncludes(schema: JsonSchema): JsonSchema {
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
  if (Array.isArray(inner.anyOf)) return { ...inner, anyOf: [...inner.anyOf, INCLUDE] };
  // What is shown for the key stays with the key.
  const { description, default: usual, ...rest } = inner;
  return {
    ...(description === undefined ? {} : { description }),
    ...(usual === undefined ? {} : { default: usual }),
    anyOf: [rest, INCLUDE],
  };
}

/** Whether a map or a list is wanted; where a text fits, the name of a file does already. */
function isCollection(schema: JsonSchema): boolean {
  const options = optionsOf(schema);
  return options.some(({ type }) => type === 'object' || type === 'array') && !options.some(isText);
}

function optionsOf(schema: JsonSchema): JsonSchema[] {
  const options = schema.anyOf ?? schema.oneOf;
  return Array.isArray(options) ? options.filter(isRecord).flatMap(optionsOf) : [schema];
}

function isText({ type }: JsonSchema): boolean {
  return type === 'string' || type === undefined || (Array.isArray(type) && type.includes('string'));
}

function mapValues(map: JsonSchema, change: (value: unknown) => unknown): JsonSchema {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}
