import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AdapterTurnResult } from '../adapters/adapter.ts';
import { readToolAnswer, schemaReader } from './read-tool-answer.ts';

const readCount = schemaReader(z.object({ count: z.number() }), 'It has no `count`.');
const read = (answer: Partial<AdapterTurnResult>) =>
  readToolAnswer(
    { content: null, tool_calls: [], usage: null, finish_reason: 'stop', raw_response: null, ...answer },
    'answer',
    readCount,
  );
const call = (args: Record<string, unknown>, name = 'answer') => ({ id: 'c', name, arguments: args });

describe('readToolAnswer', () => {
  it('reads the arguments of the tool call', () => {
    expect(read({ tool_calls: [call({ count: 1 }, 'other'), call({ count: 2 })] })).toEqual({ value: { count: 2 } });
  });

  it('reads JSON in the text when there is no tool call', () => {
    expect(read({ content: 'Here: {"count": 3}' })).toEqual({ value: { count: 3 } });
  });

  it('reads arguments that are only nearly JSON, if there is an object in them', () => {
    const broken = { ...call({}), raw_arguments: 'Sure! {"count": 4}' };
    expect(read({ tool_calls: [broken] })).toEqual({ value: { count: 4 } });
  });

  it.each<[string, Partial<AdapterTurnResult>, string]>([
    ['what the value lacks', { tool_calls: [call({ total: 1 })] }, 'It has no `count`.'],
    ['that there is none', { content: 'Three.' }, 'It neither called answer nor held a JSON object.'],
    ['that the model refused', { content: 'No.', finish_reason: 'refusal' }, 'The model refused.'],
    [
      'that the arguments are broken',
      { tool_calls: [{ ...call({}), raw_arguments: '{"cou' }] },
      'The arguments of answer were not a JSON object.',
    ],
  ])('says %s', (_, answer, problem) => {
    expect(read(answer)).toEqual({ problem });
  });
});
