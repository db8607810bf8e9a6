import type { AgentTask } from 'salvo';

interface Completion {
  choices: { message: { tool_calls?: { id: string; function: { name: string; arguments: string } }[] } }[];
}

/** A loop without an SDK. The API needs OPENAI_API_KEY. What it answered is returned, and what the tools did. */
export default async function agent(task: AgentTask) {
  const messages: object[] = task.messagesAs('openai');
  const tools = task.tools.map((tool) => ({ type: 'function', function: tool }));
  const done: object[] = [];
  for (;;) {
    const completion = await complete({ model: 'gpt-6-luna', messages, tools }, task.signal);
    const message = completion.choices[0]?.message ?? {};
    messages.push(message);
    done.push(completion);
    if (!message.tool_calls?.length) return done;
    for (const { id, function: call } of message.tool_calls) {
      const { content } = await task.callTool(call.name, JSON.parse(call.arguments));
      const result = { role: 'tool', tool_call_id: id, content };
      messages.push(result);
      done.push(result);
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
