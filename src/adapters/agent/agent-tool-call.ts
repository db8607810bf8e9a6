import { z } from 'zod';
import { isRecord } from '../../text/is-record.ts';
import type { ToolCall } from '../../trace/message.ts';
import { parseToolArguments } from '../tool-arguments.ts';

/** A tool call as agents write it: ours, or OpenAI's with `function` and its arguments as JSON text. */
export const agentToolCallSchema = z.preprocess(
  (value) =>
    isRecord(value) && isRecord(value.function)
      ? { id: value.id, name: value.function.name, arguments: value.function.arguments }
      : value,
  z.object({
    id: z.string().nullish(),
    name: z.string().min(1),
    arguments: z.unknown().optional(),
    raw_arguments: z.string().optional(),
  }),
);

export type AgentToolCall = z.infer<typeof agentToolCallSchema>;

/** Arguments that are no JSON object are kept as text: they are the model's mistake, not an unreadable answer. */
export function toToolCall({ id, name, ...call }: AgentToolCall, fallbackId: string): ToolCall {
  const given =
    call.raw_arguments === undefined
      ? parseToolArguments(call.arguments)
      : { arguments: {}, raw_arguments: call.raw_arguments };
  return { id: id || fallbackId, name, ...given };
}
