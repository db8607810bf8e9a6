import { isRecord } from '../../text/json/is-record.ts';
import { jsonOrUndefined } from '../../text/json/json-in-text.ts';
import type { Assembled } from './assembled.ts';

/** Events of Anthropic's Messages API to the message. */
export function assembleAnthropic(events: readonly Record<string, unknown>[]): Assembled {
  const blocks = new Map<number, Record<string, unknown>>();
  const inputs = new Map<number, string>();
  let message: Record<string, unknown> = {};
  for (const { type, index, ...event } of events) {
    const at = typeof index === 'number' ? index : 0;
    const delta = isRecord(event.delta) ? event.delta : {};
    if (type === 'message_start' && isRecord(event.message)) message = event.message;
    if (type === 'content_block_start' && isRecord(event.content_block)) blocks.set(at, { ...event.content_block });
    if (type === 'content_block_delta') {
      if (delta.type === 'input_json_delta') inputs.set(at, (inputs.get(at) ?? '') + String(delta.partial_json));
      else addText(blocks.get(at), delta);
    }
    if (type === 'message_delta') message = withDelta(message, { ...event, delta });
  }
  const content = [...blocks].map(([index, block]) => {
    const input = inputs.get(index);
    return input ? { ...block, input: jsonOrUndefined(input) ?? input } : block;
  });
  return { reply: { ...message, content }, isWhole: events.some(({ type }) => type === 'message_stop') };
}

function addText(block: Record<string, unknown> | undefined, delta: Record<string, unknown>): void {
  if (!block) return;
  for (const field of ['text', 'thinking', 'signature']) {
    if (typeof delta[field] === 'string') block[field] = `${block[field] ?? ''}${delta[field]}`;
  }
}

/** Its tokens are those of the whole message so far. */
function withDelta(message: Record<string, unknown>, event: Record<string, unknown>): Record<string, unknown> {
  const usage = { ...Object(message.usage), ...Object(event.usage) };
  return { ...message, ...Object(event.delta), ...(Object.keys(usage).length > 0 ? { usage } : {}) };
}
