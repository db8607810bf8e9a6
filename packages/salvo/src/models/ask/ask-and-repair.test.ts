import { describe, expect, it, vi } from 'vitest';
import { type FakeJudge, fakeModels } from '../../../../../test/fake-models.ts';
import { createBill } from '../call/bill.ts';
import { askAndRepair, type Reading } from './ask-and-repair.ts';

const tool = { name: 'answer', description: 'Hands in a number.', parameters: { type: 'object' } };
const readNumber = ({ content }: { content: string | null }): Reading<number> => {
  const value = Number(content);
  return Number.isNaN(value) ? { problem: 'It is not a number.' } : { value };
};

async function ask(
  answer: FakeJudge,
  { signal, request = 0, timeoutSeconds }: { signal?: AbortSignal; request?: number; timeoutSeconds?: number } = {},
) {
  const models = fakeModels(answer);
  const bill = createBill();
  const result = await askAndRepair(
    { models, adapter: 'a', model: 'm', temperature: 0.5, maxTokens: 9, bill, signal, timeoutSeconds },
    {
      messages: [{ role: 'user', content: 'How many?' }],
      tool,
      read: readNumber,
      conversation: { seed: 7, trialNumber: 1, request },
    },
  );
  return { result, calls: models.calls, usage: bill.usage() };
}
const answers =
  (...contents: string[]): FakeJudge =>
  () => ({ content: contents.shift() ?? '' });

