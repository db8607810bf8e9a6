import { formatPlural } from '../../stats/format.ts';
import { jsonOrText } from '../../text/json/json-in-text.ts';

/** One event of a stream. */
export interface StreamEvent {
  /** The name that a server-sent event may have. */
  name: string | undefined;
  /** As it was sent. */
  text: string;
  /** The text as JSON; the text itself if it is none. */
  data: unknown;
}

export type StreamKind = 'sse' | 'ndjson';

/** What an answer is a stream of, by its content type; undefined for an answer in one piece. */
export function streamKind({ headers }: Response): StreamKind | undefined {
  const type = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type === 'text/event-stream') return 'sse';
  return /^application\/(?:x-)?(?:ndjson|jsonl|jsonlines|json-lines|json-seq|stream\+json)$/.test(type)
    ? 'ndjson'
    : undefined;
}

/** The events of an answer, as they arrive. `[DONE]` ends the stream, also if the connection stays open. */
export async function* readEvents(response: Response, kind: StreamKind): AsyncGenerator<StreamEvent> {
  let event: { name: string | undefined; lines: string[] } = { name: undefined, lines: [] };
  for await (const line of linesOf(response)) {
    if (kind === 'ndjson') {
      // The record separator of JSON text sequences.
      const text = line.replace(/^\u001e/, '').trim();
      if (text !== '') yield streamEvent(undefined, text);
    } else if (line === '') {
      const text = event.lines.join('\n');
      if (text === '[DONE]') return;
      if (event.lines.length > 0) yield streamEvent(event.name, text);
      event = { name: undefined, lines: [] };
    } else {
      const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (field === 'data') event.lines.push(value);
      if (field === 'event') event.name = value;
    }
  }
  // Many servers leave out the empty line at the end.
  const rest = event.lines.join('\n');
  if (event.lines.length > 0 && rest !== '[DONE]') yield streamEvent(event.name, rest);
}

/** What a stream that has not ended lacks, as a part of a sentence. */
export function missingEnd(events: number): string {
  return events === 0 ? 'answer' : `end its stream (${formatPlural(events, 'event')} came)`;
}

function streamEvent(name: string | undefined, text: string): StreamEvent {
  return { name, text, data: jsonOrText(text) };
}

async function* linesOf({ body }: Response): AsyncGenerator<string> {
  if (body === null) return;
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let heldBack = '';
  for await (const chunk of body) {
    const text = heldBack + decoder.decode(chunk, { stream: true });
    // A line feed that belongs to it may come with the next chunk.
    heldBack = text.endsWith('\r') ? '\r' : '';
    const lines = text.slice(0, text.length - heldBack.length).split(/\r\n|\n|\r/);
    // Only the last part may be an incomplete line. They are joined once: a line may come in thousands of parts.
    for (const line of lines.slice(0, -1)) {
      parts.push(line);
      yield parts.join('');
      parts = [];
    }
    parts.push(lines.at(-1) ?? '');
  }
  const last = parts.join('');
  if (last !== '') yield last;
}
