import { describe, expect, it } from 'vitest';
import { sampleTrace } from '../../../../../../test/sample-trace.ts';
import { anyAssertionSchema, assertionTypeSchema } from '../../../scenario/schema/assertion-types.ts';
import type { Message } from '../../../trace/message.ts';
import { getEvaluator } from '../../registry.ts';

const MESSAGES: Message[] = [
  { role: 'user', content: 'Where is it?' },
  { role: 'assistant', content: 'Your kettle is late.', tool_calls: [] },
  { role: 'user', content: 'And my money?' },
  { role: 'assistant', content: null, tool_calls: [{ id: 'c1', name: 'refund', arguments: {} }] },
  { role: 'tool_result', tool_call_id: 'c1', name: 'refund', content: '{"paid":5}', is_error: false },
  { role: 'assistant', content: '{"refund": 5}', tool_calls: [] },
  { role: 'user', content: 'Thanks.' },
  { role: 'assistant', content: 'You are welcome.', tool_calls: [] },
];
const trace = sampleTrace({
  messages: MESSAGES,
  tool_calls_made: [{ id: 'c1', name: 'refund', arguments: {}, turn: 2, result: '{"paid":5}', is_error: false }],
  final_content: 'You are welcome.',
  tools_seen: 'observed',
});

async function evaluate(fields: Record<string, unknown>, of = trace) {
  const assertion = anyAssertionSchema.parse(assertionTypeSchema(String(fields.type))?.parse(fields));
  return getEvaluator(assertion.type)(assertion, of, {});
}

describe('turn', () => {
  it.each<[string, Record<string, unknown>, number]>([
    ['output_contains', { value: 'kettle' }, 1],
    ['output_not_contains', { value: 'kettle' }, 0],
    ['output_matches', { pattern: '^Your .* late' }, 1],
    ['output_not_matches', { pattern: 'late' }, 0],
    ['jmespath', { expression: 'response.content', operator: 'contains', value: 'kettle' }, 1],
  ])('%s looks at the answer of that turn', async (type, fields, score) => {
    expect(await evaluate({ type, ...fields, turn: 1 })).toMatchObject({ score });
    expect(await evaluate({ type, ...fields, turn: 2 })).toMatchObject({ score: 1 - score });
    expect(await evaluate({ type, ...fields })).toEqual(await evaluate({ type, ...fields, turn: 'last' }));
    expect((await evaluate({ type, ...fields, turn: 1 })).details).toMatch(/^turn 1: /);
  });

  it('output_json reads the answer of that turn', async () => {
    expect(await evaluate({ type: 'output_json', turn: 2 })).toMatchObject({ score: 1 });
    expect(await evaluate({ type: 'output_json', turn: 'any' })).toMatchObject({ score: 1 });
    expect(await evaluate({ type: 'output_json' })).toMatchObject({ score: 0 });
  });

  it('of a path is also that of messages and calls', async () => {
    const calls = (turn: number) => ({
      type: 'jmespath',
      expression: 'length(tool_calls)',
      operator: 'eq',
      value: 1,
      turn,
    });
    expect(await evaluate(calls(1))).toMatchObject({ score: 0 });
    expect(await evaluate(calls(2))).toMatchObject({ score: 1 });
    const asked = { type: 'jmespath', expression: 'turns[0].content', operator: 'eq', value: 'Thanks.', turn: 3 };
    expect(await evaluate(asked)).toMatchObject({ score: 1 });
  });

  it('any passes with one answer, and says which', async () => {
    const { score, details } = await evaluate({ type: 'output_contains', value: 'kettle', turn: 'any' });
    expect([score, details]).toEqual([1, 'turn 1: the answer contains "kettle"']);
    const failed = await evaluate({ type: 'output_contains', value: ['kettle', 'pot'], turn: 'any' });
    expect(failed).toMatchObject({ score: 0.5, passed: false });
    expect(failed.details).toMatch(/^none of 3 turns; turn 1: the answer does not contain "pot"/);
  });

  it('every fails with one answer, and says which', async () => {
    const failed = await evaluate({ type: 'output_not_contains', value: 'kettle', turn: 'every' });
    expect(failed).toMatchObject({ score: 0, passed: false });
    expect(failed.details).toMatch(/^turn 1: the answer contains "kettle" at character 6/);
    const passed = await evaluate({ type: 'output_not_contains', value: 'password', turn: 'every' });
    expect([passed.score, passed.details]).toEqual([1, 'all 3 turns; turn 1: the answer does not contain "password"']);
  });

  it('that the trial does not have fails, also where something is forbidden', async () => {
    const details = 'there is no turn 4: the agent gave 3 answers';
    expect(await evaluate({ type: 'output_contains', value: 'x', turn: 4 })).toMatchObject({ score: 0, details });
    expect(await evaluate({ type: 'output_not_contains', value: 'x', turn: 4 })).toMatchObject({ score: 0, details });
    const silent = sampleTrace({ messages: [{ role: 'user', content: 'Hi' }], final_content: null });
    expect(await evaluate({ type: 'output_not_contains', value: 'x', turn: 'every' }, silent)).toMatchObject({
      score: 0,
    });
  });

  it('whose calls were not seen is not scored, unless another turn decides', async () => {
    const unseen = { ...trace, tools_seen: 'unknown' as const };
    const path = { type: 'jmespath', expression: 'tool_calls', operator: 'eq', value: [] };
    expect(await evaluate({ ...path, turn: 1 }, unseen)).toMatchObject({ score: null });
    expect(await evaluate({ ...path, turn: 'every' }, unseen)).toMatchObject({ score: null });
  });
});
