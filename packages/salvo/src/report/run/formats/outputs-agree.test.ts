import fc from 'fast-check';
import { expect, test } from 'vitest';
import { onlyCase, sampleSummary } from '../../../../../../test/sample-run.ts';
import { sampleTrial } from '../../../../../../test/sample-trial.ts';
import { type TrialStatus, trialStatusSchema } from '../../../evaluators/eval-result.ts';
import { type ScenarioSummary, scenarioSummarySchema } from '../../../run/record/run-document.ts';
import { createScenarioTally } from '../../../run/tally/scenario-tally.ts';
import type { FurtherGate } from '../../../run/verdict/gates.ts';
import { runOverall } from '../../../run/verdict/overall.ts';
import { runVerdict, type VerdictPolicy } from '../../../run/verdict/verdict.ts';
import type { TrialResult } from '../../../trial/trial-result.ts';
import { runMarkdown, runText } from '../run-text.ts';
import { writeCsv } from './csv.ts';
import { writeRunJson } from './json-report.ts';
import { writeJunit } from './junit.ts';

interface Outcomes {
  statuses: TrialStatus[];
  missing?: number;
  minPassRate?: number;
  minScore?: number | null;
  further?: FurtherGate[];
  skip?: boolean;
  quarantined?: boolean;
  /** What a baseline decides. */
  baseline?: Pick<ScenarioSummary, 'verdict' | 'decided_by'> | undefined;
}

const STRICT: VerdictPolicy = { allowUnscored: false, recordOnly: false };

/** A finished run with these outcomes, as every report gets it. */
function runOf(scenarios: readonly Outcomes[], policy: VerdictPolicy) {
  const parts = scenarios.map(
    (
      {
        statuses,
        missing = 0,
        minPassRate = 1,
        minScore = null,
        further = [],
        skip = false,
        quarantined = false,
        baseline,
      },
      index,
    ) => {
      if (skip) return { summary: sampleSkipped(`scenario ${index}`), trials: [] };
      const tally = createScenarioTally({
        name: `scenario ${index}`,
        file: `s${index}.yaml`,
        model: 'm',
        adapter: 'a',
        threshold: 0.8,
        startedAt: '2026-01-01T00:00:00Z',
        gates: { min_pass_rate: minPassRate, min_score: minScore, further },
        cases: [
          {
            ...onlyCase(statuses.length + missing),
            quarantine: quarantined ? { until: '2026-01-01', reason: 'known' } : null,
          },
        ],
      });
      const trials = statuses.map((status, at) => sampleTrial({ trial_number: at + 1, status }));
      for (const trial of trials) tally.add(trial);
      const why = statuses[0] === 'crashed' ? 'equal_crashes' : 'interrupted';
      const summary = tally.summary({ ...policy, stopped: missing > 0 ? why : null });
      return { summary: judgedBy(baseline, summary), trials };
    },
  );
  const summaries = parts.map(({ summary }) => summary);
  const run = {
    ...runVerdict(summaries.map(({ verdict }) => verdict)),
    run_id: 'r1',
    created_at: '2026-01-01T00:00:00Z',
    seed: 1,
    git: null,
    flaky: [],
    overall: runOverall(summaries, 1),
  };
  return { run, parts, summaries };
}

/** A scenario that passes by its own rules may be worse than a baseline. */
function judgedBy(baseline: Outcomes['baseline'], summary: ScenarioSummary): ScenarioSummary {
  return summary.verdict === 'PASS' ? { ...summary, ...baseline } : summary;
}

const BY_BASELINE = [
  { verdict: 'PASS', decided_by: 'baseline' },
  { verdict: 'FAIL', decided_by: 'baseline' },
  { verdict: 'FAIL', decided_by: 'baseline_together' },
  { verdict: 'PASS', decided_by: 'baseline_observed' },
  { verdict: 'FAIL', decided_by: 'baseline_observed' },
  { verdict: 'UNSCORED', decided_by: 'baseline_undecided' },
  { verdict: 'FAIL', decided_by: 'new_cases' },
  { verdict: 'FAIL', decided_by: 'nothing_passed' },
] as const;

