export { type ClaudeQuery, type ClaudeTool, messagesOf, queryFor, toolsFor } from './sdks/claude-agent.ts';
