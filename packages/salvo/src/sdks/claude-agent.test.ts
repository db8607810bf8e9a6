import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Message } from '../trace/message.ts';
import { messagesOf, queryFor, toolsFor } from './claude-agent.ts';

function taskOf(conversation: string, messages: Message[]) {
  const abort = new AbortController();
  return { task: { conversation, messages, system: 'Be brief.', signal: abort.signal }, abort };
}

const user = (content: string): Message => ({ role: 'user', content });
const said: Message = { role: 'assistant', content: 'Yes.', tool_calls: [] };

test('the first turn of a trial begins a session, and the next one resumes it', () => {
  const first = queryFor(taskOf('id-1', [user('One?')]).task, { model: 'm' });
  expect(first).toMatchObject({
    prompt: 'One?',
    options: { model: 'm', systemPrompt: 'Be brief.', sessionId: 'id-1' },
  });
  const second = queryFor(taskOf('id-1', [user('One?'), said, user('Two?')]).task, { systemPrompt: 'Own.' });
  expect(second).toMatchObject({ prompt: 'Two?', options: { systemPrompt: 'Own.', resume: 'id-1' } });
  expect(second.options).not.toHaveProperty('sessionId');
});

test('answers that Claude did not give cannot be resumed', () => {
  const { task } = taskOf('id-2', [user('One?'), said, user('Two?')]);
  expect(() => queryFor(task)).toThrow('cannot be given earlier answers of the agent');
});

test('the end of the trial ends the query', () => {
  const { task, abort } = taskOf('id-3', [user('One?')]);
  const { options } = queryFor(task);
  abort.abort(new Error('out of time'));
  expect(options.abortController.signal.reason).toEqual(new Error('out of time'));
});

test('tools of MCP servers lose the name of the server, and nothing else changes', async () => {
  async function* query() {
    yield { type: 'system', subtype: 'init' };
    const content = [
      { type: 'text', text: 'mcp__shop__lookup' },
      { type: 'tool_use', id: '1', name: 'mcp__my__shop__look__up', input: {} },
      { type: 'tool_use', id: '2', name: 'Read', input: {} },
      { type: 'tool_use', id: '3', name: 7 },
      null,
    ];
    yield { type: 'assistant', message: { role: 'assistant', content } };
    yield { type: 'user', message: { role: 'user', content: 'mcp__shop__lookup' } };
    yield { type: 'assistant', message: null };
  }
  const messages = await Array.fromAsync(messagesOf(query()));
  expect(messages).toHaveLength(4);
  expect(messages[1]).toMatchObject({
    message: { content: [{}, { name: 'shop__look__up' }, { name: 'Read' }, {}, null] },
  });
  expect(messages[2]).toMatchObject({ message: { content: 'mcp__shop__lookup' } });
});

const callTool = async () => ({ content: 'gone', is_error: true });

test('a tool of the scenario has the fields of its schema, and a failure is an answer that says so', async () => {
  const parameters = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
  const [tool] = toolsFor({ tools: [{ name: 'look_up', description: 'Looks.', parameters }], callTool });
  expect(z.toJSONSchema(z.object(tool?.inputSchema))).toMatchObject(parameters);
  expect(await tool?.handler({ id: 1 }, {})).toEqual({ content: [{ type: 'text', text: 'gone' }], isError: true });
});

test.each([
  ['no object', { type: 'string' }, 'must have "type": "object"'],
  ['a reference that leads nowhere', { $ref: '#/nowhere' }, 'cannot be given to the Claude Agent SDK'],
])('parameters that are %s', (_, parameters, problem) => {
  const tools = [{ name: 'look_up', description: '', parameters }];
  expect(() => toolsFor({ tools, callTool })).toThrow(problem);
});
