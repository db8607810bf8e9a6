import type { EvalResult } from '../../packages/salvo/src/evaluators/eval-result.ts';
import { judgesOf } from '../../packages/salvo/src/store/judge-tables.ts';
import { openStore } from '../../packages/salvo/src/store/open-store.ts';
import type { Message } from '../../packages/salvo/src/trace/message.ts';
import type { Trace } from '../../packages/salvo/src/trace/trace.ts';
import type { TrialResult } from '../../packages/salvo/src/trial/trial-result.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { sampleCalibration } from '../sample-calibration.ts';
import { sampleCriterion, sampleJudgement } from '../sample-judgement.ts';
import { sampleJudgeSummary, sampleRun, sampleStoredTrial, sampleSummary } from '../sample-run.ts';
import { sampleTrace } from '../sample-trace.ts';

const LONG_LINE = 5_000_000;
const DEEP = 20_000;

export const HOSTILE_ANSWER =
  '<script>window.hacked = 1</script><img src=x onerror="window.hacked = 1"> [a link](javascript:window.hacked=1)';
const CONTROLS = '\u001b[31mred\u001b[0m \u202etxt.exe\u202c zero\u200bwidth';

/** A project with a run whose trials are of all kinds: failed and judged, passed, crashed, hostile, very long. */
export async function projectWithTrials(): Promise<ProjectFixture> {
  const project = await projectFixture({ 'salvo.yaml': '' });
  const store = await openStore(await project.project(), { secrets: [], databaseUrl: null });
  const run = sampleRun();
  const [scenario] = run.scenarios;
  if (!scenario) throw new Error('The sample has a scenario.');
  const assertions = [
    { type: 'tool_called', id: 'refunds', tool: 'refund', arguments: { amount: 49.9 }, weight: 1, required: false },
    { type: 'output_not_contains', id: 'never-no', value: 'never', case_sensitive: true, weight: 1, required: true },
    { type: 'judge', id: 'tone', weight: 1, required: false },
  ];
  const summary = sampleSummary({ judges: [sampleJudgeSummary({ trials_judged: 40, pass_rate: 0.7 })] });
  await judgesOf(store).saveCalibration(sampleCalibration());
  await store.createRun({
    ...run,
    ...{ status: 'finished', verdict: 'FAIL', exit_code: 1, finished_at: run.created_at },
    scenarios: [{ ...scenario, summary, scenario: { ...scenario.scenario, assertions } }],
  });
  const trials: [Trace, Partial<TrialResult>][] = [
    [refundTrace(), { status: 'failed', eval_results: [refunds(), neverNo(), tone()] }],
    [sampleTrace(), { status: 'passed', passed: true, score: 1 }],
    [crashedTrace(), { status: 'crashed', score: null, error_message: 'Cannot read properties of undefined' }],
    [hostileTrace(), { status: 'failed', eval_results: [neverNo({ details: HOSTILE_ANSWER })] }],
    [longTrace(), { status: 'failed' }],
  ];
  for (const [index, [trace, change]] of trials.entries()) {
    const trial = sampleStoredTrial({ trial_number: index + 1 });
    const trace_id = await store.saveTrace(trace);
    await store.saveTrial({
      ...trial,
      trace_id,
      result: trialResult({ ...change, trial_number: index + 1, trace_id }),
    });
  }
  await store.close();
  return project;
}

function trialResult(change: Partial<TrialResult>): TrialResult {
  return {
    ...{ case_index: 0, case: null, trial_number: 1, status: 'failed', score: 0.4, passed: false, eval_results: [] },
    ...{ latency_seconds: 3, cost_usd: 0.01, judge_cost_usd: 0.0021, retries: 0, error_message: null, trace_id: null },
    ...change,
  };
}

function result(change: Partial<EvalResult>): EvalResult {
  return {
    ...{ assertion_type: 'tool_called', assertion_id: 'refunds', score: 0, passed: false, weight: 1, required: false },
    ...{ status: 'scored', details: '', metadata: {} },
    ...change,
  };
}

const refunds = () => result({ details: '"refund" was called 0 times with {"amount":49.9}' });
const neverNo = (change: Partial<EvalResult> = {}) =>
  result({ assertion_type: 'output_not_contains', assertion_id: 'never-no', required: true, ...change });

