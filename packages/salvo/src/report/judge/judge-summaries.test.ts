import { describe, expect, it } from 'vitest';
import { sampleSummary } from '../../../../../test/sample-run.ts';
import { judgeRemarks, judgeSummaries } from './judge-summaries.ts';
import { uncalibratedWarnings } from './result-words.ts';

type JudgeSummary = ReturnType<typeof sampleSummary>['judges'][number];

const judge: JudgeSummary = {
  assertion_id: 'tone',
  judge_model: 'gpt-4o-mini',
  judge_adapter: 'openai',
  judge_hash: 'c0ffee',
  calibrated: null,
  calibration_verdict: null,
  calibration_note: null,
  threshold: 0.8,
  trials_judged: 20,
  pass_rate: 0.8,
  corrected_pass_rate: null,
  corrected_ci: null,
  votes_cast: 100,
  votes_saved: 0,
  votes_cached: 0,
  votes_repaired: 0,
  retries: 0,
  dissent_rate: 0.12,
  pairwise_kappa: [],
  krippendorff_alpha: null,
};

function wordsOf(changes: Partial<JudgeSummary>): string {
  return judgeSummaries(sampleSummary({ judges: [{ ...judge, ...changes }] }))
    .map((parts) => parts.join(' · '))
    .join('\n');
}

describe('the summary of a judge', () => {
  it('is its pass rate, its votes, and how many of them dissented', () => {
    expect(wordsOf({})).toBe('tone (judge): gpt-4o-mini passed 80% of 20 trials · 100 votes · 12% dissented');
  });

  it('comes with the pass rate that people would have found, when it was calibrated', () => {
    const words = wordsOf({ calibrated: true, corrected_pass_rate: 0.74, corrected_ci: [0.52, 0.91] });
    expect(words).toContain(' · people would pass 74% (52–91%) · ');
  });

  it('says that a judge was never calibrated, but not of a script', () => {
    expect(wordsOf({ calibrated: false })).toContain('never calibrated');
    expect(wordsOf({ calibrated: null })).not.toContain('calibrated');
  });

  it('says when people would not rely on it', () => {
    expect(wordsOf({ calibrated: true, calibration_verdict: 'weak' })).toContain(' · calibrated as weak · ');
    expect(wordsOf({ calibrated: true, calibration_verdict: 'too few labels' })).toContain('with too few labels');
    expect(wordsOf({ calibrated: true, calibration_verdict: 'usable' })).not.toContain('calibrated as');
  });

  it('says what was saved, what was cached, and how far a panel agrees', () => {
    const pairwise_kappa = [
      { a: 'large', b: 'small', kappa: 0.61 },
      { a: 'large', b: 'other', kappa: null },
    ];
    const words = wordsOf({ votes_saved: 14, votes_cached: 3, krippendorff_alpha: 0.5, pairwise_kappa });
    expect(words).toContain('3 from the cache · 14 saved · alpha 0.50 · large and small kappa 0.61');
    expect(words).not.toContain('other');
  });

  it('says what the corrected rate assumes, or why there is none', () => {
    const note = 'assumes that the judge errs here as often as on the labelled items, which name no scenario';
    expect(wordsOf({ calibrated: true, calibration_note: note })).toContain(` · ${note} · `);
    const difference = 'calibrated with k=1, this run uses k=9: calibrate again';
    expect(wordsOf({ calibrated: false, calibration_note: difference })).toContain(`not calibrated (${difference})`);
    expect(wordsOf({ calibrated: false })).toContain('never calibrated');
  });

  it('names the method of the corrected rate and its labels', () => {
    const rate = { corrected_pass_rate: 0.76, corrected_ci: [0.6, 0.88] as [number, number] };
    const byErrors = { ...rate, calibrated: true, corrected_by: { method: 'error_rates' as const, labels: 40 } };
    expect(wordsOf(byErrors)).toContain('people would pass 76% (60–88%) · by its error rates on 40 labels · ');
    const own = wordsOf({
      ...{ ...rate, calibrated: false, calibration_note: 'prediction-powered, by labels of 50' },
      corrected_by: { method: 'prediction_powered', labels: 50 },
      corrected_by_error_rates: { rate: 0.71, interval: [0.5, 0.9], note: '' },
    });
    expect(own).toContain(
      'people would pass 76% (60–88%) · prediction-powered, by labels of 50 · by its error rates 71% (50–90%) · ',
    );
    expect(own).not.toContain('calibrated');
  });

  it('says why labels of the run were not used, also in the short report', () => {
    const labels_note = 'they are 12';
    expect(wordsOf({ calibrated: false, labels_note })).toContain(' · never calibrated · they are 12 · ');
    const judges = [{ ...judge, calibrated: false, labels_note }];
    expect(judgeRemarks({ judges }).flat()).toEqual(['tone (judge): gpt-4o-mini passed 80% of 20 trials', labels_note]);
  });

  it('says how often an answer was asked for again, and how often a request was sent again', () => {
    expect(wordsOf({ votes_repaired: 2, retries: 1 })).toContain(' · 2 asked again · 1 retry');
    expect(wordsOf({ votes_repaired: 0, retries: 12 })).toMatch(/ · 12 retries$/);
    expect(wordsOf({})).not.toMatch(/again|retr/);
  });

  it('is nothing where no judge was asked', () => {
    expect(judgeSummaries(sampleSummary())).toEqual([]);
  });
});

describe('warnings of uncalibrated judges', () => {
  const inUse = { judgeHash: 'h', judgeModel: 'judge-1', relativeFile: 'scenarios/refund.yaml', difference: null };

  it('name the judge and what to do, in one line', () => {
    expect(uncalibratedWarnings([inUse])).toEqual([
      'Warning: the judge judge-1 of scenarios/refund.yaml was never compared with people. `salvo calibrate labels.jsonl --scenario scenarios/refund.yaml` shows how far to trust it.',
    ]);
  });

  it('name how a similar judge that was calibrated differs', () => {
    expect(uncalibratedWarnings([{ ...inUse, difference: 'calibrated with k=1, this run uses k=9' }])).toEqual([
      'Warning: the judge judge-1 of scenarios/refund.yaml was calibrated with k=1, this run uses k=9: calibrate again, with `salvo calibrate labels.jsonl --scenario scenarios/refund.yaml`.',
    ]);
  });

  it('list a few and count the rest', () => {
    const lines = uncalibratedWarnings(Array.from({ length: 8 }, () => inUse));
    expect(lines).toHaveLength(6);
    expect(lines.at(-1)).toBe('Warning: 3 more judges never compared with people.');
  });

  it('stay one safe line, whatever a model or a file is called', () => {
    const [line] = uncalibratedWarnings([{ ...inUse, judgeModel: 'a\n\u001b[2Jb', relativeFile: 'x\ny.yaml' }]);
    expect(line).not.toMatch(/[\u0000-\u001f]/);
  });
});
