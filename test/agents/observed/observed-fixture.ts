import { fileURLToPath } from 'node:url';
import { LLMock } from '@copilotkit/aimock';
import { z } from 'zod';
import type { Adapter, AdapterConfig, AdapterTurnResult } from '../../../packages/salvo/src/adapters/adapter.ts';
import { parseAgentReply } from '../../../packages/salvo/src/adapters/agent/agent-reply.ts';
import { observedAdapter } from '../../../packages/salvo/src/adapters/observe/observed-adapter.ts';
import { type RunScenarioOptions, runScenario } from '../../../packages/salvo/src/app/runs/run-scenario.ts';
import type { ScenarioDefinition } from '../../../packages/salvo/src/scenario/code/scenario-definition.ts';
import type { Message } from '../../../packages/salvo/src/trace/message.ts';

export const AGENT_FILE = fileURLToPath(new URL('../../fixtures/observed/agent.mjs', import.meta.url));

/** The agents of the fixture, by their names. */
export const { AGENTS }: { AGENTS: Record<string, TestAgent> } = await import(AGENT_FILE);

type TestAgent = (history: object[], options?: { bases?: Record<string, string> }) => Promise<string | null>;

const TOKENS = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120, input_tokens: 100, output_tokens: 20 };

/** A server that speaks the formats of all providers, and refuses what nobody expects. */
export async function startModel(): Promise<LLMock & AsyncDisposable> {
  const model = new LLMock({ port: 0, logLevel: 'silent', strict: true });
  const toolCalls = ['A-1001', 'B-2002'].map((order_id) => ({ name: 'lookup_order', arguments: { order_id } }));
  model.on({ userMessage: 'two orders', hasToolResult: false }, { toolCalls, usage: TOKENS });
  model.on({ userMessage: 'two orders', hasToolResult: true }, { content: 'One of them was paid.', usage: TOKENS });
  model.on({ userMessage: 'Thanks' }, { content: 'You are welcome.', usage: TOKENS });
  await model.start();
  return Object.assign(model, { [Symbol.asyncDispose]: () => model.stop() });
}

export function baseUrls(url: string): Record<string, string | undefined> {
  return {
    PATH: process.env.PATH,
    OPENAI_BASE_URL: `${url}/v1`,
    ANTHROPIC_BASE_URL: url,
    GOOGLE_GEMINI_BASE_URL: url,
  };
}

/** An agent in this process whose model is behind a recorder. `run` gets the variables that a program would get. */
export function observedAgent(
  env: Record<string, string | undefined>,
  run: (turn: { messages: Message[]; bases: Record<string, string>; config: AdapterConfig }) => Promise<unknown>,
  observe: 'model' | 'otel' = 'model',
): Adapter {
  const agent: Adapter = {
    providerName: () => 'test',
    async sendTurn(messages, _, config): Promise<AdapterTurnResult> {
      const asked = messages.slice();
      const reply = await run({ messages, bases: config.given?.variables ?? {}, config });
      return parseAgentReply(reply, { callee: 'The agent', request: config.conversation?.request ?? 0, asked });
    },
  };
  return observedAdapter(agent, { observe, env, endsWithTurn: true });
}

/** Our messages as the simple agents of the fixture take them. */
export function plain(messages: readonly Message[]): object[] {
  return messages.map(({ role, content }) => ({ role, content }));
}

export const ASKED: Partial<ScenarioDefinition> = {
  messages: [{ role: 'user', content: 'Look up two orders.' }],
  assertions: [{ type: 'tool_called', tool: 'lookup_order', times: 2 }],
};

/** The first trial of a run, with its trace. */
export async function trialOf(options: Partial<RunScenarioOptions> & { scenario?: Partial<ScenarioDefinition> }) {
  const run = await runScenario({ trials: 1, ...options, scenario: { name: 'orders', ...ASKED, ...options.scenario } });
  const [trial] = run.trials;
  if (!trial?.trace) throw new Error('There is no trial.');
  return { run, trial, trace: trial.trace, details: trial.eval_results.map(({ details }) => details) };
}

/** The message of a chat completion. */
export function messageOf(answer: unknown): { content: string; tool_calls: { id: string }[] } {
  return z
    .object({
      choices: z.tuple([
        z.object({
          message: z.looseObject({
            content: z
              .string()
              .nullable()
              .transform((text) => text ?? ''),
            tool_calls: z.array(z.looseObject({ id: z.string() })).default([]),
          }),
        }),
      ]),
    })
    .parse(answer).choices[0].message;
}

/** Two requests to the model behind a recorder, with the headers that a server passes on. */
export async function askModel(port: number, headers: Record<string, string>): Promise<string> {
  const messages: object[] = [{ role: 'user', content: 'Look up two orders.' }];
  const ask = async () => {
    const body = JSON.stringify({ model: 'gpt-4o-mini', messages });
    const response = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, { method: 'POST', body, headers });
    return messageOf(await response.json());
  };
  const first = await ask();
  messages.push(first, ...first.tool_calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'paid' })));
  return (await ask()).content;
}
