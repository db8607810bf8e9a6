import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { chooseTrial } from '../../packages/salvo/src/app/results/choose-trial.ts';
import { findTrials } from '../../packages/salvo/src/app/results/find-trials.ts';
import type { TrialStatus } from '../../packages/salvo/src/evaluators/eval-result.ts';
import { replayCommand } from '../../packages/salvo/src/report/run/words/replay-command.ts';
import type { RunRecord } from '../../packages/salvo/src/run/record/run-record.ts';
import { openSqliteStore } from '../../packages/salvo/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../packages/salvo/src/store/store.ts';
import { sampleRun, sampleStoredTrial } from '../sample-run.ts';
import { sampleSupportTrace } from '../sample-trace.ts';
import { sampleTrial } from '../sample-trial.ts';

let store: Store;
let days = 0;
beforeEach(async () => {
  store = await openSqliteStore({ file: ':memory:' });
  days = 0;
});

/** Stores a run later than those before, with scenarios of these names. */
async function addRun(run_id: string, names: readonly string[], change: Partial<RunRecord> = {}): Promise<void> {
  days += 1;
  const run = sampleRun();
  const [entry] = run.scenarios;
  if (!entry) throw new Error('the sample has a scenario');
  const scenarios = names.map((name, index) => ({ ...entry, name, file: `scenarios/f${index}.yaml` }));
  const created_at = `2026-01-${10 + days}T00:00:00.000Z`;
  const options = { ...run.options, trials: 20 };
  await store.createRun({ ...run, status: 'finished', run_id, created_at, options, scenarios, ...change });
}

async function addTrial(
  run_id: string,
  scenario_index: number,
  trial_number: number,
  status: TrialStatus,
): Promise<string> {
  const trace_id = await store.saveTrace(
    sampleSupportTrace({ latency_seconds: trial_number, scenario_hash: `${run_id}${scenario_index}` }),
  );
  const result = sampleTrial({ trial_number, trace_id, status });
  await store.saveTrial(sampleStoredTrial({ run_id, scenario_index, trial_number, trace_id, result }));
  return trace_id;
}

const find = (target: string, trial?: number) =>
  findTrials({ store, cwd: '/project/scenarios', root: '/project', target, trial });

async function choose(target: string, trial?: number) {
  const named = await find(target, trial);
  if (named.kind === 'trace') throw new Error('a trace was named');
  const chosen = await chooseTrial(store, named);
  return { run: chosen.run.run_id, at: [chosen.trial.scenario_index, chosen.trial.trial_number], note: chosen.note };
}

