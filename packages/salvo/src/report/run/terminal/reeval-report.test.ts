import { describe, expect, test } from 'vitest';
import { HOSTILE_TEXTS } from '../../../../../../test/hostile-texts.ts';
import { sampleSummary } from '../../../../../../test/sample-run.ts';
import type { ChangedTrial } from '../../../run/reevaluate/reevaluation.ts';
import { displayWidth } from '../../../text/output/safe-text.ts';
import { renderReevals } from './reeval-report.ts';

const before = sampleSummary({
  verdict: 'PARTIAL',
  pass_rate: 0.8,
  pass_rate_ci: [0.58, 0.92],
  trials_passed: 16,
  score_avg: 0.78,
});
const changedTrials: [ChangedTrial, ChangedTrial] = [
  { case: null, trial_number: 3, before: 'failed', after: 'passed', score_before: 0.4, score_after: 1 },
  { case: null, trial_number: 12, before: 'hard_fail', after: 'unscored', score_before: 0.4, score_after: null },
];

describe('renderReeval', () => {
  test('shows what the new assertions changed', () => {
    const report = {
      name: 'refund',
      task_changes: ['prompt'],
      before,
      after: sampleSummary(),
      changed_trials: changedTrials,
    };
    expect(renderReevals([report], { width: 80, color: false })).toMatchInlineSnapshot(`
      "refund-happy-path

      The task itself changed since these traces were recorded; run it again for a
      fair verdict:
        - prompt

                     Before    After        Change
      verdict       PARTIAL     PASS       changed
      passed          16/20    20/20
      pass rate         80%     100%  ↑ +20 points
      95% interval   58–92%  84–100%
      mean score       0.78     1.00       ↑ +0.22
      not scored          0        0          same

      Now: 20 of 20 trials passed; 100% must pass (min_pass_rate).

      2 trials judged differently, 2 with another outcome:
      trial 3   ○ failed     →  ● passed    0.40 → 1.00
      trial 12  ✖ hard fail  →  ? unscored  0.40 → —
      "
    `);
  });

  test('says when nothing changed, and does not warn of a task that is the same', () => {
    const text = renderReevals([{ name: 'refund', task_changes: [], before, after: before, changed_trials: [] }], {
      width: 80,
      color: false,
    });
    expect(text).toContain('No trial was judged differently.');
    expect(text).not.toContain('task itself');
    expect(text).not.toContain('↑');
  });

  test('trials with another outcome come first, then those whose score moved most', () => {
    const moved = (trial_number: number, after: number) =>
      ({ case: null, trial_number, before: 'failed', after: 'failed', score_before: 0.5, score_after: after }) as const;
    const trials = [moved(1, 0.4), moved(2, 0.1), { ...changedTrials[0], trial_number: 3 }];
    const report = { name: 'refund', task_changes: [], before, after: before, changed_trials: trials };
    const text = renderReevals([report], { width: 80, color: false });
    expect(text).toContain('3 trials judged differently, 1 with another outcome:');
    expect([...text.matchAll(/^trial (\d)/gm)].map(([, number]) => number)).toEqual(['3', '2', '1']);
  });

  test('many changed trials are not all listed', () => {
    const many = Array.from({ length: 50 }, (_, index) => ({ ...changedTrials[0], trial_number: index + 1 }));
    const report = { name: 'refund', task_changes: [], before, after: before, changed_trials: many };
    expect(renderReevals([report], { width: 80, color: false })).toContain('and 30 more (JSON lists all)');
  });

  test('hostile texts neither act on the terminal nor widen a line', () => {
    for (const text of HOSTILE_TEXTS) {
      const report = { name: text, task_changes: [text], before, after: before, changed_trials: changedTrials };
      for (const width of [40, 80]) {
        const rendered = renderReevals([report], { width, color: false });
        expect(rendered).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
        for (const line of rendered.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      }
    }
  });

  test('says what judges cost now, since they were asked again', () => {
    const report = {
      name: 'refund',
      task_changes: [],
      before,
      after: sampleSummary({ judge_cost_usd: 0.0021 }),
      changed_trials: [],
    };
    expect(renderReevals([report], { width: 80, color: false })).toMatch(/\njudges +— +\$0\.0021\n/);
  });
});
