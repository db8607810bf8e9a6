import type { AdapterFactory } from '../adapter-factory.ts';
import type { AdapterOptions } from '../adapter-options-schema.ts';
import { sdkBaseUrl } from '../call/api-key.ts';
import { clientClass, importSdk } from '../call/optional-package.ts';
import { createSdkAdapter } from '../sdk/sdk-adapter.ts';
import { anthropicRequestBody } from './anthropic-request.ts';
import { anthropicTurn } from './anthropic-response.ts';

type AnthropicOptions = Extract<AdapterOptions, { type: 'anthropic' }>;

/** Anthropic's Messages API. */
export const createAnthropicAdapter: AdapterFactory<AnthropicOptions> = (options, { env, root }) =>
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
      // Not the typed method: it writes warnings to the terminal, and the response is parsed here anyway.
      return client.post('/v1/messages', { ...options, body: anthropicRequestBody(turn) }).asResponse();
    },
    readTurn: anthropicTurn,
  });
