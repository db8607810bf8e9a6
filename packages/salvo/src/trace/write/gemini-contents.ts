import type { Message } from '../message.ts';
import { turnsOfSides } from './turns-of-sides.ts';

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
  return turnsOfSides(messages, partsOf).map(({ isAgent, parts }) => ({ role: isAgent ? 'model' : 'user', parts }));
}

function partsOf(message: Exclude<Message, { role: 'system' }>): GeminiPart[] {
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
