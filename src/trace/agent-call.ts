import { sameTool } from './tool-name.ts';

interface CallLike {
  name: string;
  arguments: Record<string, unknown>;
}

/**
 * Whether a call is answered by another agent, whose own calls are hidden. Salvo knows it if the scenario says so
 * (`agent: true`), if the call names a sub-agent, as in the Claude Agent SDK and in LangChain's deep agents, or if it has
 * the name that Mastra gives to agents of agents.
 */
export function isAgentCall(
  call: CallLike,
  tools: readonly { name: string; agent?: boolean | undefined }[] = [],
): boolean {
  if (tools.some(({ name, agent }) => agent && sameTool(name, call.name))) return true;
  if (typeof call.arguments.subagent_type === 'string') return true;
  return call.name.startsWith('agent-') && typeof call.arguments.prompt === 'string';
}
