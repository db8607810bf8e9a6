import type { ToolDefinition } from '../../adapters/adapter.ts';
import type { Effect } from '../../scenario/schema/tool-schema.ts';
import type { ToolSource } from './tool-source.ts';

/** A tool that is not mocked: what a function of a module or a server says about it, and what answers its calls. */
export interface LoadedTool extends ToolDefinition {
  effect?: Effect | undefined;
  /** Stands for the tools of a server that could not list them. */
  isUnlisted?: boolean | undefined;
  /** What answers its calls checks their arguments itself. */
  checksArguments?: boolean | undefined;
  /** Several tools may have the same source: it is started once for each trial. */
  source: ToolSource;
}

/** By the position in the scenario's `tools`. An entry may stand for several tools, such as those of a server. */
export type LoadedTools = ReadonlyMap<number, readonly LoadedTool[]>;
