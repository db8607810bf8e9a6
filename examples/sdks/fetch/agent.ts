import type { AgentTask } from 'salvo';

interface Completion {
  model: string;
  choices: { message: { tool_calls?: { id: string; function: { name: string; arguments: string } }[] } }[];
  usage: { prompt_tokens: number; completion_tokens: number };
}

/** A loop without an SDK. The API needs OPENAI_API_KEY. All its messages are returned, and the tokens of all requests. */
export default async function agent(task: AgentTask) {
  const messages: object[] = task.messagesAs('openai');
  const known = messages.length;
  const tools = task.tools.map((tool) => ({ type: 'function', function: tool }));
  const usage = { input_tokens: 0, output_tokens: 0 };
  for (;;) {
    const { model, choices, usage: used } = await complete({ model: 'gpt-4o-mini', messages, tools }, task.signal);
    usage.input_tokens += used.prompt_tokens;
    usage.output_tokens += used.completion_tokens;
    const message = choices[0]?.message ?? {};
    messages.push(message);
    if (!message.tool_calls?.length) return { messages: messages.slice(known), usage, model };
    for (const { id, function: call } of message.tool_calls) {
      const { content } = await task.callTool(call.name, JSON.parse(call.arguments));
      messages.push({ role: 'tool', tool_call_id: id, content });
    }
  }
}

async function complete(body: object, signal: AbortSignal): Promise<Completion> {
  const base = process.env.OPENAI_BASE_URL ?? 'https://api.openai.com/v1';
  const key = process.env.OPENAI_API_KEY;
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  const response = await fetch(`${base}/chat/completions`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    signal,
  });
  // The status tells Salvo that the provider failed, and not the agent.
  if (!response.ok) throw Object.assign(new Error(await response.text()), { status: response.status });
  return (await response.json()) as Completion;
}
