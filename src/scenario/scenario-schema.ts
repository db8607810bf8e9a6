import { z } from 'zod';
import { scriptSchema } from '../adapters/script-schema.ts';
import type { Assertion } from './assertion-schema.ts';
import { toolSchema } from './tool-schema.ts';

/** An earlier turn, or a user turn the agent has to answer. See `conversationPlan` for which is which. */
const scenarioMessageSchema = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('user'), content: z.string() }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.string().nullable().default(null),
    tool_calls: z
      .array(
        z.strictObject({
          id: z.string().min(1),
          name: z.string().min(1),
          arguments: z.record(z.string(), z.unknown()).default({}),
        }),
      )
      .default([]),
  }),
  z.strictObject({
    role: z.literal('tool_result'),
    tool_call_id: z.string().min(1),
    name: z.string().min(1),
    content: z.string(),
    is_error: z.boolean().default(false),
  }),
]);

/** The fields of a scenario but for its assertions, which `assertion-schema.ts` describes one type at a time. */
export const scenarioFieldsSchema = z.strictObject({
  name: z.string().min(1).max(200).optional(),
  description: z.string().optional(),
  tags: z
    .union([z.array(z.string().min(1)), z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))])
    .optional(),
  adapter: z.string().min(1).optional(),
  model: z.string().min(1).optional(),
  system_prompt: z.string().optional(),
  prompt: z.string().min(1).optional(),
  messages: z.array(scenarioMessageSchema).min(1).optional(),
  tools: z.array(toolSchema).default([]),
  assertions: z.array(z.unknown()).default([]),
  threshold: z.number().min(0).max(1).default(0.8),
  max_turns: z.int().min(1).max(100).default(10),
  temperature: z.number().min(0).max(2).optional(),
  max_tokens: z.int().positive().optional(),
  seed: z.int().optional(),
  timeout_seconds: z.number().positive().optional(),
  /** Passed through to the provider as they are. */
  extras: z.record(z.string(), z.unknown()).optional(),
  /** What a call that no mock answers leads to: a tool error the agent can react to, or a failed trial. */
  on_unmocked: z.enum(['error', 'fail']).default('error'),
  /** For the scripted adapter: what it says. */
  script: scriptSchema.optional(),
});

export type ScenarioMessage = z.infer<typeof scenarioMessageSchema>;

/** A scenario after loading: includes resolved, defaults filled in, every assertion checked by its own type. */
export interface Scenario extends Omit<z.infer<typeof scenarioFieldsSchema>, 'assertions' | 'name'> {
  name: string;
  assertions: Assertion[];
}
