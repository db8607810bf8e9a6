import type { TrialResult } from '../../trial/trial-result.ts';
import type { ScenarioSummary } from '../record/run-document.ts';

/** Counts the outcomes that came with imported conversations, and how often Salvo's own results agree with them. */
export function createGivenTally() {
  let outcomes = 0;
  let passed = 0;
  let beside = 0;
  let compared = 0;
  let agree = 0;
  return {
    add(trial: TrialResult): void {
      const given = trial.eval_results.find(isGiven);
      if (!given) return;
      outcomes += 1;
      if (given.passed) passed += 1;
      if (given.weight !== 0) return;
      beside += 1;
      if (trial.status === 'unscored') return;
      compared += 1;
      if (trial.passed === given.passed) agree += 1;
    },
    summary(): Pick<ScenarioSummary, 'given'> {
      if (outcomes === 0) return {};
      return { given: { outcomes, passed, ...(beside > 0 ? { compared, agree } : { compared: null, agree: null }) } };
    },
  };
}

function isGiven({ assertion_type, status }: TrialResult['eval_results'][number]): boolean {
  return assertion_type === 'given' && status === 'scored';
}
