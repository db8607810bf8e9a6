import type { ToolDefinition } from '../adapters/adapter.ts';

/** The parameters of a tool that takes lists of records. All fields are required: models do better when asked for all. */
export function listParameters(lists: Record<string, Record<string, object>>): ToolDefinition['parameters'] {
  const properties = Object.entries(lists).map(([name, fields]) => [
    name,
    { type: 'array', items: strictObject(fields) },
  ]);
  return strictObject(Object.fromEntries(properties));
}

function strictObject(properties: Record<string, object>) {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** A field that is a text. */
export function textField(description: string) {
  return { type: 'string', description };
}
