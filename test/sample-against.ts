import type { Baseline, BaselineScenario } from '../packages/salvo/src/run/compare/baseline.ts';
import { judgeAgainst } from '../packages/salvo/src/run/compare/judge-against.ts';
import type { ScenarioSummary } from '../packages/salvo/src/run/record/run-document.ts';
import type { RunRecord, RunScenario } from '../packages/salvo/src/run/record/run-record.ts';
import { createScenarioTally } from '../packages/salvo/src/run/tally/scenario-tally.ts';
import { scenarioGates } from '../packages/salvo/src/run/verdict/gates.ts';
import type { Scenario } from '../packages/salvo/src/scenario/schema/scenario-schema.ts';
import { sampleRun } from './sample-run.ts';
import { sampleTrial } from './sample-trial.ts';

export const YARDSTICK: BaselineScenario['yardstick'] = {
  threshold: 0.8,
  assertions: { polite: 'aaa', 'output_contains:"yes"': 'bbb' },
  judges: { polite: { model: 'gpt-4o', adapter: 'openai', hash: 'ccc' } },
  mocks: 'ddd',
  task: 'eee',
  system_prompt: 'fff',
};

/** A scenario without data whose trials had these outcomes: 1 passed, 0 failed, - could not be scored. */
export function measured(trials: string, change: Partial<BaselineScenario> = {}): BaselineScenario {
  return {
    ...{ name: 'refund', file: 'scenarios/refund.yaml', adapter: 'openai', model: 'a', seed: null },
    ...{ yardstick: YARDSTICK, cost_usd: null, latency_seconds: null },
    cases: [{ case: null, row: null, trials }],
    ...change,
  };
}

/** The same with a row for each of these, by name. */
export function measuredRows(rows: Record<string, string>, change: Partial<BaselineScenario> = {}): BaselineScenario {
  return measured('', {
    cases: Object.entries(rows).map(([name, trials]) => ({ case: name, row: name, trials })),
    ...change,
  });
}

export function results(...scenarios: BaselineScenario[]): Baseline {
  return {
    ...{ salvo_baseline: 1, salvo_version: '0.1.0', run_id: 'r', created_at: '2026-01-01T00:00:00Z', commit: null },
    scenarios,
  };
}

type Gated = Partial<Pick<Scenario, 'min_pass_rate' | 'min_score' | 'max_cost_usd'>>;

/** The run that had these results, as it is before a baseline judges it. */
export function endedRun(next: Baseline, gates: Gated = {}): RunRecord {
  const run = sampleRun();
  const [entry] = run.scenarios;
  if (!entry) throw new Error('The sample has no scenario.');
  const scenarios = next.scenarios.map(({ name, file, adapter, model, cases }): RunScenario => {
    const scenario = { ...entry.scenario, name, ...gates };
    return {
      ...entry,
      name,
      file,
      adapter,
      model,
      scenario,
      summary: summaryOf({ name, file, adapter, model }, cases, scenario),
    };
  });
  return { ...run, scenarios };

  function summaryOf(
    names: Pick<ScenarioSummary, 'name' | 'file' | 'adapter' | 'model'>,
    cases: BaselineScenario['cases'],
    scenario: Scenario,
  ): ScenarioSummary {
    const tally = createScenarioTally({
      ...names,
      threshold: 0.8,
      gates: scenarioGates(run.options, scenario),
      startedAt: run.created_at,
      cases: cases.map((each, index) => ({
        ...{ index, name: each.case, trials: each.trials.length, skip: null, quarantine: null },
      })),
    });
    for (const [index, each] of cases.entries()) {
      for (const [at, outcome] of [...each.trials].entries()) {
        const status = outcome === '1' ? 'passed' : outcome === '0' ? 'failed' : 'unscored';
        const score = outcome === '-' ? null : Number(outcome);
        const answer_hash = each.identical ? 'same' : `${index} ${at}`;
        tally.add(
          sampleTrial({ case_index: index, case: each.case, trial_number: at + 1, status, score, answer_hash }),
        );
      }
    }
    return tally.summary({ stopped: null, allowUnscored: false, recordOnly: false });
  }
}

/** What a baseline says about these results. */
export function judged(
  base: Baseline,
  next: Baseline,
  { maxDrop = null, undecided, ...gates }: Gated & { maxDrop?: number | null; undecided?: 'observed' | 'fail' } = {},
) {
  const how = { source: 'base.json', max_drop: maxDrop, undecided };
  return judgeAgainst(base, next, how, endedRun(next, gates));
}
