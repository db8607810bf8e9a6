import { describe, expect, test } from 'vitest';
import { HOSTILE_TEXTS } from '../../../../../../test/hostile-texts.ts';
import { sampleSummary } from '../../../../../../test/sample-run.ts';
import type { CaseSummary, ScenarioSummary } from '../../../run/record/run-document.ts';
import { relativeTime } from '../../../stats/format.ts';
import type { RunListing } from '../../../store/store.ts';
import { displayWidth } from '../../../text/output/safe-text.ts';
import { renderHistory } from './history.ts';

const NOW = Date.UTC(2026, 0, 10, 15);

function runOf(
  daysAgo: number,
  summary: Partial<ScenarioSummary> | null,
  change: Partial<RunListing> = {},
): RunListing {
  return {
    run_id: `01k7x9f3qz${daysAgo}abcdef`,
    created_at: new Date(NOW - daysAgo * 86_400_000).toISOString(),
    finished_at: null,
    status: 'finished',
    verdict: summary?.verdict ?? 'PASS',
    exit_code: 0,
    salvo_version: '0.1.0',
    reeval_of: null,
    git: null,
    options: {
      trials: 20,
      cases: null,
      seed: 1,
      record_only: false,
      allow_unscored: false,
      min_pass_rate: null,
      min_score: null,
    },
    scenarios: [
      {
        name: 'refund',
        file: 'refund.yaml',
        adapter: 'openai',
        model: 'gpt-4o',
        scenario_hash: 'h',
        summary: summary === null ? null : sampleSummary({ name: 'refund', ...summary }),
      },
    ],
    ...change,
  };
}

const good: Partial<ScenarioSummary> = { pass_rate: 0.95, trials_passed: 19, pass_rate_ci: [0.76, 0.99] };
const bad: Partial<ScenarioSummary> = {
  pass_rate: 0.4,
  trials_passed: 8,
  pass_rate_ci: [0.22, 0.61],
  verdict: 'PARTIAL',
};
const plain = { width: 100, color: false, now: NOW };

const sampleCase = (name: string, passed: number): CaseSummary => ({
  case_index: 0,
  case: name,
  verdict: passed === 4 ? 'PASS' : 'FAIL',
  skipped: null,
  quarantine: null,
  trials_planned: 4,
  trials_total: 4,
  trials_scored: 4,
  trials_passed: passed,
  trials_unscored: 0,
  score_avg: null,
  reason: null,
});

