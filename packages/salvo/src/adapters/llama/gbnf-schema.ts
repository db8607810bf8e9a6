import { isRecord } from '../../text/json/is-record.ts';

type Schema = Record<string, unknown>;

/**
 * Reduces a JSON Schema to the subset from which node-llama-cpp creates grammars. A grammar always writes every
 * property, so an optional one may be null: `withoutNulls` removes it afterwards.
 */
export function gbnfSchema(schema: Schema): Schema {
  const definitions = schemaDefinitions(schema);
  const converted = convert(schema);
  return Object.keys(definitions).length === 0
    ? converted
    : {
        ...converted,
        $defs: Object.fromEntries(Object.entries(definitions).map(([name, value]) => [name, convert(value)])),
      };
}

/** Removes the nulls of properties that the model left out. */
export function withoutNulls(value: unknown, schema: unknown, root: Schema = isRecord(schema) ? schema : {}): unknown {
  const resolved = resolve(schema, root);
  if (Array.isArray(value)) return value.map((item) => withoutNulls(item, resolved.items, root));
  if (!isRecord(value)) return value;
  const properties = isRecord(resolved.properties) ? resolved.properties : {};
  const kept = Object.entries(value).filter(
    ([name, item]) =>
      item !== null ||
      !(name in properties) ||
      isRequired(resolved, name) ||
      allowsNull(resolve(properties[name], root)),
  );
  return Object.fromEntries(kept.map(([name, item]) => [name, withoutNulls(item, properties[name], root)]));
}

const PRIMITIVES: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'null']);
const STRING_FORMATS: ReadonlySet<unknown> = new Set(['date-time', 'time', 'date']);
const ANY: Schema = {
  oneOf: [
    { type: ['string', 'number', 'boolean', 'null'] },
    { type: 'object', additionalProperties: true },
    { type: 'array' },
  ],
};

function convert(schema: unknown): Schema {
  if (!isRecord(schema)) return ANY;
  const result = convertType(schema);
  return typeof schema.description === 'string' ? { ...result, description: schema.description } : result;
}

function convertType(schema: Schema): Schema {
  if (typeof schema.$ref === 'string') return convertReference(schema.$ref);
  if ('const' in schema && isPrimitive(schema.const)) return { const: schema.const };
  const choices = Array.isArray(schema.enum) ? schema.enum.filter(isPrimitive) : [];
  if (choices.length > 0) return { enum: choices };
  const alternatives = [schema.oneOf, schema.anyOf].find(Array.isArray);
  if (alternatives) return { oneOf: alternatives.map(convert) };
  if (Array.isArray(schema.allOf)) return convertType(merge(schema));
  const types = [schema.type ?? impliedType(schema)].flat();
  if (types.length > 1) return { oneOf: types.map((type) => convertType({ ...schema, type })) };
  if (types[0] === 'object') return convertObject(schema);
  if (types[0] === 'array') return convertArray(schema);
  if (types[0] === 'string') return convertString(schema);
  return PRIMITIVES.has(types[0]) ? { type: types[0] } : ANY;
}

function convertObject({ properties, required, additionalProperties, minProperties, maxProperties }: Schema): Schema {
  const names = isRecord(properties) ? Object.entries(properties) : [];
  const open = !isRecord(properties) && additionalProperties !== false;
  return {
    type: 'object',
    properties: Object.fromEntries(
      names.map(([name, property]) => {
        const converted = convert(property);
        if (isRequired({ required }, name)) return [name, converted];
        const { description } = converted;
        return [name, { oneOf: [converted, { type: 'null' }], ...(description !== undefined && { description }) }];
      }),
    ),
    ...(isRecord(additionalProperties) && { additionalProperties: convert(additionalProperties) }),
    ...((additionalProperties === true || open) && { additionalProperties: true }),
    ...onlyNumbers({ minProperties, maxProperties }),
  };
}

function convertArray({ items, prefixItems, minItems, maxItems }: Schema): Schema {
  return {
    type: 'array',
    ...(items !== undefined && { items: convert(items) }),
    ...(Array.isArray(prefixItems) && { prefixItems: prefixItems.map(convert) }),
    ...onlyNumbers({ minItems, maxItems }),
  };
}

function convertString({ format, minLength, maxLength }: Schema): Schema {
  return STRING_FORMATS.has(format)
    ? { type: 'string', format }
    : { type: 'string', ...onlyNumbers({ minLength, maxLength }) };
}

function convertReference(reference: string): Schema {
  const name = /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(reference)?.[1];
  return name === undefined ? ANY : { $ref: `#/$defs/${name}` };
}

/** Merges `allOf`, which is only possible for objects. */
function merge({ allOf, ...schema }: Schema): Schema {
  const parts = [schema, ...[allOf].flat().filter(isRecord)];
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map(({ properties }) => (isRecord(properties) ? properties : {}))),
    required: parts.flatMap(({ required }) => (Array.isArray(required) ? required : [])),
  };
}

function impliedType({ properties, items }: Schema): string | undefined {
  if (isRecord(properties)) return 'object';
  return items === undefined ? undefined : 'array';
}

function isRequired({ required }: Schema, name: string): boolean {
  return Array.isArray(required) && required.includes(name);
}

function allowsNull(schema: Schema): boolean {
  if ([schema.type].flat().includes('null') || schema.const === null) return true;
  if (Array.isArray(schema.enum)) return schema.enum.includes(null);
  return [schema.oneOf, schema.anyOf].some(
    (list) => Array.isArray(list) && list.some((item) => isRecord(item) && allowsNull(item)),
  );
}

function resolve(schema: unknown, root: Schema): Schema {
  if (!isRecord(schema)) return {};
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
  if (name === undefined) return Array.isArray(schema.allOf) ? merge(schema) : schema;
  const found = schemaDefinitions(root)[name];
  return isRecord(found) ? found : {};
}

function schemaDefinitions({ $defs, definitions }: Schema): Record<string, unknown> {
  return { ...(isRecord(definitions) && definitions), ...(isRecord($defs) && $defs) };
}

function onlyNumbers(values: Record<string, unknown>): Schema {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value === 'number'));
}

function isPrimitive(value: unknown): boolean {
  return value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
