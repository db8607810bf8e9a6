import { describe, expect, it } from 'vitest';
import { sampleTrace } from '../../../../../../test/sample-trace.ts';
import { ASSERTION_SCHEMAS } from '../../../scenario/schema/assertion-schema.ts';
import type { AssistantMessage } from '../../../trace/message.ts';
import type { Trace } from '../../../trace/trace.ts';
import { evaluateStepCost, evaluateStepLatency } from './step-limits.ts';

/** A trial whose agent made these steps. */
function traceOf(steps: Pick<AssistantMessage, 'agent' | 'step'>[], changes: Partial<Trace> = {}): Trace {
  const messages = steps.map((step) => ({ role: 'assistant' as const, content: 'x', tool_calls: [], ...step }));
  return sampleTrace({ messages, turn_count: steps.length, tools_seen: 'reported', turns: [], ...changes });
}

const took = (latency_seconds: number, agent?: string) => ({ step: { latency_seconds }, ...(agent ? { agent } : {}) });
const cost = (cost_usd: number) => ({ step: { cost_usd } });

function latency(fields: object, trace: Trace) {
  const parsed = ASSERTION_SCHEMAS.step_latency.parse({ type: 'step_latency', max_seconds: 2, ...fields });
  return evaluateStepLatency(parsed, trace, {});
}

function costs(fields: object, trace: Trace) {
  const parsed = ASSERTION_SCHEMAS.step_cost.parse({ type: 'step_cost', max_usd: 0.3, ...fields });
  return evaluateStepCost(parsed, trace, {});
}

describe('step_latency', () => {
  it('holds for every step, the limit itself included', () => {
    expect(latency({}, traceOf([took(1), took(2)]))).toEqual({
      score: 1,
      details: 'the most of 2 steps: step 2 took 2 s, at most 2 s allowed',
    });
    expect(latency({}, traceOf([took(1), took(2.5), took(2.1)]))).toEqual({
      score: 0,
      details: 'step 2 took 2.5 s, at most 2 s allowed',
    });
  });

  it.each([
    [1, 1],
    [3, 0],
    ['first', 1],
    ['last', 0],
  ] as const)('can be about one step: %s', (step, score) => {
    expect(latency({ step }, traceOf([took(1), took(1), took(9)]))).toMatchObject({ score });
  });

  it('can be about the steps of one agent', () => {
    const trace = traceOf([took(9, 'triage'), took(1, 'refunds')]);
    expect(latency({ agent: 'refunds' }, trace)).toMatchObject({ score: 1 });
    expect(latency({ agent: 'triage' }, trace)).toMatchObject({
      score: 0,
      details: 'step 1 of triage took 9 s, at most 2 s allowed',
    });
  });

  it('passes if there is no such step, and says which there are', () => {
    const trace = traceOf([took(9, 'triage')]);
    expect(latency({ agent: 'refunds' }, trace)).toEqual({
      score: 1,
      details: 'there is no such step: there is 1 step, of triage',
    });
    expect(latency({ step: 5 }, trace)).toMatchObject({ score: 1 });
  });

  it('is not scored where a time is unknown, which is never 0', () => {
    expect(latency({}, traceOf([took(1), {}]))).toMatchObject({
      score: null,
      details: expect.stringContaining('unknown for 1 of 2 steps'),
    });
    expect(latency({}, traceOf([]))).toMatchObject({ score: null });
    expect(latency({ agent: 'refunds' }, traceOf([took(1)]))).toMatchObject({ score: null });
  });

  it('fails if a known step was too slow, whatever the others were', () => {
    expect(latency({}, traceOf([{}, took(3)]))).toMatchObject({ score: 0 });
  });
});

describe('step_cost', () => {
  it('holds for every step, without errors of rounding', () => {
    expect(costs({}, traceOf([cost(0.1 + 0.2), cost(0)]))).toMatchObject({ score: 1 });
    expect(costs({}, traceOf([cost(0.31)]))).toEqual({
      score: 0,
      details: 'step 1 cost 0.31 USD, at most 0.3 USD allowed',
    });
  });

  it('is not scored where a cost is unknown', () => {
    expect(costs({}, traceOf([{ step: { input_tokens: 3 } }]))).toMatchObject({
      score: null,
      details: expect.stringContaining('unknown for 1 of 1 steps'),
    });
  });
});

describe('turns of a model that Salvo asks itself', () => {
  const turn = (number: number, latency_seconds: number) => {
    return { turn: number, started_seconds: 0, latency_seconds, input_tokens: 1, output_tokens: 1, cost_usd: 0.2 };
  };

  it('are steps with the time and the cost of the turn', () => {
    const trace = traceOf([{}, {}], { tools_seen: 'observed', turns: [turn(1, 1), turn(2, 3)] });
    expect(latency({}, trace)).toMatchObject({ score: 0, details: 'step 2 took 3 s, at most 2 s allowed' });
    expect(costs({}, trace)).toMatchObject({ score: 1 });
  });

  it('are none if the turn holds several answers, or if a whole agent answered', () => {
    const several = traceOf([{}, {}], { tools_seen: 'observed', turns: [turn(1, 1)] });
    expect(latency({}, several)).toMatchObject({ score: null });
    const whole = traceOf([{}], { tools_seen: 'unknown', turns: [turn(1, 1)] });
    expect(latency({}, whole)).toMatchObject({ score: null });
  });

  it('do not count answers that the scenario gives', () => {
    const trace = traceOf([took(9), {}], { turn_count: 1, tools_seen: 'observed', turns: [turn(1, 1)] });
    expect(latency({}, trace)).toMatchObject({ score: 1, details: 'step 1 took 1 s, at most 2 s allowed' });
  });

  it('have no cost in traces of earlier versions', () => {
    const { cost_usd: _, ...earlier } = turn(1, 1);
    expect(costs({}, traceOf([{}], { tools_seen: 'observed', turns: [earlier] }))).toMatchObject({ score: null });
  });
});
