import { isRecord } from '../../text/json/is-record.ts';

type Step = string | number;

/** Keywords whose value is a schema, a list of schemas, or a map of schemas. */
const SCHEMA = [
  ...['additionalItems', 'additionalProperties', 'contains', 'contentSchema', 'else', 'if', 'items', 'not'],
  ...['propertyNames', 'then', 'unevaluatedItems', 'unevaluatedProperties'],
];
const SCHEMA_LIST = ['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems'];
const SCHEMA_MAP = ['$defs', 'definitions', 'dependencies', 'dependentSchemas', 'patternProperties', 'properties'];

/** All keywords of JSON Schema from draft 4 to 2020-12, and those that OpenAPI and providers of models add. */
export const SCHEMA_KEYWORDS: ReadonlySet<string> = new Set([
  ...SCHEMA,
  ...SCHEMA_LIST,
  ...SCHEMA_MAP,
  ...['$anchor', '$comment', '$dynamicAnchor', '$dynamicRef', '$id', '$recursiveAnchor', '$recursiveRef', '$ref'],
  ...['$schema', '$vocabulary', 'const', 'contentEncoding', 'contentMediaType', 'default', 'dependentRequired'],
  ...['deprecated', 'description', 'enum', 'examples', 'exclusiveMaximum', 'exclusiveMinimum', 'format', 'id'],
  ...['maxContains', 'maxItems', 'maxLength', 'maxProperties', 'maximum', 'minContains', 'minItems', 'minLength'],
  ...['minProperties', 'minimum', 'multipleOf', 'pattern', 'readOnly', 'required', 'title', 'type', 'uniqueItems'],
  ...['writeOnly'],
  ...['discriminator', 'example', 'externalDocs', 'nullable', 'propertyOrdering', 'xml'],
]);

const MOST_FOUND = 20;
const DEEPEST = 100;

/** The keys of a schema that mean nothing, most likely typos: `requried` demands nothing. Those with `x-` are meant. */
export function unknownKeywords(schema: unknown): { path: Step[]; keyword: string }[] {
  const found: { path: Step[]; keyword: string }[] = [];
  visit(schema, []);
  return found;

  function visit(value: unknown, path: Step[]): void {
    if (!isRecord(value) || path.length > DEEPEST) return;
    for (const [keyword, inner] of Object.entries(value)) {
      const at = [...path, keyword];
      if (!SCHEMA_KEYWORDS.has(keyword)) {
        if (!keyword.startsWith('x-') && found.length < MOST_FOUND) found.push({ path: at, keyword });
        continue;
      }
      if (SCHEMA.includes(keyword)) visit(inner, at);
      if (SCHEMA_LIST.includes(keyword) && Array.isArray(inner)) {
        for (const [index, each] of inner.entries()) visit(each, [...at, index]);
      }
      if (SCHEMA_MAP.includes(keyword) && isRecord(inner)) {
        for (const [name, each] of Object.entries(inner)) visit(each, [...at, name]);
      }
    }
  }
}
