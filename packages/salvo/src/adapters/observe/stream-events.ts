import { isRecord } from '../../text/json/is-record.ts';
import { jsonOrUndefined } from '../../text/json/json-in-text.ts';

/**
 * The events of a streamed answer: those of server-sent events, or the entries of a JSON list, in which Gemini streams
 * without `alt=sse`. What is no JSON object is left out, such as `[DONE]`.
 */
export function streamEvents(text: string): Record<string, unknown>[] {
  const list = /^\s*\[/.test(text) ? jsonOrUndefined(text) : undefined;
  if (Array.isArray(list)) return list.filter(isRecord);
  const events: Record<string, unknown>[] = [];
  let data: string[] = [];
  const flush = (): void => {
    const event = data.length > 0 ? jsonOrUndefined(data.join('\n')) : undefined;
    if (isRecord(event)) events.push(event);
    data = [];
  };
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line === '') flush();
    else if (line.startsWith('data:')) data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
  }
  flush();
  return events;
}
