import { type Content, type FunctionCall, GoogleGenAI, type Part } from '@google/genai';
import type OpenAI from 'openai';
import type { AgentTask } from '../../packages/salvo/src/index.ts';

// Loops that give the chunks of their model to Salvo as they come, and what the tools did between them.

/** The events of a stream of an API that speaks server-sent events. */
async function* eventsOf(response: Response) {
  const text = response.body?.pipeThrough(new TextDecoderStream()) ?? [];
  let waiting = '';
  for await (const piece of text) {
    const events = `${waiting}${piece}`.split('\n\n');
    waiting = events.pop() ?? '';
    yield* events.filter((event) => event.startsWith('data: {')).map((event) => JSON.parse(event.slice(6)));
  }
}

export function fetchLoop(url: string) {
  return async function* agent(task: AgentTask) {
    const messages: object[] = task.messagesAs('openai');
    const tools = task.tools.map((tool) => ({ type: 'function', function: tool }));
    for (;;) {
      const body = { model: 'gpt-6-luna', messages, tools, stream: true, stream_options: { include_usage: true } };
      const headers = { 'content-type': 'application/json' };
      const request = { method: 'POST', headers, body: JSON.stringify(body), signal: task.signal };
      const calls: OpenAI.ChatCompletionMessageFunctionToolCall[] = [];
      for await (const chunk of eventsOf(await fetch(`${url}/v1/chat/completions`, request))) {
        yield chunk;
        addCalls(calls, chunk);
      }
      if (calls.length === 0) return;
      messages.push({ role: 'assistant', content: null, tool_calls: calls });
      for (const { id, function: call } of calls) {
        const { content } = await task.callTool(call.name, JSON.parse(call.arguments));
        const result = { role: 'tool', tool_call_id: id, content };
        messages.push(result);
        yield result;
      }
    }
  };
}

function addCalls(calls: OpenAI.ChatCompletionMessageFunctionToolCall[], chunk: OpenAI.ChatCompletionChunk): void {
  for (const { index, id = '', function: piece } of chunk.choices[0]?.delta.tool_calls ?? []) {
    const call = calls[index] ?? { id, type: 'function', function: { name: piece?.name ?? '', arguments: '' } };
    calls[index] = call;
    call.function.arguments += piece?.arguments ?? '';
  }
}

export function geminiLoop(url: string) {
  const gemini = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: url } });
  return async function* agent(task: AgentTask) {
    const contents: Content[] = task.messagesAs('gemini');
    const functionDeclarations = task.tools.map(({ name, description, parameters: parametersJsonSchema }) => {
      return { name, description, parametersJsonSchema };
    });
    const config = { systemInstruction: task.system, tools: [{ functionDeclarations }], abortSignal: task.signal };
    for (;;) {
      const calls: FunctionCall[] = [];
      const said: Part[] = [];
      const request = { model: 'gemini-2.5-flash', contents, config };
      for await (const response of await gemini.models.generateContentStream(request)) {
        // The server of the tests does not name its model.
        yield { modelVersion: request.model, ...response };
        calls.push(...(response.functionCalls ?? []));
        said.push(...(response.candidates?.[0]?.content?.parts ?? []));
      }
      if (calls.length === 0) return;
      const parts = calls.map(async ({ id, name = '', args }) => {
        const { content, is_error } = await task.callTool(name, args);
        return { functionResponse: { id, name, response: { [is_error ? 'error' : 'output']: content } } };
      });
      const results = { role: 'user', parts: await Promise.all(parts) };
      contents.push({ role: 'model', parts: said }, results);
      yield results;
    }
  };
}
