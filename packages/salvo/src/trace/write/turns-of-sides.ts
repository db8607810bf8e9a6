import type { Message } from '../message.ts';
import { hasText, safeId } from './anthropic-messages.ts';

type SpokenMessage = Exclude<Message, { role: 'system' }>;

/**
 * The conversation in turns of the agent and of the other side, which has the results of tools, too. APIs in which both
 * sides must alternate want all parts of one side that follow each other together.
 */
function turnsOfSides<Part>(
  messages: readonly Message[],
  partsOf: (message: SpokenMessage) => Part[],
): { isAgent: boolean; parts: Part[] }[] {
  const turns: { isAgent: boolean; parts: Part[] }[] = [];
  for (const message of messages) {
    if (message.role === 'system') continue;
    const isAgent = message.role === 'assistant';
    const parts = partsOf(message);
    const last = turns.at(-1);
    if (last?.isAgent === isAgent) last.parts.push(...parts);
    else if (parts.length > 0) turns.push({ isAgent, parts });
  }
  return turns;
}

/** An entry of Gemini's `contents`. The system prompt is `systemInstruction` in the request's `config`. */
export interface GeminiContent {
  role: 'user' | 'model';
  parts: GeminiPart[];
}

type GeminiPart =
  | { text: string }
  | { functionCall: { id: string; name: string; args: Record<string, unknown> } }
  | { functionResponse: { id: string; name: string; response: { output: string } | { error: string } } };

export function geminiContents(messages: readonly Message[]): GeminiContent[] {
  return turnsOfSides(messages, geminiParts).map(({ isAgent, parts }) => ({ role: isAgent ? 'model' : 'user', parts }));
}

function geminiParts(message: SpokenMessage): GeminiPart[] {
  if (message.role === 'tool_result') {
    const { tool_call_id: id, name, content, is_error } = message;
    return [{ functionResponse: { id, name, response: is_error ? { error: content } : { output: content } } }];
  }
  const text = message.content ? [{ text: message.content }] : [];
  if (message.role === 'user') return text;
  return [
    ...text,
    ...message.tool_calls.map(({ id, name, arguments: args }) => ({ functionCall: { id, name, args } })),
  ];
}

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
  return turnsOfSides(messages, bedrockBlocks).map(({ isAgent, parts }) => {
    return { role: isAgent ? 'assistant' : 'user', content: parts };
  });
}

function bedrockBlocks(message: SpokenMessage): BedrockBlock[] {
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
