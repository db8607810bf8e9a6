import type { Message, MessageFile } from '../message.ts';
import { type AiSdkMessage, aiSdkMessages } from './ai-sdk-messages.ts';
import { type AnthropicMessage, anthropicMessages } from './anthropic-messages.ts';
import { contentParts, isImage, nameOfFile, resultText, urlOfFile } from './file-parts.ts';
import type { MessageForm } from './message-form.ts';
import { type OpenAiMessage, openAiMessages } from './openai-messages.ts';
import { type AgentsItem, agentsItems, type ResponsesItem, responsesItems } from './responses-items.ts';
import { type BedrockMessage, bedrockMessages, type GeminiContent, geminiContents } from './turns-of-sides.ts';

/** A message that LangChain and LangGraph make one of their own of, in JavaScript and in Python. */
type LangChainMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string | LangChainPart[] }
  | {
      role: 'assistant';
      content: string;
      tool_calls: { type: 'tool_call'; id: string; name: string; args: Record<string, unknown> }[];
    }
  | { role: 'tool'; content: string; tool_call_id: string; name: string; status: 'success' | 'error' };

/** With the field names that versions 0 and 1 both know. */
type LangChainPart =
  | { type: 'text'; text: string }
  | { type: 'image_url'; image_url: { url: string } }
  | { type: 'file'; source_type: 'url'; mime_type: string; url: string }
  | { type: 'file'; source_type: 'base64'; mime_type: string; data: string; metadata: { filename: string } };

const LANGCHAIN_PARTS = {
  text: (text: string) => ({ type: 'text' as const, text }),
  file: (file: MessageFile): LangChainPart => {
    const { data, url = '', media_type: mime_type } = file;
    if (isImage(file)) return { type: 'image_url', image_url: { url: urlOfFile(file) } };
    if (data === undefined) return { type: 'file', source_type: 'url', mime_type, url };
    return { type: 'file', source_type: 'base64', mime_type, data, metadata: { filename: nameOfFile(file) } };
  },
};

/** The messages of a conversation in the form of each SDK or API. */
export interface MessagesByForm {
  'ai-sdk': AiSdkMessage[];
  openai: OpenAiMessage[];
  responses: ResponsesItem[];
  'openai-agents': AgentsItem[];
  anthropic: AnthropicMessage[];
  langchain: LangChainMessage[];
  gemini: GeminiContent[];
  bedrock: BedrockMessage[];
}

const WRITERS: { [Form in MessageForm]: (messages: readonly Message[]) => MessagesByForm[Form] } = {
  'ai-sdk': aiSdkMessages,
  openai: openAiMessages,
  responses: responsesItems,
  'openai-agents': agentsItems,
  anthropic: anthropicMessages,
  langchain: (messages) => messages.map(langChainMessage),
  gemini: geminiContents,
  bedrock: bedrockMessages,
};

/** In these forms, system messages are no messages: the API has another place for them. */
const WITHOUT_SYSTEM: ReadonlySet<MessageForm> = new Set(['ai-sdk', 'anthropic', 'gemini', 'bedrock']);

/** A conversation as an SDK or an API wants it. */
export function messagesAs<Form extends MessageForm>(messages: readonly Message[], form: Form): MessagesByForm[Form] {
  return WRITERS[form](messages);
}

/** Whether `messagesAs` leaves out system messages in this form. */
export function leavesOutSystem(form: MessageForm): boolean {
  return WITHOUT_SYSTEM.has(form);
}

/** The texts of the system messages, joined; undefined if there are none. */
export function systemPrompt(messages: readonly Message[]): string | undefined {
  const texts = messages.flatMap((message) => (message.role === 'system' ? [message.content] : []));
  return texts.length > 0 ? texts.join('\n\n') : undefined;
}

function langChainMessage(message: Message): LangChainMessage {
  if (message.role === 'tool_result') {
    const { tool_call_id, name, is_error } = message;
    return { role: 'tool', content: resultText(message), tool_call_id, name, status: is_error ? 'error' : 'success' };
  }
  if (message.role === 'user') return { role: 'user', content: contentParts(message, LANGCHAIN_PARTS) };
  if (message.role === 'system') return { role: 'system', content: message.content };
  const calls = message.tool_calls.map(({ id, name, arguments: args }) => {
    return { type: 'tool_call' as const, id, name, args };
  });
  return { role: 'assistant', content: message.content ?? '', tool_calls: calls };
}
