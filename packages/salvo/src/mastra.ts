export { type AnyAgent, agentFor, toolsFor } from './sdks/mastra.ts';
export type { ToolTask } from './sdks/mocked-tools.ts';
