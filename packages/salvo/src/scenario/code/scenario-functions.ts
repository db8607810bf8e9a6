import type { Tool } from '../schema/tool-schema.ts';
import type {
  AgentOfScenario,
  CheckFunction,
  HookResults,
  ScenarioHooks,
  ToolFunction,
} from './scenario-definition.ts';

/** The functions of a scenario in code. Its document has their hashes. */
export interface ScenarioFunctions {
  agent: AgentOfScenario | null;
  /** By the position of the tool, and of the mock in `mock_responses`; -1 for `mock_response`. */
  mocks: ReadonlyMap<number, ReadonlyMap<number, ToolFunction>>;
  /** By the id of the assertion. */
  checks: ReadonlyMap<string, CheckFunction>;
  hooks: ScenarioHooks;
}

/** The name of the adapter of a scenario whose agent is a function. */
export const AGENT = 'agent';

/** What functions receive where no hook has run. */
export const NO_HOOKS: Readonly<HookResults> = { run: undefined, scenario: undefined, trial: undefined };

/** The mocks with their functions. Checks and templates keep the order of tools and mocks. */
export function withMockFunctions(tools: readonly Tool[], { mocks }: Pick<ScenarioFunctions, 'mocks'>): Tool[] {
  return tools.map((tool, index) => {
    const own = mocks.get(index);
    if (!own || own.size === 0) return tool;
    const single = own.get(-1);
    return {
      ...tool,
      ...(single && { mock_response: single }),
      ...(tool.mock_responses && {
        mock_responses: tool.mock_responses.map((mock, position) => {
          const respond = own.get(position);
          return respond ? { ...mock, respond } : mock;
        }),
      }),
    };
  });
}
