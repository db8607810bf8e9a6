import { afterEach, describe, expect, test } from 'vitest';
import { sampleTrace } from '../../test/sample-trace.ts';
import { processWideMap } from '../adapters/process-wide.ts';
import { registerEvaluator } from '../evaluators/registry.ts';
import type { Assertion } from '../scenario/schema/assertion-schema.ts';
import { type Scenario, scenarioFieldsSchema } from '../scenario/schema/scenario-schema.ts';
import type { Trace } from '../trace/trace.ts';
import { evaluateTrial } from './evaluate-trial.ts';

const assertion = (fields: Record<string, unknown>): Assertion =>
  ({ weight: 1, required: false, ...fields }) as unknown as Assertion;
const saysDone = assertion({ type: 'output_contains', id: 'says-done', value: 'Done', case_sensitive: true });

function evaluate(trace: Partial<Trace>, options: { assertions?: Assertion[]; recordOnly?: boolean } = {}) {
  const scenario: Scenario = {
    ...scenarioFieldsSchema.parse({ prompt: 'Please.' }),
    name: 'test',
    assertions: options.assertions ?? [saysDone],
  };
  return evaluateTrial({
    trace: sampleTrace(trace),
    traceId: 'trace',
    recordOnly: options.recordOnly ?? false,
    context: { scenario, trialNumber: 4 },
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
