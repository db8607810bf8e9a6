import type { AgentTask } from 'salvo';

/** An agent in this process: its tools are the scenario's mocks, and the trace records every call. */
export default async function agent({ messages, callTool }: AgentTask): Promise<string> {
  const question = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const city = /in (\w+)/.exec(question)?.[1] ?? 'nowhere';
  const weather = await callTool('get_weather', { city });
  return weather.is_error ? `I could not find out: ${weather.content}` : `The weather in ${city}: ${weather.content}`;
}