describe('a target', () => {
  beforeEach(async () => {
    await addRun('abc2222222', ['refund', 'returns', 'shipping']);
    await addRun('xyz3333333', ['refund', 'orders/late', '13', 'two words']);
  });

  test.each([
    ['latest', undefined, { kind: 'run', runId: 'xyz3333333' }],
    ['abc2222222', undefined, { kind: 'run', runId: 'abc2222222' }],
    ['ab', undefined, { kind: 'run', runId: 'abc2222222' }],
    ['refund', undefined, { kind: 'scenario', runId: 'xyz3333333', scenarioIndex: 0 }],
    ['two words', undefined, { kind: 'scenario', runId: 'xyz3333333', scenarioIndex: 3 }],
    ['two', undefined, { kind: 'scenario', runId: 'xyz3333333', scenarioIndex: 3 }],
    ['returns', undefined, { kind: 'scenario', runId: 'abc2222222', scenarioIndex: 1 }],
    ['ship', undefined, { kind: 'scenario', runId: 'abc2222222', scenarioIndex: 2 }],
    ['abc/refund', undefined, { kind: 'scenario', runId: 'abc2222222', scenarioIndex: 0 }],
    ['abc/ship', undefined, { kind: 'scenario', runId: 'abc2222222', scenarioIndex: 2 }],
    ['orders/late', undefined, { kind: 'scenario', runId: 'xyz3333333', scenarioIndex: 1 }],
    ['latest/orders/late', undefined, { kind: 'scenario', runId: 'xyz3333333', scenarioIndex: 1 }],
    ['scenarios/f1.yaml', undefined, { kind: 'scenario', runId: 'xyz3333333', scenarioIndex: 1 }],
    ['f1.yaml', undefined, { kind: 'scenario', runId: 'xyz3333333', scenarioIndex: 1 }],
    ['./f1.yaml', undefined, { kind: 'scenario', runId: 'xyz3333333', scenarioIndex: 1 }],
    ['13', undefined, { kind: 'trial', runId: 'xyz3333333', scenarioIndex: null, caseName: null, trialNumber: 13 }],
    ['latest', 13, { kind: 'trial', runId: 'xyz3333333', scenarioIndex: null, caseName: null, trialNumber: 13 }],
    ['abc/13', undefined, { kind: 'trial', runId: 'abc2222222', scenarioIndex: null, caseName: null, trialNumber: 13 }],
    ['refund', 13, { kind: 'trial', runId: 'xyz3333333', scenarioIndex: 0, caseName: null, trialNumber: 13 }],
    ['refund/13', undefined, { kind: 'trial', runId: 'xyz3333333', scenarioIndex: 0, caseName: null, trialNumber: 13 }],
    [
      'abc/refund/13',
      undefined,
      { kind: 'trial', runId: 'abc2222222', scenarioIndex: 0, caseName: null, trialNumber: 13 },
    ],
    [
      'orders/late/13',
      undefined,
      { kind: 'trial', runId: 'xyz3333333', scenarioIndex: 1, caseName: null, trialNumber: 13 },
    ],
    [
      'f0.yaml/13',
      undefined,
      { kind: 'trial', runId: 'xyz3333333', scenarioIndex: 0, caseName: null, trialNumber: 13 },
    ],
    ['13', 4, { kind: 'trial', runId: 'xyz3333333', scenarioIndex: 2, caseName: null, trialNumber: 4 }],
    ['13/4', undefined, { kind: 'trial', runId: 'xyz3333333', scenarioIndex: 2, caseName: null, trialNumber: 4 }],
    [
      'latest/13/4',
      undefined,
      { kind: 'trial', runId: 'xyz3333333', scenarioIndex: 2, caseName: null, trialNumber: 4 },
    ],
  ])('%j with trial %j names what it says', async (target, trial, named) => {
    expect(await find(target, trial)).toEqual(named);
  });

  test('is a trace by its id or the beginning of it, in upper or lower case', async () => {
    const traceId = await addTrial('abc2222222', 1, 2, 'passed');
    for (const text of [traceId, traceId.slice(0, 12), traceId.slice(0, 12).toUpperCase()]) {
      expect(await find(text)).toMatchObject({ kind: 'trace', traceId, trial: { scenario_index: 1, trial_number: 2 } });
    }
    await expect(find(traceId, 3)).rejects.toMatchObject({ code: 'OPTIONS_INVALID' });
  });

  test('that could be several things says which', async () => {
    await addRun('rst4444444', ['rstest', 'other']);
    await expect(find('rst')).rejects.toMatchObject({
      code: 'TARGET_AMBIGUOUS',
      message: '"rst" is the beginning of more than one thing. Give more of it:\n  run rst4444444\n  scenario rstest',
    });
    expect(await find('rstest')).toMatchObject({ kind: 'scenario', scenarioIndex: 0 });
    expect(await find('rst4')).toMatchObject({ kind: 'run' });
  });

  test('that is the name of several scenarios asks for the file', async () => {
    await addRun('rst4444444', ['same', 'same']);
    await expect(find('same', 3)).rejects.toMatchObject({
      code: 'SCENARIO_AMBIGUOUS',
      message: expect.stringContaining('\n  rst4444444/scenarios/f0.yaml\n  rst4444444/scenarios/f1.yaml'),
    });
    expect(await find('rst4444444/scenarios/f1.yaml/3')).toMatchObject({ scenarioIndex: 1, trialNumber: 3 });
  });

  test.each([
    ['refnd', 'Did you mean "refund"?'],
    ['nothing-like-it', 'The scenarios: "refund", "orders/late", "13", "two words", "returns" and 1 more.'],
    ['abc/refnd', 'Run abc2222222 has no scenario "refnd". Did you mean "refund"?'],
    ['', 'There is no run, scenario or trace "".'],
    ['/', 'There is no run, scenario or trace "/".'],
    ['%', 'There is no run, scenario or trace "%".'],
    ['\0\u001b[31m', 'There is no run, scenario or trace'],
    ['99999999', 'There is no run, scenario or trace "99999999".'],
  ])('%j that is nothing is an error with a next step', async (target, words) => {
    await expect(find(target)).rejects.toThrow(words);
  });

  test('of an empty store is an error that says what to do', async () => {
    store = await openSqliteStore({ file: ':memory:' });
    for (const target of ['latest', '13', 'refund']) {
      await expect(find(target)).rejects.toMatchObject({ code: 'RUNS_MISSING' });
    }
  });
});

