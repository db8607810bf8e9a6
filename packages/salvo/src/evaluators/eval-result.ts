import { z } from 'zod';
import { measurements, projectName } from '../secrets/text-marks.ts';

/** The result of one assertion for one trace. `unscored` means that it could not be evaluated. */
export const evalResultSchema = z.object({
  assertion_type: projectName(z.string()),
  assertion_id: projectName(z.string()),
  score: z.number().min(0).max(1),
  passed: z.boolean(),
  weight: z.number().nonnegative(),
  required: z.boolean(),
  status: z.enum(['scored', 'unscored']),
  details: z.string(),
  metadata: measurements(z.record(z.string(), z.unknown()), {
    judge_hash: { kind: 'text_free' },
    judge_model: { kind: 'foreign_name' },
    judge_adapter: { kind: 'foreign_name' },
  }).default({}),
});

export type EvalResult = z.infer<typeof evalResultSchema>;

/**
 * passed and failed were scored; hard_fail: a required assertion failed; crashed: the agent's own code threw, which is
 * scored 0; unscored: could not be scored.
 */
export const trialStatusSchema = z.enum(['passed', 'failed', 'hard_fail', 'crashed', 'unscored']);

export type TrialStatus = z.infer<typeof trialStatusSchema>;

/**
 * The assertions that say why a trial did not pass, the most telling first: required ones, then those that count. Of a
 * trial that could not be scored these are the unscored ones, of any other those that failed.
 */
export function tellingFailures(results: readonly EvalResult[], trial: TrialStatus): EvalResult[] {
  const kind = trial === 'unscored' ? 'unscored' : 'scored';
  const rank = ({ required, weight }: EvalResult) => (required ? 0 : weight > 0 ? 1 : 2);
  return results.filter(({ status, passed }) => status === kind && !passed).toSorted((a, b) => rank(a) - rank(b));
}

/**
 * What an assertion found, then its name, because a long line is cut at its end. Only a name that the project gave is
 * added: one that Salvo gave, such as `output_contains:"{{status}}"`, repeats what the details say.
 */
export function namedFailure(failure: Pick<EvalResult, 'assertion_id' | 'assertion_type' | 'details'>): string {
  const { assertion_id: id, assertion_type: type, details } = failure;
  // The details of a custom check are the project's own words, and need not say which check it was.
  const isOurs = type !== 'custom' && type !== 'javascript' && id.startsWith(`${type}:`);
  return isOurs || id === '' || details.startsWith(`${id}:`) ? details : `${details} (${id})`;
}
