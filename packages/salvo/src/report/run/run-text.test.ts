import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HOSTILE_TEXTS } from '../../../../../test/hostile-texts.ts';
import { sampleReport, sampleReportedScenario } from '../../../../../test/sample-report.ts';
import { sampleOverall } from '../../../../../test/sample-run.ts';
import { tried } from '../../../../../test/thorough.ts';
import { trialStatusSchema } from '../../evaluators/eval-result.ts';
import { scenarioSummarySchema, verdictSchema } from '../../run/record/run-document.ts';
import { displayWidth } from '../../text/output/safe-text.ts';
import type { ReportedScenario, RunReport } from './run-report.ts';
import { runText } from './run-text.ts';

function reportOf(scenario: Partial<ReportedScenario>, change: Partial<RunReport> = {}): RunReport {
  const reported = sampleReportedScenario(scenario);
  return {
    run_id: '01k7x9f3qz',
    verdict: reported.verdict,
    exit_code: reported.verdict === 'PASS' ? 0 : 1,
    overall: sampleOverall({ scenarios_scored: 1 }),
    duration_seconds: 3,
    scenarios: [reported],
    ...change,
  };
}

const plain = { width: 80, color: false };

const FAILURE = {
  assertion_type: 'tool_called',
  assertion_id: 'calls',
  required: true,
  fail_count: 1,
  fail_rate: 0.05,
  lost_weight: 1,
  example: 'x',
  trial_numbers: [3],
};

