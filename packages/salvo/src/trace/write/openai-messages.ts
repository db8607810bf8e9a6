import { isRecord } from '../../text/json/is-record.ts';
import type { AssistantMessage, Message, MessageFile } from '../message.ts';
import { contentParts, isImage, nameOfFile, resultText, urlOfFile } from './file-parts.ts';

/** A message of OpenAI's chat completions. */
export type OpenAiMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string | OpenAiPart[] }
  | { role: 'assistant'; content: string | null; tool_calls?: OpenAiToolCall[] }
  | { role: 'tool'; tool_call_id: string; content: string };

type OpenAiPart =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string } }
  | { type: 'input_audio'; input_audio: { data: string; format: 'wav' | 'mp3' } }
  | { type: 'file'; file: { filename: string; file_data: string } };

interface OpenAiToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

export function openAiMessages(messages: readonly Message[]): OpenAiMessage[] {
  return messages.map(openAiMessage);
}

function openAiMessage(message: Message): OpenAiMessage {
  if (message.role === 'assistant') return assistantMessage(message);
  if (message.role === 'system') return { role: 'system', content: message.content };
  if (message.role === 'user') return { role: 'user', content: contentParts(message, OPENAI_PARTS) };
  return { role: 'tool', tool_call_id: message.tool_call_id, content: resultText(message) };
}

const OPENAI_PARTS = { text: (text: string): OpenAiPart => ({ type: 'text', text }), file: openAiFile };

/** Null for a file at an address, unless it is an image. */
export function openAiFile(file: MessageFile): OpenAiPart | null {
  if (isImage(file)) return { type: 'image_url', image_url: { url: urlOfFile(file) } };
  if (file.data === undefined) return null;
  const format = AUDIO_FORMATS.get(file.media_type);
  if (format) return { type: 'input_audio', input_audio: { data: file.data, format } };
  return { type: 'file', file: { filename: nameOfFile(file), file_data: urlOfFile(file) } };
}

const AUDIO_FORMATS = new Map<string, 'wav' | 'mp3'>([
  ['audio/wav', 'wav'],
  ['audio/mpeg', 'mp3'],
  ['audio/mp3', 'mp3'],
]);

/** What servers expect back beside text and calls: reasoning (DeepSeek, OpenRouter), signatures of calls (Gemini). */
function stateOf(given: unknown): { message: object; tool_calls: object[] } | undefined {
  const { message, tool_calls } = isRecord(given) && isRecord(given.openai) ? given.openai : {};
  if (!isRecord(message) || !Array.isArray(tool_calls) || !tool_calls.every(isRecord)) return undefined;
  return { message, tool_calls };
}

function assistantMessage({ content, tool_calls, provider_state }: AssistantMessage): OpenAiMessage {
  if (tool_calls.length === 0) return { role: 'assistant', content: content ?? '' };
  const state = stateOf(provider_state);
  return {
    role: 'assistant',
    content,
    tool_calls: tool_calls.map((call, index) => ({
      ...state?.tool_calls[index],
      id: call.id,
      type: 'function',
      function: { name: call.name, arguments: call.raw_arguments ?? JSON.stringify(call.arguments) },
    })),
    ...state?.message,
  };
}
