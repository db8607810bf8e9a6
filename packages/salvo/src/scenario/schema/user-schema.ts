import { z } from 'zod';
import { laterSchema } from '../../secrets/text-marks.ts';
import { someText } from './shared-fields.ts';

export const DEFAULT_STOP = '###STOP###';
export const DEFAULT_MAX_MESSAGES = 20;

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
