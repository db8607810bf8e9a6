export { agentFor, toolsFor } from './sdks/langchain.ts';
export type { ToolTask } from './sdks/mocked-tools.ts';
