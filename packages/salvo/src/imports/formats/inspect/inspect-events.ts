import { isRecord } from '../../../text/json/is-record.ts';
import type { Step } from '../../../trace/message.ts';
import { amountOf, listIn, recordIn, textOf } from '../record-fields.ts';

type Fields = Record<string, unknown>;
export interface InspectUsage {
  input_tokens: number;
  output_tokens: number;
  cache_read_tokens?: number;
  cache_write_tokens?: number;
}

/**
 * The messages of a sample that has none of its own: what its model was asked and answered last. Newer logs keep the messages
 * of events in a pool, to which events refer by ranges.
 */
export function messagesOfEvents(sample: Fields): unknown[] {
  const last = modelEvents(sample).at(-1);
  if (!last) return [];
  const [choice] = listIn(recordIn(last, 'output'), 'choices');
  const answer = isRecord(choice) && isRecord(choice.message) ? [choice.message] : [];
  return [...inputOf(last, sample), ...answer];
}

function inputOf(event: Fields, sample: Fields): unknown[] {
  const input = listIn(event, 'input');
  if (input.length > 0) return [...input];
  const pooled = listIn(recordIn(sample, 'events_data'), 'messages');
  const pool = pooled.length > 0 ? pooled : listIn(sample, 'message_pool');
  const picked: unknown[] = [];
  for (const range of listIn(event, 'input_refs')) {
    const [start, end]: unknown[] = Array.isArray(range) ? range : [];
    if (typeof start === 'number' && typeof end === 'number' && start >= 0) picked.push(...pool.slice(start, end));
  }
  return picked;
}

/** What each answer took, by the id of its message. */
export function figuresOfAnswers(sample: Fields): Map<string, Partial<Step>> {
  const figures = new Map<string, Partial<Step>>();
  for (const output of [sample, ...modelEvents(sample)].map((holder) => recordIn(holder, 'output'))) {
    const [choice] = listIn(output, 'choices');
    const id = isRecord(choice) ? textOf(recordIn(choice, 'message'), 'id') : null;
    if (id === null) continue;
    const seconds = amountOf(output.time);
    const usage = inspectUsage(output.usage);
    figures.set(id, { ...(seconds === null ? {} : { latency_seconds: seconds }), ...usage });
  }
  return figures;
}

function modelEvents(sample: Fields): Fields[] {
  return listIn(sample, 'events').filter((event) => isRecord(event) && event.event === 'model') as Fields[];
}

/** The input of some providers does not include cached tokens: then the total is larger than both together. */
export function inspectUsage(given: unknown): InspectUsage | null {
  if (!isRecord(given)) return null;
  const input = amountOf(given.input_tokens);
  const output = amountOf(given.output_tokens);
  if (input === null || output === null) return null;
  const read = amountOf(given.input_tokens_cache_read) ?? 0;
  const write = amountOf(given.input_tokens_cache_write) ?? 0;
  const isApart = amountOf(given.total_tokens) === input + output + read + write;
  return {
    input_tokens: isApart ? input + read + write : input,
    output_tokens: output,
    ...(read > 0 ? { cache_read_tokens: read } : {}),
    ...(write > 0 ? { cache_write_tokens: write } : {}),
  };
}
