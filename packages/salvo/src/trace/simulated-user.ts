import { z } from 'zod';
import { laterSchema, projectName, textFree } from '../secrets/text-marks.ts';
import { atLeastSchema } from './at-least-schema.ts';

/** How a conversation with a simulated user ended. Missing if something else ended the trial, such as an error. */
export const conversationEndSchema = laterSchema(() =>
  z.object({
    /** user: it said that it is done; script: it has nothing more to say; limit: `limit` was reached before. */
    by: z.enum(['user', 'script', 'limit']),
    limit: z.enum(['max_messages', 'max_turns']).optional(),
    /** How many messages the simulated user wrote. */
    messages: z.int().nonnegative(),
  }),
);

/** Why a message is not one that the user of the scenario could have written. */
export const roleBreakKindSchema = () =>
  z.enum(['unknown_fact', 'agent_role', 'ended_early', 'never_ended', 'by_model']);

/** What is known of the simulated user of a trial. */
export const simulatedUserSchema = laterSchema(() =>
  z.object({
    /** Missing for a script. */
    model: projectName(z.string()).optional(),
    provider: projectName(z.string()).optional(),
    /** Identifies its instructions, its goal and its facts. */
    prompt_hash: textFree(z.string()).optional(),
    /** How many messages it wrote. */
    messages: z.int().nonnegative(),
    /** How many of its answers were paid for earlier. */
    cached: z.int().nonnegative(),
    input_tokens: z.number().nullable(),
    output_tokens: z.number().nullable(),
    cost_usd: z.number().nullable(),
    /** What is known of the cost, if it is not known exactly. */
    cost_at_least: atLeastSchema.optional(),
    /** Set if it broke its role: the trial is not scored then. */
    broke_role: z
      .object({
        /** Which of its messages, from 1. */
        message: z.int().positive(),
        kind: textFree(roleBreakKindSchema()),
        why: z.string(),
      })
      .optional(),
  }),
);

export type ConversationEnd = z.infer<typeof conversationEndSchema>;
export type SimulatedUser = z.infer<typeof simulatedUserSchema>;
export type RoleBreak = NonNullable<SimulatedUser['broke_role']>;