function sampleSkipped(name: string): ScenarioSummary {
  const counts = { trials_planned: 0, trials_total: 0, trials_scored: 0, trials_passed: 0 };
  const nothing = {
    pass_rate: null,
    pass_rate_ci: null,
    score_avg: null,
    score_min: null,
    pass_at_k: {},
    pass_hat_k: {},
  };
  const reason = { verdict: 'SKIPPED', decided_by: 'skip', skipped: 'the shop is closed' } as const;
  return sampleSummary({ name, ...counts, ...nothing, ...reason });
}

async function collect(write: (add: (text: string) => void) => Promise<void>): Promise<string> {
  const chunks: string[] = [];
  await write((text) => void chunks.push(text));
  return chunks.join('');
}

function count(xml: string, pattern: RegExp): number {
  return xml.match(pattern)?.length ?? 0;
}

/** Fails unless every output tells the same as the exit code. */
async function expectAgreement(scenarios: readonly Outcomes[], policy: VerdictPolicy): Promise<ScenarioSummary[]> {
  const { run, parts, summaries } = runOf(scenarios, policy);
  const stream = {
    run,
    scenarios: parts.map(({ summary, trials }) => ({ summary, trials: (): TrialResult[] => trials })),
  };
  const report = { ...run, scenarios: summaries, duration_seconds: 1 };
  const isGreen = run.exit_code === 0;
  const verdicts = summaries.map(({ verdict }) => verdict);

  const json = JSON.parse(await collect((write) => writeRunJson({ ...stream, write })));
  expect([json.exit_code, json.verdict]).toEqual([run.exit_code, run.verdict]);
  expect(json.scenarios.map(({ verdict }: { verdict: string }) => verdict)).toEqual(verdicts);

  const xml = await collect((write) => writeJunit({ ...stream, write }));
  const [, tests, failures, errors, skipped] =
    /<testsuites [^>]*tests="(\d+)" failures="(\d+)" errors="(\d+)" skipped="(\d+)"/.exec(xml) ?? [];
  expect(Number(failures) + Number(errors) === 0).toBe(isGreen);
  expect([tests, failures, errors, skipped].map(Number)).toEqual([
    count(xml, /<testcase /g),
    count(xml, /<failure /g),
    count(xml, /<error /g),
    count(xml, /<skipped /g),
  ]);
  expect(count(xml, /<testcase name="verdict"/g)).toBe(scenarios.length);

  const word = run.verdict.replace('_', ' ');
  const terminal = await runText(report, { width: 100, color: false });
  expect(terminal).toMatch(new RegExp(` ${word}\\s+exit code ${run.exit_code}: `));
  const markdown = await runMarkdown(report);
  expect(markdown).toMatch(new RegExp(`^## \\S+ ${word}: `));
  expect(markdown).toContain(`exit code ${run.exit_code}`);

  const csv = await collect((write) => writeCsv({ ...stream, write }));
  const column = csv.split('\r\n', 1)[0]?.split(',').indexOf('verdict') ?? -1;
  const rows = csv.trim().split('\r\n').slice(1);
  expect(rows.map((row) => row.split(',')[column])).toEqual(
    summaries.flatMap(({ verdict, trials_total }) => Array.from({ length: trials_total }, () => verdict)),
  );
  return summaries;
}

const times = (status: TrialStatus, count: number) => Array.from({ length: count }, () => status);

