import { createReactAgent } from '@langchain/langgraph/prebuilt';
import type { AgentTask } from 'salvo';
import { toolsFor } from 'salvo/langchain';
import { newModel, tools } from './support.ts';

export default (task: AgentTask) =>
  createReactAgent({ llm: newModel(), tools: toolsFor(task, tools) }).invoke(
    { messages: task.messagesAs('langchain') },
    { signal: task.signal },
  );
