export { agentFor, toolsFor } from './sdks/ai-sdk.ts';
