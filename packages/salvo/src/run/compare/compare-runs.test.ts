import { describe, expect, it } from 'vitest';
import { results, measured as scenario, YARDSTICK } from '../../../../../test/sample-against.ts';
import type { BaselineScenario } from './baseline.ts';
import { compareResults, compareWithBase } from './compare-runs.ts';

const PASSED = '1'.repeat(20);
const HALF = '10'.repeat(10);
const yardstick = (change: Partial<BaselineScenario['yardstick']>) => ({ yardstick: { ...YARDSTICK, ...change } });

describe('the comparison of two runs', () => {
  it('is worse if one scenario is, and lists that first', () => {
    const other = { name: 'other', file: 'other.yaml' };
    const found = compareResults(
      results(scenario(HALF, other), scenario(PASSED)),
      results(scenario(PASSED, other), scenario(HALF)),
    );
    expect(found).toMatchObject({ conclusion: 'worse', exit_code: 1 });
    expect(found.scenarios.map(({ name, conclusion }) => [name, conclusion])).toEqual([
      ['refund', 'worse'],
      ['other', 'better'],
    ]);
  });

  it('is corrected for all runs that are compared with the same one', () => {
    const [base, next] = [results(scenario(PASSED)), results(scenario(HALF))];
    const p = compareResults(base, next).scenarios[0]?.p_holm ?? 0;
    const found = compareWithBase(base, [next, next, results()]);
    expect(found.map(({ scenarios }) => scenarios.map(({ p_holm }) => p_holm))).toEqual([
      [expect.closeTo(2 * p, 10)],
      [expect.closeTo(2 * p, 10)],
      [],
    ]);
  });

  it('compares other models, adapters and prompts, and mentions them', () => {
    const next = scenario(PASSED, { model: 'b', ...yardstick({ task: 'xxx', system_prompt: 'yyy' }) });
    const found = compareResults(results(scenario(PASSED)), results(next));
    expect(found).toMatchObject({ conclusion: 'no_evidence', exit_code: 0 });
    expect(found.scenarios[0]?.differences).toEqual([
      'the model was a, and is b',
      'the system prompt differs',
      'the prompt or the messages differ',
    ]);
  });

  it.each([
    [{ threshold: 0.9 }, 'the threshold was 0.8, and is 0.9'],
    [{ threshold: null }, 'a trial passed from a score of 0.8 (threshold), and now needs every assertion to pass'],
    [{ assertions: { polite: 'aaa' } }, 'the assertion output_contains:"yes" is gone'],
    [{ assertions: { ...YARDSTICK.assertions, more: 'x' } }, 'the assertion more is new'],
    [{ assertions: { ...YARDSTICK.assertions, polite: 'x' } }, 'the assertion polite changed'],
    [
      { judges: { polite: { model: 'gpt-5', adapter: 'openai', hash: 'x' } } },
      'the judge polite was gpt-4o, and is gpt-5',
    ],
    [{ judges: { polite: { model: 'gpt-4o', adapter: 'openai', hash: 'x' } } }, 'the judge polite changed'],
    [{ mocks: 'x' }, 'what the tools answer differs'],
  ])('refuses another yardstick: %j', (change, reason) => {
    const [base, next] = [results(scenario(PASSED)), results(scenario(HALF, yardstick(change)))];
    const refused = compareResults(base, next);
    expect(refused).toMatchObject({ conclusion: 'not_comparable', exit_code: 3 });
    expect(refused.scenarios[0]).toMatchObject({ not_comparable_because: [reason], p: null });
    const anyway = compareResults(base, next, { anyway: true });
    expect(anyway).toMatchObject({ conclusion: 'worse' });
    expect(anyway.scenarios[0]?.differences).toEqual([reason]);
  });

  it('does not refuse what a result file does not say', () => {
    const unknown = yardstick({
      assertions: { polite: null, 'output_contains:"yes"': null },
      judges: { polite: { model: 'gpt-4o', adapter: 'openai', hash: null } },
      mocks: null,
      task: null,
    });
    expect(compareResults(results(scenario(PASSED, unknown)), results(scenario(HALF)))).toMatchObject({
      conclusion: 'worse',
    });
  });

  it('cannot compare runs without a scenario in common, or without a scored trial', () => {
    const other = scenario(PASSED, { name: 'other', file: 'other.yaml' });
    expect(compareResults(results(scenario(PASSED)), results(other))).toMatchObject({
      exit_code: 3,
      only_base: ['refund'],
      only_next: ['other'],
    });
    expect(compareResults(results(scenario(PASSED)), results(scenario('---')))).toMatchObject({ exit_code: 3 });
  });

  it('pairs scenarios by their model if a run has several, and finds a file that was moved', () => {
    const base = results(scenario(PASSED), scenario(HALF, { model: 'b' }));
    const next = results(scenario(HALF, { model: 'b' }), scenario(PASSED));
    expect(
      compareResults(base, next)
        .scenarios.map(({ base_model }) => base_model)
        .toSorted(),
    ).toEqual(['a', 'b']);
    expect(compareResults(base, next).conclusion).not.toBe('worse');
    const moved = compareResults(results(scenario(PASSED)), results(scenario(PASSED, { file: 'moved.yaml' })));
    expect(moved.scenarios).toHaveLength(1);
  });

  it('knows rows by name and content: a changed row is left out, and an inserted one moves no other', () => {
    const row = (name: string, content: string, trials: string) => ({ case: name, row: content, trials });
    const base = [row('1', 'x', '1'), row('2', 'y', '1'), row('late', 'l', '1'), row('early', 'e', '1')];
    const next = [
      row('1', 'new', '0'),
      row('2', 'x', '1'),
      row('3', 'y', '0'),
      row('late', 'other', '0'),
      row('early', 'e', '1'),
    ];
    const [found] = compareResults(
      results(scenario('', { cases: base })),
      results(scenario('', { cases: next })),
    ).scenarios;
    expect(found?.cases).toEqual({ compared: 3, only_base: [], only_next: ['1'] });
    expect(found?.differences).toEqual(['1 row differs and is not compared: late']);
    expect(found?.flipped).toEqual({ to_failed: ['3'], to_passed: [] });
  });

  it('says how costs changed', () => {
    const cost = (mean: number) => ({ cost_usd: { trials: 20, mean, sd: 0.001 } });
    const [found] = compareResults(
      results(scenario(PASSED, cost(0.01))),
      results(scenario(PASSED, cost(0.02))),
    ).scenarios;
    expect(found?.cost_usd).toMatchObject({ base: 0.01, next: 0.02, difference: { value: 0.01 } });
    expect(found?.cost_usd?.difference.interval?.[0]).toBeCloseTo(0.01 - 2.093 * Math.sqrt(2e-6 / 20), 5);
    expect(found?.latency_seconds).toBeNull();
  });
});
