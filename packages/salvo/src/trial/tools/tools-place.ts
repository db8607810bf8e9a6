import type { Scenario } from '../../scenario/schema/scenario-schema.ts';
import type { Tool } from '../../scenario/schema/tool-schema.ts';
import type { ToolCassette } from './cassette/tool-cassette.ts';

/** The cassette of a tool of the scenario in `file`; null if the tool is called as it is. */
export type ToolCassetteOf = (tool: Tool, file: string) => ToolCassette | null;

/** What the tools of a scenario are called with. */
export interface LiveTools {
  /** The folder of the project, in which packages are looked for. */
  root: string;
  env: Record<string, string | undefined>;
  cassetteOf?: ToolCassetteOf | undefined;
}

/** Where the tools of a scenario are loaded. */
export interface ToolsPlace {
  scenario: Scenario;
  /** The scenario's. Absolute. */
  file: string;
  /** Missing if no agent runs: stored calls are only played into a state, and what has none is not called. */
  live?: LiveTools | undefined;
}
