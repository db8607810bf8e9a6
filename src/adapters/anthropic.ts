import type { Anthropic } from '@anthropic-ai/sdk';
import type { AdapterFactory } from './adapter-factory.ts';
import type { AdapterOptions } from './adapter-options-schema.ts';
import { anthropicRequestBody } from './anthropic-request.ts';
import { anthropicTurn } from './anthropic-response.ts';
import { findApiKey, hasAuthHeader, NO_KEY, requireApiKey } from './api-key.ts';
import { withDeadline } from './call-deadline.ts';
import { expandHeaders, headerSecrets } from './expand-headers.ts';
import { readBody } from './read-body.ts';
import { SDK_TIMEOUT_MS, sdkDeadline } from './sdk-deadline.ts';
import { adapterErrorFromSdk } from './sdk-error.ts';

type AnthropicOptions = Extract<AdapterOptions, { type: 'anthropic' }>;

const PROVIDER = 'anthropic';

/** Anthropic's Messages API, from Anthropic or from any server that speaks it. */
export const createAnthropicAdapter: AdapterFactory<AnthropicOptions> = (options, { env }) => {
  const baseUrl = options.base_url ?? (env.ANTHROPIC_BASE_URL || undefined);
  const key = findApiKey({ options, defaultVariable: 'ANTHROPIC_API_KEY', baseUrl, env });
  let client: Promise<Anthropic> | undefined;

  async function connect(): Promise<Anthropic> {
    requireApiKey(key, PROVIDER);
    const headers = expandHeaders(options.headers, env);
    const { Anthropic } = await import('@anthropic-ai/sdk');
    return new Anthropic({
      apiKey: key.value ?? NO_KEY,
      baseURL: baseUrl ?? 'https://api.anthropic.com',
      // `sendRequest` retries, and records that it did.
      maxRetries: 0,
      logLevel: 'off',
      defaultHeaders: { ...(key.value === null && hasAuthHeader(headers) && { authorization: null }), ...headers },
    });
  }

  return {
    providerName: () => PROVIDER,
    async sendTurn(messages, tools, config) {
      try {
        client ??= connect();
        const connected = await client;
        const body = anthropicRequestBody({ messages, tools, config });
        const { signal } = config;
        const deadline = sdkDeadline({ callee: PROVIDER, timeoutSeconds: options.timeout_seconds, signal });
        const answer = await withDeadline(deadline, async (signal) => {
          // The typed method writes warnings to the terminal, and its type is one the server never promised.
          const request = connected.post('/v1/messages', { body, signal, timeout: SDK_TIMEOUT_MS });
          return await readBody(await request.asResponse());
        });
        return anthropicTurn(answer);
      } catch (error) {
        throw adapterErrorFromSdk({
          error,
          provider: PROVIDER,
          model: config.model,
          keyVariable: key.variable,
          secrets: [...(key.value === null ? [] : [key.value]), ...headerSecrets(options.headers, env)],
        });
      }
    },
  };
};
