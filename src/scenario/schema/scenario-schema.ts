import { z } from 'zod';
import { scriptSchema } from '../../adapters/scripted/script-schema.ts';
import type { Assertion } from './assertion-schema.ts';
import { toolSchema } from './tool-schema.ts';

/** An earlier turn, or a user turn the agent has to answer. See `conversationPlan` for which is which. */
const scenarioMessageSchema = z.discriminatedUnion('role', [
  z.strictObject({
    role: z
      .literal('user')
      .describe('From the user: history when an assistant message follows, else a turn to answer.'),
    content: z.string().describe('What is said.'),
  }),
  z.strictObject({
    role: z.literal('assistant').describe('What the agent said earlier.'),
    content: z.string().nullable().default(null).describe('What was said; may be missing when tools were called.'),
    tool_calls: z
      .array(
        z.strictObject({
          id: z.string().min(1).describe('What `tool_call_id` of the result refers to.'),
          name: z.string().min(1).describe('The tool that was called.'),
          arguments: z.record(z.string(), z.unknown()).default({}).describe('What it was called with.'),
        }),
      )
      .default([])
      .describe('The tools that were called.'),
  }),
  z.strictObject({
    role: z.literal('tool_result').describe('What a tool answered earlier.'),
    tool_call_id: z.string().min(1).describe('The `id` of the call it answers.'),
    name: z.string().min(1).describe('The tool.'),
    content: z.string().describe('What it answered.'),
    is_error: z.boolean().default(false).describe('Whether the call failed.'),
  }),
]);

/** More than any scenario needs: each has something to compile, which takes a millisecond or two. */
export const MOST_TOOLS = 500;
export const MOST_ASSERTIONS = 500;

/** The fields of a scenario but for its assertions, which `assertion-schema.ts` describes one type at a time. */
export const scenarioFieldsSchema = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('How reports call the scenario; the name of the file when missing.'),
  description: z.string().optional().describe('What the scenario is about, for people.'),
  tags: z
    .union([z.array(z.string().min(1)), z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))])
    .optional()
    .describe('A list of words, or a map of keys and values; `--tag fast` and `--tag tier=1` choose by them.'),
  adapter: z
    .string()
    .min(1)
    .optional()
    .describe(
      'How the model or agent is called: openai, anthropic, scripted, a name from salvo.yaml, a URL, exec:<command> or the path of a module. `default_adapter` of salvo.yaml when missing.',
    ),
  model: z
    .string()
    .min(1)
    .optional()
    .describe('The model, as the provider names it. `default_model` of salvo.yaml when missing.'),
  system_prompt: z.string().optional().describe('What the agent is told before the conversation.'),
  prompt: z.string().min(1).optional().describe('The task. Either this or `messages`.'),
  messages: z
    .array(scenarioMessageSchema)
    .min(1)
    .optional()
    .describe('Earlier turns, or several user turns; the last message is from the user. Either this or `prompt`.'),
  tools: z
    .array(toolSchema)
    .max(MOST_TOOLS)
    .default([])
    .describe('The tools the agent can call, and what they answer.'),
  assertions: z.array(z.unknown()).max(MOST_ASSERTIONS).default([]).describe('What is demanded of every trace.'),
  threshold: z.number().min(0).max(1).default(0.8).describe('The score, from 0 to 1, from which on a trial passes.'),
  max_turns: z.int().min(1).max(100).default(10).describe('How often the model may be called in one trial.'),
  temperature: z.number().min(0).max(2).optional().describe('Passed to the provider.'),
  max_tokens: z.int().positive().optional().describe('The most tokens one turn may have.'),
  seed: z.int().optional().describe('Passed to providers that can repeat an answer.'),
  timeout_seconds: z.number().positive().optional().describe('How long one trial may take.'),
  extras: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Passed through to the provider as they are: at most 10 keys and 4 KiB, and no credentials.'),
  on_unmocked: z
    .enum(['error', 'fail'])
    .default('error')
    .describe('What a call that no mock answers leads to: a tool error the agent can react to, or a failed trial.'),
  script: scriptSchema.optional().describe('For the scripted adapter: what it says.'),
});

/** A scenario after loading: includes resolved, defaults filled in, every assertion checked by its own type. */
export interface Scenario extends Omit<z.infer<typeof scenarioFieldsSchema>, 'assertions' | 'name'> {
  name: string;
  assertions: Assertion[];
}
