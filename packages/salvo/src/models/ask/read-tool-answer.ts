import type { z } from 'zod';
import type { AdapterTurnResult } from '../../adapters/adapter.ts';
import { canonicalJson } from '../../text/json/canonical-json.ts';
import { doubledKey } from '../../text/json/doubled-keys.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { mentionsKey, writtenJsonIn } from '../../text/json/json-in-text.ts';
import type { Reading } from './ask-and-repair.ts';

/**
 * Reads the arguments of a tool call, else JSON in the text. Values that cannot be read are passed over, but several
 * that can and that differ are a problem: one may be a quotation of what the model was asked about.
 */
export function readToolAnswer<T>(
  { content, tool_calls }: AdapterTurnResult,
  tool: string,
  read: (value: unknown) => Reading<T>,
): Reading<T> {
  const calls = tool_calls.filter(({ name }) => name === tool);
  const texts = calls.length > 0 ? calls.flatMap(({ raw_arguments }) => raw_arguments ?? []) : [content ?? ''];
  const sent = calls.flatMap((call) => (call.raw_arguments === undefined ? [call.arguments] : []));
  const written = texts.map(writtenJsonIn);
  const sources = written.flatMap((found) => found?.values ?? []);
  const readings = [...sent, ...sources.map(({ value }) => value)].map((value) => ({ value, reading: read(value) }));
  const readable = readings.flatMap(({ value, reading }) => ('value' in reading ? [{ value, reading }] : []));
  const [first, ...others] = readable;
  const doubled = sources.map(({ source }) => doubledKey(source)).find((key) => key !== null);
  if (first && doubled !== undefined) {
    return { problem: `It has the key "${doubled.slice(0, 80)}" twice in one JSON object.` };
  }
  if (first && others.some(({ value }) => canonicalJson(value) !== canonicalJson(first.value))) {
    return { problem: `It holds several answers that differ: call ${tool} exactly once.` };
  }
  const around = written.map((found) => found?.around ?? '').join('\n');
  if (first && isRecord(first.value) && mentionsKey(around, Object.keys(first.value))) {
    return { problem: 'It holds a second answer that is broken or was cut off.' };
  }
  if (first) return first.reading;
  if (calls.length > 0 && sent.length === 0) return { problem: `The arguments of ${tool} were not a JSON object.` };
  const [problem] = readings.flatMap(({ reading }) => ('problem' in reading ? [reading.problem] : []));
  return { problem: problem ?? `It neither called ${tool} nor held a JSON object.` };
}

/** A reader of values that fit a schema. `problem` says what the others lack. */
export function schemaReader<T>(schema: z.ZodType<T>, problem: string): (value: unknown) => Reading<T> {
  return (value) => {
    const parsed = schema.safeParse(value);
    return parsed.success ? { value: parsed.data } : { problem };
  };
}
