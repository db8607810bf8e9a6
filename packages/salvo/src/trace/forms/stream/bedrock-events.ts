import { z } from 'zod';
import { isRecord } from '../../../text/json/is-record.ts';
import { readAs } from '../form-error.ts';
import { brokeOff, StreamError } from './stream-error.ts';

const EVENTS = ['messageStart', 'messageStop', 'contentBlockStart', 'contentBlockDelta', 'contentBlockStop'];
const startSchema = z.object({ contentBlockIndex: z.int().nullish(), start: z.looseObject({}).nullish() });
const deltaSchema = z.object({ contentBlockIndex: z.int().nullish(), delta: z.looseObject({}).nullish() });

export function isBedrockEvent(event: Record<string, unknown>): boolean {
  return EVENTS.some((name) => isRecord(event[name]));
}

/** The events of one streamed response of Bedrock's Converse, as the response. */
export function joinBedrockEvents(events: readonly unknown[], { isPartial }: { isPartial: boolean }): unknown {
  const blocks = new Map<number, Record<string, unknown>>();
  let stopReason: unknown;
  let metadata: Record<string, unknown> = {};
  for (const [position, event] of events.entries()) {
    if (!isRecord(event)) continue;
    const place = `stream[${position}]`;
    for (const [name, value] of Object.entries(event)) {
      if (name.endsWith('Exception') && isRecord(value))
        throw new StreamError(`${name}: ${String(value.message ?? '')}`);
      if (name === 'messageStop' && isRecord(value)) stopReason = value.stopReason;
      if (name === 'metadata' && isRecord(value)) metadata = value;
      if (name === 'contentBlockStart') {
        const { contentBlockIndex, start } = readAs(startSchema, value, `${place}.${name}`);
        blocks.set(contentBlockIndex ?? blocks.size, { ...start });
      }
      if (name === 'contentBlockDelta') {
        const { contentBlockIndex, delta } = readAs(deltaSchema, value, `${place}.${name}`);
        const index = contentBlockIndex ?? Math.max(0, blocks.size - 1);
        blocks.set(index, withDelta(blocks.get(index) ?? {}, delta ?? {}));
      }
    }
  }
  if (!isPartial && stopReason === undefined) throw brokeOff('messageStop');
  const message = { role: 'assistant', content: [...blocks.values()] };
  const { usage, metrics } = metadata;
  return { output: { message }, stopReason, usage, metrics };
}

function withDelta(block: Record<string, unknown>, delta: Record<string, unknown>): Record<string, unknown> {
  if (typeof delta.text === 'string') return { ...block, text: joined(block.text, delta.text) };
  if (isRecord(delta.toolUse)) {
    const before = isRecord(block.toolUse) ? block.toolUse : {};
    return { ...block, toolUse: { ...before, input: joined(before.input, delta.toolUse.input) } };
  }
  if (isRecord(delta.reasoningContent)) {
    const { text, redactedContent } = delta.reasoningContent;
    const before = isRecord(block.reasoningContent) ? block.reasoningContent : {};
    if (redactedContent !== undefined) return { ...block, reasoningContent: { ...before, redactedContent } };
    const said = isRecord(before.reasoningText) ? before.reasoningText.text : undefined;
    return { ...block, reasoningContent: { ...before, reasoningText: { text: joined(said, text) } } };
  }
  return block;
}

function joined(before: unknown, piece: unknown): string {
  return `${typeof before === 'string' ? before : ''}${typeof piece === 'string' ? piece : ''}`;
}
