import { z } from 'zod';
import { isRecord } from '../../../text/json/is-record.ts';
import { readAs } from '../form-error.ts';
import { brokeOff, StreamError } from './stream-error.ts';

const TYPES: ReadonlySet<unknown> = new Set([
  'message_start',
  'message_delta',
  'message_stop',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
]);

const startSchema = z.object({ message: z.looseObject({ usage: z.looseObject({}).nullish() }) });
const blockSchema = z.object({ index: z.int().nonnegative(), content_block: z.looseObject({ type: z.string() }) });
const deltaSchema = z.object({ index: z.int().nonnegative(), delta: z.looseObject({ type: z.string() }) });
const endSchema = z.object({ delta: z.looseObject({}).nullish(), usage: z.looseObject({}).nullish() });

interface Message {
  fields: Record<string, unknown>;
  blocks: Map<number, Record<string, unknown>>;
  isWhole: boolean;
}

export function isAnthropicEvent({ type, message }: Record<string, unknown>): boolean {
  return TYPES.has(type) && (type !== 'message_start' || isRecord(message));
}

/** The events of one or more streamed messages of Anthropic, as messages. */
export function joinAnthropicEvents(events: readonly unknown[], { isPartial }: { isPartial: boolean }): unknown {
  const messages: Message[] = [];
  for (const [index, event] of events.entries()) {
    if (isRecord(event)) addEvent(messages, event, `stream[${index}]`);
  }
  if (!isPartial && !messages.every(({ isWhole }) => isWhole)) throw brokeOff('message_stop');
  const joined = messages.map(({ fields, blocks }) => ({ ...fields, content: [...blocks.values()].map(parsedInput) }));
  return joined.length === 1 ? joined[0] : joined;
}

function addEvent(messages: Message[], event: Record<string, unknown>, place: string): void {
  const message = messages.at(-1);
  if (event.type === 'message_start') {
    const { message: fields } = readAs(startSchema, event, place);
    messages.push({ fields, blocks: new Map(), isWhole: false });
  } else if (event.type === 'error') {
    const { error } = event;
    const said = isRecord(error) ? [error.type, error.message] : [error];
    throw new StreamError(
      said.filter((text) => typeof text === 'string').join(': ') || 'the provider reported an error',
    );
  } else if (!message) {
    // `ping` may come first.
  } else if (event.type === 'content_block_start') {
    const { index, content_block } = readAs(blockSchema, event, place);
    message.blocks.set(index, { ...content_block });
  } else if (event.type === 'content_block_delta') {
    const { index, delta } = readAs(deltaSchema, event, place);
    const block = message.blocks.get(index) ?? { type: 'text' };
    message.blocks.set(index, block);
    addDelta(block, delta);
  } else if (event.type === 'message_delta') {
    const { delta, usage } = readAs(endSchema, event, place);
    const before = isRecord(message.fields.usage) ? message.fields.usage : {};
    Object.assign(message.fields, delta, { usage: { ...before, ...usage } });
  } else if (event.type === 'message_stop') message.isWhole = true;
}

const FIELDS: readonly (readonly [delta: string, field: string])[] = [
  ['text', 'text'],
  ['thinking', 'thinking'],
  ['partial_json', 'partial_json'],
];

/** Signatures and citations say nothing that the trace keeps. */
function addDelta(block: Record<string, unknown>, delta: Record<string, unknown>): void {
  for (const [from, to] of FIELDS) {
    const piece = delta[from];
    if (typeof piece === 'string') block[to] = `${typeof block[to] === 'string' ? block[to] : ''}${piece}`;
  }
}

/** The input of a tool comes as pieces of JSON. What cannot be parsed is read as what the model wrote. */
function parsedInput({ partial_json, ...block }: Record<string, unknown>): Record<string, unknown> {
  return typeof partial_json === 'string' && partial_json !== '' ? { ...block, input: partial_json } : block;
}
