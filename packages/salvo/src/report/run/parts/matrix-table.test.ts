import { expect, test } from 'vitest';
import { HOSTILE_TEXTS } from '../../../../../../test/hostile-texts.ts';
import { sampleSummary } from '../../../../../../test/sample-run.ts';
import { type MatrixTrial, runMatrix } from '../../../run/compare/run-matrix.ts';
import type { ScenarioSummary } from '../../../run/record/run-document.ts';
import { runVerdict } from '../../../run/verdict/verdict.ts';
import { wilsonInterval } from '../../../stats/intervals/wilson-interval.ts';
import { displayWidth } from '../../../text/output/safe-text.ts';
import { githubAnnotations } from '../formats/annotations.ts';
import { writeJunit } from '../formats/junit.ts';
import type { RunReport } from '../run-report.ts';
import { runMarkdown, runText } from '../run-text.ts';

/** A scenario that ran 20 times with a model. */
function entry(name: string, model: string, passed: number, usd = 0.02): ScenarioSummary {
  return sampleSummary({
    ...{ name, model, file: `scenarios/${name}.yaml`, min_pass_rate: 0.5 },
    ...{ verdict: passed >= 10 ? 'PASS' : 'PARTIAL', trials_passed: passed, trials_failed: 20 - passed },
    pass_rate: passed / 20,
    pass_rate_ci: wilsonInterval({ passed, total: 20 }),
    ...{ cost_total_usd: usd, cost_per_trial_usd: usd / 20 },
  });
}

const trialsOf = ({ trials_passed }: ScenarioSummary): MatrixTrial[] =>
  Array.from({ length: 20 }, (_, index) => ({
    ...{ case: null, trial: index + 1, score: null, latency_seconds: 0.82 },
    passed: index < trials_passed,
  }));

function reportOf(scenarios: readonly ScenarioSummary[]): RunReport {
  return {
    run_id: '01k7x9f3qz',
    ...runVerdict(scenarios.map(({ verdict }) => verdict)),
    overall: null,
    matrix: runMatrix(scenarios, { trials: scenarios.map(trialsOf), seed: null }),
    scenarios,
    duration_seconds: 3,
  };
}

const TWO = reportOf([
  ...[entry('refund', 'careful', 20, 0.06), entry('refund', 'hasty', 8)],
  ...[entry('greeting', 'careful', 19, 0.06), entry('greeting', 'hasty', 18)],
]);
const plain = { width: 80, color: false };

test('two models at 80 columns: scenario by model, what is more than luck, and a sentence', async () => {
  const [table = '', sentence = ''] = (await runText(TWO, plain)).split('\n\n');
  expect(`${table}\n\n${sentence}`).toMatchInlineSnapshot(`
    "   Model    Passed  Rate   95% CI  $/trial    p50  vs careful
    refund
    ✔  careful   20/20  100%  84–100%  $0.0030  820ms
    ◐  hasty      8/20   40%   22–61%  $0.0010  820ms  worse, -60 points
    greeting
    ✔  careful   19/20   95%   76–99%  $0.0030  820ms
    ✔  hasty     18/20   90%   70–97%  $0.0010  820ms  too few trials
    all scenarios (2)
    ✔  careful   39/40   98%   0–100%  $0.0030  820ms
    ◐  hasty     26/40   65%   0–100%  $0.0010  820ms  worse, -32 points

    hasty against careful: worse over all 2 scenarios together (-32 points); worse
    on 1 of 2 scenarios; too few trials to tell on 1 (to see a change of 20 points
    takes 95 trials); 3.0x cheaper.
    Better or worse: a difference of the pass rates with p < 0.05 after Holm's
    correction for all of these comparisons. Anything else may be luck."
  `);
});

const EIGHT = ['gpt-5-mini-2026-01-01', 'claude-haiku-4-5', 'llama-3.3-70b-instruct', 'd', 'e', 'f', 'g', 'h'];

test.each([80, 120])(
  'eight models at %i columns have one line each, with rate, interval and difference',
  async (width) => {
    const report = reportOf(EIGHT.map((model, index) => entry('refund', model, 20 - index)));
    const [table = ''] = (await runText(report, { ...plain, width })).split('\n\n');
    const lines = table.split('\n');
    expect(lines.slice(0, 2)).toEqual([expect.stringMatching(/^ {3}Model .*Rate +95% CI .*vs the first$/), 'refund']);
    expect(lines).toHaveLength(2 + 8);
    for (const [index, model] of EIGHT.entries()) {
      expect(lines[index + 2]).toMatch(new RegExp(`${model} .*${100 - index * 5}%  .*–.*%`));
    }
  },
);

test('the verdict counts scenarios and models, and adds up no pass rates of different models', async () => {
  const text = await runText(TWO, plain);
  expect(text).toContain('1 of 4 combinations of scenario and model failed');
  expect(text).toContain('2 scenarios × 2 models · 80 trials · $0.160');
  expect(text).not.toContain('Over ');
  expect(text).toContain('◐ refund · hasty');
});

test('Markdown has the same table and sentences', async () => {
  const text = await runMarkdown(TWO);
  expect(text).toContain('|  | Scenario | Model | Passed | Rate |');
  expect(text).toContain('| refund | hasty | 8/20 | 40% | 22–61% | $0.0010 | 820ms | worse, -60 points |');
  expect(text).toContain('| all scenarios (2) | careful | 39/40 |');
  expect(text).toContain(
    'hasty against careful: worse over all 2 scenarios together (-32 points); worse on 1 of 2 scenarios; too few trials to tell on 1 (to see a change of 20 points takes 95 trials); 3.0x cheaper.',
  );
});

test('JUnit has a suite for each model, and GitHub an error that names it', async () => {
  const chunks: string[] = [];
  await writeJunit({
    run: {
      run_id: '01k7',
      verdict: 'PARTIAL',
      exit_code: 1,
      created_at: '2026-01-01',
      seed: null,
      overall: null,
      git: null,
      flaky: [],
    },
    scenarios: TWO.scenarios.map((summary) => ({ summary, trials: () => [] })),
    write: (chunk) => void chunks.push(chunk),
  });
  expect([...chunks.join('').matchAll(/<testsuite name="([^"]*)"/g)].map(([, name]) => name)).toEqual([
    ...['refund (careful)', 'refund (hasty)', 'greeting (careful)', 'greeting (hasty)'],
  ]);
  expect(githubAnnotations(TWO, ({ file }) => ({ file, line: 1 }))).toContain('title=refund · hasty%3A PARTIAL');
});

test('too few trials are said, with how many would do, and a skipped scenario has no model', async () => {
  const few = (name: string, model: string) => sampleSummary({ ...entry(name, model, 3), trials_total: 3 });
  const scenarios = [few('a', 'x'), few('a', 'y'), sampleSummary({ name: 'b', verdict: 'SKIPPED', trials_total: 0 })];
  const trials = scenarios.map((each) => trialsOf(each).slice(0, 3));
  const text = await runText({ ...TWO, scenarios, matrix: runMatrix(scenarios, { trials, seed: null }) }, plain);
  expect(text).toMatch(/\nb\n- {2}skipped /);
  expect(text.replaceAll('\n', ' ')).toMatch(
    /y against x: too few trials to tell \(to see a change of 20 points takes \d+ trials\)\./,
  );
});

test('hostile names of models neither act on the terminal nor widen a line', async () => {
  for (const name of HOSTILE_TEXTS) {
    const report = reportOf([entry('refund', 'a', 20), entry('refund', name || 'b', 5)]);
    for (const width of [40, 80]) {
      const text = await runText(report, { width, color: false });
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
      for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
    }
  }
});
