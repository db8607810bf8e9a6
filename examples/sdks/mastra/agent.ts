import type { AgentTask } from 'salvo';
import { agentFor } from 'salvo/mastra';
import { support } from './support.ts';

export default (task: AgentTask) =>
  agentFor(task, support).generate(task.messagesAs('ai-sdk'), { abortSignal: task.signal });
