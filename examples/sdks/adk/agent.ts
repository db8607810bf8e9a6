import { BasePlugin, type BaseTool, InMemorySessionService, type LlmAgent, type RunConfig, Runner } from '@google/adk';
import type { AgentTask } from 'salvo';
import { support } from './support.ts';

const sessionService = new InMemorySessionService();

/** The agent as a function that Salvo can call. Its session is that of the trial. */
export const testable = (agent: LlmAgent, runConfig?: RunConfig) =>
  async function* (task: AgentTask) {
    const session = { appName: 'support', userId: 'salvo', sessionId: task.conversation };
    await sessionService.getOrCreateSession(session);
    const runner = new Runner({ appName: 'support', agent, sessionService, plugins: [new Mocks(task)] });
    const text = task.messages.findLast(({ role }) => role === 'user')?.content ?? '';
    const asked = { ...session, newMessage: { role: 'user', parts: [{ text }] }, abortSignal: task.signal, runConfig };
    // The SDK does not say which model answered.
    const modelVersion = agent.canonicalModel.model;
    for await (const event of runner.runAsync(asked)) yield { modelVersion, ...event };
  };

export default testable(support);

/** Answers the tools that the scenario mocks, in place of the real ones. */
class Mocks extends BasePlugin {
  readonly task: AgentTask;

  constructor(task: AgentTask) {
    super('mocks');
    this.task = task;
  }

  override async beforeToolCallback({ tool, toolArgs }: { tool: BaseTool; toolArgs: Record<string, unknown> }) {
    if (!this.task.tools.some(({ name }) => name === tool.name)) return undefined;
    const { content, is_error } = await this.task.callTool(tool.name, toolArgs);
    return is_error ? { error: content } : asObject(content);
  }
}

/** As the SDK does with what a tool returns. */
function asObject(content: string): Record<string, unknown> {
  return content.startsWith('{') ? JSON.parse(content) : { result: content };
}
