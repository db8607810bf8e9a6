import type { z } from 'zod';
import type { AdapterTurnResult } from '../../../adapters/adapter.ts';
import { jsonValuesIn } from '../../../text/json-in-text.ts';
import type { Reading } from './ask-model.ts';

/** What a model handed in through a tool, or else the JSON in its words, when it is as the schema wants it. */
export function handedIn<T>(
  { content, tool_calls }: AdapterTurnResult,
  tool: string,
  schema: z.ZodType<T>,
): Reading<T> {
  const calls = tool_calls.filter(({ name }) => name === tool).map(({ arguments: args }) => args);
  for (const value of [...calls, ...jsonValuesIn(content ?? '')]) {
    const read = schema.safeParse(value);
    if (read.success) return { value: read.data };
  }
  return { problem: `It neither called ${tool} with all that it needs nor held such a JSON object.` };
}
