import { describe, expect, it } from 'vitest';
import { sampleCalls, sampleTrace } from '../../../../../../test/sample-trace.ts';
import { ASSERTION_SCHEMAS } from '../../../scenario/schema/assertion-schema.ts';
import type { Trace } from '../../../trace/trace.ts';
import { evaluateJmespath } from './jmespath.ts';

function evaluate(assertion: Record<string, unknown>, changes: Partial<Trace> = {}) {
  return evaluateJmespath(
    ASSERTION_SCHEMAS.jmespath.parse({ type: 'jmespath', ...assertion }),
    sampleTrace(changes),
    {},
  );
}

describe('jmespath', () => {
  it.each([
    ['response.content', 'Done.'],
    ['response.finish_reason', 'stop'],
    ['turns[0].role', 'user'],
    ['turns[-1].content', 'Done.'],
    ['length(turns)', 2],
    ['tool_calls[0].name', 'lookup'],
    ['tool_calls[0].arguments.id', 'A1'],
    ['tool_calls[?is_error] | length(@)', 0],
    ['metadata.model', 'sample-model'],
    ['metadata.provider', 'sample'],
    ['metadata.cost_usd', 0.01],
    ['metadata.latency_seconds', 1.5],
    ['metadata.input_tokens', 10],
    ['metadata.output_tokens', 5],
    ['metadata.total_tokens', 15],
    ['metadata.turn_count', 1],
    ['metadata.finish_reason', 'stop'],
  ])('%s can be looked at', (expression, value) => {
    const calls = sampleCalls(['lookup', { id: 'A1' }]);
    expect(evaluate({ expression, operator: 'eq', value }, { tool_calls_made: calls })).toMatchObject({ score: 1 });
  });

  it('says what was demanded and what was there', () => {
    const content = `I cannot help with ${'that '.repeat(100)}`;
    expect(
      evaluate({ expression: 'response.content', operator: 'contains', value: 'refund' }, { final_content: content }),
    ).toMatchObject({
      score: 0,
      details: expect.stringMatching(
        /^response\.content contains "refund": got "I cannot help with that .{50,80} … .{30,40}that "$/,
      ),
    });
  });

  it('says why a value of the wrong kind fails', () => {
    expect(evaluate({ expression: 'response.content', operator: 'gt', value: 1 })).toMatchObject({
      score: 0,
      details: 'response.content gt 1: gt compares numbers, not a text; got "Done."',
    });
  });

  it('takes an answer that never came for a missing value', () => {
    expect(evaluate({ expression: 'response.content', operator: 'exists' }, { final_content: null })).toMatchObject({
      score: 0,
      details: 'response.content exists: got nothing',
    });
  });

  it.each(['cost_usd', 'total_tokens', 'input_tokens'])(
    'is not scored if it compares an unknown number: %s',
    (name) => {
      const unknown = { [name]: null };
      for (const operator of ['lt', 'ne'] as const) {
        expect(evaluate({ expression: `metadata.${name}`, operator, value: 1 }, unknown)).toMatchObject({
          score: null,
          details: expect.stringContaining(`${name} is unknown`),
        });
      }
      expect(evaluate({ expression: `metadata.${name}`, operator: 'not_exists' }, unknown)).toMatchObject({ score: 1 });
    },
  );

  it.each(['tool_calls', 'length(turns)', 'metadata.turn_count', '*'])(
    'is not scored if it reads what nobody saw: %s',
    (expression) => {
      const unseen = evaluate({ expression, operator: 'exists' }, { tools_seen: 'unknown' });
      expect(unseen).toMatchObject({ score: null, details: expect.stringContaining('tools_seen: all') });
    },
  );

  it('is scored if it reads only the answer, although no call was seen', () => {
    const answer = evaluate({ expression: 'response.content', operator: 'exists' }, { tools_seen: 'unknown' });
    expect(answer).toMatchObject({ score: 1 });
  });

  it('fails, rather than throws, when an agent that said nothing makes the expression not apply', () => {
    expect(
      evaluate({ expression: 'length(response.content)', operator: 'lt', value: 9 }, { final_content: null }),
    ).toMatchObject({ score: 0 });
  });

  it('finds nothing that was not sent', () => {
    expect(evaluate({ expression: 'response.constructor', operator: 'exists' })).toMatchObject({ score: 0 });
  });
});
