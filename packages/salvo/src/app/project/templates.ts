/** A first project for an agent on an SDK. The agent is in examples/sdks. */
interface Template {
  /** What the agent imports. */
  packages: readonly string[];
  /** `default_adapter` of the project. */
  adapter: string;
  /** The variable that the agent's model needs; undefined if a script stands for the model. */
  key: string | undefined;
}

/** What `salvo init --template` can write. */
export const TEMPLATES = ['ai-sdk', 'openai-agents', 'claude-agent', 'langchain', 'mastra', 'python'] as const;

export type TemplateName = (typeof TEMPLATES)[number];

const PACKAGES: Readonly<Record<TemplateName, readonly string[]>> = {
  'ai-sdk': ['ai', 'zod'],
  'openai-agents': ['@openai/agents', 'zod'],
  'claude-agent': ['@anthropic-ai/claude-agent-sdk', 'zod'],
  langchain: ['@langchain/core', '@langchain/langgraph', 'zod'],
  mastra: ['@mastra/core', 'zod'],
  python: [],
};

export function templateOf(name: TemplateName): Template {
  return {
    packages: PACKAGES[name],
    adapter: name === 'python' ? '"exec:python3 agent.py"' : './agent.ts',
    key: name === 'claude-agent' ? 'ANTHROPIC_API_KEY' : undefined,
  };
}
