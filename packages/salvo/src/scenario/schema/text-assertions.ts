import { z } from 'zod';
import { laterSchema } from '../../secrets/text-marks.ts';
import { isRecord } from '../../text/json/is-record.ts';
import type { Assertion } from './assertion-schema.ts';
import { shareSchema, someText, turnField } from './shared-fields.ts';

const caseField = () => ({
  case_sensitive: z
    .boolean()
    .default(true)
    .describe('Whether upper and lower case matter. Default: true, they do; false ignores case.'),
});

const textOrList = () => z.union([someText, z.array(someText).min(1)]);

const transformSchema = laterSchema(() =>
  z.union([
    someText,
    z.strictObject({ javascript: someText.describe('An expression, a function, or the body of one.') }),
    z.strictObject({
      module: someText.describe('A TS or JS file, relative to the file that names it.'),
      function: someText.optional().describe('The exported function. Default: the default export.'),
    }),
  ]),
);

export type Transform = z.infer<typeof transformSchema>;

/** For assertions on the agent's answer: what is done with it before. */
export const transformField = () => ({
  transform: transformSchema
    .optional()
    .describe(
      'Applied to the answer first: a JMESPath expression over its JSON (over the text, if it is no JSON), {javascript: CODE}, or {module, function}.',
    ),
});

const answerFields = () => ({ ...turnField, ...transformField() });

/** An expression for any JSON value that is not null. */
const jsonValue = () =>
  z.union([someText, z.number(), z.boolean(), z.array(z.unknown()), z.record(z.string(), z.unknown())]);

const CASE_IN_PATTERNS = 'Upper and lower case matter; (?i) at its beginning ignores case.';

/** The assertions on the text of the agent's answer, each by the fields that only it has. */
export const textAssertions = {
  output_contains: () => ({
    value: textOrList().describe(
      'A text that the final answer contains, or a list of texts, all of which it contains.',
    ),
    ...caseField(),
    ...answerFields(),
  }),
  output_contains_any: () => ({
    value: textOrList().describe('Texts, at least one of which the final answer contains.'),
    ...caseField(),
    ...answerFields(),
  }),
  output_not_contains: () => ({
    value: textOrList().describe(
      'A text that the final answer does not contain, or a list of texts, none of which it contains.',
    ),
    ...caseField(),
    ...answerFields(),
  }),
  output_equals: () => ({
    value: jsonValue().describe(
      'The whole final answer, without white space around it. A value that is no text is compared with the JSON of the answer.',
    ),
    ...caseField(),
    ...answerFields(),
  }),
  output_not_equals: () => ({
    value: jsonValue().describe(
      'What the whole final answer is not. A value that is no text is compared with the JSON of the answer.',
    ),
    ...caseField(),
    ...answerFields(),
  }),
  output_starts_with: () => ({
    value: someText.describe('What the final answer begins with, after white space.'),
    ...caseField(),
    ...answerFields(),
  }),
  output_not_starts_with: () => ({
    value: someText.describe('What the final answer does not begin with, after white space.'),
    ...caseField(),
    ...answerFields(),
  }),
  output_matches: () => ({
    pattern: someText.describe(
      `A regular expression (RE2 syntax) that matches somewhere in the final answer. ${CASE_IN_PATTERNS}`,
    ),
    ...answerFields(),
  }),
  output_not_matches: () => ({
    pattern: someText.describe(
      `A regular expression (RE2 syntax) that matches nowhere in the final answer. ${CASE_IN_PATTERNS}`,
    ),
    ...answerFields(),
  }),
  output_length: () => ({
    min: z.int().positive().optional().describe('The fewest characters or words.'),
    max: z.int().positive().optional().describe('The most characters or words.'),
    unit: z
      .enum(['characters', 'words'])
      .default('characters')
      .describe('What is counted. A word is what white space separates.'),
    ...answerFields(),
  }),
  output_json: () => ({
    schema: z
      .union([z.record(z.string(), z.unknown()), z.boolean()])
      .optional()
      .describe('A JSON Schema that the final answer must fit. Default: any JSON.'),
    ...answerFields(),
  }),
  output_similar: () => ({
    value: textOrList().describe(
      'A text that the final answer means the same as; of a list, the most similar one counts. Upper and lower case matter little.',
    ),
    min: shareSchema
      .prefault(DEFAULT_SIMILARITY)
      .describe(
        `The cosine similarity of the embeddings from which it passes. Default: ${DEFAULT_SIMILARITY}. It depends on the model: choose it from labels with \`salvo calibrate\`.`,
      ),
    adapter: someText.optional().describe('The adapter that embeds. Default: embeddings.adapter of salvo.yaml.'),
    model: someText.optional().describe('The embedding model. Default: embeddings.model of salvo.yaml.'),
    ...answerFields(),
  }),
  is_refusal: () => answerFields(),
  is_not_refusal: () => answerFields(),
  javascript: () => ({
    code: someText.describe(
      'An expression, a function (output, context) => ..., or the body of one with return. It sees output and context: {vars, row, prompt, trace, options}. It gives true or false, a number from 0 to 1, or {pass, score, reason}.',
    ),
    min: shareSchema
      .optional()
      .describe('The score from which it passes, if the code gives only a score. Default: every score above 0 passes.'),
    options: z.record(z.string(), z.unknown()).optional().describe('Passed to the code as context.options.'),
    ...answerFields(),
  }),
};

export const DEFAULT_SIMILARITY = 0.75;

/** The JavaScript that an assertion has as a text, in the order in which it runs. */
export function inlineCodeOf(assertion: Assertion): string[] {
  const transform = transformOf(assertion);
  const code = assertion.type === 'javascript' && 'code' in assertion ? assertion.code : undefined;
  return [transform?.javascript, code].filter((each) => typeof each === 'string');
}

/** The module of the `transform` of an assertion, relative to the scenario. */
export function transformModule(assertion: Assertion): string | undefined {
  const module = transformOf(assertion)?.module;
  return typeof module === 'string' ? module : undefined;
}

function transformOf(assertion: Assertion): Record<string, unknown> | undefined {
  const transform = 'transform' in assertion ? assertion.transform : undefined;
  return isRecord(transform) ? transform : undefined;
}
