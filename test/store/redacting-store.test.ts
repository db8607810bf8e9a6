import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { EvalResult } from '../../packages/salvo/src/evaluators/eval-result.ts';
import { readJudgement } from '../../packages/salvo/src/judge/stored-judgement.ts';
import { projectSchema } from '../../packages/salvo/src/scenario/schema/project-schema.ts';
import { createRedactor } from '../../packages/salvo/src/secrets/redactor.ts';
import { judgesOf } from '../../packages/salvo/src/store/judge-tables.ts';
import { openStore } from '../../packages/salvo/src/store/open-store.ts';
import type { RecordingMode } from '../../packages/salvo/src/store/redaction/redact-document.ts';
import { redactingStore } from '../../packages/salvo/src/store/redaction/redacting-store.ts';
import { openSqliteStore } from '../../packages/salvo/src/store/sqlite/sqlite-store.ts';
import { isMetadataOnly } from '../../packages/salvo/src/trace/not-recorded.ts';
import { traceSchema } from '../../packages/salvo/src/trace/trace.ts';
import { trialResultSchema } from '../../packages/salvo/src/trial/trial-result.ts';
import { experimentsOf } from '../../packages/salvo-arena/src/store/experiment-tables.ts';
import {
  failedGame,
  sampleExperiment,
  sampleGame,
  sampleOutcome,
  sampleSheet,
} from '../../packages/salvo-arena/test/arena-experiment/sample-experiment.ts';
import { sampleCalibration } from '../sample-calibration.ts';
import { sampleJudgement } from '../sample-judgement.ts';
import { sampleFailure, sampleJudgeSummary, sampleRun, sampleStoredTrial, sampleSummary } from '../sample-run.ts';
import { sampleSupportTrace } from '../sample-trace.ts';
import { sampleEvalResult, sampleTrial } from '../sample-trial.ts';
import { traceWithoutText } from './trace-without-text.ts';

const SECRET = 'swordfish-and-chips';

interface Options {
  mode?: RecordingMode;
  customPatterns?: string[];
}

async function openRedacting({ mode = 'full', customPatterns = [] }: Options) {
  const redactor = createRedactor({ customPatterns, secrets: [SECRET] });
  return redactingStore(await openSqliteStore({ file: ':memory:' }), { redactor, mode });
}

/** A run, a trace, a result and a summary with a text in every field for text. */
function documentsWith(text: string) {
  const [first, ...others] = sampleRun().scenarios;
  const scenario = { ...sampleRun().scenarios[0]?.scenario, name: text, system_prompt: text, prompt: text };
  const tool = { name: 'lookup', description: text, parameters: { default: text }, mock_response: { note: [text] } };
  const assertion = { type: 'output_contains', value: text, weight: 1, required: false };
  const run = {
    ...sampleRun(),
    scenarios: [{ ...first, name: text, scenario: { ...scenario, tools: [tool], assertions: [assertion] } }, ...others],
  } as ReturnType<typeof sampleRun>;
  const call = { id: 'c', name: 'lookup', arguments: { deep: { [text]: text } } };
  const trace = sampleSupportTrace({
    messages: [
      { role: 'user', content: text },
      { role: 'assistant', content: text, tool_calls: [{ ...call, raw_arguments: text }], provider_state: { text } },
      { role: 'tool_result', tool_call_id: 'c', name: 'lookup', content: text, is_error: true },
    ],
    tool_calls_made: [{ ...call, turn: 1, result: text, is_error: true }],
    tool_errors: [{ turn: 1, tool_call_id: 'c', name: 'lookup', kind: 'mocked_error', message: text }],
    final_content: text,
  });
  const eval_results = [sampleEvalResult({ details: text, metadata: { seen: [text], n: 3 } })];
  const judge = {
    judge_model: 'm',
    k: 1,
    criteria: [{ name: text, score: 0.5, all_scores: [0.5], reasoning: text }],
    dissenting_votes: 0,
  };
  const assertion_failures = [sampleFailure({ example: text, judge })];
  return { run, trace, result: sampleTrial({ eval_results }), summary: sampleSummary({ assertion_failures }) };
}

async function storeAll(options: Options, text: string) {
  const store = await openRedacting(options);
  const { run, trace, result, summary } = documentsWith(text);
  await store.createRun(run);
  const trace_id = await store.saveTrace(trace);
  await store.saveTrial(sampleStoredTrial({ trace_id, result: { ...result, trace_id } }));
  await store.updateRun('run-1', { summaries: [summary] });
  return {
    trace_id,
    run: await store.getRun('run-1'),
    trace: traceSchema.parse(await store.getTrace(trace_id)),
    trial: (await Array.fromAsync(store.trials('run-1')))[0],
  };
}

