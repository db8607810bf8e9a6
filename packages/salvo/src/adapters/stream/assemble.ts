import { isRecord } from '../../text/json/is-record.ts';
import { quoteOutput } from '../../text/output/quote-output.ts';
import { AdapterError } from '../adapter-error.ts';
import { assembleAnthropic } from './anthropic-events.ts';
import type { Assembled } from './assembled.ts';
import { assembleChatChunks } from './chat-chunks.ts';
import type { StreamEvent } from './read-events.ts';
import { assembleUiStream } from './ui-stream.ts';

const LIKE_AN_ANSWER = ['content', 'tool_calls', 'messages', 'role', 'output', 'steps'];

type Fields = Record<string, unknown>;

const FORMS: readonly { isOf: (event: Fields) => boolean; assemble: (events: readonly Fields[]) => Assembled }[] = [
  { isOf: ({ choices }) => Array.isArray(choices), assemble: assembleChatChunks },
  { isOf: ({ type }) => type === 'message_start', assemble: assembleAnthropic },
  { isOf: ({ type }) => typeof type === 'string' && type.startsWith('response.'), assemble: assembleResponse },
  {
    isOf: ({ type }) =>
      /^(?:start|start-step|text-start|text-delta|reasoning-start|tool-input-start|tool-input-available)$/.test(
        String(type),
      ),
    assemble: assembleUiStream,
  },
];

/**
 * The answer in a stream of chunks: chat completions, the Responses API, Anthropic's messages, the AI SDK's UI messages. If it
 * is none of these, its last event may be the answer.
 */
export function assembleStream(events: readonly StreamEvent[], callee: string): unknown {
  const fields = events.map(({ data }) => data).filter(isRecord);
  const failed = fields.find((each) => each.type === 'error' || (isRecord(each.error) && each.choices === undefined));
  if (failed) throw new AdapterError('bad_response', `${callee} reported an error: ${quoteOutput(errorText(failed))}`);
  for (const { isOf, assemble } of FORMS) {
    if (!fields.some(isOf)) continue;
    const { reply, isWhole } = assemble(fields);
    if (isWhole) return reply;
    const message = `${callee} broke off: its stream of ${events.length} events has no end. The last one: ${shown(events.at(-1))}`;
    throw new AdapterError('connection', message);
  }
  const last = events.at(-1);
  if (last === undefined) throw new AdapterError('bad_response', `${callee} answered with a stream without events.`);
  if (isRecord(last.data) && LIKE_AN_ANSWER.some((key) => Object.hasOwn(Object(last.data), key))) return last.data;
  const advice = '`response` of the adapter in salvo.yaml can say where each event has its text: see docs/adapters.md.';
  const message = `${callee} answered with a stream of an unknown form. Its last event: ${shown(last)}\n${advice}`;
  throw new AdapterError('bad_response', message);
}

/** `response.completed` has all that the events before it had in parts. */
function assembleResponse(events: readonly Fields[]): Assembled {
  const end = events.findLast(({ type }) => /^response\.(?:completed|incomplete|failed)$/.test(String(type)));
  return { reply: end?.response, isWhole: end !== undefined };
}

function errorText({ error, errorText: text, message }: Fields): string {
  const words = [text, isRecord(error) ? error.message : error, message];
  return words.find((word) => typeof word === 'string') ?? JSON.stringify(error ?? {});
}

function shown(event: StreamEvent | undefined): string {
  return quoteOutput(event?.text ?? '', { length: 200 });
}
