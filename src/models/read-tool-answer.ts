import type { z } from 'zod';
import type { AdapterTurnResult } from '../adapters/adapter.ts';
import { jsonValuesIn } from '../text/json-in-text.ts';
import type { Reading } from './ask-and-repair.ts';

/** Reads the arguments of a tool call, else JSON in the text. Of several values the first that can be read. */
export function readToolAnswer<T>(
  { content, tool_calls, finish_reason }: AdapterTurnResult,
  tool: string,
  read: (value: unknown) => Reading<T>,
): Reading<T> {
  const calls = tool_calls.filter(({ name }) => name === tool);
  const broken = calls.flatMap(({ raw_arguments }) => raw_arguments ?? []);
  const values = calls.filter(({ raw_arguments }) => raw_arguments === undefined).map((call) => call.arguments);
  let problem: string | null = null;
  for (const value of [...values, ...[...broken, content ?? ''].flatMap((text) => [...jsonValuesIn(text)])]) {
    const reading = read(value);
    if ('value' in reading) return reading;
    problem ??= reading.problem;
  }
  if (broken.length > 0) return { problem: `The arguments of ${tool} were not a JSON object.` };
  if (problem !== null) return { problem };
  const isRefusal = finish_reason === 'refusal' || finish_reason === 'content_filter';
  return { problem: isRefusal ? 'The model refused.' : `It neither called ${tool} nor held a JSON object.` };
}

/** A reader of values that fit a schema. `problem` says what the others lack. */
export function schemaReader<T>(schema: z.ZodType<T>, problem: string): (value: unknown) => Reading<T> {
  return (value) => {
    const parsed = schema.safeParse(value);
    return parsed.success ? { value: parsed.data } : { problem };
  };
}
