import type { Message } from '../message.ts';

/** An entry of Gemini's `contents`. The system prompt is `systemInstruction` in the request's `config`. */
export interface GeminiContent {
  role: 'user' | 'model';
  parts: GeminiPart[];
}

type GeminiPart =
  | { text: string }
  | { functionCall: { id: string; name: string; args: Record<string, unknown> } }
  | { functionResponse: { id: string; name: string; response: { output: string } | { error: string } } };

/** Parts of one side that follow each other are one entry: Gemini wants all results of a turn together. */
export function geminiContents(messages: readonly Message[]): GeminiContent[] {
  const contents: GeminiContent[] = [];
  for (const message of messages) {
    if (message.role === 'system') continue;
    const role = message.role === 'assistant' ? 'model' : 'user';
    const parts = partsOf(message);
    const last = contents.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else if (parts.length > 0) contents.push({ role, parts });
  }
  return contents;
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
