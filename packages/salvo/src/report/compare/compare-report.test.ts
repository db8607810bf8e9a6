import { describe, expect, it } from 'vitest';
import { judged } from '../../../../../test/sample-against.ts';
import type { Baseline, BaselineScenario } from '../../run/compare/baseline.ts';
import { compareResults } from '../../run/compare/compare-runs.ts';
import { againstCases } from './against-words.ts';
import { comparisonMarkdown, renderComparison } from './compare-report.ts';

const scenario = (trials: string, change: Partial<BaselineScenario> = {}): BaselineScenario => ({
  ...{ name: 'refund', file: 'refund.yaml', adapter: 'openai', model: 'a', seed: null },
  yardstick: { threshold: 0.8, assertions: {}, judges: {}, mocks: null, task: null, system_prompt: null },
  ...{ cost_usd: null, latency_seconds: null },
  cases: [{ case: null, row: null, trials }],
  ...change,
});
const results = (...scenarios: BaselineScenario[]): Baseline => ({
  ...{ salvo_baseline: 1, salvo_version: '', run_id: 'r1', created_at: '2026-01-01T10:00:00Z', commit: null },
  scenarios,
});
/** Twelve scenarios with the same trials. */
const many = (trials: string, change: Partial<BaselineScenario> = {}) =>
  results(
    ...Array.from({ length: 12 }, (_, index) =>
      scenario(trials, { name: `s${index}`, file: `s${index}.yaml`, ...change }),
    ),
  );
const report = (base: BaselineScenario, next: BaselineScenario) =>
  renderComparison(compareResults(results(base), results(next)), { width: 100, color: false });

describe('the report of a comparison', () => {
  it('has one plain sentence for each conclusion', () => {
    const passed = scenario('1'.repeat(20));
    expect(report(passed, scenario('10'.repeat(10)))).toContain('Worse: 50% passed, 100% before: -50 points');
    expect(report(scenario('10'.repeat(10)), passed)).toContain('Better in 1 of 1 scenario, worse in none.');
    expect(report(passed, passed)).toContain('No evidence of a change: 100% passed, 100% before: 0 points');
    expect(report(scenario('111'), scenario('110'))).toMatch(
      /Too few trials to tell: .* About \d+ trials in each\s+run/s,
    );
    expect(report(passed, scenario('---'))).toContain('one of the runs has no scored trial of it');
    expect(report(passed, scenario('1', { name: 'x', file: 'x' }))).toContain('no scenario in common');
  });

  it('does not take a test that found nothing for a proof that nothing fell', () => {
    const text = report(scenario('11111'), scenario('11000'));
    expect(text).toMatch(/Too few trials to tell: 40% passed, 100% before: -60 points \(95% CI -\d+ to \+/);
    expect(text).toMatch(/A drop\s+of\s+up\s+to\s+\d+\s+points\s+is\s+possible\./);
  });

  it('explains an interval without 0 beside a corrected p', () => {
    const fell = { name: 'fell', file: 'fell.yaml' };
    const base = results(...many('1'.repeat(20)).scenarios, scenario('1'.repeat(20), fell));
    const next = results(...many('1'.repeat(20)).scenarios, scenario('1'.repeat(14) + '0'.repeat(6), fell));
    const found = compareResults(base, next);
    expect(found.scenarios.find(({ name }) => name === 'fell')).toMatchObject({ conclusion: 'too_few_trials' });
    for (const text of [renderComparison(found, { width: 200, color: false }), comparisonMarkdown(found)]) {
      expect(text).toContain('intervals are of one scenario alone, and p is corrected for all tests.');
    }
    const few = compareResults(
      results(scenario('1'.repeat(14) + '0'.repeat(6)), scenario('1'.repeat(20), fell)),
      results(scenario('1'.repeat(20)), scenario('1'.repeat(14) + '0'.repeat(6), fell)),
    );
    expect(comparisonMarkdown(few)).toContain('p = 0.020 alone, but p = 0.081 among all tests');
  });

  it('mentions a time only if it changed by much, and never with an interval', () => {
    const timed = (mean: number) => scenario('1'.repeat(20), { latency_seconds: { trials: 20, mean, sd: 0.01 } });
    expect(report(timed(1), timed(1.4))).not.toContain('Time per trial');
    expect(report(timed(0.01), timed(0.03))).not.toContain('Time per trial');
    const text = report(timed(1), timed(2));
    expect(text).toContain('Time per trial: 1.0s before, 2.0s now; one measurement of each run');
    expect(text).not.toContain('95% CI of the difference');
  });

  it('says to choose a model if a run has several', () => {
    const found = compareResults(
      results(scenario('1')),
      results(scenario('1', { model: 'b' }), scenario('1', { model: 'c' })),
    );
    expect(renderComparison(found, { width: 100, color: false })).toContain('Choose one, such as latest@gpt-4o.');
  });

  it('shows names as plain text, whatever is in them', () => {
    const hostile = { name: 'a\u001b[31m|<b>@you' };
    const found = compareResults(
      results(scenario('1'.repeat(20), hostile)),
      results(scenario('0'.repeat(20), hostile)),
    );
    expect(renderComparison(found, { width: 100, color: false })).not.toContain('\u001b');
    expect(comparisonMarkdown(found)).not.toMatch(/\u001b|<b>|@you/);
  });

  it('says once what differs everywhere, and joins scenarios that have nothing to say', () => {
    const found = compareResults(many('111', { model: 'a' }), many('110', { model: 'b' }));
    const [text, markdown] = [renderComparison(found, { width: 100, color: false }), comparisonMarkdown(found)];
    for (const each of [text, markdown]) {
      expect(each.match(/the model was a, and is b/gi)).toHaveLength(1);
      expect(each).toMatch(/Too few trials to tell in 12 scenarios\. About \d+ trials in each\s+run/);
      expect(each).not.toContain('a → b');
    }
    expect(text.trimEnd().split('\n').length).toBeLessThan(30);
    const same = compareResults(many('1110'), many('1110'));
    expect(renderComparison(same, { width: 120, color: false })).toContain(
      'No evidence of a change over all 12 scenarios together; too few trials to tell in each of them.',
    );
  });

  it('explains a scenario that changed among many that did not', () => {
    const changed = { name: 'broken', file: 'broken.yaml' };
    const found = compareResults(
      results(...many('111').scenarios, scenario('1'.repeat(20), changed)),
      results(...many('111').scenarios, scenario('0'.repeat(20), changed)),
    );
    const text = renderComparison(found, { width: 100, color: false });
    expect(text).toMatch(/^broken\n {2}Worse: 0% passed/m);
    expect(text).not.toMatch(/^s3\n/m);
  });
});

describe('a run that is worse than its baseline only over all scenarios together', () => {
  it('says so for each scenario that fell, and in a case of its own', () => {
    const next = results(...many('1111').scenarios.slice(0, 1), ...many('1101').scenarios.slice(1));
    const cases = againstCases(judged(many('1111'), next));
    const ofScenario = (name: string) => cases.find(({ scenario }) => scenario === name);
    expect(ofScenario('s0')).toMatchObject({ outcome: null });
    expect(ofScenario('s1')).toMatchObject({
      outcome: 'failure',
      sentence: expect.stringMatching(/^All scenarios together are worse, and this is one that fell: 75% passed, 100%/),
    });
    expect(cases.at(-1)).toMatchObject({
      ...{ scenario: 'all scenarios (12)', place: null, outcome: 'failure' },
      sentence: expect.stringMatching(/^Worse: 77% passed, 100% before/),
    });
  });
});
