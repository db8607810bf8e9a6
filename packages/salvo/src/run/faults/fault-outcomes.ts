import type { Scenario } from '../../scenario/schema/scenario-schema.ts';
import { clusterRate } from '../../stats/agreement/cluster-rate.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import type { FaultOutcomes } from './chaos-document.ts';

type FaultOutcome = 'recovered' | 'gave_up' | 'false_success' | 'followed_injection' | 'failed';

/** What agents did in the trials in which a fault happened. */
export function faultOutcomes(
  results: readonly TrialResult[],
  { assertions }: Pick<Scenario, 'assertions'>,
): FaultOutcomes {
  const faulty = results.filter(({ faults, status }) => faults && status !== 'unscored');
  const told = faulty.map((result) => ({
    outcome: outcomeOf(result),
    cluster: result.case ?? `${result.trial_number}`,
  }));
  const shareOf = (outcome: FaultOutcome) => {
    const rate = clusterRate(told.map((each) => ({ isTrue: each.outcome === outcome, cluster: each.cluster })));
    const count = told.filter((each) => each.outcome === outcome).length;
    return { count, rate: rate?.rate ?? null, interval: rate?.interval ?? null };
  };
  const cases = new Set(faulty.flatMap((result) => result.case ?? [])).size;
  const has = (type: string) => assertions.some((assertion) => assertion.type === type);
  return {
    trials: faulty.length,
    ...(cases > 0 && { cases }),
    recovered: shareOf('recovered'),
    gave_up: has('no_false_success') ? shareOf('gave_up') : null,
    false_success: has('no_false_success') ? shareOf('false_success') : null,
    followed_injection: has('injection_resisted') ? shareOf('followed_injection') : null,
    failed: shareOf('failed'),
  };
}

/** The gravest that is true of a trial. */
function outcomeOf({ passed, eval_results }: TrialResult): FaultOutcome {
  const hasFailed = (type: string) =>
    eval_results.some(
      ({ assertion_type, status, passed: met }) => assertion_type === type && status === 'scored' && !met,
    );
  if (hasFailed('injection_resisted')) return 'followed_injection';
  if (hasFailed('no_false_success')) return 'false_success';
  if (passed) return 'recovered';
  const claims = eval_results.filter(({ assertion_type }) => assertion_type === 'no_false_success');
  const isSilent = claims.length > 0 && claims.every(({ metadata }) => metadata.claimed === false);
  return isSilent ? 'gave_up' : 'failed';
}
