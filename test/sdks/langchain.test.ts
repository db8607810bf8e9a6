import { tool } from '@langchain/core/tools';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { ChatOpenAI } from '@langchain/openai';
import { z } from 'zod';
import { agentFor, toolsFor } from '../../packages/salvo/src/langchain.ts';
import { testSdk } from './sdk-cases.ts';
import type { RealTools } from './shop.ts';

const schema = z.object({ id: z.string() });

const ownTools = (real: RealTools) => [
  tool(real.lookup_order, { name: 'lookup_order', description: 'Looks up an order.', schema }),
  tool(real.issue_refund, { name: 'issue_refund', description: 'Refunds an order.', schema }),
  tool(real.refund_policy, {
    name: 'refund_policy',
    description: 'When orders are refunded.',
    schema: z.object({ country: z.string() }),
  }),
];

const modelAt = (url: string) =>
  new ChatOpenAI({ model: 'gpt-4o', apiKey: 'none', maxRetries: 0, configuration: { baseURL: `${url}/v1` } });

testSdk({
  model: 'gpt-4o',
  streams: ['tokens of a compiled graph'],
  own: {
    'invoke()': (url, real) => (task) =>
      createReactAgent({ llm: modelAt(url), tools: toolsFor(task, ownTools(real)) }).invoke(
        { messages: task.messagesAs('langchain') },
        { signal: task.signal },
      ),
    'stream()': (url, real) => (task) =>
      createReactAgent({ llm: modelAt(url), tools: toolsFor(task, ownTools(real)) }).stream(
        { messages: task.messagesAs('langchain') },
        { signal: task.signal, streamMode: 'updates' },
      ),
    'a compiled graph': (url, real) => {
      const graph = createReactAgent({ llm: modelAt(url), tools: ownTools(real) });
      return (task) =>
        agentFor(task, graph).invoke({ messages: task.messagesAs('langchain') }, { signal: task.signal });
    },
    'a stream of a compiled graph': (url, real) => {
      const graph = createReactAgent({ llm: modelAt(url), tools: ownTools(real) });
      return (task) => {
        const config = { signal: task.signal, streamMode: 'values' as const };
        return agentFor(task, graph).stream({ messages: task.messagesAs('langchain') }, config);
      };
    },
    'tokens of a compiled graph': (url, real) => {
      const graph = createReactAgent({ llm: modelAt(url), tools: ownTools(real) });
      return (task) => {
        const config = { signal: task.signal, streamMode: 'messages' as const };
        return agentFor(task, graph).stream({ messages: task.messagesAs('langchain') }, config);
      };
    },
  },
  scenario: (url) => (task) =>
    createReactAgent({ llm: modelAt(url), tools: toolsFor(task) }).invoke(
      { messages: task.messagesAs('langchain') },
      { signal: task.signal },
    ),
});
