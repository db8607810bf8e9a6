import { expect, test } from 'vitest';
import type { AgentFunction } from '../../packages/salvo/src/index.ts';
import { startAnsweringServer } from '../loopback/answering-server.ts';
import { startHalfStream } from './half-stream.ts';
import { expectShopTrace, RealTools, runShop, type ShopTrace } from './shop.ts';
import { startShopModel } from './shop-model.ts';

interface SdkCases extends ShopTrace {
  /** An agent with tools of its own, as the examples write it. Several ways to write it have names. */
  own?: Record<string, (url: string, real: RealTools) => AgentFunction>;
  /** An agent whose only tools are those of the scenario. */
  scenario?: (url: string) => AgentFunction;
  /** What the trace lacks in one of the ways, because the SDK does not tell it. */
  lacking?: Record<string, Partial<ShopTrace>>;
  /** The ways that give a stream to Salvo, so that what was said before the deadline is in the trace. */
  streams?: readonly string[];
  /** How long such a stream may take to begin on a busy machine. */
  beginSeconds?: number;
  /** How the SDK names a tool of the scenario to the model. */
  prefix?: string;
}

/** What every SDK must do with the same shop. All tests use the real package and a model on this machine. */
export function testSdk({
  own = {},
  scenario,
  lacking = {},
  streams = [],
  beginSeconds = 3,
  prefix = '',
  ...trace
}: SdkCases): void {
  test.each(Object.entries(own))('%s: the mocks answer, the rest is real, the trace has it all', async (way, agent) => {
    await using server = await startShopModel({ name: trace.model, prefix });
    const real = new RealTools();
    const trial = await runShop(agent(server.url, real));
    expect(trial).toMatchObject({ status: 'passed', error_message: null });
    expect(real.done).toEqual(['refund_policy']);
    expectShopTrace(trial.trace, { ...trace, ...lacking[way] });
    const [, , , last] = server.requests();
    expect(last?.toolResults.join()).toContain('30 days');
  });

  const ways: typeof own = { ...own, ...(scenario && { 'tools of the scenario': scenario }) };
  test.each(Object.entries(ways))('%s: a model that never answers is out of time', async (_, agent) => {
    await using server = await startAnsweringServer(() => 'hang');
    const trial = await runShop(agent(server.url, new RealTools()), { timeoutSeconds: 0.3 });
    expect(trial).toMatchObject({ status: 'unscored', error_code: 'TRIAL_TIMEOUT' });
    // The signal of the task has ended the request.
    await expect.poll(() => server.unanswered()).toBe(server.requests());
  });

  test.each(streams)('%s: what was said before the deadline is in the trace', async (way) => {
    await using server = await startHalfStream('I am looking');
    const saidBefore = async (timeoutSeconds: number) => {
      const agent = ways[way]?.(server.url, new RealTools());
      if (!agent) throw new Error(`There is no way ${way}.`);
      const trial = await runShop(agent, { timeoutSeconds });
      expect(trial).toMatchObject({ status: 'unscored', error_code: 'TRIAL_TIMEOUT' });
      return trial.trace?.messages.at(-1);
    };
    // On a quiet machine, a stream begins at once.
    const quick = await saidBefore(beginSeconds / 8);
    const last = quick?.role === 'assistant' ? quick : await saidBefore(beginSeconds);
    expect(last).toMatchObject({ role: 'assistant', content: 'I am looking' });
    await expect.poll(() => server.left()).toBeGreaterThan(0);
  });

  if (scenario === undefined) return;

  test('tools of the scenario: their descriptions reach the model, and the mocks answer', async () => {
    await using server = await startShopModel({ name: trace.model, prefix });
    const trial = await runShop(scenario(server.url), { policy: 'mocked' });
    expect(trial).toMatchObject({ status: 'passed', error_message: null });
    expectShopTrace(trial.trace, { ...trace, policy: 'mocked' });
    const [first] = server.requests();
    const names = ['issue_refund', 'lookup_order', 'refund_policy'].map((name) => `${prefix}${name}`);
    expect(first?.tools).toEqual(expect.arrayContaining(names));
  });

  test.each(Object.entries(own))('%s: a tool of the scenario that the agent lacks', async (_, agent) => {
    await using server = await startShopModel({ name: trace.model, prefix });
    const trial = await runShop(agent(server.url, new RealTools()), { policy: 'misspelt' });
    expect(trial.status).toBe('unscored');
    expect(trial.error_message).toMatch(/The scenario has the tool refund_polcy, which the agent does not have/);
  });
}