describe('askAndRepair', () => {
  it('ends when its time is up, also if the model never reacts', async () => {
    const never = () => new Promise<never>(() => {});
    const { result } = await ask(never, { timeoutSeconds: 0.01 });
    expect(result).toMatchObject({
      outcome: 'failed',
      error: { kind: 'timeout', message: 'm gave no answer within 0.01 s, with retries.' },
    });
  });

  it('has five minutes if nothing else is said', async () => {
    vi.useFakeTimers();
    try {
      const asked = ask(() => new Promise<never>(() => {}));
      await vi.advanceTimersByTimeAsync(300_000);
      await vi.runAllTimersAsync();
      expect((await asked).result).toMatchObject({ outcome: 'failed', error: { kind: 'timeout' } });
    } finally {
      vi.useRealTimers();
    }
  });

  it('asks once when the answer can be read, and makes the model call the tool', async () => {
    const { result, calls, usage } = await ask(answers('3'));
    expect(result).toEqual({ outcome: 'read', value: 3, repaired: false });
    expect(calls).toMatchObject([
      { tools: [tool], config: { temperature: 0.5, maxTokens: 9, extras: { tool_choice: { type: 'function' } } } },
    ]);
    expect(usage).toEqual({ model_calls: 1, input_tokens: 100, output_tokens: 20, cost_usd: 0.01 });
  });

  it('asks once more when it cannot, quoting the answer and saying what is wrong with it', async () => {
    const { result, calls, usage } = await ask(answers('many', '3'), { request: 5 });
    expect(result).toEqual({ outcome: 'read', value: 3, repaired: true });
    expect(calls.map(({ config }) => config.conversation?.request)).toEqual([5, 6]);
    expect(calls[1]?.messages.slice(1)).toMatchObject([
      { role: 'assistant', content: 'many' },
      { role: 'user', content: expect.stringMatching(/not a number\.\n\n.*`answer`/) },
    ]);
    expect(usage).toMatchObject({ model_calls: 2, cost_usd: 0.02 });
  });

  it('never asks a third time', async () => {
    const { result, calls, usage } = await ask(answers('many', 'lots', '3'));
    expect(result).toMatchObject({
      outcome: 'unreadable',
      problem: 'It is not a number.',
      result: { content: 'lots' },
    });
    expect(calls).toHaveLength(2);
    expect(usage.model_calls).toBe(2);
  });

  it('tells a model whose answer was cut off to be brief', async () => {
    const { calls } = await ask(() => ({ content: 'ma', finish_reason: 'length' }));
    expect(calls[1]?.messages.at(-1)?.content).toContain('It was cut off at the limit of tokens: be brief.');
  });

  it('has nothing to repair when the first call fails', async () => {
    const { result, usage } = await ask(() => {
      throw new Error('down');
    });
    expect(result).toMatchObject({ outcome: 'failed', error: new Error('down'), result: null });
    expect(usage).toMatchObject({ model_calls: 0, cost_usd: 0 });
  });

  it('keeps the first answer and its cost when the second call fails', async () => {
    let calls = 0;
    const { result, usage } = await ask(() => {
      calls += 1;
      if (calls === 2) throw new Error('down');
      return { content: 'many' };
    });
    expect(result).toMatchObject({ outcome: 'failed', error: new Error('down'), result: { content: 'many' } });
    expect(usage).toMatchObject({ model_calls: 1, cost_usd: 0.01 });
  });

  it('does not ask again after it was aborted', async () => {
    const controller = new AbortController();
    const { result, calls } = await ask(
      () => {
        controller.abort(new Error('enough'));
        return { content: 'many' };
      },
      { signal: controller.signal },
    );
    expect(result).toMatchObject({ outcome: 'failed', error: new Error('enough') });
    expect(calls).toHaveLength(1);
  });

  it.each([
    [{ content: 'I would\nrather not.', finish_reason: 'refusal' }, 'refused: I would rather not.'],
    [{ content: null, finish_reason: 'refusal' }, 'refused, without a reason'],
    // What a filter left of an answer is not the answer, even if it can be read.
    [{ content: '3', finish_reason: 'content_filter' }, "gave no answer: the provider's content filter blocked it"],
  ])('does not ask again after a refusal, and names it: %j', async (answer, reason) => {
    const { result, calls, usage } = await ask(() => answer);
    expect(result).toMatchObject({ outcome: 'refused', reason, repaired: false });
    expect(calls).toHaveLength(1);
    expect(usage).toMatchObject({ model_calls: 1, cost_usd: 0.01 });
  });

  it('names a refusal of the second answer, too', async () => {
    let calls = 0;
    const { result } = await ask(() => {
      calls += 1;
      return calls === 1 ? { content: 'many' } : { content: 'No.', finish_reason: 'refusal' };
    });
    expect(result).toMatchObject({ outcome: 'refused', reason: 'refused: No.', repaired: true });
  });

  describe('with an answer that can be read only in part', () => {
    const partly = ({ content }: { content: string | null }): Reading<string> =>
      content === 'part' ? { value: 'part', problem: 'Half is missing.' } : readText(content);
    const readText = (content: string | null): Reading<string> =>
      content?.startsWith('all') ? { value: content } : { problem: 'It is nothing.' };
    const askPartly = async (answer: FakeJudge) => {
      const models = fakeModels(answer);
      const asked = { models, adapter: 'a', model: 'm', temperature: 0, maxTokens: 9, bill: createBill() };
      const conversation = { seed: 7, trialNumber: 1, request: 0 };
      return { result: await askAndRepair(asked, { messages: [], tool, read: partly, conversation }), models };
    };

    it('asks once more, and takes the second answer when it is complete', async () => {
      const { result, models } = await askPartly(answers('part', 'all'));
      expect(result).toEqual({ outcome: 'read', value: 'all', repaired: true });
      expect(models.calls[1]?.messages.at(-1)?.content).toContain('Half is missing.');
    });

    it.each(['part', 'nothing'])('takes the part when the second answer is %s', async (second) => {
      expect((await askPartly(answers('part', second))).result).toEqual({
        outcome: 'read',
        value: 'part',
        repaired: true,
      });
    });

    it('takes the part when the second call fails or is refused', async () => {
      for (const second of [new Error('down'), { finish_reason: 'refusal' }]) {
        let calls = 0;
        const { result } = await askPartly(() => {
          calls += 1;
          if (calls === 1) return { content: 'part' };
          if (second instanceof Error) throw second;
          return second;
        });
        expect(result).toEqual({ outcome: 'read', value: 'part', repaired: true });
      }
    });
  });
});
