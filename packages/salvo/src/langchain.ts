export { type AnyGraph, agentFor, toolsFor } from './sdks/langchain.ts';
export type { ToolTask } from './sdks/mocked-tools.ts';