test('the command for a trial names that trial, whatever its scenario is called', async () => {
  const word = fc.constantFrom('refund', 'latest', '13', '-x', 'a b', "it's", 'abc', 'xyz3333333', 'ü', '$HOME', '.');
  const name = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join('/'));
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(name, { minLength: 1, maxLength: 5 }), fc.integer({ min: 1, max: 99 }), check),
    { numRuns: 60 },
  );

  async function check(names: string[], trial: number): Promise<void> {
    store = await openSqliteStore({ file: ':memory:' });
    days = 0;
    await addRun('abc2222222', names);
    await addRun('def4444444', names.toReversed());
    const commands = names.flatMap((scenario) => [
      { command: replayCommand({ runId: 'abc2222222', scenario, trialNumber: trial }), runId: 'abc2222222', scenario },
      { command: replayCommand({ runId: null, scenario, trialNumber: trial }), runId: 'def4444444', scenario },
    ]);
    for (const { command, runId, scenario } of commands) {
      const [target = '', number] = wordsOf(command.replace('salvo replay ', ''));
      const order = runId === 'abc2222222' ? names : names.toReversed();
      expect(target).not.toMatch(/^-/);
      expect(await find(target, number === undefined ? undefined : Number(number))).toEqual({
        kind: 'trial',
        runId,
        scenarioIndex: order.indexOf(scenario),
        caseName: null,
        trialNumber: trial,
      });
    }
  }
});

describe('a case', () => {
  beforeEach(async () => {
    await addRun('abc2222222', ['triage', 'plain']);
    for (const [case_index, name] of ['late parcel', 'a/b', '3'].entries()) {
      for (const trial_number of [1, 2]) {
        const trace_id = await store.saveTrace(sampleSupportTrace({ scenario_hash: `${name} ${trial_number}` }));
        const at = { case_index, case: name, trial_number, trace_id };
        const result = sampleTrial({ ...at, status: name === 'a/b' && trial_number === 2 ? 'failed' : 'passed' });
        await store.saveTrial(sampleStoredTrial({ run_id: 'abc2222222', ...at, result }));
      }
    }
  });

  test.each([
    ['triage/late parcel', undefined, 'late parcel', undefined],
    ['triage/late parcel', 2, 'late parcel', 2],
    ['abc/triage/late parcel/2', undefined, 'late parcel', 2],
    ['abc/scenarios/f0.yaml/a/b/1', undefined, 'a/b', 1],
    ['triage/3', undefined, '3', undefined],
    ['triage/3/2', undefined, '3', 2],
    ['latest/triage/3', 1, '3', 1],
  ])('%j with trial %j is named after its scenario', async (target, trial, caseName, trialNumber) => {
    const place = { runId: 'abc2222222', scenarioIndex: 0, caseName };
    const kind = trialNumber === undefined ? { kind: 'case' } : { kind: 'trial', trialNumber };
    expect(await find(target, trial)).toEqual({ ...kind, ...place });
  });

  test('has its command, and without a number shows the first failure of the case', async () => {
    const command = replayCommand({ runId: null, scenario: 'triage', caseName: 'a/b', trialNumber: null });
    expect(command).toBe('salvo replay triage/a/b');
    expect(await choose('triage/a/b')).toMatchObject({ at: [0, 2], note: null });
    expect(await choose('triage/3')).toMatchObject({
      note: 'No trial of triage/3 in run abc2222222 failed. This is trial 1 of triage/3, which passed.',
    });
  });

  test('is the one that failed, if a number of a trial fits several', async () => {
    expect(await choose('triage', 2)).toMatchObject({ note: expect.stringContaining('3 cases of run abc2222222') });
    await expect(choose('triage', 1)).rejects.toThrow("salvo replay 'abc2222222/triage/late parcel' 1");
  });
});

