/** A service that speaks OpenAI's chat completions. */
interface CompatibleService {
  url: string;
  /** The variable of its key; none for a server of one's own. */
  key?: string;
}

/** Providers of promptfoo whose models are reached with OpenAI's API. */
export const COMPATIBLE: Readonly<Record<string, CompatibleService>> = {
  openrouter: { url: 'https://openrouter.ai/api/v1', key: 'OPENROUTER_API_KEY' },
  groq: { url: 'https://api.groq.com/openai/v1', key: 'GROQ_API_KEY' },
  mistral: { url: 'https://api.mistral.ai/v1', key: 'MISTRAL_API_KEY' },
  deepseek: { url: 'https://api.deepseek.com/v1', key: 'DEEPSEEK_API_KEY' },
  xai: { url: 'https://api.x.ai/v1', key: 'XAI_API_KEY' },
  together: { url: 'https://api.together.xyz/v1', key: 'TOGETHER_API_KEY' },
  togetherai: { url: 'https://api.together.xyz/v1', key: 'TOGETHER_API_KEY' },
  fireworks: { url: 'https://api.fireworks.ai/inference/v1', key: 'FIREWORKS_API_KEY' },
  perplexity: { url: 'https://api.perplexity.ai', key: 'PERPLEXITY_API_KEY' },
  cerebras: { url: 'https://api.cerebras.ai/v1', key: 'CEREBRAS_API_KEY' },
  cohere: { url: 'https://api.cohere.ai/compatibility/v1', key: 'COHERE_API_KEY' },
  deepinfra: { url: 'https://api.deepinfra.com/v1/openai', key: 'DEEPINFRA_API_KEY' },
  hyperbolic: { url: 'https://api.hyperbolic.xyz/v1', key: 'HYPERBOLIC_API_KEY' },
  sambanova: { url: 'https://api.sambanova.ai/v1', key: 'SAMBANOVA_API_KEY' },
  nscale: { url: 'https://inference.api.nscale.com/v1', key: 'NSCALE_SERVICE_TOKEN' },
  novita: { url: 'https://api.novita.ai/v3/openai', key: 'NOVITA_API_KEY' },
  alibaba: { url: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1', key: 'DASHSCOPE_API_KEY' },
  dashscope: { url: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1', key: 'DASHSCOPE_API_KEY' },
  aimlapi: { url: 'https://api.aimlapi.com/v1', key: 'AIML_API_KEY' },
  github: { url: 'https://models.github.ai/inference', key: 'GITHUB_TOKEN' },
  huggingface: { url: 'https://router.huggingface.co/v1', key: 'HF_TOKEN' },
  moonshot: { url: 'https://api.moonshot.ai/v1', key: 'MOONSHOT_API_KEY' },
  nvidia: { url: 'https://integrate.api.nvidia.com/v1', key: 'NVIDIA_API_KEY' },
  ollama: { url: 'http://localhost:11434/v1' },
  localai: { url: 'http://localhost:8080/v1' },
  'llama.cpp': { url: 'http://localhost:8080/v1' },
  llama: { url: 'http://localhost:8080/v1' },
  llamafile: { url: 'http://localhost:8080/v1' },
  vllm: { url: 'http://localhost:8000/v1' },
  lmstudio: { url: 'http://localhost:1234/v1' },
  litellm: { url: 'http://localhost:4000', key: 'LITELLM_API_KEY' },
  'text-generation-webui': { url: 'http://localhost:5000/v1' },
  docker: { url: 'http://localhost:12434/engines/v1' },
};

/** Providers of promptfoo for which the Vercel AI SDK has a package. */
export const AI_SDK_PACKAGES: Readonly<Record<string, { package: string; key?: string }>> = {
  google: { package: '@ai-sdk/google', key: 'GOOGLE_API_KEY' },
  palm: { package: '@ai-sdk/google', key: 'GOOGLE_API_KEY' },
  vertex: { package: '@ai-sdk/google-vertex' },
  bedrock: { package: '@ai-sdk/amazon-bedrock' },
  azure: { package: '@ai-sdk/azure', key: 'AZURE_API_KEY' },
  azureopenai: { package: '@ai-sdk/azure', key: 'AZURE_API_KEY' },
  vercel: { package: '@ai-sdk/gateway', key: 'AI_GATEWAY_API_KEY' },
};

/** Words between the name of a provider and the model that say which API is meant: chat. */
export const CHAT_WORDS: ReadonlySet<string> = new Set([
  'chat',
  'messages',
  'responses',
  'completion',
  'converse',
  'text-generation',
  'compatible',
]);

/** Words that say that it is no chat. */
export const OTHER_WORDS: ReadonlySet<string> = new Set([
  ...['embedding', 'embeddings', 'image', 'moderation', 'assistant', 'realtime', 'transcription', 'speech', 'video'],
  ...['live', 'agents', 'codex-sdk', 'codex-app-server', 'codex', 'claude-agent-sdk', 'claude-code', 'agent', 'kb'],
  ...['knowledge-base', 'nova-sonic', 'feature-extraction', 'text-classification', 'token-classification'],
  ...['sentence-similarity', 'foundry-agent', 'chatkit', 'luma', 'nova-reel', 'sagemaker', 'video', 'assistants'],
]);

/** Settings of a provider that are sent to the model as they are. */
export const SENT_SETTINGS: ReadonlySet<string> = new Set([
  ...['top_p', 'top_k', 'frequency_penalty', 'presence_penalty', 'stop', 'response_format', 'tool_choice', 'thinking'],
  ...['reasoning_effort', 'reasoning', 'verbosity', 'logit_bias', 'user', 'service_tier', 'parallel_tool_calls'],
  ...['repetition_penalty', 'min_p', 'safe_prompt', 'metadata', 'store', 'effort', 'output_config'],
]);

/** The same under the names that some providers of promptfoo have for them. */
export const OTHER_NAMES: Readonly<Record<string, string>> = {
  topP: 'top_p',
  topK: 'top_k',
  frequencyPenalty: 'frequency_penalty',
  presencePenalty: 'presence_penalty',
  stopSequences: 'stop',
  reasoningEffort: 'reasoning_effort',
  responseFormat: 'response_format',
  toolChoice: 'tool_choice',
};

/** Settings without an effect on answers. */
export const WITHOUT_EFFECT: ReadonlySet<string> = new Set([
  ...['cost', 'inputCost', 'outputCost', 'timeout', 'showThinking', 'maxRetries', 'retries', 'region', 'projectId'],
  ...['organization', 'basePath', 'label', 'delay', 'inference_config_name', 'verbose', 'debug', 'showRawResponse'],
]);
