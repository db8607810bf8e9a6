import { LLMock } from '@copilotkit/aimock';

/** What each answer cost, under the name of every provider. */
const usage = {
  ...{ prompt_tokens: 120, completion_tokens: 12 },
  ...{ input_tokens: 120, output_tokens: 12 },
  ...{ promptTokenCount: 120, candidatesTokenCount: 12 },
};

export interface RefundModel extends AsyncDisposable {
  /** The variables that lead the SDKs of OpenAI, Anthropic and Gemini to this server. */
  env: Record<string, string>;
}

/** A model for the scenario of examples/sdks: it looks the order up, refunds it, and says so. */
export async function startRefundModel(adapter: string): Promise<RefundModel> {
  const model = new LLMock({ port: 0, logLevel: 'silent' });
  // Claude's tools have the name of their server before their own. Gemini has no reason of its own for calls.
  const prefix = adapter === 'claude-agent' ? 'mcp__shop__' : '';
  const rest = { usage, ...(['gemini', 'adk'].includes(adapter) ? { finishReason: 'stop' } : {}) };
  const call = (id: string, tool: string) => ({
    ...rest,
    toolCalls: [{ id, name: `${prefix}${tool}`, arguments: '{"order_id":"A-1001"}' }],
  });
  const hasTools = ({ tools }: { tools?: unknown[] }): boolean => (tools?.length ?? 0) > 0;
  const asked = { userMessage: 'A-1001 arrived broken', predicate: hasTools };
  model
    .on({ ...asked, turnIndex: 0 }, call('call_1', 'lookup_order'))
    .on({ ...asked, turnIndex: 1 }, call('call_2', 'issue_refund'))
    .on({ ...asked, turnIndex: 2 }, { content: 'I refunded 49.90.', ...rest })
    // Claude Code asks for the title of its session.
    .on({ predicate: (request) => !hasTools(request) }, { content: 'A refund', ...rest });
  const url = await model.start();
  return {
    env: {
      ...{ OPENAI_BASE_URL: `${url}/v1`, ANTHROPIC_BASE_URL: url, GOOGLE_GEMINI_BASE_URL: url },
      ...{ OPENAI_API_KEY: 'none', ANTHROPIC_API_KEY: 'none', GEMINI_API_KEY: 'none' },
    },
    [Symbol.asyncDispose]: () => model.stop(),
  };
}
