import { describe, expect, it } from 'vitest';
import { HOSTILE_TEXTS } from '../../../../../../test/hostile-texts.ts';
import { sampleJudgement } from '../../../../../../test/sample-judgement.ts';
import { sampleTrial } from '../../../../../../test/sample-trial.ts';
import { displayWidth } from '../../../text/output/safe-text.ts';
import { renderTrialResult } from './trial-report.ts';

const evaluation = {
  assertion_type: 'tool_called',
  assertion_id: 'refunds',
  score: 1,
  passed: true,
  weight: 1,
  required: false,
  status: 'scored' as const,
  details: 'called once',
  metadata: {},
};

const trial = { runId: 'k7m', caseName: null, trialNumber: 13 };

describe('the result of a trial', () => {
  it('says how each assertion went, and why those that did not pass did not', () => {
    const result = sampleTrial({
      trial_number: 13,
      status: 'hard_fail',
      score: 0.5,
      eval_results: [
        evaluation,
        { ...evaluation, assertion_id: 'sends-no-email', passed: false, score: 0, required: true, details: 'sent one' },
        { ...evaluation, assertion_id: 'cheap', passed: false, status: 'unscored', details: 'price unknown' },
      ],
    });
    expect(renderTrialResult({ ...trial, handle: 'shop', result }, { width: 60, color: false })).toBe(
      [
        'trial 13 of shop in run k7m: hard fail, because a required',
        'assertion failed (score 0.50)',
        '  ✔ refunds',
        '  ✖ sends-no-email  required',
        '    sent one',
        '  ? cheap',
        '    price unknown',
        '',
      ].join('\n'),
    );
  });

  it('shows what a judge said, whether it was content or not, instead of its figures in one line', () => {
    const judged = {
      ...evaluation,
      assertion_type: 'judge',
      details: 'judge=M k=5',
      metadata: { ...sampleJudgement() },
    };
    const result = sampleTrial({
      eval_results: [
        { ...judged, assertion_id: 'tone', score: 0.9 },
        { ...judged, assertion_id: 'facts', score: 0.4, passed: false },
      ],
    });
    const text = renderTrialResult({ ...trial, handle: 'shop', result }, { width: 60, color: false });
    expect(text.match(/polite {2}0\.75 {2}▄▆▆▇▆ {2}range 0\.50–0\.90/g)).toHaveLength(2);
    expect(text).toContain('It greets the customer, but never says sorry.');
    expect(text).not.toContain('judge=M');
  });

  it('says why a judge has no verdict', () => {
    const unread = { ...evaluation, status: 'unscored' as const, passed: false, details: 'judge_parse_failed: 3/3' };
    const result = sampleTrial({
      eval_results: [{ ...unread, metadata: { ...sampleJudgement({ per_criterion: [] }) } }],
    });
    const text = renderTrialResult({ ...trial, handle: 'shop', result }, { width: 60, color: false });
    expect(text).toContain('judge_parse_failed: 3/3');
  });

  it('gives the reason when no assertion was evaluated', () => {
    const result = sampleTrial({ status: 'unscored', score: null, eval_results: [], error_message: 'provider down' });
    const text = renderTrialResult({ ...trial, handle: 'shop', result }, { width: 60, color: false });
    expect(text).toContain('could not be scored\n  provider down\n');
  });

  it.each(HOSTILE_TEXTS)('lets nothing untrusted act on the terminal, nor any line grow too wide: %j', (hostile) => {
    const result = sampleTrial({
      eval_results: [{ ...evaluation, assertion_id: hostile, passed: false, score: 0, details: hostile }],
    });
    const text = renderTrialResult({ ...trial, handle: hostile, result }, { width: 40, color: false });
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(40);
  });
});
