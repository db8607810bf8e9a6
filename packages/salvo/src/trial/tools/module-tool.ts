import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import type { ToolFunction } from '../../scenario/code/scenario-definition.ts';
import { type Effect, effectSchema, type Tool } from '../../scenario/schema/tool-schema.ts';
import { importFunction } from '../../text/modules/import-function.ts';
import type { LoadedTool } from './scenario-tools.ts';
import { callFunction } from './tool-mocks.ts';
import type { ToolSource } from './tool-source.ts';

/** A tool whose calls a function of the project's code answers. `file` is the scenario's. */
export async function moduleTool(tool: Tool & { module: string }, file: string): Promise<LoadedTool> {
  const respond = await importFunction<ToolFunction>(resolve(dirname(file), tool.module), tool.function ?? tool.name);
  return { name: tool.name, ...describedTool(tool, respond), source: functionSource(respond) };
}

function functionSource(respond: ToolFunction): ToolSource {
  return {
    usesState: true,
    start: (context) => ({ answer: (call, signal) => callFunction(respond, call, { ...context, signal }) }),
  };
}

const ownFieldsSchema = z.object({
  description: z.string().optional().catch(undefined),
  parameters: z.record(z.string(), z.unknown()).optional().catch(undefined),
  effect: effectSchema.optional().catch(undefined),
});

/** What the scenario says about a tool, and where it says nothing, what properties of the function say. */
function describedTool(tool: Tool, respond: ToolFunction): Omit<LoadedTool, 'name' | 'source'> {
  const own = ownFieldsSchema.parse({ ...respond });
  const effect: Effect | undefined = tool.effect ?? own.effect;
  return {
    description: tool.description === '' ? (own.description ?? '') : tool.description,
    parameters: hasNoParameters(tool) ? (own.parameters ?? tool.parameters) : tool.parameters,
    ...(effect && { effect }),
  };
}

/** As the schema fills them in. */
function hasNoParameters({ parameters }: Tool): boolean {
  return JSON.stringify(parameters) === '{"type":"object","properties":{}}';
}
