import { isRecord } from '../../../text/json/is-record.ts';
import { mediumFile } from '../../../trace/files/medium-file.ts';
import { toolOutputText } from '../../../trace/forms/tool-output.ts';
import type { MessageFile } from '../../../trace/message.ts';
import { listIn, recordIn, textOf } from '../record-fields.ts';
import type { StreamEvent } from './stream-event.ts';

type Fields = Record<string, unknown>;

const READERS: ReadonlyMap<string, (stream: StreamEvent) => void> = new Map([
  ['SystemPromptEvent', readSystemPrompt],
  ['MessageEvent', readMessage],
  ['ActionEvent', readAction],
  ['ObservationEvent', readObservation],
  ['UserRejectObservation', readRejection],
  ['AgentErrorEvent', readAgentError],
  ['ConversationErrorEvent', readError],
  ['ACPToolCallEvent', readAcpCall],
]);

/** Reads an event of the SDK. False for events that are no part of the conversation. */
export function readSdkEvent(kind: string, stream: StreamEvent): boolean {
  const read = READERS.get(kind);
  if (read) read(stream);
  else if ('llm_message' in stream.event || 'tool_call' in stream.event) {
    stream.log.lose(
      { line: stream.line, place: `${stream.place}.kind` },
      `"${kind}" is unknown, and the event has a message`,
    );
  }
  return read !== undefined;
}

function readSystemPrompt({ event, log, time }: StreamEvent): void {
  log.clock.seen(time);
  log.conversation.text('system', contentOf(event.system_prompt).text);
}

function readMessage({ event, log, time, figures }: StreamEvent): void {
  const { conversation, clock } = log;
  const message = recordIn(event, 'llm_message');
  const { text, files } = contentOf([message.content, event.extended_content].flat());
  if (message.role !== 'assistant' && event.source !== 'agent') {
    if (event.source === 'user') clock.asked(time);
    conversation.text(message.role === 'system' ? 'system' : 'user', text, files);
    return;
  }
  conversation.assistant(() => {
    conversation.think(textOf(message, 'reasoning_content') ?? '');
    conversation.say(text);
    conversation.attach(files);
  });
  conversation.figures({ latency_seconds: clock.answered(time) });
  conversation.spokenBy(event.sender);
  figures.finalContent = null;
}

/** Calls of one response of the model are one answer. */
function readAction({ event, log, time, figures, place }: StreamEvent): void {
  const { conversation, clock } = log;
  const call = recordIn(event, 'tool_call');
  const called = isRecord(call.function) ? call.function : call;
  const id = textOf(event, 'tool_call_id') ?? textOf(call, 'id');
  const key = textOf(event, 'llm_response_id') ?? id ?? place;
  const { kind: _, ...action } = recordIn(event, 'action');
  const name = textOf(event, 'tool_name') ?? textOf(called, 'name') ?? 'unknown';
  conversation.part(key, () => {
    for (const thought of thoughtsOf(event)) conversation.think(thought);
    const { text } = contentOf(event.thought);
    if (text !== '') conversation.say(text, '\n');
    conversation.call({ id, name, arguments: called.arguments ?? action });
  });
  conversation.figures({ latency_seconds: clock.answered(time, key) });
  figures.finalContent = name === 'finish' ? textOf(action, 'message') : null;
}

function thoughtsOf(event: Fields): string[] {
  const content = textOf(event, 'reasoning_content');
  if (content !== null) return [content];
  return listIn(event, 'thinking_blocks').flatMap((block) =>
    isRecord(block) ? (textOf(block, 'thinking') ?? []) : [],
  );
}

function readObservation(stream: StreamEvent): void {
  const { event } = stream;
  const observation = recordIn(event, 'observation');
  const { text, files } = contentOf(observation.content ?? observation.output ?? observation.message);
  const code = observation.exit_code ?? recordIn(observation, 'metadata').exit_code;
  const failed = observation.is_error === true || observation.error === true || (typeof code === 'number' && code > 0);
  const { kind: _, ...other } = observation;
  answer(stream, { content: text === '' ? toolOutputText(other) : text, files, is_error: failed });
}

function readRejection(stream: StreamEvent): void {
  answer(stream, { content: textOf(stream.event, 'rejection_reason') ?? '', refused: true });
}

function readAgentError(stream: StreamEvent): void {
  answer(stream, { content: textOf(stream.event, 'error') ?? '', is_error: true });
}

function answer(
  { event, log, time }: StreamEvent,
  result: { content: string; files?: MessageFile[]; is_error?: boolean; refused?: boolean },
): void {
  log.clock.returned(time);
  log.conversation.result({ id: textOf(event, 'tool_call_id'), name: textOf(event, 'tool_name'), ...result });
}

function readError({ event, figures, log }: StreamEvent): void {
  figures.error = textOf(event, 'detail', 'code') ?? 'error';
  log.leave('ConversationErrorEvent');
}

/** A call of an agent that OpenHands only accompanies. It is told again whenever its status changes. */
function readAcpCall({ event, log, time }: StreamEvent): void {
  const { conversation, clock } = log;
  const id = textOf(event, 'tool_call_id');
  const isEnded = event.status === 'completed' || event.status === 'failed';
  if (id !== null && conversation.argumentsOf(id) === undefined) {
    conversation.item(() =>
      conversation.call({ id, name: textOf(event, 'title') ?? 'unknown', arguments: event.raw_input }),
    );
    clock.answered(time);
  }
  if (id === null || !isEnded || !conversation.isOpen(id)) return;
  clock.returned(time);
  const content = toolOutputText(event.raw_output ?? event.content);
  conversation.result({ id, content, is_error: event.is_error === true || event.status === 'failed' });
}

/** The text of a content, and its images. */
function contentOf(content: unknown): { text: string; files: MessageFile[] } {
  if (typeof content === 'string') return { text: content, files: [] };
  const parts = (Array.isArray(content) ? content : [content]).filter(isRecord);
  const texts: string[] = [];
  const files: MessageFile[] = [];
  for (const part of parts) {
    const text = textOf(part, 'text');
    if (text !== null) texts.push(text);
    for (const url of listIn(part, 'image_urls')) {
      const file = mediumFile({ url });
      texts.push('[image]');
      if (file) files.push(file);
    }
  }
  return { text: texts.join('\n'), files };
}
