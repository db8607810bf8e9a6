import { expect, test } from 'vitest';
import { sampleCriterion, sampleJudgement } from '../../../../../../test/sample-judgement.ts';
import { sampleEvalResult, sampleTrial } from '../../../../../../test/sample-trial.ts';
import { failureNote } from './trial-failure.ts';

test('a judge that failed a trial is shown by the scores of its criteria', () => {
  const per_criterion = [sampleCriterion({ name: 'polite', score: 0.5, all_scores: [0.5, 0.5, 1] })];
  const failed = sampleEvalResult({
    assertion_id: 'tone',
    assertion_type: 'judge',
    passed: false,
    details: 'judge=M k=3 votes=3/3',
    metadata: { ...sampleJudgement({ per_criterion }) },
  });
  const result = sampleTrial({ status: 'failed', passed: false, trial_number: 3, eval_results: [failed] });
  expect(failureNote({ runId: null, scenario: 'greeting', result, isLog: true }).text).toBe(
    '✖ greeting, trial 3: failed: polite 0.50 (tone)',
  );
});
