import { generateText, stepCountIs } from 'ai';
import type { AgentTask } from 'salvo';
import { toolsFor } from 'salvo/ai-sdk';
import { model, tools } from './support.ts';

export default (task: AgentTask) =>
  generateText({
    model,
    instructions: task.system,
    messages: task.messagesAs('ai-sdk'),
    tools: toolsFor(task, tools),
    stopWhen: stepCountIs(10),
    abortSignal: task.signal,
  });
