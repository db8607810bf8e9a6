import { isRecord } from '../../text/json/is-record.ts';
import { once } from '../../text/memo.ts';
import type { Adapter, AdapterTurnResult, TurnRequest } from '../adapter.ts';
import { answeringModel } from '../call/answering-model.ts';
import { findApiKey, hasAuthHeader, NO_KEY, requireApiKey, type SdkOptions } from '../call/api-key.ts';
import { withDeadline } from '../call/call-deadline.ts';
import { expandHeaders } from '../call/expand-headers.ts';
import { createGuardedFetch } from '../call/guarded-fetch.ts';
import { createMessageRedactor } from '../call/message-redactor.ts';
import { LONGEST_TIMER_MS } from '../call/work-clock.ts';
import { readBody } from './response-body.ts';
import { adapterErrorFromSdk } from './sdk-error.ts';

/** What differs between the official SDKs of providers. */
export interface SdkProvider<Client> {
  options: SdkOptions;
  env: Record<string, string | undefined>;
  connect(settings: SdkSettings): Promise<Client>;
  request(client: Client, turn: TurnRequest, options: { signal: AbortSignal; timeout: number }): Promise<Response>;
  readTurn(answer: unknown, turn: TurnRequest): AdapterTurnResult;
}

interface SdkSettings {
  apiKey: string;
  /** Retries are made, and recorded, by the caller of the adapter. */
  maxRetries: 0;
  logLevel: 'off';
  fetch: typeof fetch;
  defaultHeaders: Record<string, string | null>;
}

/** An adapter on a provider's SDK, which is loaded and connected when it is prepared, or on the first turn. */
export function createSdkAdapter<Client>(provider: SdkProvider<Client>): Adapter {
  const { options, env } = provider;
  const { type: name, timeout_seconds: timeoutSeconds } = options;
  const key = findApiKey(options, env);
  const redact = createMessageRedactor({ api_key_env: key.variable, headers: options.headers }, env);
  const client = once(async (): Promise<Client> => {
    requireApiKey(key, name);
    const headers = expandHeaders(options.headers, env);
    return provider.connect({
      apiKey: key.value ?? NO_KEY,
      maxRetries: 0,
      logLevel: 'off',
      fetch: createGuardedFetch({ callee: name, setting: 'base_url' }),
      defaultHeaders: { ...(key.value === null && hasAuthHeader(headers) && { authorization: null }), ...headers },
    });
  });

  return {
    providerName: () => name,
    isOneModelCall: true,
    async prepare() {
      // The first turn says what is wrong.
      await client().catch(() => {});
    },
    async sendTurn(messages, tools, config) {
      let isAnswered = false;
      try {
        const connected = await client();
        const deadline = { callee: name, timeoutSeconds, signal: config.signal };
        const turn = { messages, tools, config };
        const answer = await withDeadline(deadline, async (signal) => {
          // Disables the SDK's timeout, which covers only the headers; ours covers the body, too.
          const response = await provider.request(connected, turn, { signal, timeout: LONGEST_TIMER_MS });
          isAnswered = true;
          return await readBody(response);
        });
        const model = isRecord(answer) ? answeringModel(config.model, answer.model) : undefined;
        return { ...provider.readTurn(answer, turn), ...(model && { model }) };
      } catch (error) {
        throw adapterErrorFromSdk({
          error,
          isAnswered,
          provider: name,
          model: config.model,
          isDecision: config.decision !== undefined,
          isEmbedding: config.embed,
          keyVariable: key.variable,
          credential: key.value !== null ? 'key' : hasAuthHeader(options.headers) ? 'header' : 'none',
          redact,
        });
      }
    },
  };
}
