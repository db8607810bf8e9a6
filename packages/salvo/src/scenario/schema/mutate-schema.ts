import { z } from 'zod';
import { laterSchema } from '../../secrets/text-marks.ts';
import { someText } from './shared-fields.ts';

/** The operators of `salvo mutate` whose mutants must fail. */
export const FAILING_OPERATORS = [
  ...(['call_dropped', 'lookup_dropped', 'call_repeated', 'call_moved', 'other_id', 'other_amount'] as const),
  ...(['call_after_error', 'failed_call_ignored', 'forbidden_call'] as const),
  ...(['result_denied', 'result_contradicted', 'claim_without_call'] as const),
  ...(['number_replaced', 'date_replaced', 'id_replaced', 'name_replaced'] as const),
  ...(['answer_cut', 'answer_empty', 'answer_refusal', 'answer_other_language', 'answer_other_case'] as const),
  ...(['secret_leaked', 'system_prompt_leaked', 'last_turn_missing'] as const),
] as const;

/** Those whose mutants must pass. */
export const PASSING_OPERATORS = [
  ...(['extra_read', 'reads_reordered', 'number_form', 'white_space', 'markdown', 'synonyms', 'politer'] as const),
] as const;

export const OPERATOR_NAMES = [...FAILING_OPERATORS, ...PASSING_OPERATORS] as const;
export type OperatorName = (typeof OPERATOR_NAMES)[number];

/** What `salvo mutate` leaves out of a scenario, and why. */
export const mutateField = laterSchema(() =>
  z.strictObject({
    ignore: z
      .strictObject(Object.fromEntries(OPERATOR_NAMES.map((name) => [name, someText.optional()])))
      .optional()
      .describe('Operators of `salvo mutate` that are not used here, each with the reason, which the report shows.'),
  }),
)
  .optional()
  .describe('For `salvo mutate`, which changes stored traces and looks whether the assertions notice it.');
