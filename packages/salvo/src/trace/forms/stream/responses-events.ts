import { isRecord } from '../../../text/json/is-record.ts';
import { brokeOff, StreamError } from './stream-error.ts';

export function isResponsesEvent({ type }: Record<string, unknown>): boolean {
  return typeof type === 'string' && type.startsWith('response.');
}

/** The events of one or more streamed responses of OpenAI's Responses API: each response as its last event has it. */
export function joinResponsesEvents(events: readonly unknown[], { isPartial }: { isPartial: boolean }): unknown {
  const responses: Record<string, unknown>[] = [];
  let items: unknown[] = [];
  for (const event of events) {
    if (!isRecord(event)) continue;
    if (event.type === 'error') throw new StreamError(messageOf(event));
    if (event.type === 'response.output_item.done') items.push(event.item);
    if (!isRecord(event.response)) continue;
    if (event.type === 'response.failed') throw new StreamError(messageOf(event.response.error));
    if (event.type === 'response.completed' || event.type === 'response.incomplete') {
      responses.push(event.response);
      items = [];
    }
  }
  if (!isPartial && responses.length === 0) throw brokeOff('response.completed');
  const [only, ...others] = responses;
  if (only && others.length === 0 && items.length === 0) return only;
  return [...responses.flatMap(({ output }) => (Array.isArray(output) ? output : [])), ...items];
}

function messageOf(error: unknown): string {
  const given = isRecord(error) ? (isRecord(error.error) ? error.error : error) : {};
  const said = [given.code, given.message].filter((text) => typeof text === 'string');
  return said.join(': ') || 'the response failed';
}
