import { Agent, type Model, type Tool, tool } from '@strands-agents/sdk';
import type { AgentTask } from 'salvo';
import { model, tools } from './support.ts';

/** An agent with a model and tools as a function that Salvo can call. The SDK's result does not name the model. */
export const testable = (model: Model, tools: Tool[]) => async (task: AgentTask) => {
  const { agent, asked } = agentFor(task, model, tools);
  const known = agent.messages.length + asked.length;
  await agent.invoke(asked, { cancelSignal: task.signal });
  return { messages: agent.messages.slice(known), model: model.modelId };
};

export default testable(model, tools);

/** The agent with the history of the task, and what it is asked now. The mocks answer for the tools that they have. */
export function agentFor(task: AgentTask, model: Model, tools: Tool[]) {
  const mocked = tools.map((own) => {
    if (!task.tools.some(({ name }) => name === own.name)) return own;
    return tool({ ...own.toolSpec, callback: (input) => answer(task, own.name, input) });
  });
  const messages = task.messagesAs('bedrock');
  const history = { systemPrompt: task.system, messages: messages.slice(0, -1) };
  return { agent: new Agent({ model, tools: mocked, ...history }), asked: messages.slice(-1) };
}

/** What the mock answers. A tool that fails throws. */
async function answer(task: AgentTask, name: string, input: unknown): Promise<string> {
  const { content, is_error } = await task.callTool(name, { ...Object(input) });
  if (is_error) throw new Error(content);
  return content;
}
