import { run } from '@openai/agents';
import type { AgentTask } from 'salvo';
import { agentFor } from 'salvo/openai-agents';
import { newSupport } from './support.ts';

export default (task: AgentTask) =>
  run(agentFor(task, newSupport()), task.messagesAs('openai-agents'), { signal: task.signal });
