import { dirname, resolve } from 'node:path';
import type { ToolFunction } from '../../scenario/code/scenario-definition.ts';
import { isZodSchema, jsonSchemaOf } from '../../scenario/code/split-functions.ts';
import { compileJsonSchema } from '../../scenario/compile/json-schema.ts';
import { effectSchema, type Tool } from '../../scenario/schema/tool-schema.ts';
import { errorMessage, SalvoError } from '../../text/errors/salvo-error.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { importFunction } from '../../text/modules/import-function.ts';
import type { LoadedTool } from './loaded-tool.ts';
import { callFunction } from './tool-mocks.ts';
import type { ToolSource } from './tool-source.ts';

/** A tool whose calls a function of the project's code answers. `file` is the scenario's. */
export async function moduleTool(tool: Tool & { module: string }, file: string): Promise<LoadedTool> {
  const module = resolve(dirname(file), tool.module);
  const respond = await importFunction<ToolFunction>(module, tool.function ?? tool.name);
  return { name: tool.name, ...describedTool(tool, respond, module), source: functionSource(respond) };
}

function functionSource(respond: ToolFunction): ToolSource {
  return {
    usesState: true,
    start: (context) => ({
      answer: (call, signal) => callFunction(respond, call, { ...context, signal }, 'tool_failed'),
    }),
  };
}

/** What the scenario says about a tool, and where it says nothing, what properties of the function or a recording say. */
export function describedTool(tool: Tool, respond: object, module: string): Omit<LoadedTool, 'name' | 'source'> {
  const own: Record<string, unknown> = { ...respond };
  const effect = tool.effect ?? effectSchema.safeParse(own.effect).data;
  const description =
    tool.description === '' && typeof own.description === 'string' ? own.description : tool.description;
  const parameters = hasNoParameters(tool) ? parametersOf(own.parameters, { tool, module }) : tool.parameters;
  return { description, parameters, ...(effect && { effect }) };
}

/** As the schema fills them in. */
function hasNoParameters({ parameters }: Tool): boolean {
  return JSON.stringify(parameters) === '{"type":"object","properties":{}}';
}

function parametersOf(own: unknown, { tool, module }: { tool: Tool; module: string }): Tool['parameters'] {
  if (!isRecord(own)) return tool.parameters;
  try {
    const schema = isZodSchema(own) ? jsonSchemaOf(own) : own;
    compileJsonSchema(schema);
    return schema;
  } catch (cause) {
    const message = `${module}: the parameters of the tool "${tool.name}" are no JSON Schema: ${errorMessage(cause)}`;
    throw new SalvoError('JSON_SCHEMA_INVALID', message, { cause });
  }
}