describe('nothing secret is stored', () => {
  test('in runs, traces, results or summaries', async () => {
    const stored = await storeAll({}, `it is ${SECRET}, yes`);
    expect(JSON.stringify(stored)).not.toContain(SECRET);
    expect(stored.trace.final_content).toBe('it is [REDACTED:secret], yes');
    expect(stored.run?.scenarios[0]?.scenario.prompt).toBe('it is [REDACTED:secret], yes');
    expect(stored.trial?.result?.eval_results[0]?.metadata).toEqual({ seen: ['it is [REDACTED:secret], yes'], n: 3 });
  });

  test('in a trace and a result that are stored together', async () => {
    const store = await openRedacting({});
    await store.createRun(sampleRun());
    const details = `the key is ${SECRET}`;
    const { trace_id: _, ...trial } = sampleStoredTrial({
      result: sampleTrial({ eval_results: [sampleEvalResult({ details })] }),
    });
    const trace = sampleSupportTrace({ final_content: details });
    const stored = await (store.saveFinished ?? expect.fail())(trace, trial);
    expect(stored.result?.trace_id).toBe(stored.trace_id);
    expect(await Array.fromAsync(store.trials(trial.run_id))).toEqual([stored]);
    const kept = JSON.stringify([stored, await store.getTrace(stored.trace_id ?? '')]);
    expect(kept).not.toContain(SECRET);
    expect(kept.match(/the key is \[REDACTED:secret\]/g)).toHaveLength(2);
  });

  test('and documents keep their form, whatever a custom pattern matches', async () => {
    const stored = await storeAll({ customPatterns: ['[\\w.]+'] }, 'any words');
    expect(stored.trace.messages.map((message) => message.role)).toEqual(['user', 'assistant', 'tool_result']);
    expect(stored.trace.timestamp).toBe(sampleSupportTrace().timestamp);
    expect(stored.trial?.result?.trace_id).toBe(stored.trace_id);
    expect(trialResultSchema.safeParse(stored.trial?.result).success).toBe(true);
    expect(stored.run?.scenarios[0]?.summary?.pass_at_k).toEqual(sampleSummary().pass_at_k);
    expect(JSON.stringify(stored)).not.toContain('any words');
  });

  test('in calibrations, by whose hash they are still found', async () => {
    const store = await openRedacting({ customPatterns: ['[\\w.]+'] });
    const reason = `it is ${SECRET}, yes`;
    const record = sampleCalibration({ reason, unscored: [{ line: 1, error: reason }], verdict: 'usable' });
    await judgesOf(store).saveCalibration(record);
    const stored = await judgesOf(store).getCalibration(record.judge_hash);
    expect(stored).toMatchObject({ judge_hash: record.judge_hash, created_at: record.created_at, verdict: 'usable' });
    expect(JSON.stringify(stored)).not.toContain(SECRET);
  });

  test('in experiments and games, which keep their form', async () => {
    const store = await openRedacting({});
    const text = `it is ${SECRET}, yes`;
    const experiment = sampleExperiment();
    const plan = { ...experiment.plan, tasks: [text], blue: [`command:scan --token ${SECRET} {dir}`], name: text };
    const secret = { ...experiment, name: text, stop_reason: text, plan };
    await experimentsOf(store).saveExperiment(secret);
    const game = failedGame({ task: text, blue: text, error: text });
    await experimentsOf(store).saveGame(game);
    const scored = sampleGame({ game_id: 'g2' });
    const [flaw] = scored.scores?.vulnerabilities ?? [];
    if (scored.scores && flaw) scored.scores.vulnerabilities = [{ ...flaw, id: text, category: text, technique: text }];
    const sheet = sampleSheet({ findings: [{ finding: 0, title: text, evidence: `password = "${SECRET}"` }] });
    expect(JSON.stringify(await experimentsOf(store).saveGame(scored, sheet))).not.toContain(SECRET);
    expect(JSON.stringify(await experimentsOf(store).getGame('exp-1', 'g2'))).not.toContain(SECRET);
    const stored = [
      await experimentsOf(store).getExperiment('exp-1'),
      await experimentsOf(store).getExperiment('exp-2'),
      ...(await Array.fromAsync(experimentsOf(store).games('exp-1'))),
    ];
    expect(JSON.stringify(stored)).not.toContain(SECRET);
    expect(stored[2]).toMatchObject({ game_id: game.game_id, code_key: game.code_key, status: 'failed' });
  });

  test('in code: what holds a secret, and in metadata only all code and sheets, are not stored at all', async () => {
    const files = { 'main.tf': `password = "${SECRET}"` };
    for (const options of [{}, { mode: 'metadata_only' as const }]) {
      const store = await openRedacting(options);
      await experimentsOf(store).saveExperiment(sampleExperiment());
      expect(await experimentsOf(store).saveCode('exp-1', 'secret', { ...sampleOutcome(), files })).toBe(false);
      expect(await experimentsOf(store).getCode('exp-1', 'secret')).toBeNull();
      expect(await experimentsOf(store).saveCode('exp-1', 'plain', sampleOutcome())).toBe(options.mode === undefined);
      await experimentsOf(store).saveGame(sampleGame(), sampleSheet());
      const kept = (await experimentsOf(store).getGame('exp-1', sampleGame().game_id))?.sheet ?? null;
      expect(kept !== null).toBe(options.mode === undefined);
    }
  });

  test('a judge keeps its hash in results and summaries, whatever a custom pattern matches', async () => {
    const store = await openRedacting({ customPatterns: ['[\\w.]+'] });
    const [evaluation] = sampleTrial().eval_results;
    const metadata = { judge_hash: 'c0ffee01', judge_model: 'm' };
    const judged = { ...sampleTrial().eval_results[0], assertion_type: 'judge', metadata } as typeof evaluation;
    await store.createRun(sampleRun());
    await store.saveTrial(sampleStoredTrial({ result: sampleTrial({ eval_results: judged ? [judged] : [] }) }));
    await store.updateRun('run-1', { summaries: [sampleSummary({ judges: [sampleJudgeSummary()] })] });
    const [trial] = await Array.fromAsync(store.trials('run-1'));
    const run = await store.getRun('run-1');
    expect(trial?.result?.eval_results[0]?.metadata.judge_hash).toBe('c0ffee01');
    expect(run?.scenarios[0]?.summary?.judges[0]).toMatchObject({ judge_hash: 'c0ffee01', pass_rate: 2 / 3 });
  });
});

