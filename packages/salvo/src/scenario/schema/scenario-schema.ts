import { z } from 'zod';
import { scriptSchema } from '../../adapters/script-schema.ts';
import { laterSchema } from '../../secrets/text-marks.ts';
import type { Assertion } from './assertion-schema.ts';
import { furtherGatesSchema } from './gate-schema.ts';
import { quarantineSchema } from './quarantine-schema.ts';
import { labelsSchema, mutateField, shareSchema, someText } from './shared-fields.ts';
import { filesSchema, toolSchema } from './tool-schema.ts';
import { type CopiedFolder, servicesField, workspaceField } from './workspace-schema.ts';

/** An earlier turn, or a user turn that the agent must answer. `conversationPlan` decides which. */
const scenarioMessageSchema = laterSchema(() =>
  z.discriminatedUnion('role', [
    z.strictObject({
      role: z
        .literal('user')
        .describe('From the user: history if an assistant message follows, otherwise a turn to answer.'),
      content: z.string().describe('What the user says.'),
      files: filesSchema,
    }),
    z.strictObject({
      role: z.literal('assistant').describe('What the agent said earlier.'),
      content: z.string().nullable().default(null).describe('What the agent said. Optional if it called tools.'),
      tool_calls: z
        .array(
          z.strictObject({
            id: someText.describe('The `tool_call_id` of the result refers to this.'),
            name: someText.describe('The tool that was called.'),
            arguments: z.record(z.string(), z.unknown()).default({}).describe('The arguments of the call.'),
          }),
        )
        .default([])
        .describe('The tools that were called.'),
    }),
    z.strictObject({
      role: z.literal('tool_result').describe('What a tool answered earlier.'),
      tool_call_id: someText.describe('The `id` of the call it answers.'),
      name: someText.describe('The tool.'),
      content: z.string().describe('What it answered.'),
      files: filesSchema,
      is_error: z.boolean().default(false).describe('Whether the call failed.'),
    }),
  ]),
);

const DEFAULT_STOP = '###STOP###';
const DEFAULT_MAX_MESSAGES = 20;

/** Who plays the user of a scenario: a model with a goal, or a script. */
export const userSchema = laterSchema(() =>
  z
    .strictObject({
      goal: someText.optional().describe('What the user wants, in the words of a person who knows the case.'),
      facts: z
        .union([z.record(z.string(), z.unknown()), z.array(someText)])
        .optional()
        .describe('All that the user knows: a map of names and values, or a list of sentences.'),
      persona: someText.optional().describe('How the user talks, such as: impatient, writes in short sentences.'),
      adapter: someText.optional().describe('How the model is called. Default: `user.adapter` of salvo.yaml.'),
      model: someText.optional().describe('The model that plays the user. Default: `user.model` of salvo.yaml.'),
      max_messages: z
        .int()
        .min(1)
        .max(200)
        .default(DEFAULT_MAX_MESSAGES)
        .describe(`The maximum number of messages that it writes. Default: ${DEFAULT_MAX_MESSAGES}.`),
      stop: someText
        .max(100)
        .default(DEFAULT_STOP)
        .describe(`What the model writes when the user is done. Default: ${DEFAULT_STOP}.`),
      script: z
        .array(
          z.union([
            someText,
            z.strictObject({
              text: someText.describe('What the user says.'),
              when: someText
                .optional()
                .describe("A regular expression: the text is said only if the agent's last answer matches it."),
            }),
          ]),
        )
        .min(1)
        .max(1000)
        .optional()
        .describe('A user without a model: its messages in order, each said once; the first that fits is next.'),
      check: z
        .union([
          z.boolean(),
          z.strictObject({
            adapter: someText.optional().describe('How the model is called. Default: that of the user.'),
            model: someText
              .optional()
              .describe('The model that reads each message as well. Default: that of the user.'),
          }),
        ])
        .default(true)
        .describe(
          'Whether its messages are checked: a trial in which it breaks its role is not scored. A map: by a model, too.',
        ),
    })
    .meta({ title: 'Simulated user' }),
);

export type ScenarioUser = z.infer<typeof userSchema>;

