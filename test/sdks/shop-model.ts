import { LLMock } from '@copilotkit/aimock';
import { z } from 'zod';

/** A request of any API, as the server notes it. */
const bodySchema = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.unknown() })),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).default([]),
});

/** What each answer of the model cost, under the name of every provider. */
const usage = {
  ...{ prompt_tokens: 100, completion_tokens: 10 },
  ...{ input_tokens: 100, output_tokens: 10 },
  ...{ promptTokenCount: 100, candidatesTokenCount: 10 },
};

export interface ShopModel extends AsyncDisposable {
  /** The address of a server that speaks the APIs of OpenAI, Anthropic and Gemini. */
  url: string;
  /** The system prompt and the names of the tools that came with each request. */
  requests(): { system: string; tools: string[]; toolResults: string[] }[];
}

/**
 * A model for the two turns of the shop, with parallel calls in both. `name` is what it calls itself. The tools may have a
 * prefix, as those of an MCP server have.
 */
export async function startShopModel({ name, prefix = '' }: { name: string; prefix?: string }): Promise<ShopModel> {
  const model = new LLMock({ port: 0, logLevel: 'silent' });
  // Gemini has no reason of its own for calls, and ADK takes any other for an error.
  const rest = { usage, model: name, ...(name.startsWith('gemini') ? { finishReason: 'stop' } : {}) };
  const call = (id: string, tool: string, args: object) => {
    return { id, name: `${prefix}${tool}`, arguments: JSON.stringify(args) };
  };
  model
    .on(
      { userMessage: 'Where are', hasToolResult: false },
      {
        toolCalls: [call('call_1', 'lookup_order', { id: 'A-1' }), call('call_2', 'lookup_order', { id: 'A-2' })],
        ...rest,
      },
    )
    .on({ userMessage: 'Where are', hasToolResult: true }, { content: 'A-1 left on Monday. There is no A-2.', ...rest })
    .on(
      { userMessage: 'Refund', hasToolResult: false },
      {
        toolCalls: [call('call_3', 'refund_policy', { country: 'NO' }), call('call_4', 'issue_refund', { id: 'A-1' })],
        ...rest,
      },
    )
    .on({ userMessage: 'Refund', hasToolResult: true }, { content: 'I refunded 49.90.', ...rest });
  const url = await model.start();
  return {
    url,
    requests: () =>
      model.getRequests().map((request) => {
        const { messages, tools } = bodySchema.parse(request.body);
        const texts = (role: string) =>
          messages.filter((message) => message.role === role).map(({ content }) => textOf(content));
        return {
          system: texts('system').join('\n'),
          tools: tools.map((tool) => tool.function.name).sort(),
          toolResults: texts('tool'),
        };
      }),
    [Symbol.asyncDispose]: () => model.stop(),
  };
}

function textOf(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}
