import type { MessageView } from '../../../../src/app/view/trial/message-view.ts';
import type { TracePlace } from '../../../../src/app/view/trial/trace-places.ts';
import type { TraceHead } from '../../../../src/app/view/trial/trial-view.ts';

export const EVENT_KINDS = ['system', 'user', 'agent', 'tool', 'retry', 'print', 'error'] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** Something that happened in a trial. A message of the agent is its text, and an event for each of its tool calls. */
export type TraceEvent = { key: string; kind: EventKind; turn: number } & (
  | { kind: 'system' | 'user' | 'agent'; message: MessageView }
  /** `call` is the position among the calls of the message. A result without a call has no message. */
  | { kind: 'tool'; message: MessageView | null; call: number; result: MessageView | null }
  | { kind: 'retry'; retry: TraceHead['retries'][number] }
  | { kind: 'print'; text: string }
  | { kind: 'error'; text: string; stack: string | null }
);

/** The events of a trace in order. `messages` may be only the first ones, while the others are on the way. */
export function traceEvents(messages: readonly MessageView[], trace: TraceHead): TraceEvent[] {
  const results = resultsOfCalls(messages);
  const joined = new Set(results.values());
  const events = messages.flatMap((message): TraceEvent[] => {
    const { index, turn, role } = message;
    const key = `m${index}`;
    if (role === 'system' || role === 'user') return [{ key, kind: role, turn, message }];
    if (role === 'tool_result') {
      return joined.has(message) ? [] : [{ key, kind: 'tool', turn, message: null, call: 0, result: message }];
    }
    return [
      ...retriesOf(trace, (at) => turn > 0 && at === turn),
      ...(hasText(message) || message.tool_calls.length === 0 ? [{ key, kind: 'agent' as const, turn, message }] : []),
      ...message.tool_calls.map((_, call) => ({
        key: `${key}c${call}`,
        kind: 'tool' as const,
        ...{ turn, message, call },
        result: results.get(`${index} ${call}`) ?? null,
      })),
    ];
  });
  return messages.length < trace.message_count ? events : [...events, ...endOf(trace)];
}

function hasText({ content, reasoning, files }: MessageView): boolean {
  return (content?.full_length ?? 0) > 0 || reasoning !== null || files.length > 0;
}

/** The result of each call: the first one after it that has its id and belongs to no earlier call. */
function resultsOfCalls(messages: readonly MessageView[]): Map<string, MessageView> {
  const open = new Map<string, string[]>();
  const results = new Map<string, MessageView>();
  for (const message of messages) {
    for (const [call, { id }] of message.tool_calls.entries()) {
      open.set(id, [...(open.get(id) ?? []), `${message.index} ${call}`]);
    }
    const call = message.tool && open.get(message.tool.call_id)?.shift();
    if (call) results.set(call, message);
  }
  return results;
}

function retriesOf({ retries }: TraceHead, isOf: (turn: number) => boolean): TraceEvent[] {
  return retries.flatMap((retry, index) =>
    isOf(retry.turn) ? [{ key: `r${index}`, kind: 'retry' as const, turn: retry.turn, retry }] : [],
  );
}

/** What is known only about the end: retries of an answer that never came, prints, and why it ended early. */
function endOf(trace: TraceHead): TraceEvent[] {
  const turn = trace.turn_count;
  const { agent_log, error, error_stack = null } = trace;
  return [
    ...retriesOf(trace, (at) => at > turn),
    ...(agent_log === undefined ? [] : [{ key: 'print', kind: 'print' as const, turn, text: agent_log }]),
    ...(error === null ? [] : [{ key: 'error', kind: 'error' as const, turn, text: error, stack: error_stack }]),
  ];
}

/** A place as a part of the address: the number of the message, and of the call in it, from 1. */
export function placeAddress(place: TracePlace): string {
  return place.kind === 'call' ? `${place.message + 1}.${place.call + 1}` : String(place.message + 1);
}

/** The position of the event at an address; -1 if there is none. */
export function eventAt(events: readonly TraceEvent[], address: string): number {
  const [message = 0, call] = address.split('.').map((part) => Number(part) - 1);
  return events.findIndex((event) => {
    if (!('message' in event)) return false;
    if (event.kind !== 'tool') return call === undefined && event.message.index === message;
    if (event.message?.index === message) return call === undefined || event.call === call;
    return event.result?.index === message;
  });
}

/** The texts of an event, for a search. */
export function textsOf(event: TraceEvent): string[] {
  switch (event.kind) {
    case 'tool': {
      const call = event.message?.tool_calls[event.call];
      return [call?.name, call?.arguments.text, call?.error, event.result?.content?.text].filter(
        (text) => text != null,
      );
    }
    case 'retry':
      return [event.retry.reason];
    case 'print':
      return [event.text];
    case 'error':
      return [event.text, event.stack ?? ''];
    default:
      return [event.message.content?.text ?? '', event.message.reasoning?.text ?? ''];
  }
}