/** `prompts` as it is written in a file: the scenario runs with each of them. */
export const promptsSchema = laterSchema(() =>
  z
    .array(
      z.union([
        someText,
        z.strictObject({
          name: someText.max(200).optional().describe('The name in reports. Default: the beginning of its text.'),
          text: someText.describe('The prompt.'),
          system_prompt: z.string().optional().describe('Instructions before it.'),
        }),
        z.strictObject({
          name: someText.max(200).optional().describe('The name in reports. Default: the beginning of its last text.'),
          messages: z
            .array(z.unknown())
            .min(1)
            .describe('As `messages` of a scenario; the first may be of the system.'),
          system_prompt: z.string().optional().describe('Instructions before them.'),
        }),
        z.strictObject({
          name: someText.max(200).optional().describe('The name in reports. Default: the name of the file.'),
          file: someText.describe('A text file, or a YAML or JSON file with messages, relative to this file.'),
          system_prompt: z.string().optional().describe('Instructions before it.'),
        }),
      ]),
    )
    .min(1)
    .max(100)
    .describe(
      'Several prompts instead of `prompt`, which are compared: each a text, {name, text}, {name, messages} or {file}.',
    ),
);

const rowsSchema = z.array(z.record(z.string(), z.unknown())).min(1);

/** `data` as it is written in a file. */
export const writtenDataSchema = z
  .union([someText, rowsSchema])
  .optional()
  .describe(
    'A case for each row: a list of maps, or a CSV, JSON lines, JSON or YAML file, relative to the file that names it. `{{column}}` is replaced by the value of the row.',
  );

/** More than any scenario needs. Each tool and assertion has something to compile, which takes 1 to 2 ms. */
export const MOST_TOOLS = 500;
export const MOST_ASSERTIONS = 500;

/** Enough for an agent with slow tools, and short enough that a hanging one does not block a long run. */
export const DEFAULT_TIMEOUT_SECONDS = 300;

export const toolsSeenField = z
  .literal('all')
  .optional()
  .describe(
    'all: the agent calls no tools but those that Salvo sees. Without it, assertions on tools are not scored if the agent returns only a text.',
  );

export const ownToolsField = z
  .literal('allow')
  .optional()
  .describe(
    'allow: the agent may execute tools of its own that the scenario mocks; their calls count as reported. Otherwise such a trial is not scored (MOCK_BYPASSED).',
  );

