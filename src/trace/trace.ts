import { z } from 'zod';
import { messageSchema } from './message.ts';

/** A tool call together with what came back. `turn` counts model turns from 1. */
const toolCallRecordSchema = z.object({
  id: z.string(),
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  turn: z.int().positive(),
  result: z.string().nullable(),
  is_error: z.boolean(),
});

/** Why a tool call was answered with an error instead of a mocked result. */
const toolErrorSchema = z.object({
  turn: z.int().positive(),
  tool_call_id: z.string(),
  name: z.string(),
  kind: z.enum(['unknown_tool', 'malformed_arguments', 'invalid_arguments', 'no_matching_mock', 'mocked_error']),
  message: z.string(),
});

/** One request that was sent again, and why. */
const retryRecordSchema = z.object({
  turn: z.int().positive(),
  attempt: z.int().positive(),
  reason: z.string(),
  status: z.int().nullable(),
  delay_seconds: z.number(),
});

/**
 * Everything that happened in one run of one scenario.
 * Tokens and cost are null when nobody told us: unknown is never 0.
 */
export const traceSchema = z.object({
  messages: z.array(messageSchema),
  tool_calls_made: z.array(toolCallRecordSchema),
  turn_count: z.int().nonnegative(),
  input_tokens: z.number().nullable(),
  output_tokens: z.number().nullable(),
  total_tokens: z.number().nullable(),
  latency_seconds: z.number(),
  final_content: z.string().nullable(),
  finish_reason: z.string(),
  model: z.string(),
  provider: z.string(),
  timestamp: z.string(),
  scenario_hash: z.string(),
  cost_usd: z.number().nullable(),
  max_turns_hit: z.boolean(),
  tool_errors: z.array(toolErrorSchema),
  retries: z.array(retryRecordSchema).default([]),
  /** Why the run ended before the agent did: a provider that gave up, a timeout. Null when it ended by itself. */
  error: z.string().nullable().default(null),
});

export type Trace = z.infer<typeof traceSchema>;
export type ToolCallRecord = z.infer<typeof toolCallRecordSchema>;
export type ToolError = z.infer<typeof toolErrorSchema>;
export type RetryRecord = z.infer<typeof retryRecordSchema>;
