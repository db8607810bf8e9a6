/** Makes the model call this tool, in the format of its provider; empty for an unknown provider. */
export function formatToolChoice(providerName: string, toolName: string): Record<string, unknown> {
  const provider = providerName.toLowerCase();
  if (provider.includes('openai')) return openAiToolChoice(toolName);
  if (provider.includes('anthropic')) return { tool_choice: { type: 'tool', name: toolName } };
  return {};
}

/**
 * The `extras` of a request that must be answered by a tool call. Like `formatToolChoice`, but the model adapters that
 * translate a tool choice for their provider (llama and the AI SDK) get one as well. Whole agents get none.
 */
export function toolChoiceExtras(providerName: string, toolName: string): Record<string, unknown> {
  if (isWholeAgent(providerName)) return {};
  const known = formatToolChoice(providerName, toolName);
  return Object.keys(known).length > 0 ? known : openAiToolChoice(toolName);
}

/** Whether an adapter calls a program or a script, which sees only what it is told. */
export function isWholeAgent(providerName: string): boolean {
  return WHOLE_AGENTS.has(providerName);
}

const WHOLE_AGENTS: ReadonlySet<string> = new Set(['scripted', 'exec', 'http', 'a2a', 'ag-ui', 'module', 'function']);

function openAiToolChoice(name: string): Record<string, unknown> {
  return { tool_choice: { type: 'function', function: { name } } };
}
