import { type Content, GoogleGenAI } from '@google/genai';
import type { AgentTask } from 'salvo';

/** A loop on Google's SDK. The model needs GEMINI_API_KEY. What it answered is returned, and what the tools did. */
export default async function agent(task: AgentTask) {
  const gemini = new GoogleGenAI({});
  const model = 'gemini-2.5-flash';
  const contents: Content[] = task.messagesAs('gemini');
  const functionDeclarations = task.tools.map(({ name, description, parameters: parametersJsonSchema }) => {
    return { name, description, parametersJsonSchema };
  });
  const config = { systemInstruction: task.system, tools: [{ functionDeclarations }], abortSignal: task.signal };
  const done: object[] = [];
  for (;;) {
    const response = await gemini.models.generateContent({ model, contents, config });
    done.push(response);
    const calls = response.functionCalls ?? [];
    if (calls.length === 0) return { messages: done, model };
    const parts = calls.map(async ({ id, name = '', args }) => {
      const { content, is_error } = await task.callTool(name, args);
      return { functionResponse: { id, name, response: { [is_error ? 'error' : 'output']: content } } };
    });
    const results = { role: 'user', parts: await Promise.all(parts) };
    contents.push({ role: 'model', parts: response.candidates?.[0]?.content?.parts ?? [] }, results);
    done.push(results);
  }
}