test.each([{ customPatterns: ['[\\w.]+'] }, { mode: 'metadata_only' as const }])(
  'what a report shows of a judgement can still be read: %j',
  async (options) => {
    const store = await openRedacting(options);
    const [evaluation] = sampleTrial().eval_results;
    const judged = { ...evaluation, assertion_type: 'judge', metadata: sampleJudgement() } as unknown as EvalResult;
    await store.createRun(sampleRun());
    await store.saveTrial(sampleStoredTrial({ result: sampleTrial({ eval_results: [judged] }) }));
    const [trial] = await Array.fromAsync(store.trials('run-1'));
    const judgement = readJudgement(trial?.result?.eval_results[0]?.metadata ?? {});
    expect(judgement).toMatchObject({
      judge_k: 5,
      dissenting_votes: 1,
      per_criterion: [{ score: 0.75 }, { score: 1 }],
    });
    expect(judgement?.votes).toHaveLength(5);
  },
);

describe('metadata only', () => {
  test('keeps numbers and tool names, and none of the text', async () => {
    const stored = await storeAll({ mode: 'metadata_only' }, 'what was really said');
    const { scenarios, ...head } = stored.run ?? sampleRun();
    const named = scenarios.map(({ name: _, scenario: { name: __, ...scenario }, ...rest }) => ({ ...rest, scenario }));
    expect(JSON.stringify({ head, named, trace: stored.trace, trial: stored.trial })).not.toContain('really said');
    expect(stored.trace).toMatchObject({ total_tokens: 140, latency_seconds: 1.25, finish_reason: 'stop' });
    expect(stored.trace.final_content).toBe('[not recorded: 20 characters]');
    expect(stored.trace.tool_calls_made[0]).toMatchObject({
      name: 'lookup',
      arguments: { '[not recorded]': '56 characters' },
    });
    expect(stored.trial?.result?.eval_results[0]).toMatchObject({ score: 1, metadata: { n: 3 } });
    expect(scenarios[0]?.scenario.assertions).toMatchObject([{ type: 'output_contains', weight: 1 }]);
  });

  test('keeps which judge it was and its numbers, and none of its words', async () => {
    const store = await openRedacting({ mode: 'metadata_only' });
    const metadata = {
      judge_hash: 'c0ffee01',
      judge_model: 'm',
      judge_adapter: 'a',
      per_criterion: [{ name: 'kind' }],
    };
    const [evaluation] = sampleTrial().eval_results;
    const judged = { ...evaluation, assertion_type: 'judge', metadata } as NonNullable<typeof evaluation>;
    await store.createRun(sampleRun());
    await store.saveTrial(sampleStoredTrial({ result: sampleTrial({ eval_results: [judged] }) }));
    await judgesOf(store).saveCalibration(sampleCalibration());
    const [trial] = await Array.fromAsync(store.trials('run-1'));
    const calibration = await judgesOf(store).getCalibration('c0ffee01');
    expect(trial?.result?.eval_results[0]?.metadata).toEqual({
      ...metadata,
      per_criterion: [{ name: '[not recorded: 4 characters]' }],
    });
    expect(calibration).toMatchObject({ judge_model: 'judge-model', overall: { kappa: 0.8 }, verdict: 'usable' });
    expect(JSON.stringify(calibration)).not.toContain('politeness');
  });

  test('can be distinguished from a whole trace', async () => {
    expect(isMetadataOnly(traceWithoutText(sampleSupportTrace()))).toBe(true);
    expect(isMetadataOnly(sampleSupportTrace())).toBe(false);
    expect(isMetadataOnly(sampleSupportTrace({ messages: [] }))).toBe(false);
  });

  test('is the same on the second run', async () => {
    const retries = [
      { turn: 1, attempt: 1, reason: 'busy', code: 'ADAPTER_RATE_LIMIT', status: 429, delay_seconds: 1 },
    ];
    const once = traceWithoutText(sampleSupportTrace({ error: 'too late', error_code: 'TRIAL_TIMEOUT', retries }));
    expect(traceWithoutText(once)).toEqual(once);
  });

  test('keeps the code of an error instead of its message, which may quote the output of a program', async () => {
    const store = await openRedacting({ mode: 'metadata_only' });
    const message = 'The agent did not answer with JSON: the patient is called';
    const id = await store.saveTrace(
      sampleSupportTrace({
        error: message,
        error_code: 'ADAPTER_BAD_RESPONSE',
        retries: [
          { turn: 1, attempt: 1, reason: message, code: 'ADAPTER_RATE_LIMIT', status: 429, delay_seconds: 1 },
          { turn: 1, attempt: 2, reason: message, status: 500, delay_seconds: 1 },
        ],
      }),
    );
    const errors = [{ message, code: 'ADAPTER_BAD_RESPONSE', count: 1, trial_numbers: [1] }];
    const result = sampleTrial({ error_message: message, error_code: 'ADAPTER_BAD_RESPONSE' });
    await store.createRun(sampleRun());
    await store.saveTrial(sampleStoredTrial({ result }));
    await store.updateRun('run-1', { summaries: [sampleSummary({ errors })] });
    const hidden = `[not recorded: ${message.length} characters]`;
    expect(await store.getTrace(id)).toMatchObject({
      error: `ADAPTER_BAD_RESPONSE ${hidden}`,
      retries: [{ reason: `ADAPTER_RATE_LIMIT ${hidden}`, status: 429 }, { reason: hidden }],
    });
    const [trial] = await Array.fromAsync(store.trials('run-1'));
    expect(trial?.result?.error_message).toBe(`ADAPTER_BAD_RESPONSE ${hidden}`);
    expect((await store.getRun('run-1'))?.scenarios[0]?.summary?.errors).toEqual([
      { ...errors[0], message: `ADAPTER_BAD_RESPONSE ${hidden}` },
    ]);
  });
});

test("a project's store is in its storage folder, and redacts what the project says", async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'salvo-project-'));
  const recording = { custom_redaction_patterns: ['CUST-\\d+'] };
  const config = projectSchema.parse({ storage_dir: 'data/runs', recording });
  const store = await openStore({ root, file: null, config }, { secrets: [SECRET], databaseUrl: null });
  const id = await store.saveTrace(sampleSupportTrace({ final_content: `CUST-12 has ${SECRET}` }));
  expect((await store.getTrace(id))?.final_content).toBe('[REDACTED:custom] has [REDACTED:secret]');
  await store.close();
  const bytes = await readFile(path.join(root, 'data', 'runs', 'salvo.db'));
  expect(bytes.includes(SECRET)).toBe(false);
  await rm(root, { recursive: true, force: true });
});
