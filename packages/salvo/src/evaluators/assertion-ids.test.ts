import { describe, expect, it } from 'vitest';
import type { Assertion } from '../scenario/schema/assertion-schema.ts';
import { assertionIds } from './assertion-ids.ts';

const base = { weight: 1, required: false };

function idsOf(...assertions: ({ type: string } & Record<string, unknown>)[]): string[] {
  return assertionIds(assertions.map((assertion): Assertion => ({ ...base, ...assertion })));
}

describe('assertionIds', () => {
  it.each([
    [
      { type: 'jmespath', expression: 'response.content', operator: 'contains', value: 'x' },
      'jmespath:response.content contains "x"',
    ],
    [{ type: 'jmespath', expression: 'a', operator: 'exists' }, 'jmespath:a exists'],
    [{ type: 'tool_called', tool: 'lookup_order' }, 'tool_called:lookup_order'],
    [{ type: 'tool_called', tool: 'lookup', arguments: { id: 1 } }, 'tool_called:lookup {"id":1}'],
    [{ type: 'tool_not_called', tool: 'x', arguments: 'a > `1`' }, 'tool_not_called:x a > `1`'],
    [{ type: 'tool_sequence', sequence: ['a', 'b'], mode: 'exact' }, 'tool_sequence:a > b'],
    [{ type: 'tool_sequence', sequence: ['a', { tool: 'b' }] }, 'tool_sequence:a > {"tool":"b"}'],
    [{ type: 'output_contains', value: 'x' }, 'output_contains:"x"'],
    [{ type: 'output_contains', value: 'x', turn: 'any' }, 'output_contains:"x", turn any'],
    [{ type: 'output_json', turn: 2 }, 'output_json:turn 2'],
    [{ type: 'conversation_ended' }, 'conversation_ended'],
    [{ type: 'output_matches', pattern: 'a+' }, 'output_matches:/a+/'],
    [{ type: 'output_json' }, 'output_json'],
    [{ type: 'cost_limit', max_usd: 0.05 }, 'cost_limit:0.05 USD'],
    [{ type: 'latency_limit', max_seconds: 2 }, 'latency_limit:2 s'],
    [{ type: 'custom', module: 'a.ts', function: 'f' }, 'custom:a.ts:f'],
    [{ type: 'own_type', field: 1 }, 'own_type'],
  ])('%j is called %s', (assertion, id) => {
    expect(idsOf(assertion)).toEqual([id]);
  });

  it('keeps the id that was given', () => {
    expect(idsOf({ type: 'output_json', id: 'is JSON' })).toEqual(['is JSON']);
  });

  it('numbers repeated ones, and never takes an id that was given', () => {
    const json = { type: 'output_json' };
    expect(idsOf(json, json, json)).toEqual(['output_json', 'output_json#2', 'output_json#3']);
    expect(idsOf(json, { ...json, id: 'output_json' }, json)).toEqual([
      'output_json#2',
      'output_json',
      'output_json#3',
    ]);
    expect(idsOf({ ...json, id: 'a' }, { ...json, id: 'a' })).toEqual(['a', 'a#2']);
  });

  it('are short for any assertion', () => {
    const [id] = idsOf({ type: 'output_matches', pattern: 'x'.repeat(10_000) });
    expect(id).toHaveLength(81);
  });
});
