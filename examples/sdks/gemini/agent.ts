import { type Content, type GenerateContentResponse, GoogleGenAI } from '@google/genai';
import type { AgentTask } from 'salvo';

/** A loop on Google's SDK. The model needs GEMINI_API_KEY. All responses are returned, with their tokens. */
export default async function agent(task: AgentTask) {
  const gemini = new GoogleGenAI({});
  const contents: Content[] = task.messagesAs('gemini');
  const known = contents.length;
  const functionDeclarations = task.tools.map(({ name, description, parameters: parametersJsonSchema }) => {
    return { name, description, parametersJsonSchema };
  });
  const config = { systemInstruction: task.system, tools: [{ functionDeclarations }], abortSignal: task.signal };
  const usage = { input_tokens: 0, output_tokens: 0 };
  for (;;) {
    const response = await gemini.models.generateContent({ model: 'gemini-2.5-flash', contents, config });
    usage.input_tokens += response.usageMetadata?.promptTokenCount ?? 0;
    usage.output_tokens += response.usageMetadata?.candidatesTokenCount ?? 0;
    contents.push(answerOf(response));
    const calls = response.functionCalls ?? [];
    if (calls.length === 0) return { contents: contents.slice(known), usage, model: 'gemini-2.5-flash' };
    const parts = calls.map(async ({ id, name = '', args }) => {
      const { content, is_error } = await task.callTool(name, args);
      return { functionResponse: { id, name, response: { [is_error ? 'error' : 'output']: content } } };
    });
    contents.push({ role: 'user', parts: await Promise.all(parts) });
  }
}

function answerOf({ candidates }: GenerateContentResponse): Content {
  const content = candidates?.[0]?.content;
  if (!content) throw new Error('The model gave no answer.');
  return content;
}
