import { expect, test } from 'vitest';
import type { DecisionQuestion } from '../decision-question.ts';
import { llamaDecision } from './llama-decision.ts';
import type { LlamaChat, LlamaSequence } from './llama-library.ts';

/** A model whose tokens are characters. `likely` gives the probability of each next one, by what it has read. */
function tinyModel(likely: (read: string) => Record<string, number>, contextSize = 4096) {
  const tokenize = (text: string) => Array.from(text, (letter) => letter.charCodeAt(0));
  const evaluated: number[] = [];
  let read: number[] = [];
  const sequence: LlamaSequence = {
    tokenMeter: {
      get usedInputTokens() {
        return evaluated.length;
      },
      usedOutputTokens: 0,
    },
    context: { contextSize },
    model: { tokenizer: tokenize, tokenize },
    get nextTokenIndex() {
      return read.length;
    },
    clearHistory: async () => {},
    async evaluateWithoutGeneratingNewTokens(tokens) {
      evaluated.push(...tokens);
      read.push(...tokens);
    },
    async adaptStateToTokens(tokens) {
      const same = tokens.findIndex((token, index) => token !== read[index]);
      read = read.slice(0, same === -1 ? tokens.length : same);
    },
    async controlledEvaluate(input) {
      for (const [token] of input) read.push(token);
      const given = Object.entries(likely(String.fromCharCode(...read)));
      return [{ next: { probabilities: new Map(given.map(([letter, share]) => [letter.charCodeAt(0), share])) } }];
    },
  };
  const chat: LlamaChat = {
    chatWrapper: {
      generateContextState: ({ chatHistory }) => ({
        contextText: {
          tokenize: () => tokenize(`${chatHistory.map((item) => ('text' in item ? item.text : '')).join('\n')}>`),
        },
      }),
    },
    generateResponse: () => expect.fail('nothing may be generated'),
    dispose: () => {},
  };
  return { sequence, chat, evaluated, signal: new AbortController().signal, callee: 'The model tiny' };
}

const messages = [
  { role: 'system' as const, content: 'Judge it.' },
  { role: 'user' as const, content: `A long material: ${'x'.repeat(300)}` },
];
const questions: DecisionQuestion[] = [
  {
    ...{ type: 'score', name: 'tone', instructions: 'How friendly?' },
    levels: [
      { label: 'cold', description: 'Blames.' },
      { label: 'warm', description: '' },
    ],
  },
  { type: 'predicate', name: 'sorry', instructions: 'It apologises.' },
];

test('the letters of the answers get the probabilities of the next token, and nothing is generated', async () => {
  const model = tinyModel((read) =>
    read.includes('How friendly?') ? { A: 0.1, B: 0.3, x: 0.6 } : { A: 0.2, B: 0.2, x: 0.6 },
  );
  const { tool_calls, usage, cost_usd } = await llamaDecision({ ...model, messages, questions });
  const tone = [
    { label: 'cold', probability: 0.25 },
    { label: 'warm', probability: expect.closeTo(0.75) },
  ];
  expect(tool_calls[0]?.arguments).toEqual({
    answers: [
      { type: 'score', name: 'tone', probabilities: tone },
      { type: 'predicate', name: 'sorry', probability: 0.5 },
    ],
  });
  expect(cost_usd).toBe(0);
  // The material is read once for all questions.
  expect(String.fromCharCode(...model.evaluated).match(/A long material/g)).toHaveLength(1);
  expect(usage).toEqual({ input_tokens: model.evaluated.length, output_tokens: 0 });
});

test('a model that knows none of the letters has no answer', async () => {
  const model = tinyModel(() => ({ x: 1 }));
  await expect(llamaDecision({ ...model, messages, questions })).rejects.toThrow('gives no probability to any answer');
});

test('a prompt that does not fit is refused', async () => {
  const model = tinyModel(() => ({ A: 1 }), 100);
  await expect(llamaDecision({ ...model, messages, questions })).rejects.toThrow('cannot read a prompt of');
});
