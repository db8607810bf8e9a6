import { expect } from 'vitest';
import { type AgentFunction, type ProjectInput, runScenario, type Trace } from '../../packages/salvo/src/index.ts';

const orderId = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };

/** Two turns of a user, two tools with mocks, one of which fails once. The agent's own tool refund_policy has no mock. */
const shop = {
  name: 'shop',
  system_prompt: 'Be brief.',
  messages: [
    { role: 'user' as const, content: 'Where are A-1 and A-2?' },
    { role: 'user' as const, content: 'Refund A-1.' },
  ],
  tools: [
    {
      name: 'lookup_order',
      description: 'Looks up an order.',
      parameters: orderId,
      mock_responses: [{ when: { id: 'A-1' }, respond: { left: 'Monday' } }, { error: 'No such order.' }],
    },
    { name: 'issue_refund', description: 'Refunds an order.', parameters: orderId, mock_response: { refunded: 49.9 } },
  ],
  assertions: [
    { type: 'tool_called' as const, tool: 'issue_refund', arguments: { id: 'A-1' }, times: 1 },
    { type: 'output_contains' as const, value: '49.90' },
  ],
};

/** Tools of an agent that would do real work. */
export class RealTools {
  /** What was really done. */
  readonly done: string[] = [];

  lookup_order = async (): Promise<string> => this.#really('lookup_order');
  issue_refund = async (): Promise<string> => this.#really('issue_refund');

  refund_policy = async (): Promise<string> => {
    this.done.push('refund_policy');
    return '30 days';
  };

  async #really(name: string): Promise<string> {
    this.done.push(name);
    return 'done for real';
  }
}

/** Whether the scenario has the tool refund_policy, too. */
type Policy = 'own' | 'mocked' | 'misspelt';

const policyTool = (name: string) => ({
  name,
  description: 'When orders are refunded.',
  parameters: { type: 'object', properties: { country: { type: 'string' } } },
  mock_response: '30 days',
});

interface ShopRun {
  policy?: Policy;
  timeoutSeconds?: number;
  env?: NodeJS.ProcessEnv;
}

type AdapterSettings = NonNullable<ProjectInput['adapters']>[string];

/** Runs one trial of the shop with an agent, or with a program or a server as salvo.yaml names it. */
export async function runShop(agent: AgentFunction | AdapterSettings, options: ShopRun = {}) {
  const { policy = 'own', timeoutSeconds = 60, env = {} } = options;
  const more = policy === 'own' ? [] : [policyTool(policy === 'mocked' ? 'refund_policy' : 'refund_polcy')];
  const scenario = { ...shop, tools: [...shop.tools, ...more], timeout_seconds: timeoutSeconds };
  const subject =
    typeof agent === 'function' ? { agent } : { adapter: 'named', settings: { adapters: { named: agent } } };
  const { trials } = await runScenario({ scenario, ...subject, trials: 1, env });
  const [trial] = trials;
  if (!trial) throw new Error('There is no trial.');
  return trial;
}

export interface ShopTrace {
  model: string;
  /** Null if the SDK does not tell the tokens. */
  tokens?: null;
  policy?: Policy;
  /** How the messages of the SDK have a result, if not as it is. */
  resultText?: (text: string) => string;
}

/** The whole trace of the shop, field by field. */
export function expectShopTrace(trace: Trace | null | undefined, expected: ShopTrace): void {
  const { model, tokens, policy = 'own', resultText = (text) => text } = expected;
  const isMocked = policy === 'mocked';
  const calls = (trace?.tool_calls_made ?? []).map(({ name, arguments: args, result, is_error, seen }) => {
    return { name, arguments: args, result, is_error, seen };
  });
  const observed = { is_error: false, seen: 'observed' };
  const reported = { result: resultText('30 days'), is_error: false, seen: 'reported' };
  const policyResult = isMocked ? { result: '30 days', ...observed } : reported;
  expect(calls).toEqual([
    { name: 'lookup_order', arguments: { id: 'A-1' }, result: '{"left":"Monday"}', ...observed },
    { name: 'lookup_order', arguments: { id: 'A-2' }, result: 'No such order.', is_error: true, seen: 'observed' },
    { name: 'refund_policy', arguments: { country: 'NO' }, ...policyResult },
    { name: 'issue_refund', arguments: { id: 'A-1' }, result: '{"refunded":49.9}', ...observed },
  ]);
  const messages = (trace?.messages ?? []).map((message) => {
    if (message.role !== 'assistant') return [message.role, message.content];
    const asked = message.tool_calls.map(({ name, arguments: args }) => `${name} ${JSON.stringify(args)}`);
    return [message.role, message.content || null, ...asked];
  });
  const expectedMessages = [
    ['system', 'Be brief.'],
    ['user', 'Where are A-1 and A-2?'],
    ['assistant', null, 'lookup_order {"id":"A-1"}', 'lookup_order {"id":"A-2"}'],
    ['tool_result', resultText('{"left":"Monday"}')],
    ['tool_result', 'No such order.'],
    ['assistant', 'A-1 left on Monday. There is no A-2.'],
    ['user', 'Refund A-1.'],
    ['assistant', null, 'refund_policy {"country":"NO"}', 'issue_refund {"id":"A-1"}'],
    ['tool_result', resultText('30 days')],
    ['tool_result', resultText('{"refunded":49.9}')],
    ['assistant', 'I refunded 49.90.'],
  ];
  expect(inOrder(messages)).toEqual(inOrder(expectedMessages));
  expect(trace).toMatchObject({
    model,
    final_content: 'I refunded 49.90.',
    finish_reason: 'stop',
    input_tokens: tokens === null ? null : 400,
    output_tokens: tokens === null ? null : 40,
    tools_seen: isMocked ? 'observed' : 'reported',
    error: null,
  });
}

type ShownMessage = (string | null)[];

/** Results of parallel calls by their texts: a stream has them in the order in which they came. */
function inOrder(messages: ShownMessage[]): ShownMessage[] {
  const texts: string[] = [];
  const take = () =>
    texts
      .splice(0)
      .sort()
      .map((text) => ['tool_result', text]);
  return messages.flatMap((message) => {
    if (message[0] !== 'tool_result') return [...take(), message];
    // SDKs put something around the text of an error.
    const text = message[1] ?? '';
    texts.push(text.includes('No such order.') ? 'No such order.' : text);
    return [];
  });
}
