import { isRecord } from '../../text/json/is-record.ts';
import { isAdkEvent, readAdkEvent } from './adk-event.ts';
import { readChatMessage } from './chat-message.ts';
import { CLAUDE_MESSAGE_TYPES, type ClaudeResult, isClaudeMessage, readClaudeMessage } from './claude-agent.ts';
import type { Conversation } from './conversation.ts';
import { FormError, unknownType } from './form-error.ts';
import { readGeminiContent } from './gemini-content.ts';
import { isLangChainMessage, LANGCHAIN_TYPES, readLangChainMessage } from './langchain-message.ts';
import { isOtelMessage, readOtelMessage } from './otel-message.ts';
import { readPlainMessage } from './plain-message.ts';
import { isPydanticMessage, readPydanticMessage } from './pydantic-message.ts';
import { isResponsesItem, RESPONSES_ITEM_TYPES, readResponsesItem } from './responses-items.ts';
import { readUiMessage } from './ui-message.ts';

/** Reads a list of messages, each in whatever form it is. Returns what the list says about all of them, if anything. */
export function readMessages(messages: unknown, into: Conversation, place: string): ClaudeResult | undefined {
  if (!Array.isArray(messages)) throw new FormError(`${place}:`, 'Invalid input: expected array');
  let result: ClaudeResult | undefined;
  for (const [index, message] of messages.entries()) {
    result = readMessage(message, into, `${place}[${index}]`) ?? result;
  }
  return result;
}

/** Reads one message. This is the only place that tells the forms apart. */
export function readMessage(message: unknown, into: Conversation, place: string): ClaudeResult | undefined {
  if (!isRecord(message)) throw new FormError(`${place}:`, 'expected a message, which is an object');
  if (readPlainMessage(message, into)) return undefined;
  if (isClaudeMessage(message)) return readClaudeMessage(message, into, place);
  if (isLangChainMessage(message)) readLangChainMessage(message, into, place);
  else if (isPydanticMessage(message)) readPydanticMessage(message, into, place);
  else if (isAdkEvent(message)) readAdkEvent(message, into, place);
  else if ('role' in message && isRecord(message.content) && Array.isArray(message.content.parts)) {
    // As Mastra stores them.
    readUiMessage({ ...message, parts: message.content.parts }, into, place);
  }
  // Version 4 of the AI SDK has its text in `content` as well.
  else if (Array.isArray(message.parts) && (message.parts.length > 0 || !message.content)) {
    readerOfParts(message)(message, into, place);
  } else if (Array.isArray(message.toolInvocations))
    readUiMessage(withParts(message, message.toolInvocations), into, place);
  else if (isResponsesItem(message)) readResponsesItem(message, into, place);
  else if ('role' in message || 'content' in message) readChatMessage(message, into, place);
  else throw unknownType(place, message.type, [...RESPONSES_ITEM_TYPES, ...CLAUDE_MESSAGE_TYPES, ...LANGCHAIN_TYPES]);
  return undefined;
}

/** Three forms have `parts`: OpenTelemetry's, Gemini's, whose parts have no type, and the AI SDK's. */
function readerOfParts(message: Record<string, unknown>): typeof readUiMessage {
  if (isOtelMessage(message)) return readOtelMessage;
  const isTyped = Array.isArray(message.parts) && message.parts.some((part) => isRecord(part) && 'type' in part);
  return message.role === 'model' || !isTyped ? readGeminiContent : readUiMessage;
}

/** Before version 4.2 of the AI SDK, the tools of a `UIMessage` were beside its text. */
function withParts(message: Record<string, unknown>, invocations: readonly unknown[]): Record<string, unknown> {
  const tools = invocations.map((toolInvocation) => ({ type: 'tool-invocation', toolInvocation }));
  const texts = message.content ? [{ type: 'text', text: message.content }] : [];
  return { ...message, parts: [...tools, ...texts] };
}
