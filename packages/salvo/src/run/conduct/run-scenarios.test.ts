import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { sampleScenario, variedScript } from '../../../../../test/cli/sample-scenario.ts';
import { runFixture } from '../../../../../test/run-fixture.ts';
import { sampleTrace } from '../../../../../test/sample-trace.ts';
import type { RunEvent, RunRequest } from './run-request.ts';
import { runScenarios } from './run-scenarios.ts';

const files = { 's.yaml': sampleScenario({ script: variedScript() }) };
const checkedByUser = {
  'check.ts': 'export default () => 1;',
  's.yaml': sampleScenario({ script: variedScript(), assertions: [{ type: 'custom', module: './check.ts' }] }),
};

describe('a run', () => {
  test('keeps neither traces nor results of the trials that have ended', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage: () => void = runInNewContext('gc');
    await using fixture = await runFixture(files);
    const run = fixture.run({ trials: 60 });
    const seen: WeakRef<object>[] = [];
    const noted = <T extends object>(document: T): T => {
      seen.push(new WeakRef(document));
      return document;
    };
    const recorder: RunRequest['recorder'] = {
      ...fixture.store,
      claim: (work) => fixture.store.claim(work),
      createRun: async () => {},
      updateRun: async () => {},
      saveTrace: async (trace, trial) => {
        noted(trace);
        return `${trial?.trial_number}`;
      },
      saveFinished: undefined,
      saveTrial: async (trial) => {
        if (trial.result) noted(trial.result);
        // Later: what this turn of the event loop has seen is not collected in it.
        if (seen.length === 120) await new Promise((resolve) => setImmediate(resolve));
        return trial;
      },
    };
    let kept = Number.NaN;
    const onEvent = ({ type }: RunEvent) => {
      if (type !== 'trial_finished' || seen.length < 120) return;
      collectGarbage();
      kept = seen.filter((each) => each.deref() !== undefined).length;
    };
    await runScenarios(await fixture.request(run, { recorder, onEvent, concurrency: 2 }));
    expect(seen).toHaveLength(120);
    expect(kept).toBeLessThan(10);
  });

  test('on a worker says what to do about a file that the agent does not find', async () => {
    const agent = `import { readFileSync } from 'node:fs';\nexport default () => readFileSync('rules.txt', 'utf8');\n`;
    await using fixture = await runFixture({
      'agent.mjs': agent,
      's.yaml': sampleScenario({ adapter: './agent.mjs', script: undefined }),
    });
    const errorWith = async (boundary: string | undefined) => {
      const run = fixture.run({ trials: 1 });
      const request = await fixture.request(run);
      await runScenarios({ ...request, project: { ...request.project, boundary } });
      const [trial] = await Array.fromAsync(fixture.store.trials(run.run_id));
      return (await fixture.store.getTrace(trial?.trace_id ?? ''))?.error;
    };
    expect(await errorWith(undefined)).toMatch(/ENOENT.*rules\.txt'$/);
    expect(await errorWith('/')).toMatch(/ENOENT.*rules\.txt'\n.*workers: \{ files: \[\.\.\.\] \}/);
  });

  test('stores every trial with its trace, and ends with a verdict and without a holder', async () => {
    await using fixture = await runFixture(files);
    const run = fixture.run({ trials: 10 });
    const outcome = await runScenarios(await fixture.request(run));
    const stored = await fixture.store.getRun(run.run_id);
    const trials = await Array.fromAsync(fixture.store.trials(run.run_id));
    expect(stored).toMatchObject({ status: 'finished', verdict: outcome.verdict });
    expect(await fixture.store.holderOf({ kind: 'run', id: run.run_id })).toBeNull();
    expect(stored?.scenarios[0]?.summary).toEqual(outcome.scenarios[0]?.summary);
    expect(trials.map(({ trial_number }) => trial_number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    for (const { trace_id, result } of trials) expect(result?.trace_id).toBe(trace_id);
  });

  test.each([
    [
      'stores a trace with its trial before it calls anybody to evaluate it',
      checkedByUser,
      [
        ['trace', 1],
        ['result', 1],
      ],
    ],
    ['stores a trace and its result in one write if nobody is called in between', files, [['both', 1]]],
  ])('%s', async (_, project, expected) => {
    await using fixture = await runFixture(project);
    const run = fixture.run({ trials: 1 });
    const saved: unknown[] = [];
    const recorder: RunRequest['recorder'] = {
      ...fixture.store,
      saveFinished: async (trace, trial) => {
        saved.push(['both', trial.result?.trial_number]);
        return await (fixture.store.saveFinished ?? expect.fail())(trace, trial);
      },
      saveTrace: async (trace, trial) => {
        saved.push(['trace', trial?.trial_number]);
        return await fixture.store.saveTrace(trace, trial);
      },
      saveTrial: async (trial) => {
        saved.push(['result', trial.result?.trial_number]);
        return await fixture.store.saveTrial(trial);
      },
    };
    await runScenarios(await fixture.request(run, { recorder }));
    expect(saved).toEqual(expected);
  });

  test('emits events for each trial: started, ended, finished', async () => {
    await using fixture = await runFixture(files);
    const events: RunEvent['type'][] = [];
    const request = await fixture.request(fixture.run({ trials: 2 }), {
      concurrency: 1,
      onEvent: ({ type }) => events.push(type),
    });
    await runScenarios(request);
    const performed = ['trial_started', 'trial_ended'];
    // The second begins while the first is being stored.
    expect(events).toEqual(['run_started', ...performed, ...performed, 'trial_finished', 'trial_finished']);
  });

  test('that is stopped starts no further trial, and is unscored for what is missing', async () => {
    await using fixture = await runFixture(files);
    const stop = new AbortController();
    const request = await fixture.request(fixture.run({ trials: 5 }), {
      concurrency: 1,
      stop: stop.signal,
      onEvent: ({ type }) => {
        if (type === 'trial_ended') stop.abort();
      },
    });
    const { verdict, scenarios } = await runScenarios(request);
    expect([verdict, scenarios[0]?.summary.stopped, scenarios[0]?.summary.trials_total]).toEqual([
      'UNSCORED',
      'interrupted',
      1,
    ]);
    expect(await fixture.store.getRun(request.run.run_id)).toMatchObject({ status: 'interrupted' });
  });

  test('that is aborted keeps nothing of the trials under way', async () => {
    await using fixture = await runFixture({ 's.yaml': sampleScenario({ script: variedScript(60_000) }) });
    const abort = new AbortController();
    const run = fixture.run({ trials: 2 });
    const request = await fixture.request(run, {
      stop: abort.signal,
      onEvent: ({ type }) => {
        if (type === 'trial_started') abort.abort();
      },
    });
    await runScenarios({ ...request, services: { ...request.services, abort: abort.signal } });
    expect(await Array.fromAsync(fixture.store.trials(run.run_id))).toEqual([]);
  });
});

describe('the bill of a run', () => {
  const priced = {
    'salvo.yaml': 'prices: { m: { input_per_million: 1000, output_per_million: 0 } }',
    's.yaml': sampleScenario({
      model: 'm',
      tools: [{ name: 'look', description: 'Looks.', mock_response: 'nothing' }],
      script: [
        { tool_calls: [{ name: 'look', arguments: {} }], usage: { input_tokens: 1000, output_tokens: 1 } },
        { content: 'Done.', usage: { input_tokens: 1000, output_tokens: 1 }, delay_ms: 60_000 },
      ],
    }),
  };

  test('is unknown after a trial was given up in the middle of a call, also when the run is resumed', async () => {
    await using fixture = await runFixture(priced);
    const abort = new AbortController();
    const run = fixture.run({ trials: 1 });
    const request = await fixture.request(run, { stop: abort.signal });
    const { priceTurn } = request.services.pricing;
    const pricing = {
      ...request.services.pricing,
      priceTurn: async (turn: Parameters<typeof priceTurn>[0]) => {
        setImmediate(() => abort.abort());
        return await priceTurn(turn);
      },
    };
    await runScenarios({ ...request, services: { ...request.services, pricing, abort: abort.signal } });
    // The call that was under way may have been charged.
    const earlier_cost = { cost_usd: null, judge_cost_usd: 0 };
    expect(await Array.fromAsync(fixture.store.trials(run.run_id))).toMatchObject([{ trace_id: null, earlier_cost }]);
    const stored = await fixture.store.getRun(run.run_id);
    expect(stored?.scenarios[0]?.summary).toMatchObject({ cost_total_usd: null, trials_not_judged: 0 });

    const stop = AbortSignal.abort();
    await runScenarios(await fixture.request(run, { resumed: true, stop }));
    const again = await fixture.store.getRun(run.run_id);
    expect(again?.scenarios[0]?.summary).toMatchObject({ cost_total_usd: null, trials_total: 0 });
  });
});

describe('a resumed run', () => {
  test('runs what is missing, evaluates what only has a trace, and leaves the rest alone', async () => {
    await using fixture = await runFixture(files);
    const run = fixture.run({ trials: 4 });
    await runScenarios(await fixture.request(run));
    const before = await Array.fromAsync(fixture.store.trials(run.run_id));
    const [, second] = before;
    if (!second) throw new Error('there is no second trial');
    const trace_id = await fixture.store.saveTrace(sampleTrace({ final_content: 'Done by hand.' }));
    await fixture.store.saveTrial({ ...second, trace_id, result: null });

    const started: number[] = [];
    const request = await fixture.request(
      { ...run, options: { ...run.options, trials: 5 } },
      {
        resumed: true,
        onEvent: (event) => {
          if (event.type === 'trial_started') started.push(event.trialNumber);
        },
      },
    );
    const { earlierTrials } = await runScenarios(request);
    const after = await Array.fromAsync(fixture.store.trials(run.run_id));
    expect([earlierTrials, started]).toEqual([3, [5]]);
    expect(after[1]).toMatchObject({ trace_id, result: { status: 'passed', trace_id } });
    expect(after.filter((_, index) => index !== 1 && index !== 4)).toEqual(before.filter((_, index) => index !== 1));
  });

  test('has no verdict while it is at work', async () => {
    await using fixture = await runFixture(files);
    const run = fixture.run({ trials: 1 });
    await runScenarios(await fixture.request(run));
    const seen: unknown[] = [];
    const request = await fixture.request(
      { ...run, options: { ...run.options, trials: 2 } },
      {
        resumed: true,
        recorder: {
          ...fixture.store,
          saveFinished: async (trace, trial) => {
            const { status, verdict, exit_code } = (await fixture.store.getRun(run.run_id)) ?? {};
            seen.push({ status, verdict, exit_code });
            return await (fixture.store.saveFinished ?? expect.fail())(trace, trial);
          },
        },
      },
    );
    await runScenarios(request);
    expect(seen).toEqual([{ status: 'running', verdict: null, exit_code: null }]);
  });
});

describe('a run of cases', () => {
  const data = [
    { name: 'a', said: 'Done.' },
    { name: 'b', said: 'No.', trials: 3 },
    { name: 'c', said: 'Done.', skip: 'later' },
    { name: 'd', said: 'Done.', threshold: 0 },
  ];
  const table = sampleScenario({ trials: 2, data, prompt: '{{said}}', script: [{ content: '{{said}}' }] });

  test('takes the trials of the row, else of the scenario, and its threshold; and runs no case that is skipped', async () => {
    await using fixture = await runFixture({ 's.yaml': table });
    const run = fixture.run({ trials: null });
    const { scenarios } = await runScenarios(await fixture.request(run));
    const trials = await Array.fromAsync(fixture.store.trials(run.run_id));
    expect(trials.map((trial) => [trial.case_index, trial.case, trial.trial_number, trial.result?.status])).toEqual([
      [0, 'a', 1, 'passed'],
      [0, 'a', 2, 'passed'],
      [1, 'b', 1, 'failed'],
      [1, 'b', 2, 'failed'],
      [1, 'b', 3, 'failed'],
      [3, 'd', 1, 'passed'],
      [3, 'd', 2, 'passed'],
    ]);
    expect(scenarios[0]?.summary).toMatchObject({ trials_planned: 7, trials_passed: 4, verdict: 'PARTIAL' });
    expect(scenarios[0]?.summary.cases.map(({ verdict }) => verdict)).toEqual(['PASS', 'FAIL', 'SKIPPED', 'PASS']);
  });

  test('begins with a trial of each case, is resumed where it was stopped, and has the same summary', async () => {
    await using fixture = await runFixture({ 's.yaml': table });
    const stop = new AbortController();
    const run = fixture.run({ trials: null });
    let ended = 0;
    const onEvent = ({ type }: RunEvent) => {
      if (type === 'trial_ended' && ++ended === 3) stop.abort();
    };
    await runScenarios(await fixture.request(run, { concurrency: 1, stop: stop.signal, onEvent }));
    const first = await Array.fromAsync(fixture.store.trials(run.run_id));
    expect(first.map((trial) => [trial.case, trial.trial_number])).toEqual([
      ['a', 1],
      ['b', 1],
      ['d', 1],
    ]);
    const resumed = await runScenarios(await fixture.request(run, { resumed: true }));
    const whole = await runScenarios(await fixture.request(fixture.run({ trials: null })));
    const counts = ({ scenarios }: typeof whole) => scenarios[0]?.summary.cases;
    expect(counts(resumed)).toEqual(counts(whole));
    expect(resumed.earlierTrials).toBe(3);
  });

  test('draws for each case on its own, the same with the same seed', async () => {
    const rows = Array.from({ length: 12 }, (_, index) => ({ name: `case ${index}`, x: 'y' }));
    const varied = sampleScenario({ data: rows, prompt: '{{x}}', script: variedScript() });
    await using fixture = await runFixture({ 's.yaml': varied });
    const statuses = async () => {
      const run = fixture.run({ trials: 1 });
      await runScenarios(await fixture.request(run));
      return (await Array.fromAsync(fixture.store.trials(run.run_id))).map(({ result }) => result?.status);
    };
    const once = await statuses();
    expect(new Set(once)).toEqual(new Set(['passed', 'failed']));
    expect(await statuses()).toEqual(once);
  });

  test('stops early when no further case can change the verdict', async () => {
    const rows = Array.from({ length: 20 }, (_, index) => ({ name: `case ${index}`, said: 'No.' }));
    const failing = sampleScenario({
      data: rows,
      prompt: '{{said}}',
      script: [{ content: '{{said}}' }],
      min_pass_rate: 0.9,
    });
    await using fixture = await runFixture({ 's.yaml': failing });
    const request = await fixture.request(fixture.run({ trials: 1 }), { concurrency: 1, earlyStop: true });
    const { scenarios } = await runScenarios(request);
    expect(scenarios[0]?.summary).toMatchObject({ stopped: 'early_stop', verdict: 'FAIL', trials_total: 3 });
  });

  test('cannot score a case whose row gives no valid scenario, and scores the others', async () => {
    const rows = Array.from({ length: 200 }, (_, index) => ({ never: `pattern ${index}`, not: 'no' }));
    const assertions = [
      { type: 'output_not_matches', pattern: '{{never}}' },
      { type: 'output_not_contains', value: '{{not}}' },
    ];
    await using fixture = await runFixture({
      's.yaml': sampleScenario({
        data: rows.map((row, index) => (index === 150 ? { ...row, not: [] } : row)),
        assertions,
        prompt: 'hi',
      }),
    });
    const { scenarios } = await runScenarios(await fixture.request(fixture.run({ trials: 1 })));
    expect(scenarios[0]?.summary).toMatchObject({ trials_passed: 199, trials_unscored: 1, verdict: 'UNSCORED' });
    expect(scenarios[0]?.summary.errors).toMatchObject([{ code: 'CASE_INVALID', trial_cases: ['151'] }]);
  });
});
