import { z } from 'zod';
import { messageSchema } from '../../trace/message.ts';

/**
 * What a whole agent hands back: the conversation it had, and the figures it knows.
 * Everything but the messages can be left out; what is missing is derived from the messages or stays unknown.
 */
export const agentTraceSchema = z.object({
  messages: z.array(messageSchema),
  final_content: z.string().nullable().optional(),
  finish_reason: z.string().optional(),
  model: z.string().optional(),
  input_tokens: z.number().nonnegative().nullable().optional(),
  output_tokens: z.number().nonnegative().nullable().optional(),
  cost_usd: z.number().nonnegative().nullable().optional(),
});

export type AgentTrace = z.infer<typeof agentTraceSchema>;
