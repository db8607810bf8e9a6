import type { Message, MessageFile } from '../message.ts';
import { hasText, safeId } from './anthropic-messages.ts';
import { fileParts, imageFormat, nameOfFile, resultText } from './file-parts.ts';

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
  | { inlineData: { mimeType: string; data: string } }
  | { fileData: { mimeType: string; fileUri: string } }
  | { functionCall: { id: string; name: string; args: Record<string, unknown> } }
  | { functionResponse: { id: string; name: string; response: { output: string } | { error: string } } };

export function geminiContents(messages: readonly Message[]): GeminiContent[] {
  return turnsOfSides(messages, geminiParts).map(({ isAgent, parts }) => ({ role: isAgent ? 'model' : 'user', parts }));
}

function geminiParts(message: SpokenMessage): GeminiPart[] {
  if (message.role === 'tool_result') {
    const { tool_call_id: id, name, is_error } = message;
    const content = resultText(message);
    return [{ functionResponse: { id, name, response: is_error ? { error: content } : { output: content } } }];
  }
  if (message.role === 'user' && message.files) return fileParts(message, GEMINI_PARTS);
  const text = message.content ? [{ text: message.content }] : [];
  if (message.role === 'user') return text;
  return [
    ...text,
    ...message.tool_calls.map(({ id, name, arguments: args }) => ({ functionCall: { id, name, args } })),
  ];
}

const GEMINI_PARTS = {
  text: (text: string) => ({ text }),
  file: ({ media_type: mimeType, data, url = '' }: MessageFile): GeminiPart =>
    data === undefined ? { fileData: { mimeType, fileUri: url } } : { inlineData: { mimeType, data } },
};

/** A message of Amazon Bedrock's Converse API, in which the system prompt is a field of the request. */
export interface BedrockMessage {
  role: 'user' | 'assistant';
  content: BedrockBlock[];
}

type BedrockBlock =
  | BedrockContent
  | { toolUse: { toolUseId: string; name: string; input: BedrockDocument } }
  | { toolResult: { toolUseId: string; content: BedrockContent[]; status: 'success' | 'error' } };

type BedrockContent =
  | { text: string }
  | { image: { format: 'png' | 'jpeg' | 'gif' | 'webp'; source: { bytes: Uint8Array } } }
  | { document: { format: DocumentFormat; name: string; source: { bytes: Uint8Array } } };

type DocumentFormat = 'pdf' | 'csv' | 'html' | 'md' | 'txt' | 'docx' | 'xlsx';

type BedrockDocument = null | boolean | number | string | BedrockDocument[] | { [key: string]: BedrockDocument };

export function bedrockMessages(messages: readonly Message[]): BedrockMessage[] {
  return turnsOfSides(messages, bedrockBlocks).map(({ isAgent, parts }) => {
    return { role: isAgent ? 'assistant' : 'user', content: parts };
  });
}

function bedrockBlocks(message: SpokenMessage): BedrockBlock[] {
  if (message.role === 'tool_result') {
    const { tool_call_id, content, files, is_error } = message;
    const status = is_error ? 'error' : 'success';
    const parts = files ? fileParts(message, BEDROCK_PARTS) : [{ text: content }];
    return [{ toolResult: { toolUseId: safeId(tool_call_id), content: parts, status } }];
  }
  if (message.role === 'user' && message.files) return fileParts(message, BEDROCK_PARTS);
  const text = message.content !== null && hasText(message.content) ? [{ text: message.content }] : [];
  if (message.role === 'user') return text;
  const calls = message.tool_calls.map(({ id, name, arguments: input }) => {
    // Arguments were read from JSON.
    return { toolUse: { toolUseId: safeId(id), name, input: input as BedrockDocument } };
  });
  return [...text, ...calls];
}

const DOCUMENT_FORMATS = new Map<string, DocumentFormat>([
  ['application/pdf', 'pdf'],
  ['text/csv', 'csv'],
  ['text/html', 'html'],
  ['text/markdown', 'md'],
  ['text/plain', 'txt'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
]);

const BEDROCK_PARTS = {
  text: (text: string): BedrockContent => ({ text }),
  file(file: MessageFile): BedrockContent | null {
    if (file.data === undefined) return null;
    const source = { bytes: new BedrockBytes(Buffer.from(file.data, 'base64')) };
    const image = imageFormat(file);
    if (image !== null) return { image: { format: image, source } };
    const format = DOCUMENT_FORMATS.get(file.media_type);
    // The API takes no other characters in a name, and no dots.
    const name = nameOfFile(file)
      .replaceAll(/[^A-Za-z0-9 ()[\]-]/g, '-')
      .slice(0, 100);
    return format === undefined ? null : { document: { format, name, source } };
  },
};

/** The SDK takes bytes. In JSON, for an agent outside of this process, they are base64, as in the API's own requests. */
class BedrockBytes extends Uint8Array {
  toJSON(): string {
    return Buffer.from(this).toString('base64');
  }
}
