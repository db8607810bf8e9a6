import type { Tool } from '@anthropic-ai/sdk/resources/messages';
import { anthropicMessages, hasText } from '../../trace/write/anthropic-messages.ts';
import type { ToolDefinition, TurnRequest } from '../adapter.ts';
import type { AdapterFactory } from '../adapter-factory.ts';
import { sdkBaseUrl } from '../call/api-key.ts';
import { clientClass, importSdk } from '../call/optional-package.ts';
import { furtherFields } from '../call/own-fields.ts';
import { refuseDecision } from '../decision.ts';
import { refuseEmbedding } from '../embedding.ts';
import { refuseFiles } from '../refused-files.ts';
import { createSdkAdapter } from '../sdk/sdk-adapter.ts';
import { anthropicTurn } from './anthropic-response.ts';

/** Anthropic's Messages API. */
export const createAnthropicAdapter: AdapterFactory<'anthropic'> = (options, { env, root }) =>
  createSdkAdapter({
    options,
    env,
    async connect(settings) {
      const { Anthropic } = await importSdk('@anthropic-ai/sdk', root, () => import('@anthropic-ai/sdk'));
      const Client = clientClass(Anthropic, { sdk: '@anthropic-ai/sdk', since: '0.20' });
      return new Client({
        ...settings,
        // Otherwise the SDK would take another key from the environment.
        authToken: null,
        baseURL: sdkBaseUrl(options, env) ?? 'https://api.anthropic.com',
      });
    },
    request(client, turn, options) {
      refuseDecision('anthropic', turn.config);
      refuseEmbedding('anthropic', turn.config);
      refuseFiles('anthropic', turn.messages);
      // Not the typed method: it writes warnings to the terminal, and the response is parsed here anyway.
      return client.post('/v1/messages', { ...options, body: anthropicRequestBody(turn) }).asResponse();
    },
    readTurn: (answer) => anthropicTurn(answer),
  });

/** The API requires a limit; this one is used when the scenario sets none. */
const DEFAULT_MAX_TOKENS = 4096;

/** The body of a Messages request. This API has no seed. The scenario's `extras` add to what Salvo sends. */
export function anthropicRequestBody({ messages, tools, config }: TurnRequest): Record<string, unknown> {
  const system = messages.flatMap((message) => (message.role === 'system' ? [message.content] : [])).filter(hasText);
  return {
    model: config.model,
    max_tokens: config.maxTokens ?? DEFAULT_MAX_TOKENS,
    ...(system.length > 0 && { system: system.join('\n\n') }),
    messages: anthropicMessages(messages),
    ...(tools.length > 0 && { tools: tools.map(wireTool) }),
    ...(config.temperature !== undefined && { temperature: config.temperature }),
    ...furtherFields(config.extras, config),
  };
}

function wireTool({ name, description, parameters }: ToolDefinition): Tool {
  return { name, ...(description && { description }), input_schema: { type: 'object', ...parameters } };
}
