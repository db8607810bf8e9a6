import type { Adapter } from '../adapter.ts';
import { AdapterError } from '../adapter-error.ts';
import type { AdapterContext, AdapterFactory } from '../adapter-factory.ts';
import type { OptionsOf } from '../adapter-options-schema.ts';
import { withDeadline } from '../call/call-deadline.ts';
import { expandHeaders } from '../call/expand-headers.ts';
import { createGuardedFetch } from '../call/guarded-fetch.ts';
import { createMessageRedactor } from '../call/message-redactor.ts';
import { importOptionalPackage } from '../call/optional-package.ts';
import { aiSdkDecision } from './ai-sdk-decision.ts';
import { aiSdkEmbedding } from './ai-sdk-embedding.ts';
import { adapterErrorFromAiSdk } from './ai-sdk-error.ts';
import { type AiSdk, type AiSdkProvider, createAiSdkProvider, loadAiSdk } from './ai-sdk-provider.ts';
import { aiSdkCallOptions } from './ai-sdk-request.ts';
import { aiSdkTurn, turnDespiteToolChoice } from './ai-sdk-response.ts';

/** Any provider of the Vercel AI SDK, version 5 or later: Google, Bedrock, Mistral... The user installs both packages. */
export const createAiSdkAdapter: AdapterFactory<'ai-sdk'> = (options, context): Adapter => {
  let loading: Promise<{ sdk: AiSdk; provider: AiSdkProvider }> | undefined;
  const { timeout_seconds: timeoutSeconds } = options;
  const name = options.package.split('/').at(-1) ?? options.package;
  const redact = createMessageRedactor(options, context.env);
  return {
    providerName: () => name,
    isOneModelCall: true,
    async sendTurn(messages, tools, config) {
      loading ??= load(name, options, context);
      const { sdk, provider } = await loading;
      const deadline = { callee: name, timeoutSeconds, signal: config.signal };
      return withDeadline(deadline, async (signal) => {
        try {
          if (config.embed) return await aiSdkEmbedding({ sdk, provider, messages, tools, config, signal });
          if (config.decision) return await aiSdkDecision({ sdk, provider, messages, tools, config, signal });
          const model = provider(config.model);
          const result = await sdk.generateText({
            model,
            ...aiSdkCallOptions({ sdk, messages, tools, config, providerName: model.provider }),
            // Retries are made, and recorded, by the caller of the adapter.
            maxRetries: 0,
            abortSignal: signal,
          });
          return aiSdkTurn(result, config.model);
        } catch (error) {
          const turn = turnDespiteToolChoice(error, config.model);
          if (turn) return turn;
          if (error instanceof AdapterError) throw error;
          throw adapterErrorFromAiSdk(error, { provider: name, model: config.model, redact });
        }
      });
    },
  };
};

async function load(name: string, options: OptionsOf<'ai-sdk'>, { root, env }: AdapterContext) {
  const needed = ['ai', options.package];
  const exports = await importOptionalPackage({ name: options.package, root, needed });
  return {
    sdk: loadAiSdk(await importOptionalPackage({ name: 'ai', root, needed })),
    provider: createAiSdkProvider({
      exports,
      options,
      env,
      headers: expandHeaders(options.headers, env),
      fetch: createGuardedFetch({ callee: name, setting: 'base_url' }),
    }),
  };
}
