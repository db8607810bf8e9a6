import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StoredTrial } from '../../packages/salvo/src/run/record/run-record.ts';
import { judgesOf } from '../../packages/salvo/src/store/judge-tables.ts';
import type { Store } from '../../packages/salvo/src/store/store.ts';
import { traceSchema } from '../../packages/salvo/src/trace/trace.ts';
import { COLUMN_TEXTS } from '../hostile-texts.ts';
import { sampleCalibration } from '../sample-calibration.ts';
import { sampleLabel } from '../sample-label.ts';
import { sampleFailure, sampleJudgeSummary, sampleRun, sampleStoredTrial, sampleSummary } from '../sample-run.ts';
import { sampleSupportTrace } from '../sample-trace.ts';
import { sampleTrial } from '../sample-trial.ts';

/** What every store must do. `open` gives an empty one. */
export function storeContract(name: string, open: () => Promise<Store>): void {
  describe(`${name} keeps the store contract`, () => {
    let store: Store;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(async () => {
      await store.close();
    });

    async function trialsOf(
      runId: string,
      options?: { scenarioIndex?: number; caseName?: string },
    ): Promise<StoredTrial[]> {
      return await Array.fromAsync(store.trials(runId, options));
    }

    describe('runs', () => {
      test('a run is read as it was created', async () => {
        const run = sampleRun();
        await store.createRun(run);
        expect(await store.getRun('run-1')).toEqual(run);
      });

      test('a run can have no scenario', async () => {
        const run = sampleRun({ scenarios: [] });
        await store.createRun(run);
        expect(await store.getRun('run-1')).toEqual(run);
      });

      test('an unknown run is null', async () => {
        expect(await store.getRun('nothing')).toBeNull();
      });

      test('a second run with the same id is refused and changes nothing', async () => {
        await store.createRun(sampleRun());
        await expect(store.createRun(sampleRun({ salvo_version: 'other' }))).rejects.toMatchObject({
          code: 'RUN_EXISTS',
        });
        expect(await store.getRun('run-1')).toEqual(sampleRun());
      });

      test('an update changes what it names and nothing else', async () => {
        await store.createRun(sampleRun());
        await store.updateRun('run-1', { status: 'interrupted' });
        await store.updateRun('run-1', { verdict: 'FAIL', exit_code: 1 });
        expect(await store.getRun('run-1')).toEqual(
          sampleRun({ status: 'interrupted', verdict: 'FAIL', exit_code: 1 }),
        );
      });

      test('an undefined field of an update is one that is not named', async () => {
        await store.createRun(sampleRun());
        const change = { verdict: 'PASS' as const, options: undefined };
        await store.updateRun('run-1', change);
        expect((await store.getRun('run-1'))?.options).toEqual(sampleRun().options);
      });

      test('summaries are kept by position', async () => {
        await store.createRun(sampleRun());
        const summaries = [
          sampleSummary({ judges: [sampleJudgeSummary()], assertion_failures: [sampleFailure()] }),
          sampleSummary({ name: 'second', verdict: 'PASS' }),
        ];
        await store.updateRun('run-1', { summaries, status: 'finished', verdict: 'PARTIAL' });
        const run = await store.getRun('run-1');
        expect(run?.scenarios.map((entry) => entry.summary)).toEqual(summaries);
        expect(run?.scenarios.map((entry) => entry.scenario)).toEqual(sampleRun().scenarios.map((e) => e.scenario));
      });

      test('the cases of summaries are listed only if they are asked for', async () => {
        const some = {
          case_index: 0,
          case: 'a',
          verdict: 'PASS',
          skipped: null,
          quarantine: null,
          score_avg: 1,
          reason: null,
        } as const;
        const counts = { trials_planned: 1, trials_total: 1, trials_scored: 1, trials_passed: 1, trials_unscored: 0 };
        const summary = sampleSummary({ cases: [{ ...some, ...counts }] });
        await store.createRun(sampleRun());
        await store.updateRun('run-1', { summaries: [summary, summary] });
        const listed = async (options: { cases?: boolean }) =>
          (await store.listRuns(options))[0]?.scenarios[0]?.summary ?? null;
        expect(await listed({})).toEqual({ ...summary, cases: [] });
        expect(await listed({ cases: true })).toEqual(summary);
      });

      test('figures are the same as in the summaries, before and after the run ends', async () => {
        await store.createRun(sampleRun());
        await store.createRun(sampleRun({ run_id: 'run-2' }));
        const [first, second] = sampleRun().scenarios.map(({ name, file, adapter, model }) => ({
          ...{ name, file, adapter, model },
        }));
        const { run_id, created_at, finished_at, status, verdict, reeval_of, options } = sampleRun();
        const head = { run_id, created_at, finished_at, status, verdict, reeval_of, seed: options.seed };
        const unended = [first, second].map((entry) => ({ ...entry, summary: null }));
        expect(await store.runFigures(['run-1', 'run-9'])).toEqual([{ ...head, scenarios: unended }]);
        const summary = sampleSummary({ ...first, pass_rate: 0.5, pass_rate_ci: [0.25, 0.75] });
        await store.updateRun('run-1', { summaries: [summary] });
        const { pass_rate, pass_rate_ci, score_avg, trials_total, cost_total_usd, judge_cost_usd } = summary;
        const figures = { pass_rate, pass_rate_ci, score_avg, trials_total, cost_total_usd, judge_cost_usd };
        expect(await store.runFigures(['run-1', 'run-2'])).toEqual([
          { ...head, run_id: 'run-2', scenarios: unended },
          {
            ...head,
            scenarios: [
              { ...first, summary: { verdict: summary.verdict, ...figures } },
              { ...second, summary: null },
            ],
          },
        ]);
      });

      test('an update of an unknown run is refused', async () => {
        await expect(store.updateRun('nothing', { exit_code: 0 })).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
      });

      test('an update with more summaries than scenarios is refused as a whole', async () => {
        await store.createRun(sampleRun());
        const summaries = [sampleSummary(), sampleSummary(), sampleSummary()];
        await expect(store.updateRun('run-1', { exit_code: 3, summaries })).rejects.toThrow(/no scenario 2/);
        expect(await store.getRun('run-1')).toEqual(sampleRun());
      });

      test('runs are listed in the order of their creation, newest first, whatever the clock said', async () => {
        await store.createRun(sampleRun({ run_id: 'b', created_at: '2026-01-02T00:00:00.000Z' }));
        await store.createRun(sampleRun({ run_id: 'a', created_at: '2025-01-01T00:00:00.000Z' }));
        await store.createRun(sampleRun({ run_id: 'c', created_at: '2026-01-02T00:00:00.000Z' }));
        const listed = await store.listRuns();
        expect(listed.map((run) => run.run_id)).toEqual(['c', 'a', 'b']);
        expect(listed[0]?.scenarios[0]).not.toHaveProperty('scenario');
        expect(listed[0]?.scenarios[0]).toMatchObject({ name: 'lost order', summary: null });
        expect(await store.listRuns({ limit: 1 })).toHaveLength(1);
      });

      test('complete runs are those that finished', async () => {
        for (const status of ['finished', 'interrupted', 'running'] as const) {
          await store.createRun(sampleRun({ run_id: status, status }));
        }
        const complete = await store.listRuns({ complete: true, limit: 5 });
        expect(complete.map((run) => run.run_id)).toEqual(['finished']);
      });

      test('run ids are found by their beginning, newest first, taken literally', async () => {
        for (const [day, run_id] of ['ab1', 'ab2', 'a%', 'é1'].entries()) {
          await store.createRun(sampleRun({ run_id, created_at: `2026-01-0${day + 1}T00:00:00.000Z` }));
        }
        expect(await store.findRunIds('ab', 10)).toEqual(['ab2', 'ab1']);
        expect(await store.findRunIds('ab', 1)).toEqual(['ab2']);
        expect(await store.findRunIds('a%', 10)).toEqual(['a%']);
        expect(await store.findRunIds('é', 10)).toEqual(['é1']);
        expect(await store.findRunIds('', 10)).toEqual(['é1', 'a%', 'ab2', 'ab1']);
        expect(await store.findRunIds('zz', 10)).toEqual([]);
      });
    });

    describe('deleted runs', () => {
      test('a deleted run is found nowhere, and is back as it was when it is restored', async () => {
        await store.createRun(sampleRun());
        await store.createRun(sampleRun({ run_id: 'run-2' }));
        const traceId = await store.saveTrace(sampleSupportTrace());
        const trial = sampleStoredTrial({ trace_id: traceId });
        await store.saveTrial(trial);
        const place = { scenario: trial.scenario_index, case: trial.case_index, trial: trial.trial_number };
        const found = async () => [
          await store.getRun('run-1'),
          (await store.listRuns()).map(({ run_id }) => run_id),
          (await store.listRuns({ runIds: ['run-1'] })).length,
          (await store.runRevisions()).map(({ run_id }) => run_id),
          (await store.runFigures(['run-1', 'run-2'])).map(({ run_id }) => run_id),
          await store.findRunIds('run', 9),
          await trialsOf('run-1'),
          await trialsOf('run-1', { scenarioIndex: 0 }),
          await store.getTrial('run-1', place),
          (await store.trialOutcomes('run-1', { offset: 0, limit: 9 })).length,
          (await Array.fromAsync(store.trialHeads('run-1'))).length,
          await store.findTrialOfTrace(traceId),
        ];
        const before = await found();
        await store.deleteRun('run-1');
        expect(await found()).toEqual([null, ['run-2'], 0, ['run-2'], ['run-2'], ['run-2'], [], [], null, 0, 0, null]);
        await expect(store.updateRun('run-1', { exit_code: 0 })).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
        await expect(store.deleteRun('run-1')).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
        await store.purgeDeletedRuns(3600);
        await store.restoreRun('run-1');
        expect(await found()).toEqual(before);
      });

      test('a run that a process works on cannot be deleted', async () => {
        await store.createRun(sampleRun());
        await using _lease = await store.claim({ kind: 'run', id: 'run-1' });
        await expect(store.deleteRun('run-1')).rejects.toMatchObject({ code: 'AT_WORK' });
        expect(await store.getRun('run-1')).not.toBeNull();
      });

      test('a purged run is gone with what only it refers to, and its texts can be stored again', async () => {
        const shared = sampleSupportTrace({ final_content: 'shared '.repeat(30) });
        const own = sampleSupportTrace({ final_content: 'own '.repeat(50) });
        const [kept, gone] = [await store.saveTrace(shared), await store.saveTrace(own)];
        for (const run_id of ['run-1', 'run-2']) {
          await store.createRun(sampleRun({ run_id }));
          await store.saveTrial(sampleStoredTrial({ run_id, trace_id: kept }));
        }
        await store.saveTrial(sampleStoredTrial({ run_id: 'run-1', trial_number: 2, trace_id: gone }));
        await store.deleteRun('run-1');
        await store.purgeDeletedRuns(0);
        await expect(store.restoreRun('run-1')).rejects.toMatchObject({ code: 'RUN_UNKNOWN' });
        expect(await store.getTrace(gone)).toBeNull();
        expect(await store.getTrace(kept)).toEqual(shared);
        expect(await store.getRun('run-2')).toEqual(sampleRun({ run_id: 'run-2' }));
        expect(await store.getTrace(await store.saveTrace(own))).toEqual(own);
      });

      test('the revision of a run increases with every change', async () => {
        const revisionOf = async (id: string) =>
          (await store.runRevisions()).find((run) => run.run_id === id)?.revision ?? Number.NaN;
        await store.createRun(sampleRun());
        await store.createRun(sampleRun({ run_id: 'run-2' }));
        const [before, other] = [await revisionOf('run-1'), await revisionOf('run-2')];
        await store.updateRun('run-1', { summaries: [sampleSummary()] });
        expect(await revisionOf('run-1')).toBeGreaterThan(before);
        expect(await revisionOf('run-2')).toBe(other);
      });
    });

    describe('traces', () => {
      test('a trace is read as it was saved', async () => {
        const id = await store.saveTrace(sampleSupportTrace());
        expect(id).toMatch(/^[0-9a-f]{32}$/);
        expect(await store.getTrace(id)).toEqual(sampleSupportTrace());
      });

      test('the same trace has the same id, whatever the order of its keys', async () => {
        const reversed = traceSchema.parse(Object.fromEntries(Object.entries(sampleSupportTrace()).reverse()));
        const ids = await Promise.all([store.saveTrace(sampleSupportTrace()), store.saveTrace(reversed)]);
        expect(ids[0]).toBe(ids[1]);
        expect(await store.findTraceIds('', 10)).toEqual([ids[0]]);
      });

      test('a different trace has a different id', async () => {
        const ids = [
          await store.saveTrace(sampleSupportTrace()),
          await store.saveTrace(sampleSupportTrace({ latency_seconds: 2 })),
        ];
        expect(new Set(ids).size).toBe(2);
      });

      test('an unknown trace is null, and belongs to no trial', async () => {
        expect(await store.getTrace('00')).toBeNull();
        expect(await store.findTrialOfTrace('00')).toBeNull();
      });

      test('trace ids are found by their beginning', async () => {
        const id = await store.saveTrace(sampleSupportTrace());
        expect(await store.findTraceIds(id.slice(0, 6), 10)).toEqual([id]);
        expect(await store.findTraceIds('zz', 10)).toEqual([]);
      });

      test.each([
        ['NULs and lone surrogates', `a\0b\ud800${'x'.repeat(200)}`],
        ['what looks like a reference of the store', '~GmX7'],
        ['two million characters', 'long text '.repeat(200_000)],
        ['emoji and right-to-left text', '🏳️‍🌈 שלום '.repeat(50)],
      ])('%s survive', async (_, content) => {
        const trace = sampleSupportTrace({ messages: [{ role: 'user', content }], final_content: content });
        const stored = await store.getTrace(await store.saveTrace(trace));
        expect(stored?.final_content === content).toBe(true);
        expect(stored?.messages).toEqual(trace.messages);
      });

      test('arguments with hostile keys survive', async () => {
        const args = JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1, "toJSON": "x", "": null}');
        const messages = [
          { role: 'assistant' as const, content: null, tool_calls: [{ id: '1', name: 't', arguments: args }] },
        ];
        const stored = await store.getTrace(await store.saveTrace(sampleSupportTrace({ messages })));
        expect(JSON.stringify(stored?.messages)).toBe(JSON.stringify(messages));
        expect({}).not.toHaveProperty('polluted');
      });

      test('any JSON that an agent passes to a tool is read unchanged', async () => {
        await fc.assert(
          fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (args) => {
            const call = { id: '1', name: 't', arguments: args, turn: 1, result: null, is_error: false };
            const stored = await store.getTrace(await store.saveTrace(sampleSupportTrace({ tool_calls_made: [call] })));
            expect(JSON.stringify(stored?.tool_calls_made[0]?.arguments)).toBe(JSON.stringify(args));
          }),
          { numRuns: 50 },
        );
      });
    });

    describe('trials', () => {
      beforeEach(async () => {
        await store.createRun(sampleRun());
      });

      test('a trial is recorded first and evaluated later', async () => {
        const trace_id = await store.saveTrace(sampleSupportTrace());
        await store.saveTrial(sampleStoredTrial({ trace_id }));
        expect(await trialsOf('run-1')).toEqual([sampleStoredTrial({ trace_id })]);
        const evaluated = sampleStoredTrial({ trace_id, result: sampleTrial({ trace_id }) });
        await store.saveTrial(evaluated);
        expect(await trialsOf('run-1')).toEqual([evaluated]);
      });

      test('long details come back', async () => {
        const [evaluation] = sampleTrial().eval_results;
        const eval_results = [{ ...evaluation, details: 'why '.repeat(3000) }];
        const result = { ...sampleTrial(), eval_results } as ReturnType<typeof sampleTrial>;
        await store.saveTrial(sampleStoredTrial({ result }));
        expect((await trialsOf('run-1'))[0]?.result).toEqual(result);
      });

      test('outcomes say how trials ended, without their texts', async () => {
        const [evaluation] = sampleTrial().eval_results;
        const eval_results = [
          { ...evaluation, assertion_id: 'long id '.repeat(30), details: 'why '.repeat(3000) },
          { ...evaluation, assertion_id: '~', status: 'unscored', score: 0, passed: false },
        ];
        const result = { ...sampleTrial(), eval_results } as ReturnType<typeof sampleTrial>;
        await store.saveTrial(sampleStoredTrial({ result }));
        await store.saveTrial(sampleStoredTrial({ trial_number: 2 }));
        await store.saveTrial(sampleStoredTrial({ scenario_index: 1 }));
        const all = await store.trialOutcomes('run-1', { offset: 0, limit: 10 });
        const { status, score, latency_seconds, cost_usd, judge_cost_usd, retries } = result;
        expect(all[0]).toEqual({
          ...{ scenario_index: 0, case_index: 0, case: null, trial_number: 1, trace_id: null },
          ...{ status, score, latency_seconds, cost_usd, judge_cost_usd, retries },
          assertions: [
            { id: 'long id '.repeat(30), score: evaluation?.score, passed: evaluation?.passed },
            { id: '~', score: null, passed: false },
          ],
        });
        expect(all[1]).toMatchObject({ trial_number: 2, status: null, score: null, assertions: [] });
        expect(all).toHaveLength(3);
        expect(await store.trialOutcomes('run-1', { offset: 1, limit: 1 })).toEqual([all[1]]);
        expect(await store.trialOutcomes('run-1', { scenarioIndex: 1, offset: 0, limit: 9 })).toEqual([all[2]]);
        expect(await store.trialOutcomes('run-9', { offset: 0, limit: 9 })).toEqual([]);
        const heads = all.map(({ scenario_index, case_index, case: name, trial_number, trace_id, status }) => ({
          ...{ scenario_index, case_index, case: name, trial_number, trace_id, status },
        }));
        expect(await Array.fromAsync(store.trialHeads('run-1'))).toEqual(heads);
      });

      test('a trial that is stored again without a result has none', async () => {
        await store.saveTrial(sampleStoredTrial({ result: sampleTrial() }));
        await store.saveTrial(sampleStoredTrial({ result: null }));
        expect(await trialsOf('run-1')).toEqual([sampleStoredTrial({ result: null })]);
        expect(await Array.fromAsync(store.trialHeads('run-1'))).toMatchObject([{ trial_number: 1, status: null }]);
      });

      test('a single trial is found by its place', async () => {
        await store.saveTrial(sampleStoredTrial({ case_index: 3, case: 'c', trial_number: 2 }));
        const found = await store.getTrial('run-1', { scenario: 0, case: 3, trial: 2 });
        expect(found).toEqual(sampleStoredTrial({ case_index: 3, case: 'c', trial_number: 2 }));
        expect(await store.getTrial('run-1', { scenario: 0, case: 3, trial: 1 })).toBeNull();
      });

      test('the version changes with every change', async () => {
        const before = await store.version();
        expect(await store.version()).toBe(before);
        await store.saveTrial(sampleStoredTrial());
        expect(await store.version()).not.toBe(before);
      });

      test('trials come in order of scenario and number, whatever the order they were saved in', async () => {
        const places = [1, 0].flatMap((scenario_index) =>
          [10, 2, 1].map((trial_number) => ({ scenario_index, trial_number })),
        );
        await Promise.all(places.map((place) => store.saveTrial(sampleStoredTrial(place))));
        const order = (await trialsOf('run-1')).map((trial) => [trial.scenario_index, trial.trial_number]);
        expect(order).toEqual([
          [0, 1],
          [0, 2],
          [0, 10],
          [1, 1],
          [1, 2],
          [1, 10],
        ]);
        expect((await trialsOf('run-1', { scenarioIndex: 1 })).map((t) => t.trial_number)).toEqual([1, 2, 10]);
        expect(await trialsOf('run-1', { scenarioIndex: 9 })).toEqual([]);
      });

      test('a trial is that of its case: the same number in another case is another trial', async () => {
        const cases = ['b', 'a', '1 or 2'].entries().toArray();
        for (const [case_index, name] of cases.toReversed()) {
          for (const trial_number of [2, 1]) {
            await store.saveTrial(sampleStoredTrial({ case_index, case: name, trial_number }));
          }
        }
        const places = (await trialsOf('run-1')).map((trial) => [trial.case_index, trial.case, trial.trial_number]);
        expect(places).toEqual(cases.flatMap(([index, name]) => [1, 2].map((number) => [index, name, number])));
        const ofCase = await trialsOf('run-1', { scenarioIndex: 0, caseName: '1 or 2' });
        expect(ofCase.map((trial) => [trial.case_index, trial.trial_number])).toEqual([
          [2, 1],
          [2, 2],
        ]);
        expect(await trialsOf('run-1', { scenarioIndex: 0, caseName: 'c' })).toEqual([]);
      });

      test('any number of trials can be read, and saved to while they are', async () => {
        const numbers = Array.from({ length: 750 }, (_, index) => index + 1);
        await Promise.all(numbers.map((trial_number) => store.saveTrial(sampleStoredTrial({ trial_number }))));
        const seen: number[] = [];
        for await (const trial of store.trials('run-1')) {
          seen.push(trial.trial_number);
          if (trial.trial_number % 100 === 0) await store.saveTrial({ ...trial, result: sampleTrial() });
        }
        expect(seen).toEqual(numbers);
      });

      test('an unknown run has no trials, and none can be saved for it', async () => {
        expect(await trialsOf('nothing')).toEqual([]);
        await expect(store.saveTrial(sampleStoredTrial({ run_id: 'nothing' }))).rejects.toMatchObject({
          code: 'RUN_UNKNOWN',
        });
      });

      test('a trial that is refused takes no other with it', async () => {
        const outcomes = await Promise.allSettled([
          store.saveTrial(sampleStoredTrial({ trial_number: 1 })),
          store.saveTrial(sampleStoredTrial({ trial_number: 2, trace_id: 'missing' })),
          store.saveTrial(sampleStoredTrial({ trial_number: 3, scenario_index: 99 })),
          store.saveTrial(sampleStoredTrial({ trial_number: 4 })),
        ]);
        expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
        expect((await trialsOf('run-1')).map((trial) => trial.trial_number)).toEqual([1, 4]);
      });

      test('a trace can be stored with its trial, both or none', async () => {
        const {
          trace_id: _,
          result: __,
          ...trial
        } = sampleStoredTrial({
          earlier_cost: { cost_usd: 0.5, judge_cost_usd: null },
        });
        const trace_id = await store.saveTrace(sampleSupportTrace(), trial);
        expect(await trialsOf('run-1')).toEqual([{ ...trial, trace_id, result: null }]);
        const other = sampleSupportTrace({ final_content: 'another trace' });
        await expect(store.saveTrace(other, { ...trial, run_id: 'nothing' })).rejects.toMatchObject({
          code: 'RUN_UNKNOWN',
        });
        expect(await store.findTraceIds('', 10)).toEqual([trace_id]);
      });

      test('the trial of a trace is that of the newest run', async () => {
        const trace_id = await store.saveTrace(sampleSupportTrace());
        await store.createRun(sampleRun({ run_id: 'older', created_at: '2026-02-01T00:00:00.000Z' }));
        await store.createRun(
          sampleRun({ run_id: 'newer', created_at: '2025-02-01T00:00:00.000Z', reeval_of: 'run-1' }),
        );
        for (const run_id of ['newer', 'run-1', 'older'])
          await store.saveTrial(sampleStoredTrial({ run_id, trace_id }));
        expect(await store.findTrialOfTrace(trace_id)).toEqual(sampleStoredTrial({ run_id: 'newer', trace_id }));
      });
    });

    describe('calibrations', () => {
      test('the calibration of a judge is read as it was saved', async () => {
        const record = sampleCalibration({ verdict: 'no better than chance' });
        await judgesOf(store).saveCalibration(record);
        expect(await judgesOf(store).getCalibration(record.judge_hash)).toEqual(record);
      });

      test('a judge that was never calibrated has none', async () => {
        await judgesOf(store).saveCalibration(sampleCalibration());
        expect(await judgesOf(store).getCalibration('c0ffee')).toBeNull();
      });

      test('a judge has its latest calibration only', async () => {
        await judgesOf(store).saveCalibration(sampleCalibration());
        const again = sampleCalibration({ created_at: '2026-02-01T00:00:00.000Z', k: 5 });
        await judgesOf(store).saveCalibration(again);
        await judgesOf(store).saveCalibration(sampleCalibration({ judge_hash: 'other' }));
        expect(await judgesOf(store).getCalibration('c0ffee01')).toEqual(again);
      });

      test('a calibration can be deleted, and only once', async () => {
        await judgesOf(store).saveCalibration(sampleCalibration());
        await judgesOf(store).saveCalibration(sampleCalibration({ judge_hash: 'other' }));
        await judgesOf(store).deleteCalibration('c0ffee01');
        await judgesOf(store).deleteCalibration('c0ffee01');
        expect(await judgesOf(store).getCalibration('c0ffee01')).toBeNull();
        expect(await judgesOf(store).listCalibrations()).toEqual([sampleCalibration({ judge_hash: 'other' })]);
      });

      test('all calibrations are listed, newest first', async () => {
        expect(await judgesOf(store).listCalibrations()).toEqual([]);
        const older = sampleCalibration({ judge_hash: 'a' });
        const newer = sampleCalibration({ judge_hash: 'b', created_at: '2026-02-01T00:00:00.000Z' });
        await judgesOf(store).saveCalibration(newer);
        await judgesOf(store).saveCalibration(older);
        expect(await judgesOf(store).listCalibrations()).toEqual([newer, older]);
      });

      test('long names and reasons come back', async () => {
        const [criterion] = sampleCalibration().criteria;
        const name = 'is it polite? '.repeat(300);
        const record = sampleCalibration({ criteria: criterion ? [{ ...criterion, name }] : [], reason: name });
        await judgesOf(store).saveCalibration(record);
        expect(await judgesOf(store).getCalibration(record.judge_hash)).toEqual(record);
      });
    });

    describe('labels', () => {
      test('a label is read as it was saved, also one with a long and strange note', async () => {
        const label = sampleLabel({ note: `\u202e<script>\u0000${'why? '.repeat(5000)}`, case: 'kettle' });
        await judgesOf(store).saveLabel(label);
        expect(await judgesOf(store).listLabels()).toEqual([label]);
      });

      test('labels of several people on the same thing are all kept, in the order in which they came', async () => {
        const ada = sampleLabel();
        const bob = sampleLabel({ label_id: 'label-2', labelled_by: 'Bob', passed: false });
        await judgesOf(store).saveLabel(ada);
        await judgesOf(store).saveLabel(bob);
        expect(await judgesOf(store).listLabels()).toEqual([ada, bob]);
      });

      test.each([
        { assertion_id: null },
        { assertion_id: 'tone', criterion: null },
        { assertion_id: 'tone', criterion: 'polite', score: 0.5 },
      ])('a person has one label on %j: the last', async (about) => {
        await judgesOf(store).saveLabel(sampleLabel({ ...about }));
        await judgesOf(store).saveLabel(sampleLabel({ ...about, trace_id: 'trace-2', label_id: 'label-2' }));
        const again = sampleLabel({ ...about, label_id: 'label-3', passed: false });
        await judgesOf(store).saveLabel(again);
        expect(await judgesOf(store).listLabels({ traceId: 'trace-1' })).toEqual([again]);
        expect(await judgesOf(store).listLabels()).toHaveLength(2);
      });

      test('a label can be taken back', async () => {
        await judgesOf(store).saveLabel(sampleLabel());
        await judgesOf(store).deleteLabel('label-2');
        expect(await judgesOf(store).listLabels()).toHaveLength(1);
        await judgesOf(store).deleteLabel('label-1');
        expect(await judgesOf(store).listLabels()).toEqual([]);
      });
    });

    describe('leases', () => {
      const work = { kind: 'run', id: 'run-1' } as const;

      test('of many that claim the same at once one gets it, and the others are refused', async () => {
        const outcomes = await Promise.allSettled([1, 2, 3].map(() => store.claim(work)));
        const refusals = outcomes.filter((outcome) => outcome.status === 'rejected');
        expect(refusals.map(({ reason }) => reason.code)).toEqual(['AT_WORK', 'AT_WORK']);
        expect(refusals[0]?.reason.message).toContain(`still at work in process ${process.pid}`);
        expect((await store.holderOf(work))?.pid).toBe(process.pid);
        for (const outcome of outcomes) {
          if (outcome.status === 'fulfilled') await outcome.value[Symbol.asyncDispose]();
        }
      });

      test('a lease that was given back is free', async () => {
        for (let time = 0; time < 3; time++) {
          await using lease = await store.claim(work);
          expect(lease.lost.aborted).toBe(false);
        }
        expect(await store.holderOf(work)).toBeNull();
      });

      test('nobody is asked to stop if nobody is at work', async () => {
        expect(await store.askToStop(work)).toBe(false);
        await using lease = await store.claim(work);
        expect([lease.stop.aborted, lease.abort.aborted]).toEqual([false, false]);
        expect(await store.askToStop(work)).toBe(true);
      });

      test('each kind of work has leases of its own', async () => {
        await using _run = await store.claim(work);
        await using _other = await store.claim({ kind: 'run', id: 'run-2' });
        await using _experiment = await store.claim({ kind: 'experiment', id: 'run-1' });
        expect(await store.holderOf({ kind: 'experiment', id: 'run-2' })).toBeNull();
      });
    });

    test('texts that databases find difficult survive in every column', async () => {
      for (const [index, text] of COLUMN_TEXTS.entries()) {
        const run = sampleRun({
          run_id: text,
          created_at: text,
          salvo_version: text,
          git: { commit: text, dirty: false },
        });
        const [scenario] = run.scenarios;
        const named = { ...run, scenarios: scenario ? [{ ...scenario, name: text, file: text, model: text }] : [] };
        await store.createRun(named);
        expect(await store.getRun(text)).toEqual(named);
        expect(await store.findRunIds(text, 9)).toContain(text);
        const trial = sampleStoredTrial({ run_id: text, case: text, case_index: index });
        await store.saveTrial(trial);
        expect(await trialsOf(text, { scenarioIndex: 0, caseName: text })).toEqual([trial]);
        expect((await store.trialOutcomes(text, { offset: 0, limit: 1 }))[0]?.case).toBe(text);
        await judgesOf(store).saveLabel(sampleLabel({ label_id: text, trace_id: text, labelled_by: text }));
        expect(await judgesOf(store).listLabels({ traceId: text })).toHaveLength(1);
        await using _lease = await store.claim({ kind: 'run', id: text });
      }
    });

    test('of many that write the same trial at once the last one wins, and none is refused', async () => {
      await store.createRun(sampleRun());
      const costs = Array.from({ length: 20 }, (_, index) => ({ cost_usd: index, judge_cost_usd: null }));
      await Promise.all(
        costs.map(async (earlier_cost) => {
          const { trace_id: _, result: __, ...trial } = sampleStoredTrial({ earlier_cost });
          await store.saveTrace(sampleSupportTrace({ final_content: 'the same '.repeat(20) }), trial);
        }),
      );
      const [trial, ...others] = await trialsOf('run-1');
      expect(others).toEqual([]);
      expect(costs).toContainEqual(trial?.earlier_cost);
    });

    test('runs are removed for good, unless somebody works on them', async () => {
      const shared = await store.saveTrace(sampleSupportTrace());
      for (const run_id of ['run-1', 'run-2', 'run-3']) {
        await store.createRun(sampleRun({ run_id }));
        await store.saveTrial(sampleStoredTrial({ run_id, trace_id: shared }));
      }
      const own = await store.saveTrace(sampleSupportTrace({ final_content: 'only of run 1 '.repeat(20) }));
      await store.saveTrial(sampleStoredTrial({ run_id: 'run-1', trial_number: 2, trace_id: own }));
      await using _lease = await store.claim({ kind: 'run', id: 'run-2' });
      expect(await store.removeForGood(['run-1', 'run-2', 'nothing'])).toBe(1);
      expect((await store.listRuns()).map(({ run_id }) => run_id)).toEqual(['run-3', 'run-2']);
      expect([await store.getTrace(own), await store.getTrace(shared)]).toEqual([null, sampleSupportTrace()]);
    });

    test('it describes what is stored', async () => {
      await store.createRun(sampleRun());
      await using _lease = await store.claim({ kind: 'run', id: 'run-1' });
      const { server, tables, under_way, bytes } = await store.describe();
      expect(server).toMatch(/^(SQLite|PostgreSQL) \d/);
      expect(tables).toContainEqual(expect.objectContaining({ name: 'runs', rows: 1 }));
      expect(under_way).toEqual([{ kind: 'run', id: 'run-1' }]);
      expect(bytes).toBeGreaterThan(1000);
    });

    test('a value that is not JSON is refused with a message', async () => {
      const metadata: Record<string, unknown> = { size: 1 };
      const [evaluation] = sampleTrial().eval_results;
      await store.createRun(sampleRun());
      metadata.itself = metadata;
      const result = { ...sampleTrial(), eval_results: [{ ...evaluation, metadata }] } as ReturnType<
        typeof sampleTrial
      >;
      const [outcome] = await Promise.allSettled([store.saveTrial(sampleStoredTrial({ result }))]);
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'STORE_VALUE_INVALID' });
      else expect(await trialsOf('run-1')).toEqual([outcome.value]);
    });

    test('closing waits for what is being written, and can be repeated', async () => {
      const saved = store.createRun(sampleRun());
      await store.close();
      await expect(saved).resolves.toBeUndefined();
      await expect(store.close()).resolves.toBeUndefined();
    });
  });
}
