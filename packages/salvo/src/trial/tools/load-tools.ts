import type { Tool } from '../../scenario/schema/tool-schema.ts';
import type { LoadedTool, LoadedTools } from './scenario-tools.ts';

/** Loads what answers the tools that are not mocked, once for all trials of a scenario. */
export async function loadTools(tools: readonly Tool[], { file }: { file: string }): Promise<LoadedTools> {
  const loaded = new Map<number, readonly LoadedTool[]>();
  for (const [index, tool] of tools.entries()) {
    const found = await loadTool(tool, file);
    if (found) loaded.set(index, found);
  }
  return loaded;
}

/** Null for a tool with mocks. */
async function loadTool(tool: Tool, file: string): Promise<LoadedTool[] | null> {
  if (tool.module === undefined) return null;
  const { moduleTool } = await import('./module-tool.ts');
  return [await moduleTool({ ...tool, module: tool.module }, file)];
}
