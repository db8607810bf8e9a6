import type { AdapterFactory } from '../adapter-factory.ts';
import { sdkBaseUrl } from '../call/api-key.ts';
import { clientClass, importSdk } from '../call/optional-package.ts';
import { refuseFiles } from '../refused-files.ts';
import { createSdkAdapter } from '../sdk/sdk-adapter.ts';
import { openAiDecision, openAiDecisionBody } from './openai-decision.ts';
import { openAiEmbedding, openAiEmbeddingBody } from './openai-embedding.ts';
import { openAiRequestBody } from './openai-request.ts';
import { openAiTurn } from './openai-response.ts';

/** OpenAI's chat completions and decisions, from OpenAI or from any compatible server: Ollama, vLLM, LM Studio... */
export const createOpenAiAdapter: AdapterFactory<'openai'> = (options, { env, root }) =>
  createSdkAdapter({
    options,
    env,
    async connect(settings) {
      const { OpenAI } = await importSdk('openai', root, () => import('openai'));
      const Client = clientClass(OpenAI, { sdk: 'openai', since: '4' });
      return new Client({
        ...settings,
        adminAPIKey: null,
        organization: env.OPENAI_ORG_ID ?? null,
        project: env.OPENAI_PROJECT_ID ?? null,
        baseURL: sdkBaseUrl(options, env) ?? 'https://api.openai.com/v1',
      });
    },
    request(client, turn, options) {
      refuseFiles('openai', turn.messages);
      if (turn.config.embed) {
        return client.post('/embeddings', { ...options, body: openAiEmbeddingBody(turn) }).asResponse();
      }
      if (turn.config.decision) {
        return client.post('/decisions', { ...options, body: openAiDecisionBody(turn) }).asResponse();
      }
      const body = openAiRequestBody({ ...turn, baseUrl: client.baseURL });
      // Not the typed method: compatible servers do not keep to its types, so the response is parsed here.
      return client.post('/chat/completions', { ...options, body }).asResponse();
    },
    readTurn(answer, { messages, config }) {
      if (config.embed) return openAiEmbedding(answer);
      return config.decision ? openAiDecision(answer) : openAiTurn(answer, messages);
    },
  });
