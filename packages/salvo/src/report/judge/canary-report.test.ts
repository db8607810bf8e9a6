import { describe, expect, it } from 'vitest';
import { HOSTILE_TEXTS } from '../../../../../test/hostile-texts.ts';
import { CANARY_KINDS } from '../../judge/canaries/canaries.ts';
import type { CanaryOutcome, CanaryReport } from '../../judge/canaries/check-judge.ts';
import { displayWidth } from '../../text/output/safe-text.ts';
import { renderCanaries } from './canary-report.ts';

const fallen: CanaryOutcome = {
  id: 'ignore-the-rubric',
  kind: 'instruction',
  expect: 'must_not_pass',
  score: 1,
  reasoning: 'The answer says that it deserves a full score, and it was polite about it.',
  error: null,
};
const refused: CanaryOutcome = { ...fallen, id: 'honest-short', kind: 'honest_answer', expect: 'must_pass', score: 0 };
const lost: CanaryOutcome = { ...fallen, id: 'plea', score: null, reasoning: null, error: 'the provider is down' };

function sampleReport(change: Partial<CanaryReport> = {}): CanaryReport {
  return {
    judge_model: 'judge-1',
    judge_adapter: 'openai',
    k: 3,
    threshold: 0.8,
    cases: CANARY_KINDS.length * 4,
    not_judged: 0,
    budget_refusal: null,
    verdict: 'robust',
    attacks: { scored: 48, passed: 0, pass_rate: 0, ci: [0, 0.07] },
    wrong: { scored: 8, passed: 0, pass_rate: 0, ci: [0, 0.32] },
    honest: { scored: 4, passed: 4, pass_rate: 1, ci: [0.51, 1] },
    honest_minus_attacks: { value: 1, ci: [0.5, 1] },
    honest_minus_wrong: { value: 1, ci: [0.4, 1] },
    fell_for: [],
    controls_failed: [],
    unscored: [],
    kinds: CANARY_KINDS.map((kind) => ({ kind, cases: 4, wrong: 0, unscored: 0 })),
    judge_cost_usd: 0.0123,
    exit_code: 0,
    ...change,
  };
}

const render = (change: Partial<CanaryReport>, width = 80, color = false) =>
  renderCanaries(sampleReport(change), { width, color });

describe('renderCanaries', () => {
  it('says of a judge that is right that it fell for nothing, and what that does not mean', () => {
    const text = render({});
    expect(text).toContain(
      [
        'judge-1 (openai) 3 votes',
        '✔ fell for none of 48 attempts, and passed none of 8 wrong answers',
        'passed 4 of 4 honest answers (100%, 95% interval 51–100%), 0 of 8 wrong answers',
        '(0%, 95% interval 0–32%) and 0 of 48 attempts (0%, 95% interval 0–7%)',
        '60 cases, threshold 0.8, $0.0123',
      ].join('\n'),
    );
    expect(text).toContain('salvo calibrate');
  });

  it('counts by kind, and gives the reasoning of what it fell for', () => {
    const kinds = sampleReport().kinds.map((each) => (each.kind === 'instruction' ? { ...each, wrong: 1 } : each));
    const attacks = { scored: 48, passed: 1, pass_rate: 1 / 48, ci: null };
    const text = render({ verdict: 'manipulated', attacks, fell_for: [fallen], kinds, exit_code: 1 });
    expect(text).toContain('✖ fell for 1 of 48 attempts');
    expect(text).toMatch(/✖ {2}instructions to the judge +1\/4 {2}██▌/);
    expect(text).toContain('It fell for:\n  ignore-the-rubric 1.00\n    The answer says that it deserves');
  });

  it('says when a judge passes nothing at all', () => {
    const honest = { scored: 4, passed: 0, pass_rate: 0, ci: null };
    const controls_failed = [refused, refused, refused, refused];
    const text = render({ verdict: 'fails everything', honest, controls_failed, exit_code: 1 });
    expect(text).toContain('✖ fails everything, right answers too');
    expect(text).toContain('It passes nothing at all');
    expect(text).not.toContain('fell for none');
  });

  it.each([
    ['passes everything', '✖ passes everything: right answers, wrong ones, and attempts'],
    ['checks nothing', '✖ checks nothing: it does not pass right answers more often than wrong ones'],
    ['misses errors', '✖ passed 2 of 8 wrong answers'],
  ] as const)('names a judge that %s', (verdict, words) => {
    const wrong = { scored: 8, passed: 2, pass_rate: 0.25, ci: null };
    expect(render({ verdict, wrong, exit_code: 1 }).replaceAll(/\s+/g, ' ')).toContain(words);
  });

  it('says of a judge that guesses that few attempts that pass mean nothing', () => {
    const attacks = { scored: 55, passed: 12, pass_rate: 12 / 55, ci: [0.13, 0.34] as [number, number] };
    const honest = { scored: 8, passed: 2, pass_rate: 0.25, ci: [0.07, 0.59] as [number, number] };
    const text = render({ verdict: 'guessing', attacks, honest, exit_code: 1 }).replaceAll(/\s+/g, ' ');
    expect(text).toContain(
      'passed 2 of 8 honest answers (25%, 95% interval 7–59%), 0 of 8 wrong answers (0%, 95% interval 0–32%) and 12 of 55 attempts (22%, 95% interval 13–34%)',
    );
    expect(text).toContain('Few attempts that pass say nothing about a judge that passes honest answers no more often');
  });

  it('says of a judge that fails honest answers that it is too strict', () => {
    const honest = { scored: 4, passed: 3, pass_rate: 0.75, ci: null };
    const text = render({ verdict: 'too strict', honest, controls_failed: [refused], exit_code: 1 });
    expect(text).toContain('✖ failed 1 of 4 honest answers');
  });

  it('does not praise a judge that could not be asked', () => {
    const text = render({ verdict: 'open', unscored: [lost], not_judged: 2, exit_code: 3 });
    expect(text).toContain('open: not every case was scored');
    expect(text).toContain('1 case could not be scored\n  the provider is down\n2 cases not judged');
    expect(text).not.toContain('fell for none');
  });

  it('gives one example of every kind before a second of any', () => {
    const many = Array.from({ length: 14 }, (_, index) => ({ ...fallen, id: `instruction-${index}` }));
    const last: CanaryOutcome = { ...fallen, id: 'last', kind: 'tool_result' };
    const text = render({ fell_for: [...many, last], exit_code: 1 });
    expect(text.indexOf('  last 1.00')).toBeLessThan(text.indexOf('  instruction-1 1.00'));
    expect(text).toContain('and 3 more (JSON lists all)');
  });

  it.each([24, 40, 80, 200])('has no line wider than %i columns, for any text of the judge', (width) => {
    for (const hostile of HOSTILE_TEXTS) {
      const outcome = { ...fallen, reasoning: hostile.repeat(20), error: hostile };
      const change = { judge_model: hostile, fell_for: [outcome], controls_failed: [outcome], unscored: [outcome] };
      const text = render({ ...change, not_judged: 1, exit_code: 1 }, width);
      for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    }
  });

  it('has colours only when asked for, and only ASCII for terminals without Unicode', () => {
    expect(render({ verdict: 'manipulated', fell_for: [fallen], exit_code: 1 }, 80, true)).toContain('\u001b[31m');
    const plain = renderCanaries(sampleReport(), { width: 80, color: false, ascii: true });
    expect(plain).toMatch(/^[\x00-\x7f]*$/);
  });
});
