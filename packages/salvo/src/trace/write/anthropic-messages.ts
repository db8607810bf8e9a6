import { isRecord } from '../../text/json/is-record.ts';
import type { AssistantMessage, Message, MessageFile, ToolResultMessage } from '../message.ts';
import { contentParts, imageFormat, partsOfState, textOfFile } from './file-parts.ts';

/** A message of Anthropic's Messages API, in which the system prompt is a field of the request. */
export interface AnthropicMessage {
  role: 'user' | 'assistant';
  content: string | AnthropicBlock[];
}

type AnthropicBlock =
  | { type: 'text'; text: string }
  | { type: 'tool_use'; id: string; name: string; input: Record<string, unknown> }
  | AnthropicFile
  | {
      type: 'tool_result';
      tool_use_id: string;
      content?: string | (AnthropicFile | { type: 'text'; text: string })[];
      is_error?: true;
    };

type AnthropicFile =
  | { type: 'image'; source: Base64Source<`image/${'png' | 'jpeg' | 'gif' | 'webp'}`> | UrlSource }
  | {
      type: 'document';
      source: Base64Source<'application/pdf'> | UrlSource | { type: 'text'; media_type: 'text/plain'; data: string };
      title?: string;
    };

interface Base64Source<MediaType> {
  type: 'base64';
  media_type: MediaType;
  data: string;
}

interface UrlSource {
  type: 'url';
  url: string;
}

/** The results of parallel calls must be together in one message, right after the calls. */
export function anthropicMessages(messages: readonly Message[]): AnthropicMessage[] {
  const wire: AnthropicMessage[] = [];
  for (const message of messages) {
    if (message.role === 'user') {
      const content = contentParts(message, ANTHROPIC_PARTS);
      if (typeof content !== 'string' || hasText(content)) wire.push({ role: 'user', content });
    }
    if (message.role === 'assistant') {
      const content = assistantBlocks(message);
      if (content.length > 0) wire.push({ role: 'assistant', content });
    }
    if (message.role === 'tool_result') {
      const last = wire.at(-1);
      if (last?.role === 'user' && isResults(last.content)) last.content.push(toolResultBlock(message));
      else wire.push({ role: 'user', content: [toolResultBlock(message)] });
    }
  }
  return wire;
}

function assistantBlocks({ content, tool_calls, provider_state }: AssistantMessage): AnthropicBlock[] {
  const own = isRecord(provider_state) ? provider_state.anthropic : undefined;
  // Signed thinking must be sent back unchanged and in its place, so a turn that has some is kept whole.
  const state = partsOfState(isRecord(own) ? own.content : undefined);
  // The blocks came from this API in an earlier turn, and are not checked again.
  if (state)
    return state.filter((block) => block.type !== 'text' || hasText(block.text)) as unknown[] as AnthropicBlock[];
  return [
    ...(content !== null && hasText(content) ? [{ type: 'text' as const, text: content }] : []),
    ...tool_calls.map(({ id, name, arguments: input }) => {
      return { type: 'tool_use' as const, id: safeId(id), name, input };
    }),
  ];
}

/** A user message with files is a list of blocks, too. */
function isResults(content: AnthropicMessage['content']): content is AnthropicBlock[] {
  return typeof content !== 'string' && content[0]?.type === 'tool_result';
}

const ANTHROPIC_PARTS = {
  text: (text: string) => ({ type: 'text' as const, text }),
  file: anthropicFile,
};

/** Null for a file of a type that the API does not take. */
export function anthropicFile(file: MessageFile): AnthropicFile | null {
  const { data, url = '', name } = file;
  const address = data === undefined ? ({ type: 'url', url } as const) : null;
  const format = imageFormat(file);
  if (format !== null) {
    return { type: 'image', source: address ?? { type: 'base64', media_type: `image/${format}`, data: data ?? '' } };
  }
  const title = name === undefined ? {} : { title: name };
  if (file.media_type === 'application/pdf') {
    const source = address ?? { type: 'base64' as const, media_type: 'application/pdf' as const, data: data ?? '' };
    return { type: 'document', source, ...title };
  }
  const text = textOfFile(file);
  if (text === null) return null;
  return { type: 'document', source: { type: 'text', media_type: 'text/plain', data: text }, ...title };
}

function toolResultBlock(message: ToolResultMessage): AnthropicBlock {
  const { tool_call_id, is_error } = message;
  const content = contentParts(message, ANTHROPIC_PARTS);
  return {
    type: 'tool_result',
    tool_use_id: safeId(tool_call_id),
    ...(content !== '' && { content }),
    ...(is_error && { is_error }),
  };
}

/** Anthropic and Bedrock reject ids with other characters, which the earlier turns of a scenario may have. */
export function safeId(id: string): string {
  return id.replace(/[^A-Za-z0-9_-]/g, '_');
}

/** Anthropic and Bedrock reject text that is empty or only white space. */
export function hasText(text: unknown): boolean {
  return typeof text === 'string' && text.trim() !== '';
}
