import type { AgentReply, AgentTask } from 'salvo';

/** An agent in this process: its tools are the scenario's mocks, and the trace records every call. */
export default async function agent({ messages, callTool }: AgentTask): Promise<AgentReply> {
  const question = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const city = /in (\w+)/.exec(question)?.[1] ?? 'nowhere';
  const weather = await callTool('get_weather', { city });
  // A real agent reports the tokens of its model, or `cost_usd`: then the cost of the run is known.
  return {
    content: weather.is_error
      ? `I could not find out: ${weather.content}`
      : `The weather in ${city}: ${weather.content}`,
    model: 'gpt-6-luna',
    usage: { input_tokens: 180, output_tokens: 24 },
  };
}
