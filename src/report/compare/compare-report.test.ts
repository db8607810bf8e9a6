import { describe, expect, it } from 'vitest';
import type { Baseline, BaselineScenario } from '../../run/compare/baseline.ts';
import { compareResults } from '../../run/compare/compare-runs.ts';
import { comparisonMarkdown } from './compare-markdown.ts';
import { renderComparison } from './compare-report.ts';

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
});
