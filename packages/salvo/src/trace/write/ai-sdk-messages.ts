import { isRecord } from '../../text/json/is-record.ts';
import type { AssistantMessage, Message, MessageFile, ToolResultMessage } from '../message.ts';
import { contentParts, isImage, partsOfState, resultText } from './file-parts.ts';

/** A `ModelMessage` of the Vercel AI SDK since version 5, without the system prompt: version 7 takes it elsewhere. */
export type AiSdkMessage =
  | { role: 'user'; content: string | (AiSdkText | AiSdkFile)[] }
  | { role: 'assistant'; content: AiSdkAssistantPart[] }
  | { role: 'tool'; content: AiSdkToolResult[] };

interface AiSdkText {
  type: 'text';
  text: string;
}

/** `data` is base64, or an address. */
interface AiSdkFile {
  type: 'file';
  data: string;
  mediaType: string;
  filename?: string;
}

type AiSdkAssistantPart =
  | AiSdkText
  | { type: 'tool-call'; toolCallId: string; toolName: string; input: Record<string, unknown> };

interface AiSdkToolResult {
  type: 'tool-result';
  toolCallId: string;
  toolName: string;
  output: { type: 'text' | 'error-text'; value: string } | { type: 'content'; value: AiSdkOutputPart[] };
}

/** The names that versions 6 and 7 both know. */
type AiSdkOutputPart =
  | AiSdkText
  | { type: 'image-data' | 'file-data'; data: string; mediaType: string; filename?: string }
  | { type: 'image-url' | 'file-url'; url: string };

export function aiSdkMessages(messages: readonly Message[]): AiSdkMessage[] {
  const result: AiSdkMessage[] = [];
  for (const message of messages) {
    if (message.role === 'user') result.push({ role: 'user', content: contentParts(message, USER_PARTS) });
    if (message.role === 'assistant') result.push({ role: 'assistant', content: assistantParts(message) });
    if (message.role === 'tool_result') {
      const last = result.at(-1);
      // The results of one turn belong in one message.
      if (last?.role === 'tool') last.content.push(toolResultPart(message));
      else result.push({ role: 'tool', content: [toolResultPart(message)] });
    }
  }
  return result;
}

function assistantParts(message: AssistantMessage): AiSdkAssistantPart[] {
  const { provider_state } = message;
  const state = partsOfState(isRecord(provider_state) ? provider_state.ai_sdk : undefined);
  // They came from the SDK in an earlier turn, with more than text and tool calls, and are not checked again.
  if (state) return state as unknown[] as AiSdkAssistantPart[];
  const text = message.content ? [{ type: 'text' as const, text: message.content }] : [];
  // Malformed arguments are sent back as {}: several providers reject anything but an object.
  const calls = message.tool_calls.map(({ id, name, arguments: input }) => {
    return { type: 'tool-call' as const, toolCallId: id, toolName: name, input };
  });
  return [...text, ...calls];
}

const textPart = (text: string): AiSdkText => ({ type: 'text', text });

const USER_PARTS = {
  text: textPart,
  file: ({ data, url = '', media_type, name }: MessageFile): AiSdkFile => {
    return {
      type: 'file',
      data: data ?? url,
      mediaType: media_type,
      ...(name === undefined ? {} : { filename: name }),
    };
  },
};

const OUTPUT_PARTS = {
  text: textPart,
  file: (file: MessageFile): AiSdkOutputPart => {
    const { data, url = '', media_type: mediaType, name } = file;
    const kind = isImage(file) ? 'image' : 'file';
    if (data === undefined) return { type: `${kind}-url`, url };
    const filename = name === undefined || kind === 'image' ? {} : { filename: name };
    return { type: `${kind}-data`, data, mediaType, ...filename };
  },
};

function toolResultPart(message: ToolResultMessage): AiSdkToolResult {
  const content = message.is_error ? resultText(message) : contentParts(message, OUTPUT_PARTS);
  const output: AiSdkToolResult['output'] =
    typeof content === 'string'
      ? { type: message.is_error ? 'error-text' : 'text', value: content }
      : { type: 'content', value: content };
  return { type: 'tool-result', toolCallId: message.tool_call_id, toolName: message.name, output };
}