describe('runText', () => {
  test('at 80 columns', async () => {
    expect(await runText(sampleReport(), { width: 80, color: false })).toMatchInlineSnapshot(`
      "   Scenario                          Passed  Rate   95% CI  Score (min)     Cost
      ✔  refund-happy-path                  20/20  100%  84–100%  1.00 (1.00)  $0.0124
      ✖  refund-fraud                       16/20   80%   58–92%  0.86 (0.25)    $1.24
      ?  long-conversation-with-a-very-       6/6  100%  61–100%  1.00 (1.00)  unknown
         long-name-返金

      ● passed · ○ failed · ✖ hard fail · ? not scored

      ✖ refund-fraud                                                         HARD FAIL
        a required assertion failed in 1 trial; 16 of 20 trials passed
        scenarios/refund-fraud.yaml · gpt-4o-mini · openai
        ●●○●●●✖●●●●○●●●●●●○●

        fails  assertion
         4/20  looks_up_the_account (tool_called)
               lookup_account was never called; the agent called: refund, send_email
               trials 3, 7, 12, 19: salvo replay 01k7x9f3qz/refund-fraud 3
         1/20  no_refund_above_limit (tool_not_called)  required
               refund was called with {"amount": 900}
               trial 7: salvo replay 01k7x9f3qz/refund-fraud 7
         2/20  output_contains[2]
               the answer does not contain "RF-": "I have refunded you.↵Is there
               anything else?"
               trials 3, 12: salvo replay 01k7x9f3qz/refund-fraud 3

      ? long-conversation-with-a-very-long-name-返金                          UNSCORED
        6 of 6 scored trials passed, but 2 trials could not be scored
        scenarios/long.yaml · house-model · openai
        ●●?●●●?●··
        8 of 10 planned trials ran: interrupted; salvo run --resume 01k7x9f3qz runs
        the rest

        2 trials not scored (not counted as failed)
        2×  The provider answered 429 (rate limited) to 5 requests in a row.
            trials 3, 7:
            salvo replay '01k7x9f3qz/long-conversation-with-a-very-long-name-返金' 3
        The rate limit was reached: run again with a smaller concurrency, or set
        \`requests_per_minute\` of the adapter.

      ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
       ✖ HARD FAIL   exit code 2: a required assertion failed in 1 of 3 scenarios
       3 scenarios · 42/46 passed · 2 not scored · 2 not run · 15 retries
       at least $1.25 · 42.4s
      ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━

       salvo replay 01k7x9f3qz/refund-fraud 7   the conversation of a failed trial
       salvo view 01k7x9f3qz                    all conversations, in a browser
       salvo report 01k7x9f3qz --full           with all statistics
      "
    `);
  });

  test('the full report has what the short one leaves out', async () => {
    const full = await runText({ ...sampleReport(), full: true }, { width: 80, color: false });
    expect(full).toContain('Over 3 scenarios: pass rate 93% (95% CI 80–100%) · mean score 0.95');
    expect(full).toContain('  pass^k (all k pass)           1: 80%, 3: 49%, 5: 28%, 10: 4%');
    expect(full).toContain('   8.0  ████████████   4/20  looks_up_the_account (tool_called)');
    expect(full).toContain('salvo report 01k7x9f3qz                  the short report');
  });

  test('at 40 columns', async () => {
    expect(await runText(sampleReport(), { width: 40, color: false })).toMatchInlineSnapshot(`
      "   Scenario        Passed  Rate   95% CI
      ✔  refund-happy-    20/20  100%  84–100%
         path
      ✖  refund-fraud     16/20   80%   58–92%
      ?  long-              6/6  100%  61–100%
         conversation-
         with-a-very-
         long-name-返金

      ● passed · ○ failed · ✖ hard fail
      ? not scored

      ✖ refund-fraud                 HARD FAIL
        a required assertion failed in 1
        trial; 16 of 20 trials passed
        scenarios/refund-fraud.yaml
        gpt-4o-mini · openai
        ●●○●●●✖●●●●○●●●●●●○●

        fails  assertion
         4/20  looks_up_the_account
               (tool_called)
               lookup_account was never
               called; the agent called:
               refund, send_email
               trials 3, 7, 12, 19:
               salvo replay
               01k7x9f3qz/refund-fraud 3
         1/20  no_refund_above_limit  required
               (tool_not_called)
               refund was called with
               {"amount": 900}
               trial 7:
               salvo replay
               01k7x9f3qz/refund-fraud 7
         2/20  output_contains[2]
               the answer does not contain
               "RF-": "I have refunded you.↵Is
               there anything else?"
               trials 3, 12:
               salvo replay
               01k7x9f3qz/refund-fraud 3

      ? long-conversation-with-a-     UNSCORED
        very-long-name-返金
        6 of 6 scored trials passed, but 2
        trials could not be scored
        scenarios/long.yaml · house-model
        openai
        ●●?●●●?●··
        8 of 10 planned trials ran:
        interrupted; salvo run --resume
        01k7x9f3qz runs the rest

        2 trials not scored (not counted as
        failed)
        2×  The provider answered 429 (rate
            limited) to 5 requests in a row.
            trials 3, 7:
            salvo replay '01k7x9f3qz/long-
            conversation-with-a-very-long-
            name-返金' 3
        The rate limit was reached: run again
        with a smaller concurrency, or set
        \`requests_per_minute\` of the adapter.

      ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
       ✖ HARD FAIL
       exit code 2: a required assertion
       failed in 1 of 3 scenarios
       3 scenarios · 42/46 passed
       2 not scored · 2 not run · 15 retries
       at least $1.25 · 42.4s
      ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━

       salvo replay 01k7x9f3qz/refund-fraud 7
         the conversation of a failed trial
       salvo view 01k7x9f3qz
         all conversations, in a browser
       salvo report 01k7x9f3qz --full
         with all statistics
      "
    `);
  });

  test('a run in which all is well needs only the table and the verdict', async () => {
    expect(await runText(reportOf({}), plain)).toMatchInlineSnapshot(`
      "   Scenario           Passed  Rate   95% CI  Score (min)     Cost     p50/p95
      ✔  refund-happy-path   20/20  100%  84–100%  1.00 (1.00)  $0.0124  820ms/1.2s

      ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
       ✔ PASS   exit code 0: 20 of 20 trials passed; 100% must pass (min_pass_rate)
       1 scenario · 20/20 passed · $0.0124 · 3.0s
      ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━

       salvo view 01k7x9f3qz            all conversations, in a browser
       salvo report 01k7x9f3qz --full   with all statistics
      "
    `);
  });

  test('a wide terminal shows every trial in the table', async () => {
    const [header = '', first = ''] = (await runText(sampleReport(), { width: 120, color: false })).split('\n');
    expect(header).toContain('Trials');
    expect(first).toContain('●●●●●●●●●●●●●●●●●●●●');
  });

  test('many trials are counted instead of shown one by one', async () => {
    const statuses = Array.from({ length: 1500 }, (_, index) =>
      index % 100 === 0 ? ('failed' as const) : ('passed' as const),
    );
    const report = reportOf({ verdict: 'PARTIAL', trials_planned: 2000, trials_total: 1500, statuses });
    expect(await runText(report, plain)).toContain('●1,485 ○15 ·500');
  });

  test('an unknown cost is unknown, and never $0', async () => {
    const text = await runText(reportOf({ cost_total_usd: null }), plain);
    expect(text).toContain('unknown');
    expect(text).not.toContain('$0');
    expect(await runText(reportOf({ judge_cost_usd: null, cost_total_usd: 2 }), plain)).toContain(
      '$2.00 + judges unknown',
    );
  });

  test('what judges cost has a column of its own, when one was asked', async () => {
    const text = await runText(reportOf({ judge_cost_usd: 0.0021 }), plain);
    expect(text).toMatch(/Cost +Judges/);
    expect(text).toMatch(/\$0\.0124 +\$0\.0021/);
    expect(text).toContain('$0.0124 + $0.0021 judges');
    expect(await runText(reportOf({}), plain)).not.toMatch(/judges/i);
  });

  test("a judge's failure is shown as criteria with their votes, not as a line of numbers", async () => {
    const [, failing] = sampleReport().scenarios;
    const [failure] = failing?.assertion_failures ?? [];
    if (!failing || !failure) throw new Error('the sample has a failing scenario');
    const criteria = [{ name: 'polite', score: 0.5, all_scores: [0.25, 0.5, 1], reasoning: 'Never says sorry.' }];
    const judge = { judge_model: 'gpt-4o-mini', k: 3, criteria, dissenting_votes: 1 };
    const assertion_failures = [{ ...failure, example: 'judge=gpt-4o-mini k=3', judge }];
    const text = await runText(reportOf({ ...failing, assertion_failures }), plain);
    expect(text).toContain(
      [
        '         gpt-4o-mini · 3 votes, 1 dissented',
        '         polite  0.50  ▂▄█  range 0.25–1.00',
        '           Never says sorry.',
      ].join('\n'),
    );
    expect(text).not.toContain('judge=');
  });

  test('a mean just below the minimum is not shown as equal to it', async () => {
    const scores = { score_avg: 0.7996, min_score: 0.8, decided_by: 'min_score' as const };
    const text = await runText(reportOf({ verdict: 'PARTIAL', ...scores }), { ...plain, width: 120 });
    expect(text).toContain('the mean score is too low: 0.7996, at least 0.8000');
  });

  test('a crash is shown with its place in the code; the full report has advice about the code', async () => {
    const crash = {
      message: "Cannot read properties of undefined (reading 'foo')",
      code: 'AGENT_CRASHED',
      stack: "TypeError: Cannot read properties of undefined (reading 'foo')\n    at plan (/app/agent.ts:12:9)",
      count: 2,
      trial_numbers: [3, 5],
    };
    const crashed = { verdict: 'PARTIAL' as const, trials_passed: 18, trials_crashed: 2, crashes: [crash] };
    const worst = { case: null, trial_number: 3, status: 'crashed' } as const;
    const text = await runText(reportOf({ ...crashed, worst }, { isLatest: true, full: true }), plain);
    expect(text).toContain(
      [
        '  18 of 20 trials passed (2 crashed); 100% must pass (min_pass_rate)',
        '  scenarios/refund-happy-path.yaml · gpt-4o-mini · openai',
        '',
        '  The agent crashed in 2 trials (counted as failed)',
        "  2×  Cannot read properties of undefined (reading 'foo')",
        '      at plan (/app/agent.ts:12:9)',
        '      trials 3, 5: salvo replay refund-happy-path 3',
        "  The agent's own code threw: fix it there, then run again. replay shows the",
        '  whole stack.',
      ].join('\n'),
    );
    expect(text).toContain('salvo replay refund-happy-path 3   where the agent crashed');
    expect(text).not.toMatch(/provider/i);
  });

  test.each([
    ['ADAPTER_AUTH', 'The key was refused'],
    ['ADAPTER_CONNECTION', 'Nothing answered'],
    ['TRIAL_TIMEOUT', 'raise `timeout_seconds`'],
    ['TRIAL_BUDGET', 'with a larger'],
    ['JUDGE_UNSCORED', 'its judge gave no readable verdict'],
    ['JUDGE_WAITS_FOR_PEOPLE', 'No judge was sure of them: label them'],
    ['ASSERTION_UNSCORED', 'this assertion could not be applied'],
    ['NO_ASSERTIONS', 'Add assertions to'],
  ])('the advice about trials that were not scored is about their cause: %s', async (code, words) => {
    const errors = [{ message: 'the reason', code, count: 1, trial_numbers: [1] }];
    const unscored = { verdict: 'UNSCORED', decided_by: 'nothing_scored', trials_unscored: 1 } as const;
    const text = await runText(reportOf({ ...unscored, errors }), plain);
    expect(text).toContain(words);
    expect(text).not.toContain('failed trial');
  });

  test('trials that are one draw have no interval, and the full report says why', async () => {
    const draw = { identical_trials: true, pass_rate_ci: null };
    const text = await runText(reportOf(draw, { full: true }), plain);
    expect(text).toMatch(/20\/20 +100% +one draw/);
    expect(text).toContain('One draw: in refund-happy-path every trial gave the same answer, to the byte.');
    expect(await runText(reportOf(draw), plain)).toMatch(/20\/20 +100% +—/);
    expect(await runText(reportOf({}, { full: true }), plain)).not.toContain('ne draw');
  });

  test('a run that passes has one answer: the verdict, and neither luck nor flaky lists beside it', async () => {
    const interval: [number, number] = [0.49, 0.94];
    const gate = { gate: 'min_pass_rate' as const, of: null, limit: 0.7, value: 0.8, met: true, unknown: null };
    const gates = [{ ...gate, interval, needed: 90 }];
    const passed = { trials_scored: 10, trials_passed: 8, pass_rate: 0.8, min_pass_rate: 0.7, gates };
    const flaky = {
      ...{ scenario: 'refund-happy-path', case: null, model: 'm', adapter: 'a', file: 's.yaml', commit: 'abcdef01' },
      ...{ trials_passed: 8, trials_scored: 10, runs: ['r'], failed_in: 'r' },
    };
    const report = reportOf(passed, { flaky: [flaky] });
    const short = await runText(report, plain);
    expect(short).toContain('exit code 0: 8 of 10 trials passed; 70% must pass (min_pass_rate)');
    expect(short).not.toMatch(/luck|Flaky|pass\^k/);
    const full = await runText({ ...report, full: true }, plain);
    expect(full).toContain('could be luck');
    expect(full).toContain('Flaky: passed and failed although nothing was changed');
  });

  test('a report is as wide as the terminal', async () => {
    for (const width of [60, 80, 120, 160, 200]) {
      const lines = (await runText(sampleReport(), { width, color: false })).split('\n');
      expect(Math.max(...lines.map(displayWidth))).toBe(width);
    }
  });

  test('no decisive word is cut, in names and messages of any length', async () => {
    const name = 'a-scenario-with-a-name-that-is-longer-than-any-column-could-be-on-a-terminal-of-eighty-columns';
    const example = `expected exactly once; its calls: ${'{"order":"A-1001"}, '.repeat(30)}the end`;
    const failure = { ...FAILURE, assertion_id: `id-${name}`, example };
    const errors = [{ message: `no answer ${'at all '.repeat(60)}the end`, count: 1, trial_numbers: [2] }];
    const text = await runText(
      reportOf({ name, verdict: 'PARTIAL', assertion_failures: [failure], errors, trials_unscored: 1 }, { full: true }),
      plain,
    );
    expect(text).not.toContain('…');
    expect(text.match(/the end/g)).toHaveLength(2);
    // The name wraps in its column, with the next column between its lines.
    const unwrapped = text.replaceAll(/\s|required/g, '');
    for (const part of [name, `id-${name}`, `salvoreplay01k7x9f3qz/${name}3`]) expect(unwrapped).toContain(part);
  });

  test('a trial without a result leaves a gap among the others', async () => {
    const statuses = ['passed' as const, undefined, 'failed' as const];
    const text = await runText(reportOf({ verdict: 'PARTIAL', statuses, trials_planned: 5 }), plain);
    expect(text).toContain('●·○··');
  });

  test.each([
    ['budget', 'stopped by the budget; salvo run --resume'],
    ['early_stop', 'stopped early'],
    ['interrupted', '--resume 01k7x9f3qz'],
  ] as const)('says that the run was stopped by %s', async (stopped, words) => {
    const text = await runText(reportOf({ stopped, trials_total: 4, file: 's.yaml' }), plain);
    expect(text).toContain('4 of 20 planned trials ran');
    expect(text).toContain(words);
  });

  test.each([
    ['PASS', 0, 'every scenario passed'],
    ['RECORDED', 0, 'traces were recorded'],
    ['PARTIAL', 1, '1 of 2 scenarios failed'],
    ['HARD_FAIL', 2, 'a required assertion failed in 1 of 2 scenarios'],
    ['UNSCORED', 3, 'some trials could not be scored'],
  ] as const)('%s with exit code %i is explained', async (verdict, exit_code, words) => {
    const scenarios = [sampleReportedScenario({}), sampleReportedScenario({ verdict })];
    const text = await runText(reportOf({}, { verdict, exit_code, scenarios }), plain);
    expect(text).toContain(`exit code ${exit_code}: `);
    expect(text).toContain(words);
  });

  test('notes and resumed trials are shown', async () => {
    const text = await runText(reportOf({}, { notes: ['pass rate 80% < 90%'], resumed: 7 }), plain);
    expect(text).toContain('pass rate 80% < 90%');
    expect(text).toContain('7 from before the resume');
  });

  test('scenarios of the same name are distinguished by their model', async () => {
    const scenarios = [sampleReportedScenario({ model: 'small' }), sampleReportedScenario({ model: 'large' })];
    const text = await runText(reportOf({}, { scenarios }), { width: 120, color: false });
    expect(text).toContain('refund-happy-path · small');
    expect(text).toContain('refund-happy-path · large');
  });

  test('a command names the file where two scenarios have the same name', async () => {
    const failing = { verdict: 'PARTIAL' as const, assertion_failures: [FAILURE] };
    const scenarios = ['a.yaml', 'b.yaml'].map((file) => sampleReportedScenario({ ...failing, file }));
    const text = await runText(reportOf({}, { scenarios, isLatest: true }), plain);
    expect(text).toContain('trial 3: salvo replay a.yaml 3');
    expect(text).toContain('trial 3: salvo replay b.yaml 3');
  });

  test('a run without scenarios still has a verdict', async () => {
    expect(await runText(reportOf({}, { scenarios: [] }), plain)).toContain('exit code 0');
  });

  test('a terminal without Unicode gets none of ours, in the same columns', async () => {
    const report = reportOf({ verdict: 'PARTIAL', statuses: ['passed', 'failed', 'hard_fail', 'crashed', 'unscored'] });
    const ascii = await runText(report, { ...plain, ascii: true });
    expect(ascii).toMatch(/^[\n\x20-\x7e]*$/);
    expect(ascii.split('\n').map((line) => line.length)).toEqual(
      (await runText(report, plain)).split('\n').map(displayWidth),
    );
  });

  test('hostile texts neither act on the terminal nor widen a line', async () => {
    const hostile = fc
      .array(fc.oneof(fc.constantFrom(...HOSTILE_TEXTS), fc.string({ unit: 'binary', maxLength: 30 })), {
        maxLength: 5,
      })
      .map((parts) => parts.join(''));
    const rate = fc.double({ min: 0, max: 1, noNaN: true });
    const scenario = fc.record({
      name: hostile,
      file: hostile,
      model: hostile,
      adapter: hostile,
      verdict: fc.constantFrom(...verdictSchema.options),
      statuses: fc.array(fc.constantFrom(...trialStatusSchema.options), { maxLength: 60 }),
      trials_unscored: fc.nat(3),
      pass_rate: fc.option(rate),
      score_avg: fc.option(rate),
      stopped: fc.constantFrom('early_stop', 'budget', 'interrupted', null),
      worst: fc.option(
        fc.record({
          case: fc.option(hostile),
          trial_number: fc.nat(),
          status: fc.constantFrom(...trialStatusSchema.options),
        }),
        {
          nil: undefined,
        },
      ),
      decided_by: fc.constantFrom(...scenarioSummarySchema.shape.decided_by.options),
      identical_trials: fc.boolean(),
      trials_crashed: fc.nat(3),
      crashes: fc.array(
        fc.record({ message: hostile, stack: hostile, count: fc.nat(), trial_numbers: fc.array(fc.nat()) }),
        { maxLength: 6 },
      ),
      latency_p95: fc.double({ min: 0, max: 1e7, noNaN: true }),
      cost_total_usd: fc.option(fc.double({ min: 0, max: 1e9, noNaN: true })),
      assertion_failures: fc.array(
        fc.record({
          assertion_type: hostile,
          assertion_id: hostile,
          required: fc.boolean(),
          fail_count: fc.nat(),
          fail_rate: rate,
          lost_weight: fc.double({ min: 0, max: 1e6, noNaN: true }),
          example: hostile,
          judge: fc.option(
            fc.record({
              judge_model: hostile,
              k: fc.constant(3),
              dissenting_votes: fc.nat(3),
              criteria: fc.array(
                fc.record({
                  name: hostile,
                  score: rate,
                  all_scores: fc.array(rate, { maxLength: 60 }),
                  reasoning: fc.option(hostile),
                }),
                { maxLength: 7 },
              ),
            }),
            { nil: undefined },
          ),
          trial_numbers: fc.array(fc.nat(100_000), { maxLength: 30 }),
        }),
        { maxLength: 8 },
      ),
      cases: fc.array(
        fc.record({
          case_index: fc.nat(9),
          case: hostile,
          verdict: fc.constantFrom(...verdictSchema.options),
          skipped: fc.option(hostile),
          quarantine: fc.option(fc.record({ until: hostile, reason: hostile, active: fc.boolean() })),
          trials_planned: fc.nat(9),
          trials_total: fc.nat(9),
          trials_scored: fc.nat(9),
          trials_passed: fc.nat(9),
          trials_unscored: fc.nat(9),
          score_avg: fc.option(rate),
          reason: fc.option(hostile),
        }),
        { maxLength: 25 },
      ),
      errors: fc.array(
        fc.record({ message: hostile, count: fc.nat(), trial_numbers: fc.array(fc.nat(), { maxLength: 9 }) }),
        { maxLength: 6 },
      ),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(scenario, { maxLength: 3 }),
        hostile,
        fc.integer({ min: 40, max: 130 }),
        fc.boolean(),
        fc.boolean(),
        async (scenarios, text, width, color, full) => {
          const report = reportOf(
            {},
            { run_id: text, notes: [text], full, scenarios: scenarios.map(sampleReportedScenario) },
          );
          const rendered = await runText(report, { width, color });
          const unpainted = rendered.replaceAll(/\u001b\[\d{1,2}m/g, '');
          expect(unpainted).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\p{Default_Ignorable_Code_Point}]/u);
          if (!color) expect(unpainted).toBe(rendered);
          for (const line of unpainted.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
        },
      ),
      { numRuns: tried(600) },
    );
  });
});
