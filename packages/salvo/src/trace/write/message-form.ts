/** The forms of messages of SDKs and APIs that Salvo can write. */
export const MESSAGE_FORMS = [
  'ai-sdk',
  'openai',
  'responses',
  'openai-agents',
  'anthropic',
  'langchain',
  'gemini',
  'bedrock',
] as const;

export type MessageForm = (typeof MESSAGE_FORMS)[number];
