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

/** What stands between the name of a server and that of its tool: `mcp__shop__lookup_order`, `shop.lookup_order`. */
const SEPARATORS = ['__', '.', ':', '/'];

/** Whether two names mean the same tool: SDKs put the name of a server before that of its tool. */
export function sameTool(one: string, other: string): boolean {
  if (one === other) return true;
  const [long, short] = one.length > other.length ? [one, other] : [other, one];
  return short !== '' && SEPARATORS.some((separator) => long.endsWith(`${separator}${short}`));
}
