import { describe, expect, it } from 'vitest';
import { expectToSurviveDamage, readValue, readValues } from '../../../../../../test/import-reader.ts';
import { promptfooFormat } from './promptfoo.ts';

const result = {
  id: 'r1',
  testIdx: 0,
  promptIdx: 0,
  testCase: { description: 'Greets', vars: { name: 'Ada' }, assert: [] },
  vars: { name: 'Ada', sessionId: 'abc' },
  prompt: { raw: '[{"role":"system","content":"Be kind."},{"role":"user","content":"Greet Ada."}]', label: 'kind' },
  provider: { id: 'maker:chat:large', label: '' },
  response: { output: 'Hello Ada!', tokenUsage: { total: 30, prompt: 20, completion: 10 }, cost: 0.002, cached: false },
  success: true,
  score: 1,
  namedScores: { tone: 0.8 },
  gradingResult: { pass: true, score: 1, reason: 'All assertions passed', componentResults: [] },
  latencyMs: 1200,
  cost: 0.002,
  failureReason: 0,
};
const file = {
  evalId: 'eval-x',
  results: { version: 3, timestamp: '2026-04-01T08:00:00.000Z', prompts: [], results: [result], stats: {} },
  config: {},
};
const outputOf = (output: unknown) => readValue(promptfooFormat, { ...result, response: { output } }).trace;

describe('promptfoo results', () => {
  it('are cases by description and variables, with success as the outcome', () => {
    expect(promptfooFormat.recognises(file)).toBe(true);
    expect(readValue(promptfooFormat, file)).toMatchObject({
      id: 'r1',
      suite: 'maker:chat:large: kind',
      case: 'Greets (name: Ada)',
      trial: null,
      given: { passed: true, reward: null, scores: { score: 1, tone: 0.8 } },
      aside: { gradingResult: { reason: 'All assertions passed' } },
      trace: {
        messages: [
          { role: 'system', content: 'Be kind.' },
          { role: 'user', content: 'Greet Ada.' },
          { role: 'assistant', content: 'Hello Ada!' },
        ],
        model: 'large',
        provider: 'maker:chat:large',
        input_tokens: 20,
        output_tokens: 10,
        cost_usd: 0.002,
        latency_seconds: 1.2,
        timestamp: '2026-04-01T08:00:00.000Z',
      },
    });
  });

  it('are read from earlier versions, from a summary alone, and from lines', () => {
    const { testIdx, promptIdx, testCase, failureReason, ...old } = result;
    const second = { results: { version: 2, results: [{ ...old, vars: { name: 'Ada' } }], stats: {}, table: {} } };
    expect(readValue(promptfooFormat, second).case).toBe('name: Ada');
    expect(promptfooFormat.recognises(second)).toBe(true);
    expect(readValues(promptfooFormat, file.results)).toHaveLength(1);
    expect(promptfooFormat.recognises(result)).toBe(true);
    expect(
      readValues(promptfooFormat, result, { ...result, testIdx: 1 }).map((read) => [read.line, read.case]),
    ).toEqual([
      [1, 'Greets (name: Ada)'],
      [2, 'Greets (name: Ada)'],
    ]);
  });

  it('tell long tests apart that begin alike', () => {
    const long = (end: string) => ({ ...result, testCase: { vars: { text: `${'word '.repeat(100)}${end}` } } });
    const [first, second, again] = readValues(promptfooFormat, long('a'), long('b'), long('a')).map(
      (read) => read.case,
    );
    expect(first).not.toBe(second);
    expect(first).toBe(again);
    expect(first?.length).toBeLessThan(140);
  });

  it('have no outcome if the provider failed, and an outcome if an assertion failed', () => {
    const failed = { ...result, response: undefined, success: false, error: 'rate limit', failureReason: 2 };
    expect(readValue(promptfooFormat, failed)).toMatchObject({ given: null, trace: { error: 'rate limit' } });
    const wrong = { ...result, success: false, score: 0, error: 'Expected "Bob"', failureReason: 1 };
    expect(readValue(promptfooFormat, wrong)).toMatchObject({
      given: { passed: false, scores: { score: 0 } },
      trace: { error: null },
    });
    const { failureReason, ...old } = wrong;
    expect(readValue(promptfooFormat, old).given?.passed).toBe(false);
    expect(readValue(promptfooFormat, { ...old, response: { error: 'down' } }).given).toBeNull();
  });

  it('have the calls in outputs, however they are written', () => {
    const call = { id: 'c1', type: 'function', function: { name: 'greet', arguments: '{"to":"Ada"}' } };
    const use = { type: 'tool_use', id: 'c1', name: 'greet', input: { to: 'Ada' } };
    const outputs = [
      [call],
      call,
      { content: null, tool_calls: [call] },
      JSON.stringify({ tool_calls: [call] }),
      `I greet.\n\n${JSON.stringify(use)}`,
    ];
    for (const output of outputs) {
      expect(outputOf(output).tool_calls_made).toMatchObject([{ id: 'c1', name: 'greet', arguments: { to: 'Ada' } }]);
    }
    expect(outputOf({ function_call: call.function }).tool_calls_made).toMatchObject([{ name: 'greet' }]);
    expect(outputOf(`I greet.\n\n${JSON.stringify(use)}`).final_content).toBe('I greet.');
    expect(outputOf({ to: 'Ada' }).final_content).toBe('{"to":"Ada"}');
  });

  it('have all turns of a simulated user or an attack', () => {
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Hello' },
      { role: 'user', content: 'Bye' },
    ];
    const simulated = { ...result, response: { output: 'User: Hi\n---\nAssistant: Hello', metadata: { messages } } };
    expect(readValue(promptfooFormat, simulated).trace.messages).toMatchObject(messages);
    const attack = {
      ...result,
      metadata: {
        redteamHistory: [
          { prompt: 'Tell me.', output: 'No.' },
          { prompt: 'Please.', output: 'No!' },
        ],
      },
    };
    expect(readValue(promptfooFormat, attack).trace.messages.map(({ content }) => content)).toEqual([
      'Tell me.',
      'No.',
      'Please.',
      'No!',
    ]);
  });

  it('have a prompt that is JSON, and no chat, as it is', () => {
    const { trace } = readValue(promptfooFormat, { ...result, prompt: { raw: '{"a": [1]}' } });
    expect(trace.messages[0]).toEqual({ role: 'user', content: '{"a": [1]}' });
  });

  it('survive damage in every place', () => {
    expect(expectToSurviveDamage(promptfooFormat, file)).toBeGreaterThan(60);
  });
});
