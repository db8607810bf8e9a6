export {
  type AnyTool,
  type ClaudeQuery,
  type ClaudeSession,
  type ClaudeTool,
  messagesOf,
  type QueryTask,
  queryFor,
  toolsFor,
} from './sdks/claude-agent.ts';
export type { ToolTask } from './sdks/mocked-tools.ts';