/** The fields of a scenario. `assertion-schema.ts` has the schemas of its assertions. */
export const scenarioFieldsSchema = z.strictObject({
  name: someText.max(200).optional().describe('The name in reports. Default: the name of the file.'),
  description: z.string().optional().describe('What the scenario is about, for people.'),
  tags: z
    .union([z.array(someText), z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))])
    .optional()
    .describe('A list of words, or a map of keys and values; `--tag fast` and `--tag tier=1` select by them.'),
  adapter: someText
    .optional()
    .describe(
      'How the model or agent is called: openai, anthropic, scripted, a name from salvo.yaml, a URL, exec:<command> or the path of a module. Default: `default_adapter` of salvo.yaml.',
    ),
  model: someText.optional().describe("The provider's name of the model. Default: `default_model` of salvo.yaml."),
  data: rowsSchema.optional().describe('The rows, of a file or written here.'),
  holdout: z
    .union([shareSchema, someText.max(200)])
    .optional()
    .describe('Rows that run only with `--holdout`: a share of them, such as 20%, or a column that says which.'),
  system_prompt: z.string().optional().describe('Instructions for the agent before the conversation.'),
  prompt: someText.optional().describe('The task. Either this or `messages`; optional with `user`.'),
  files: filesSchema,
  messages: z
    .array(scenarioMessageSchema)
    .min(1)
    .optional()
    .describe('Earlier turns, or several user turns; the last message is from the user. Either this or `prompt`.'),
  state: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'A document that tools read and change. Each trial has a copy of its own. `!include` reads it from a JSON file.',
    ),
  user: userSchema.optional().describe('A simulated user, who answers the agent. Without a prompt it speaks first.'),
  tools: z
    .array(toolSchema)
    .max(MOST_TOOLS)
    .default([])
    .describe('The tools the agent can call, and what they answer.'),
  assertions: z.array(z.unknown()).max(MOST_ASSERTIONS).default([]).describe('What every trace must meet.'),
  threshold: shareSchema
    .optional()
    .describe(
      'For partial credit: the minimum score for a trial to pass, 0.8 or 80%. Default: `defaults.threshold` of salvo.yaml, else none: every assertion with a weight must pass.',
    ),
  trials: z
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .describe('How often each case runs. Default: `defaults.trials`, else 3.'),
  labels: labelsSchema.optional(),
  skip: someText.optional().describe('Why the scenario is not run for now. It is no part of the verdict.'),
  quarantine: quarantineSchema
    .optional()
    .describe('The trials run and are shown, but are no part of the verdict until this day is over.'),
  only: z.boolean().optional().describe('Run only the scenarios with `only: true`, of those that were chosen.'),
  retries: z.int().min(0).max(20).optional().describe('How often a failed request is sent again. Default: 4.'),
  min_pass_rate: shareSchema
    .optional()
    .describe(
      'The share of trials that must pass for the scenario to pass: 0.9 or 90%. Default: `defaults.min_pass_rate` of salvo.yaml, else 100%.',
    ),
  min_score: shareSchema
    .optional()
    .describe(
      'The mean score that all trials together must reach, in addition. Default: `defaults.min_score` of salvo.yaml, else none.',
    ),
  ...furtherGatesSchema.shape,
  max_turns: z
    .int()
    .min(1)
    .max(1000)
    .default(10)
    .describe('The maximum number of model calls in one trial. Default: 10, and 100 with `user`.'),
  temperature: z.number().min(0).max(2).optional().describe('Passed to the provider.'),
  max_tokens: z.int().positive().optional().describe('The maximum number of tokens of a turn.'),
  seed: z.int().optional().describe('Passed to providers that support reproducible answers.'),
  timeout_seconds: z
    .number()
    .positive()
    .optional()
    .describe(
      `The maximum duration of a trial, of each hook and of each check in code. Default: ${DEFAULT_TIMEOUT_SECONDS}.`,
    ),
  extras: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'Added to what is sent to the provider: at most 10 keys and 4 KiB, no credentials, and nothing that Salvo sends itself, such as `model`.',
    ),
  on_unmocked: z
    .enum(['error', 'fail'])
    .default('error')
    .describe('The effect of a call that no mock answers: a tool error that the agent sees, or a failed trial.'),
  tools_seen: toolsSeenField,
  own_tools: ownToolsField,
  script: scriptSchema.optional().describe('The answers of the scripted adapter.'),
  workspace: workspaceField,
  services: servicesField,
  mutate: mutateField,
});

/**
 * A scenario after loading: includes resolved, defaults filled in, every assertion checked by its own type. With `data`,
 * values may have templates in them: `scenarioCases` makes the scenario of each case.
 */
export interface Scenario extends Omit<z.infer<typeof scenarioFieldsSchema>, 'assertions' | 'name'> {
  name: string;
  assertions: Assertion[];
  /** Of a scenario in code: hashes of its agent and its hooks. Mocks and assertions have theirs in place. */
  functions?: Record<string, string> | undefined;
  /** Of a scenario with `prompts`: the name of the scenario, and of the prompt that this one has. */
  prompt_of?: PromptOf | undefined;
  /** Of a scenario that `salvo chaos` made of another one. */
  variant?: FaultVariant | undefined;
  /** The files of all messages and mocks that are paths, by the path as it is written. Missing if nothing has `files`. */
  attached?: Record<string, AttachedFile> | undefined;
  /** The folders that workspaces are copied from, by the path as it is written. */
  folders?: Record<string, CopiedFolder> | undefined;
}

/** Which of the `prompts` of a scenario this one has. */
export interface PromptOf {
  scenario: string;
  prompt: string;
}

/** Which faults a scenario has in a run of `salvo chaos`. */
export interface FaultVariant {
  /** The name of the scenario without them. */
  of: string;
  /** The chance that a call of a tool with faults has one. */
  dose: number;
  /** The only fault, by its label; null for the mixture of all. */
  alone: string | null;
}

/** A file as it was when the scenario was loaded. */
export interface AttachedFile {
  sha256: string;
  bytes: number;
  media_type: string;
  /** Relative to the scenario, if it is written in a file of another folder. */
  path?: string | undefined;
}
