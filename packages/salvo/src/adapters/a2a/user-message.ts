import { randomUUID } from 'node:crypto';
import type { Message, MessageFile } from '../../trace/message.ts';
import type { A2aEndpoint } from './agent-card.ts';

/** What the next message of a conversation belongs to. */
export interface Thread {
  contextId: string | undefined;
  /** Set while the agent waits for an answer of the user. */
  taskId: string | undefined;
  /** The task that came before, if it is over. */
  earlierTaskId: string | undefined;
  /** How many messages of the conversation the agent was sent. */
  sent: number;
}

/**
 * The message of a turn. A2A sends one message of the user, and the agent remembers by `contextId` what was said. So the
 * message has what the agent does not know yet: the system prompt and the history of a scenario go before its text.
 */
export function userMessage(
  messages: readonly Message[],
  thread: Thread | undefined,
  version: A2aEndpoint['version'],
): Record<string, unknown> {
  const isFirst = version === 'v0.3';
  const unknown = unknownMessages(messages, thread);
  const last = unknown.findLastIndex(({ role }) => role === 'user');
  const text = [...contextOf(unknown.slice(0, last)), unknown[last]?.content ?? ''].join('\n\n');
  const files = unknown.flatMap((message) => (message.role === 'user' ? (message.files ?? []) : []));
  return {
    ...(isFirst ? { kind: 'message', role: 'user' } : { role: 'ROLE_USER' }),
    messageId: randomUUID(),
    parts: [isFirst ? { kind: 'text', text } : { text }, ...files.map((file) => filePart(file, isFirst))],
    contextId: thread?.contextId,
    taskId: thread?.taskId,
    ...(thread?.earlierTaskId && { referenceTaskIds: [thread.earlierTaskId] }),
  };
}

/** The messages that the agent has neither been sent nor said itself. */
function unknownMessages(messages: readonly Message[], thread: Thread | undefined): readonly Message[] {
  if (!thread) return messages;
  const next = messages.findIndex(({ role }, index) => index >= thread.sent && role === 'user');
  return next < 0 ? messages.slice(messages.findLastIndex(({ role }) => role === 'user')) : messages.slice(next);
}

function contextOf(messages: readonly Message[]): string[] {
  const system = messages.flatMap(({ role, content }) => (role === 'system' ? [`System: ${content}`] : []));
  const history = messages.filter(({ role }) => role !== 'system').map(lineOf);
  return [...system, ...(history.length === 0 ? [] : [`Earlier in this conversation:\n${history.join('\n')}`])];
}

function lineOf(message: Message): string {
  if (message.role === 'tool_result') return `Result of ${message.name}: ${message.content}`;
  if (message.role !== 'assistant') return `User: ${message.content}`;
  const calls = message.tool_calls.map(({ name, arguments: args }) => `Agent calls ${name}: ${JSON.stringify(args)}`);
  return [...(message.content ? [`Agent: ${message.content}`] : []), ...calls].join('\n');
}

function filePart({ media_type, name, data, url }: MessageFile, isFirst: boolean): Record<string, unknown> {
  if (!isFirst) return { ...(data === undefined ? { url } : { raw: data }), mediaType: media_type, filename: name };
  return {
    kind: 'file',
    file: { ...(data === undefined ? { uri: url } : { bytes: data }), mimeType: media_type, name },
  };
}
