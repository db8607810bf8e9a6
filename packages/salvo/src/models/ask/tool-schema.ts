import type { ToolDefinition } from '../../adapters/adapter.ts';

/** The JSON Schema of an object with these properties and no others; all are required, unless `required` names fewer. */
export function closedObject(
  properties: Readonly<Record<string, object>>,
  required: readonly string[] = Object.keys(properties),
): Record<string, unknown> {
  return { type: 'object', properties, required, additionalProperties: false };
}

/** A tool that a model calls with a list of objects. */
export function listTool(tool: {
  name: string;
  description: string;
  /** The name of the list. */
  list: string;
  items: ReturnType<typeof closedObject>;
}): ToolDefinition {
  const { name, description, list, items } = tool;
  return { name, description, parameters: closedObject({ [list]: { type: 'array', items } }) };
}

/** The parameters of a tool that takes lists of records. All fields are required: models do better when asked for all. */
export function listParameters(lists: Record<string, Record<string, object>>): ToolDefinition['parameters'] {
  const properties = Object.entries(lists).map(([name, fields]) => [
    name,
    { type: 'array', items: closedObject(fields) },
  ]);
  return closedObject(Object.fromEntries(properties));
}

/** A field that is a text. */
export function textField(description: string) {
  return { type: 'string', description };
}
