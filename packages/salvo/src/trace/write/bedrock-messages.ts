import type { Message } from '../message.ts';
import { hasText, safeId } from './anthropic-messages.ts';
import { turnsOfSides } from './turns-of-sides.ts';

/** A message of Amazon Bedrock's Converse API, in which the system prompt is a field of the request. */
export interface BedrockMessage {
  role: 'user' | 'assistant';
  content: BedrockBlock[];
}

type BedrockBlock =
  | { text: string }
  | { toolUse: { toolUseId: string; name: string; input: BedrockDocument } }
  | { toolResult: { toolUseId: string; content: { text: string }[]; status: 'success' | 'error' } };

type BedrockDocument = null | boolean | number | string | BedrockDocument[] | { [key: string]: BedrockDocument };

export function bedrockMessages(messages: readonly Message[]): BedrockMessage[] {
  return turnsOfSides(messages, blocksOf).map(({ isAgent, parts }) => {
    return { role: isAgent ? 'assistant' : 'user', content: parts };
  });
}

function blocksOf(message: Exclude<Message, { role: 'system' }>): BedrockBlock[] {
  if (message.role === 'tool_result') {
    const { tool_call_id, content, is_error } = message;
    const status = is_error ? 'error' : 'success';
    return [{ toolResult: { toolUseId: safeId(tool_call_id), content: [{ text: content }], status } }];
  }
  const text = message.content !== null && hasText(message.content) ? [{ text: message.content }] : [];
  if (message.role === 'user') return text;
  const calls = message.tool_calls.map(({ id, name, arguments: input }) => {
    // Arguments were read from JSON.
    return { toolUse: { toolUseId: safeId(id), name, input: input as BedrockDocument } };
  });
  return [...text, ...calls];
}