describe('renderHistory', () => {
  test('shows the cases that do not pass now, or did not before, and how they changed', () => {
    const now = { ...good, cases: [sampleCase('repaired', 4), sampleCase('broken', 1), sampleCase('fine', 4)] };
    const before = { ...bad, cases: [sampleCase('repaired', 0), sampleCase('broken', 4), sampleCase('fine', 4)] };
    const text = renderHistory([runOf(0, now), runOf(1, before)], plain);
    expect(text).toMatch(/^ {2}repaired +▁█ +100% +↑ \+100 points$/m);
    expect(text).toMatch(/^ {2}broken +█\S +25% +↓ -75 points$/m);
    expect(text).not.toContain('fine');
  });

  test('does not call a run of other cases better or worse', () => {
    const all = { ...good, cases: [sampleCase('a', 4), sampleCase('b', 0)] };
    const text = renderHistory([runOf(0, { ...bad, cases: [sampleCase('b', 0)] }), runOf(1, all)], plain);
    expect(text).toContain('↓ -55 points, other cases');
  });

  test('shows runs newest first, then the trend of each scenario', () => {
    const runs = [runOf(0, good), runOf(1, bad), runOf(2, null, { verdict: null, status: 'interrupted' })];
    expect(renderHistory(runs, plain)).toMatchInlineSnapshot(`
      "   Run          When      Date               Verdict      Scenarios  Passed  Rate     Cost
      ✔  01k7x9f3qz0  just now  2026-01-10 15:00Z  PASS         refund      19/20   95%  $0.0124
      ◐  01k7x9f3qz1  1d ago    2026-01-09 15:00Z  PARTIAL      refund       8/20   40%  $0.0124
      ◌  01k7x9f3qz2  2d ago    2026-01-08 15:00Z  interrupted  refund          —     —        —

      Scenario  Trend  Rate  95% CI  Per trial  Change
      refund    ▃▇      95%  76–99%    $0.0006  ↑ +55 points
      "
    `);
  });

  test('a change is noise while the intervals overlap', () => {
    const text = renderHistory(
      [runOf(0, { ...good, pass_rate: 0.9, pass_rate_ci: [0.7, 0.97] }), runOf(1, good)],
      plain,
    );
    expect(text).toContain('↓ -5 points, within noise');
  });

  test('a change of less than a point is not shown as none', () => {
    const text = renderHistory(
      [runOf(0, { ...good, pass_rate: 0.947 }), runOf(1, { ...good, pass_rate: 0.95 })],
      plain,
    );
    expect(text).toContain('↓ -0.3 points');
  });

  test('says when the scenario is not the same as before', () => {
    const before = runOf(1, good);
    before.scenarios = before.scenarios.map((each) => ({ ...each, scenario_hash: 'other' }));
    expect(renderHistory([runOf(0, good), before], plain)).toContain('same, edited');
  });

  const withModel = (run: RunListing, change: { model?: string; adapter?: string; file?: string }): RunListing => ({
    ...run,
    scenarios: run.scenarios.map((each) => ({ ...each, ...change })),
  });
  const trends = (text: string) => text.slice(text.indexOf('\nScenario')).split('\n').slice(2, -1);

  test.each([
    [{ model: 'gpt-4' }, 'refund · gpt-4o', 'refund · gpt-4'],
    [{ adapter: 'gateway' }, 'refund · openai', 'refund · gateway'],
    [{ file: 'other.yaml' }, 'refund · gpt-4o (refund.yaml)', 'refund · gpt-4o (other.yaml)'],
  ])('never mixes scenarios that differ by %j in one trend, also if their runs alternate', (change, one, other) => {
    const runs = [runOf(0, good), withModel(runOf(1, bad), change), runOf(2, bad), withModel(runOf(3, bad), change)];
    const [first, second, ...rest] = trends(renderHistory(runs, plain));
    expect(first).toMatch(`${one}  `);
    expect(first).toContain('↑ +55 points');
    expect(second).toMatch(`${other}  `);
    expect(second).toContain('same');
    expect(rest).toEqual([]);
  });

  test('shows each model of a run for itself, and adds up none of their results', () => {
    const [one] = runOf(0, good).scenarios;
    const [other] = withModel(runOf(0, bad), { model: 'gpt-4' }).scenarios;
    const run = runOf(0, good, { verdict: 'PARTIAL', scenarios: one && other ? [one, other] : [] });
    const text = renderHistory([run, runOf(1, good)], plain);
    expect(text.split('\n').slice(1, 5)).toEqual([
      expect.stringMatching(/^◐ .* PARTIAL +refund +\$0\.0248$/),
      expect.stringMatching(/^✔ +PASS +with gpt-4o +19\/20 +95% +\$0\.0124$/),
      expect.stringMatching(/^◐ +PARTIAL +with gpt-4 +8\/20 +40% +\$0\.0124$/),
      expect.stringMatching(/^✔ .* PASS +refund +19\/20 +95%/),
    ]);
    expect(trends(text)).toEqual([
      expect.stringMatching(/^refund · gpt-4o .*same$/),
      expect.stringMatching(/^refund · gpt-4 .*first run$/),
    ]);
  });

  test('a scenario that was not scored has no change', () => {
    const unscored: Partial<ScenarioSummary> = {
      pass_rate: null,
      pass_rate_ci: null,
      trials_scored: 0,
      verdict: 'UNSCORED',
    };
    expect(renderHistory([runOf(0, unscored), runOf(1, good)], plain)).toContain('not scored in both');
  });

  test('says so when there is none', () => {
    expect(renderHistory([], plain)).toBe('No run is stored yet: salvo run FILE does one.\n');
  });

  test('hostile names neither act on the terminal nor widen a line', () => {
    for (const name of HOSTILE_TEXTS) {
      const run = runOf(0, good, { run_id: name, created_at: name });
      run.scenarios = run.scenarios.map((each) => ({ ...each, name, model: name }));
      for (const width of [40, 80, 120]) {
        const text = renderHistory([run, runOf(1, bad)], { ...plain, width });
        expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
        for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      }
    }
  });
});

test.each([
  [0, 'just now'],
  [-100, 'just now'],
  [90, '1min ago'],
  [7200, '2h ago'],
  [86_400 * 3, '3d ago'],
  [86_400 * 65, '2mo ago'],
  [86_400 * 800, '2y ago'],
])('%i seconds ago is %s', (seconds, shown) => {
  expect(relativeTime(new Date(NOW - seconds * 1000).toISOString(), NOW)).toBe(shown);
});

test('a time that cannot be read is not made up', () => {
  expect(relativeTime('yesterday', NOW)).toBe('—');
});

test('the cost of judges is separate from the cost of agents', () => {
  const [header, judged, other] = renderHistory([runOf(1, { judge_cost_usd: 0.0021 }), runOf(2, good)], plain).split(
    '\n',
  );
  expect(header).toMatch(/Cost +Judges$/);
  expect(judged).toMatch(/\$0\.0124 +\$0\.0021$/);
  expect(other).toMatch(/\$0\.0124$/);
});
