import type { Agreement, CalibrationMetrics, CalibrationRecord } from '../src/judge/calibration/calibration-record.ts';

/** The calibration of a usable judge, with the changes that a test needs. */
export function sampleCalibration(change: Partial<CalibrationRecord> = {}): CalibrationRecord {
  const agreement: Agreement = {
    n: 40,
    human_passed: 20,
    kappa: 0.8,
    kappa_ci: [0.6, 0.95],
    sensitivity: { correct: 18, total: 20, rate: 0.9, ci: [0.7, 0.97] },
    specificity: { correct: 18, total: 20, rate: 0.9, ci: [0.7, 0.97] },
  };
  const metrics: CalibrationMetrics = {
    ...agreement,
    agreement: 0.9,
    n_scores: 40,
    spearman: 0.7,
    kendall: null,
    mean_error: 0.05,
    mean_absolute_error: 0.1,
    vote_flip_rate: 0.1,
    repeat_flip_rate: null,
    best_threshold: { threshold: 0.75, kappa: 0.85 },
    votes_needed: 3,
    effective_votes: { votes: 3, worth: 1.5, error_correlation: 0.5 },
    verdict: 'usable',
    reason: 'kappa 0.80 (95% interval 0.60 to 0.95) on 40 items',
  };
  return {
    judge_hash: 'c0ffee01',
    created_at: '2026-01-01T00:00:00.000Z',
    judge_adapter: 'openai',
    judge_model: 'judge-model',
    k: 3,
    judge: {
      judges: [{ provider: 'openai', server: 'openai', model: 'judge-model', weight: 1 }],
      k: 3,
      threshold: 0.8,
      temperature: 0,
      aggregation: 'median',
      early_stop: false,
      sections: ['task', 'response'],
      prompt: 'facade01',
      rubric: 'facade02',
    },
    threshold: 0.8,
    items: 41,
    scored: 40,
    unscored: [{ line: 7, error: 'the provider was down' }],
    votes: 123,
    failed_votes: 2,
    unreadable_votes: 1,
    criteria: [{ name: 'politeness', ...metrics }],
    scenarios: [{ scenario: null, ...agreement }],
    panel: null,
    overall: metrics,
    verdict: 'usable',
    reason: metrics.reason,
    ...change,
  };
}
