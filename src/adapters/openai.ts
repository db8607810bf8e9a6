import type { OpenAI } from 'openai';
import type { AdapterFactory } from './adapter-factory.ts';
import type { AdapterOptions } from './adapter-options-schema.ts';
import { findApiKey, hasAuthHeader, NO_KEY, requireApiKey } from './api-key.ts';
import { withDeadline } from './call-deadline.ts';
import { expandHeaders, headerSecrets } from './expand-headers.ts';
import { openAiRequestBody } from './openai-request.ts';
import { openAiTurn } from './openai-response.ts';
import { readBody } from './read-body.ts';
import { SDK_TIMEOUT_MS, sdkDeadline } from './sdk-deadline.ts';
import { adapterErrorFromSdk } from './sdk-error.ts';

type OpenAiOptions = Extract<AdapterOptions, { type: 'openai' }>;

const PROVIDER = 'openai';

/** OpenAI's chat completions, from OpenAI or from any server that speaks them: Ollama, vLLM, LM Studio... */
export const createOpenAiAdapter: AdapterFactory<OpenAiOptions> = (options, { env }) => {
  const baseUrl = options.base_url ?? (env.OPENAI_BASE_URL || undefined);
  const key = findApiKey({ options, defaultVariable: 'OPENAI_API_KEY', baseUrl, env });
  let client: Promise<OpenAI> | undefined;

  async function connect(): Promise<OpenAI> {
    requireApiKey(key, PROVIDER);
    const headers = expandHeaders(options.headers, env);
    const { OpenAI } = await import('openai');
    return new OpenAI({
      apiKey: key.value ?? NO_KEY,
      adminAPIKey: null,
      organization: env.OPENAI_ORG_ID ?? null,
      project: env.OPENAI_PROJECT_ID ?? null,
      baseURL: baseUrl ?? 'https://api.openai.com/v1',
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
        const body = openAiRequestBody({ messages, tools, config, baseUrl: connected.baseURL });
        const { signal } = config;
        const deadline = sdkDeadline({ callee: PROVIDER, timeoutSeconds: options.timeout_seconds, signal });
        const answer = await withDeadline(deadline, async (signal) => {
          // The typed method's type is one the server never promised; what comes back is parsed instead.
          const request = connected.post('/chat/completions', { body, signal, timeout: SDK_TIMEOUT_MS });
          return await readBody(await request.asResponse());
        });
        return openAiTurn(answer, messages);
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
