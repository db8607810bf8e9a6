export type { ToolTask } from './sdks/mocked-tools.ts';
export { type AnyAgent, type AnyTool, agentFor, toolsFor } from './sdks/openai-agents.ts';