/** Of five votes one dissents, and quotes the answer. */
function tone(): EvalResult {
  const judgement = sampleJudgement({ judge_hash: 'c0ffee01', threshold: 0.8 });
  const votes = judgement.votes.map((vote, index) => {
    const polite =
      index === 0 ? { score: 0.2, reasoning: 'It says "I will never refund" it.' } : { score: 1, reasoning: '' };
    const part_scores = index === 0 ? [{ polite: 1 }, { polite: 0.2 }, { polite: 1 }] : undefined;
    return { ...vote, scores: { polite }, part_scores, score: polite.score, passed: index > 0, cached: index === 4 };
  });
  const per_criterion = [sampleCriterion({ name: 'polite', score: 1, all_scores: [0.2, 1, 1, 1, 1] })];
  const seen = { material: { characters: 500_000, limit: 200_000, parts: 3 }, left_out: [] };
  const metadata = { ...judgement, ...seen, per_criterion, votes, notes: ['The votes were not unanimous.'] };
  return result({ assertion_type: 'judge', assertion_id: 'tone', passed: true, score: 1, metadata });
}

function refundTrace(): Trace {
  const messages: Message[] = [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'My kettle is broken.' },
    {
      role: 'assistant',
      content: null,
      reasoning: 'I look first.',
      tool_calls: [{ id: 'c1', name: 'refund', arguments: { amount: 50 } }],
    },
    { role: 'tool_result', tool_call_id: 'c1', name: 'refund', content: 'The bank is busy.', is_error: true },
    { role: 'assistant', content: 'I will never refund it.', tool_calls: [] },
  ];
  const answered = { turn: 1, result: 'The bank is busy.', is_error: true };
  return sampleTrace({
    messages,
    tool_calls_made: [{ id: 'c1', name: 'refund', arguments: { amount: 50 }, ...answered }],
    tool_errors: [{ turn: 1, tool_call_id: 'c1', name: 'refund', kind: 'mocked_error', message: 'The bank is busy.' }],
    retries: [{ turn: 2, attempt: 1, reason: 'slow down', status: 429, delay_seconds: 1 }],
    turns: [
      { turn: 1, started_seconds: 0, latency_seconds: 1, input_tokens: 1200, output_tokens: 30 },
      { turn: 2, started_seconds: 1.5, latency_seconds: 1.5, input_tokens: null, output_tokens: null },
    ],
    turn_count: 2,
    latency_seconds: 3,
    final_content: 'I will never refund it.',
    agent_log: 'connected to the shop',
  });
}

function crashedTrace(): Trace {
  return sampleTrace({
    messages: [{ role: 'user', content: 'Please.' }],
    turn_count: 0,
    turns: [{ turn: 1, started_seconds: 0, latency_seconds: 2, input_tokens: null, output_tokens: null }],
    final_content: null,
    error: 'Cannot read properties of undefined',
    error_code: 'AGENT_CRASHED',
    error_stack: 'TypeError: Cannot read properties of undefined\n    at answer (agent.ts:7:3)',
  });
}

function hostileTrace(): Trace {
  const deep = Array.from({ length: DEEP }).reduce<Record<string, unknown>>((inner) => ({ a: inner }), {});
  const raw_arguments = `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`;
  return sampleTrace({
    messages: [
      { role: 'user', content: CONTROLS },
      {
        role: 'assistant',
        content: HOSTILE_ANSWER,
        tool_calls: [
          { id: '<b>c1</b>', name: '<script>window.hacked = 1</script>', arguments: deep },
          { id: 'c2', name: 'look', arguments: {}, raw_arguments },
        ],
      },
      { role: 'tool_result', tool_call_id: 'c2', name: 'look', content: 'y'.repeat(LONG_LINE), is_error: false },
      { role: 'assistant', content: `never ${'z'.repeat(LONG_LINE)}`, tool_calls: [] },
    ],
    turn_count: 2,
    final_content: `never ${'z'.repeat(LONG_LINE)}`,
    agent_log: `\u001b[2J${HOSTILE_ANSWER}`,
  });
}

function longTrace(): Trace {
  const messages = Array.from({ length: 2000 }, (_, index): Message => {
    const content = `message ${index + 1} `.repeat(1 + (index % 40));
    return index % 2 === 0 ? { role: 'user', content } : { role: 'assistant', content, tool_calls: [] };
  });
  return sampleTrace({ messages, turn_count: 1000, final_content: null });
}
