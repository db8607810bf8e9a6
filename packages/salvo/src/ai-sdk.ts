export { agentFor, toolsFor } from './sdks/ai-sdk.ts';
export type { ToolTask } from './sdks/mocked-tools.ts';
