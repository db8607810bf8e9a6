import type { AgentTask } from 'salvo';
import { agentFor } from 'salvo/ai-sdk';
import { support } from './support.ts';

export default (task: AgentTask) =>
  agentFor(task, support).generate({ messages: task.messagesAs('ai-sdk'), abortSignal: task.signal });
