export { queryFor, toolsFor } from './sdks/claude-agent.ts';
