import type { Message } from '../../trace/message.ts';
import type { AdapterConfig, ToolDefinition } from '../adapter.ts';

/** What a whole agent outside this process is sent, as JSON: the same for a command and for a URL. */
export function agentRequestJson(messages: Message[], tools: ToolDefinition[], config: AdapterConfig): string {
  const { model, temperature, max_tokens, seed, extras, conversation } = config;
  return JSON.stringify({
    messages,
    tools,
    config: { model, temperature, max_tokens, seed, extras, conversation },
  });
}
