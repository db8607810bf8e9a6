import type { EvalResult } from './eval-result.ts';
import type { TrialStatus } from './trial-status.ts';

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
 * What an assertion found, after its id. The id is left out where the details begin with what it says: ids that Salvo
 * gives are the type and the subject, such as `jmespath:response.content regex "done"`.
 */
export function namedFailure({ assertion_id: id, details }: { assertion_id: string; details: string }): string {
  const subject = id.slice(id.indexOf(':') + 1);
  return subject !== '' && details.startsWith(subject) ? details : `${id}: ${details}`;
}