test.each<[string, Outcomes, Partial<VerdictPolicy>, ScenarioSummary['verdict']]>([
  ['all passed', { statuses: times('passed', 10) }, {}, 'PASS'],
  ['half passed', { statuses: [...times('passed', 5), ...times('failed', 5)] }, {}, 'PARTIAL'],
  ['tolerated failures', { statuses: [...times('passed', 8), ...times('failed', 2)], minPassRate: 0.8 }, {}, 'PASS'],
  ['tolerated crash', { statuses: [...times('passed', 8), 'crashed'], minPassRate: 0.8 }, {}, 'PASS'],
  ['a crash', { statuses: ['passed', 'crashed'] }, {}, 'PARTIAL'],
  ['only crashes', { statuses: times('crashed', 3) }, {}, 'FAIL'],
  ['a mean that is too low', { statuses: ['passed', 'failed'], minPassRate: 0, minScore: 0.9 }, {}, 'PARTIAL'],
  ['too expensive', { statuses: ['passed'], further: [{ gate: 'max_cost_usd', limit: 0.001 }] }, {}, 'PARTIAL'],
  [
    'too few trials for pass^5',
    { statuses: ['passed'], further: [{ gate: 'min_pass_hat_k', k: 5, limit: 0 }] },
    {},
    'UNSCORED',
  ],
  ['none passed', { statuses: times('failed', 3) }, {}, 'FAIL'],
  ['a hard fail', { statuses: ['passed', 'hard_fail'], minPassRate: 0 }, {}, 'HARD_FAIL'],
  ['one not scored', { statuses: ['passed', 'unscored'] }, {}, 'UNSCORED'],
  ['one not scored, allowed', { statuses: ['passed', 'unscored'] }, { allowUnscored: true }, 'PASS'],
  ['one failed, one not scored, allowed', { statuses: ['failed', 'unscored'] }, { allowUnscored: true }, 'FAIL'],
  ['none scored', { statuses: ['unscored'] }, { allowUnscored: true }, 'UNSCORED'],
  ['some not run', { statuses: ['passed'], missing: 2 }, {}, 'UNSCORED'],
  ['none run', { statuses: [], missing: 2 }, {}, 'UNSCORED'],
  ['only recorded, without any success', { statuses: ['unscored'] }, { recordOnly: true }, 'UNSCORED'],
])('all outputs agree with the exit code: %s', async (_, outcomes, policy, verdict) => {
  const [summary] = await expectAgreement([outcomes], { ...STRICT, ...policy });
  expect(summary?.verdict).toBe(verdict);
});

const FURTHER: FurtherGate[] = [
  { gate: 'min_pass_hat_k', k: 2, limit: 0.5 },
  { gate: 'min_pass_hat_k', k: 9, limit: 0 },
  { gate: 'min_pass_at_k', k: 1, limit: 1 },
  { gate: 'min_criteria', assertionId: null, criterion: 'tone', limit: 0.5 },
  { gate: 'max_cost_usd', limit: 0.001 },
  { gate: 'max_latency_seconds', quantile: 'p95', limit: 0.5 },
];

test('all outputs agree with the exit code, whatever happened', async () => {
  const share = fc.constantFrom(0, 0, 0.3, 0.5, 0.8, 1);
  const outcomes = fc.record({
    statuses: fc.oneof(
      fc.array(fc.constantFrom(...trialStatusSchema.options), { maxLength: 6 }),
      fc.array(fc.constantFrom('passed', 'failed'), { minLength: 2, maxLength: 6 }),
    ),
    missing: fc.constantFrom(0, 0, 0, 2),
    minPassRate: share,
    minScore: fc.option(share),
    further: fc.subarray(FURTHER, { maxLength: 1 }),
    skip: fc.nat(9).map((drawn) => drawn === 0),
    quarantined: fc.nat(9).map((drawn) => drawn === 0),
    baseline: fc.oneof(fc.constant(undefined), fc.constantFrom(...BY_BASELINE)),
  });
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(outcomes, { minLength: 1, maxLength: 3 }),
      fc.record({ allowUnscored: fc.boolean(), recordOnly: fc.nat(9).map((drawn) => drawn === 0) }),
      async (scenarios, policy) => {
        for (const { decided_by } of await expectAgreement(scenarios, policy)) seen.add(decided_by);
      },
    ),
    { numRuns: 300 },
  );
  const possible = scenarioSummarySchema.shape.decided_by.options;
  expect(possible.filter((rule) => !seen.has(rule))).toEqual([]);
});
