export { agentFor, toolsFor } from './sdks/openai-agents.ts';