/** The words of a command line of `replayCommand`, as a shell reads them. */
function wordsOf(text: string): string[] {
  return [...text.matchAll(/(?:'[^']*'|\\.|[^\s'\\])+/g)].map(([part]) =>
    part.replaceAll(
      /'([^']*)'|\\(.)/g,
      (_, quoted: string | undefined, escaped: string | undefined) => quoted ?? escaped ?? '',
    ),
  );
}

describe('the trial to look at', () => {
  test('is the first failure, of all or of one scenario', async () => {
    await addRun('abc2222222', ['a', 'b']);
    await addTrial('abc2222222', 0, 1, 'passed');
    await addTrial('abc2222222', 0, 2, 'unscored');
    await addTrial('abc2222222', 0, 3, 'hard_fail');
    await addTrial('abc2222222', 1, 2, 'failed');
    expect(await choose('latest')).toEqual({ run: 'abc2222222', at: [0, 3], note: null });
    expect(await choose('b')).toEqual({ run: 'abc2222222', at: [1, 2], note: null });
  });

  test('is one that could not be scored, or the first, when none failed; and says so', async () => {
    await addRun('abc2222222', ['a', 'b']);
    await store.saveTrial(sampleStoredTrial({ run_id: 'abc2222222', trial_number: 1 }));
    await addTrial('abc2222222', 0, 2, 'passed');
    await addTrial('abc2222222', 1, 1, 'unscored');
    expect(await choose('latest')).toEqual({
      run: 'abc2222222',
      at: [1, 1],
      note: 'No trial of run abc2222222 failed. This is trial 1 of b, which could not be scored.',
    });
    expect(await choose('a')).toMatchObject({
      at: [0, 2],
      note: 'No trial of a in run abc2222222 failed. This is trial 2 of a, which passed.',
    });
  });

  test('of a run that only recorded has not been judged', async () => {
    const { options } = sampleRun();
    await addRun('abc2222222', ['a'], { options: { ...options, record_only: true } });
    const trace_id = await store.saveTrace(sampleSupportTrace());
    const result = sampleTrial({ status: 'unscored', error_message: null, trace_id });
    await store.saveTrial(sampleStoredTrial({ run_id: 'abc2222222', trace_id, result }));
    expect((await choose('latest')).note).toContain('This is trial 1 of a, which has not been judged.');
  });

  test('of a number alone is the only one of that number, or the only one that failed', async () => {
    await addRun('abc2222222', ['a', 'b']);
    await addTrial('abc2222222', 0, 1, 'passed');
    await addTrial('abc2222222', 1, 1, 'passed');
    await addTrial('abc2222222', 0, 2, 'passed');
    await addTrial('abc2222222', 1, 2, 'failed');
    await addTrial('abc2222222', 1, 3, 'passed');
    expect(await choose('3')).toMatchObject({ at: [1, 3], note: null });
    expect(await choose('2')).toMatchObject({ at: [1, 2], note: expect.stringContaining('the one that failed') });
    await expect(choose('1')).rejects.toMatchObject({
      code: 'TRIAL_AMBIGUOUS',
      message: [
        '2 scenarios of run abc2222222 have a trial 1, and none of them failed. Choose one:',
        '  salvo replay abc2222222/a 1',
        '  salvo replay abc2222222/b 1',
      ].join('\n'),
    });
  });

  test('that does not exist, was not run or has no trace is an error that says which', async () => {
    await addRun('abc2222222', ['a']);
    await addTrial('abc2222222', 0, 1, 'passed');
    const result = sampleTrial({ trial_number: 2, status: 'unscored', trace_id: null });
    await store.saveTrial(sampleStoredTrial({ run_id: 'abc2222222', trial_number: 2, result }));
    await expect(choose('a', 21)).rejects.toThrow(
      'There is no trial 21 of a in run abc2222222: its trials have the numbers 1 to 20.',
    );
    await expect(choose('0')).rejects.toThrow('numbers 1 to 20');
    await expect(choose('a/5')).rejects.toThrow(
      'Trial 5 of a in run abc2222222 was not run. `salvo run --resume abc2222222` runs what is missing.',
    );
    await expect(choose('2')).rejects.toThrow('no stored conversation: the provider was down');
  });

  test('is missing in a run without traces', async () => {
    await addRun('abc2222222', ['a']);
    await expect(choose('latest')).rejects.toMatchObject({ code: 'TRACES_MISSING' });
  });
});
