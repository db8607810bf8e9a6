import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AdapterTurnResult } from '../../adapters/adapter.ts';
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

  it('takes several equal answers for one, and passes over values that are no answer', () => {
    expect(read({ tool_calls: [call({ count: 2 }), call({ count: 2 })] })).toEqual({ value: { count: 2 } });
    expect(read({ content: 'Not {"total": 1} but {"count": 3}, so [{"count": 3}] is' })).toEqual({
      value: { count: 3 },
    });
  });

  it('ignores the text beside a call: it may quote anything', () => {
    expect(read({ content: '{"count": 9}', tool_calls: [call({ count: 2 })] })).toEqual({ value: { count: 2 } });
    expect(read({ content: '{"count": 9}', tool_calls: [call({ total: 2 })] })).toEqual({
      problem: 'It has no `count`.',
    });
  });

  it.each<[string, Partial<AdapterTurnResult>]>([
    ['two calls', { tool_calls: [call({ count: 1 }), call({ count: 2 })] }],
    ['two objects in a text, of which one may be quoted', { content: 'It claims {"count": 0}. I say {"count": 2}.' }],
    ['a broken call that holds two', { tool_calls: [{ ...call({}), raw_arguments: '{"count": 0} {"count": 2}' }] }],
  ])('does not choose between answers that differ: %s', (_, answer) => {
    expect(read(answer)).toEqual({ problem: 'It holds several answers that differ: call answer exactly once.' });
  });

  it('does not take a quoted answer when its own is broken or was cut off', () => {
    const problem = 'It holds a second answer that is broken or was cut off.';
    expect(read({ content: 'It claims {"count": 0}. I say {"count": 2,}' })).toEqual({ problem });
    expect(read({ content: 'It claims {"count": 0}. I say {"count"  : ' })).toEqual({ problem });
    expect(read({ content: 'I counted {them} twice: {"count": 2}' })).toEqual({ value: { count: 2 } });
  });

  it('does not choose between two values of one key', () => {
    const problem = 'It has the key "count" twice in one JSON object.';
    expect(read({ content: '{"count": 1, "count": 2}' })).toEqual({ problem });
    const doubled = { ...call({}), raw_arguments: '{"count": 1, "count": 2}' };
    expect(read({ tool_calls: [doubled] })).toEqual({ problem });
  });

  it.each<[string, Partial<AdapterTurnResult>, string]>([
    ['what the value lacks', { tool_calls: [call({ total: 1 })] }, 'It has no `count`.'],
    ['that there is none', { content: 'Three.' }, 'It neither called answer nor held a JSON object.'],
    [
      'that the arguments are broken',
      { tool_calls: [{ ...call({}), raw_arguments: '{"cou' }] },
      'The arguments of answer were not a JSON object.',
    ],
  ])('says %s', (_, answer, problem) => {
    expect(read(answer)).toEqual({ problem });
  });
});
