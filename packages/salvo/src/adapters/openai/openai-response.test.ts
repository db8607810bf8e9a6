import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AdapterError } from '../adapter-error.ts';
import { openAiTurn } from './openai-response.ts';

const turnOf = (message: object, finish_reason: string | null = 'stop') =>
  openAiTurn({ choices: [{ message, finish_reason }] }, []);
const call = (fields: object) => ({ function: { name: 't', arguments: '{}' }, ...fields });

describe('the id of a tool call', () => {
  it('is generated when the server sends none, the same each time and different from all others', () => {
    const message = { tool_calls: [call({}), call({ id: '' }), call({ id: 'x' }), call({ id: 'x' })] };
    const earlier = { role: 'assistant' as const, content: null, tool_calls: [{ id: 'x', name: 't', arguments: {} }] };
    expect(turnOf(message).tool_calls.map(({ id }) => id)).toEqual(['call_1', 'call_2', 'x', 'call_4']);
    const later = openAiTurn({ choices: [{ message }] }, [earlier]);
    expect(later.tool_calls.map(({ id }) => id)).toEqual(['call_2', 'call_3', 'call_4', 'call_5']);
  });
});

describe('the finish reason', () => {
  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['content_filter', 'content_filter'],
    ['max_tokens', 'length'],
    ['eos', 'stop'],
    [null, 'stop'],
    ['something_new', 'something_new'],
  ])('%s is %s', (wire, ours) => {
    expect(turnOf({ content: 'x' }, wire).finish_reason).toBe(ours);
  });

  it('is tool_calls when there are some, whatever the server calls it', () => {
    expect(turnOf({ tool_calls: [call({ id: 'a' })] }, 'stop').finish_reason).toBe('tool_calls');
    expect(turnOf({ function_call: { name: 't', arguments: '{"a":1}' } }, 'function_call')).toMatchObject({
      finish_reason: 'tool_calls',
      tool_calls: [{ id: 'call_1', name: 't', arguments: { a: 1 } }],
    });
  });
});

describe('the answer', () => {
  it('may have parts, of which the text counts', () => {
    const content = [
      { type: 'thinking', thinking: [] },
      { type: 'text', text: 'Hel' },
      { type: 'text', text: 'lo' },
    ];
    expect(turnOf({ content }).content).toBe('Hello');
  });

  it('may have arguments that are already an object', () => {
    const message = { tool_calls: [{ id: 'a', function: { name: 't', arguments: { city: 'Rome' } } }] };
    expect(turnOf(message).tool_calls).toEqual([{ id: 'a', name: 't', arguments: { city: 'Rome' } }]);
  });

  it('is a turn or a bad response, whatever a server sends', () => {
    const message = fc.record({ content: fc.anything(), tool_calls: fc.anything(), refusal: fc.anything() });
    const choices = fc.oneof(fc.anything(), fc.array(fc.record({ message, finish_reason: fc.anything() })));
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.record({ choices, usage: fc.anything() })), (value) => {
        const body: unknown = JSON.parse(
          JSON.stringify(value ?? null, (_, v) => (typeof v === 'bigint' ? 0 : v)) ?? '0',
        );
        try {
          expect(openAiTurn(body, [])).toHaveProperty('finish_reason');
        } catch (error) {
          expect(error).toBeInstanceOf(AdapterError);
        }
      }),
    );
  });
});
