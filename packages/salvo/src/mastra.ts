export { agentFor, toolsFor } from './sdks/mastra.ts';
