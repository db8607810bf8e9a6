import { afterEach, describe, expect, test } from 'vitest';
import { sampleTrace } from '../../../../test/sample-trace.ts';
import { registerEvaluator } from '../evaluators/registry.ts';
import { projectFromObject } from '../scenario/scenario-object.ts';
import type { Assertion } from '../scenario/schema/assertion-schema.ts';
import type { Project } from '../scenario/schema/project-schema.ts';
import { type Scenario, scenarioFieldsSchema } from '../scenario/schema/scenario-schema.ts';
import { processWideMap } from '../text/process-wide.ts';
import type { Trace } from '../trace/trace.ts';
import { evaluateTrial } from './evaluate-trial.ts';

const assertion = (fields: Record<string, unknown>): Assertion =>
  ({ weight: 1, required: false, ...fields }) as unknown as Assertion;
const saysDone = assertion({ type: 'output_contains', id: 'says-done', value: 'Done', case_sensitive: true });

function evaluate(
  trace: Partial<Trace>,
  options: { assertions?: Assertion[]; recordOnly?: boolean; project?: Project } = {},
) {
  const scenario: Scenario = {
    ...scenarioFieldsSchema.parse({ prompt: 'Please.' }),
    name: 'test',
    assertions: options.assertions ?? [saysDone],
  };
  return evaluateTrial({
    trace: sampleTrace(trace),
    traceId: 'trace',
    recordOnly: options.recordOnly ?? false,
    context: { scenario, trialNumber: 4, project: options.project },
  });
}

describe('a trial', () => {
  test('has the numbers of its trace with any outcome', async () => {
    const retries = [{ turn: 1, attempt: 1, reason: 'slow down', status: 429, delay_seconds: 1 }];
    const metrics = { trial_number: 4, trace_id: 'trace', latency_seconds: 3, cost_usd: 0.5, retries: 1 };
    const trace = { latency_seconds: 3, cost_usd: 0.5, retries };
    expect(await evaluate(trace)).toMatchObject({ ...metrics, status: 'passed', score: 1, error_message: null });
    expect(await evaluate({ ...trace, error: 'down' })).toMatchObject({ ...metrics, status: 'unscored' });
  });

  test('is not scored when the agent did not finish, and says why', async () => {
    const trial = await evaluate({ error: 'the provider is down', finish_reason: 'error' });
    expect(trial).toMatchObject({ status: 'unscored', score: null, passed: false, eval_results: [] });
    expect(trial.error_message).toBe('the provider is down');
  });

  test('is failed, not unscored, when a call had no mock and the scenario forbids that', async () => {
    const trial = await evaluate({ error: 'no mock for look', finish_reason: 'unmocked_call' });
    expect(trial).toMatchObject({
      ...{ status: 'failed', score: 0, error_message: 'no mock for look' },
      eval_results: [{ assertion_id: 'on_unmocked', passed: false, details: 'no mock for look' }],
    });
  });

  test('of an agent that crashed is an outcome of its own, scored 0, with the stack', async () => {
    const error_stack = 'TypeError: x is undefined\n    at plan (/app/agent.ts:12:9)';
    const crash = { error: 'x is undefined', error_code: 'AGENT_CRASHED', error_stack, finish_reason: 'error' };
    expect(await evaluate(crash)).toMatchObject({
      ...{ status: 'crashed', score: 0, passed: false, eval_results: [], answer_hash: null },
      ...{ error_message: 'x is undefined', error_code: 'AGENT_CRASHED', error_stack },
    });
  });

  test('has a hash of what the agent said and did, and of nothing else', async () => {
    const call = { name: 'look', arguments: { b: 1, a: 2 }, turn: 1, result: '1', is_error: false };
    const hash = async (trace: Partial<Trace>, options = {}) => (await evaluate(trace, options)).answer_hash;
    const first = await hash({ tool_calls_made: [{ id: 'x', ...call }] });
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    const again = { ...call, id: 'y', arguments: { a: 2, b: 1 }, result: '2' };
    expect(await hash({ tool_calls_made: [again], latency_seconds: 9, cost_usd: 1, timestamp: 'later' })).toBe(first);
    expect(await hash({ tool_calls_made: [{ ...again, arguments: { a: 2 } }] })).not.toBe(first);
    expect(await hash({ tool_calls_made: [{ ...again, name: 'see' }] })).not.toBe(first);
    expect(await hash({ tool_calls_made: [] })).not.toBe(first);
    expect(await hash({ tool_calls_made: [again], final_content: 'Done!' })).not.toBe(first);
    expect(await hash({ tool_calls_made: [again], error: 'down' })).toBeNull();
  });

  test('has no hash of its answer when no text may be stored', async () => {
    const project = projectFromObject({ recording: { mode: 'metadata_only' } }, '/');
    expect((await evaluate({}, { project })).answer_hash).toBeNull();
  });

  test('that was only recorded is not scored, which is no error', async () => {
    expect(await evaluate({}, { recordOnly: true })).toMatchObject({ status: 'unscored', error_message: null });
  });

  test('without assertions is not scored: nothing was checked', async () => {
    const trial = await evaluate({}, { assertions: [] });
    expect(trial).toMatchObject({ status: 'unscored', error_message: expect.stringContaining('no assertions') });
  });
});

describe('an evaluator of one’s own', () => {
  afterEach(() => {
    processWideMap('evaluators').delete('own');
  });
  const own = assertion({ type: 'own', id: 'own' });

  test('that throws leaves the trial unscored, with the message and the results of the others', async () => {
    registerEvaluator('own', () => {
      throw new Error('no network');
    });
    const trial = await evaluate({}, { assertions: [saysDone, own] });
    expect(trial).toMatchObject({ status: 'unscored', score: null, trace_id: 'trace' });
    expect(trial.error_message).toMatch(/^own: .*no network/);
    expect(trial.eval_results.map(({ status }) => status)).toEqual(['scored', 'unscored']);
  });

  test('that throws does not rescue a trial that another assertion failed', async () => {
    registerEvaluator('own', () => {
      throw new Error('no network');
    });
    const trial = await evaluate({ final_content: 'No.' }, { assertions: [own, saysDone] });
    expect(trial).toMatchObject({ status: 'failed', score: 0, passed: false, error_message: null });
  });

  test('that throws does not matter if it has no weight', async () => {
    registerEvaluator('own', () => {
      throw new Error('no network');
    });
    const shown = { ...own, weight: 0 };
    const trial = await evaluate({}, { assertions: [shown, saysDone] });
    expect(trial).toMatchObject({ status: 'passed', score: 1, error_message: null });
    expect(await evaluate({}, { assertions: [{ ...saysDone, weight: 0 }] })).toMatchObject({
      status: 'unscored',
      error_message: 'every assertion has the weight 0, so nothing was checked',
    });
  });

  test.each([
    [[0.25, 0.5], 0.75],
    [[0.25, null], null],
    [[], 0],
  ])('that asks judges for %j makes the trial’s judges cost %j', async (costs, total) => {
    const prices = costs.values();
    registerEvaluator('own', () => ({ score: 1, details: '', metadata: { judge_cost_usd: prices.next().value } }));
    const trial = await evaluate({}, { assertions: [saysDone, ...costs.map(() => own)] });
    expect(trial.judge_cost_usd).toBe(total);
  });
});
