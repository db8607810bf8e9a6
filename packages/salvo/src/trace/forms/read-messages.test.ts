import { describe, expect, test } from 'vitest';
import { MESSAGE_FORMS } from '../../../../../test/message-forms.ts';
import { FormError } from './form-error.ts';
import { readReply } from './read-reply.ts';

const messagesOf = (reply: unknown) => readReply(reply, 'call')?.conversation.messages;
const call = { id: 'c1', name: 'look', arguments: { at: 'it' } };
const asked = { role: 'assistant', content: 'Let me look.', reasoning: 'hm', tool_calls: [call] };
const answered = { role: 'tool_result', tool_call_id: 'c1', name: 'look', content: 'a cat', is_error: false };
const failed = { ...answered, content: 'too dark', is_error: true };
const done = { role: 'assistant', content: 'A cat.', tool_calls: [] };
const task = { role: 'user', content: 'What is it?\n[image]' };

describe.each(Object.entries(MESSAGE_FORMS))('a conversation in the form of %s', (_, form) => {
  test('is read in full', () => {
    expect(messagesOf(form('answered'))).toEqual([task, asked, answered, done]);
    expect(messagesOf({ messages: form('answered') })).toEqual([task, asked, answered, done]);
  });

  test('keeps the error of a tool', () => {
    expect(messagesOf(form('failed'))).toEqual([task, asked, failed, done]);
  });

  test('can be mixed with others, message by message', () => {
    const ours = [{ role: 'system', content: 'Be kind.' }, ...form('answered'), { role: 'user', content: 'Thanks.' }];
    expect(messagesOf(ours)?.slice(1, -1)).toEqual([task, asked, answered, done]);
  });
});

describe('what is not known is refused with its type and place', () => {
  test.each([
    [
      [{ role: 'assistant', content: [{ type: 'text', text: 'x' }, { type: 'foo' }] }],
      'messages[0].content[1] has the type "foo"',
    ],
    [[{ role: 'assistant', content: [{ txt: 'x' }] }], 'messages[0].content[0] has no "type"'],
    [[{ role: 'assistant', parts: [{ type: 'bar' }] }], 'messages[0].parts[0] has the type "bar"'],
    [[{ role: 'assistant', parts: [{ type: 'tool-x', state: 'odd' }] }], 'messages[0].parts[0] has the state "odd"'],
    [
      [{ role: 'assistant', parts: [{ type: 'text', content: 'x' }, { type: 'odd' }] }],
      'messages[0].parts[1] has the type "odd"',
    ],
    [[{ role: 'model', parts: [{ videoMetadata: {} }] }], 'messages[0].parts[0] has none of the fields'],
    [[{ type: 'item_reference', id: 'x' }], 'messages[0] has the type "item_reference"'],
    [[{ type: 'web_thing_call' }], 'messages[0] has the type "web_thing_call"'],
    [{ output: [{ type: 'new_call' }] }, 'output[0] has the type "new_call"'],
    [{ steps: [{ content: [{ type: 'hologram' }] }] }, 'steps[0].content[0] has the type "hologram"'],
    [[{ role: 'user', content: [{ type: 'tool_use', name: 'x' }] }], 'is a tool call in a message of the role user'],
    [
      [{ role: 'tool', content: [{ type: 'tool-result', toolName: 'x', output: { type: 'odd', value: 1 } }] }],
      'messages[0].content[0].output has the type "odd"',
    ],
    [[{ role: 'assistant', content: [{ type: 'tool-call', input: {} }] }], 'messages[0].content[0].toolName'],
    [[{ role: 'robot', content: 'x' }], 'messages[0].role: expected a message whose role'],
    [['text'], 'messages[0]: expected a message'],
    [[{ role: 'assistant', content: [{ type: '__proto__' }] }], 'has the type "__proto__"'],
    [[{ type: 'constructor' }], 'has the type "constructor"'],
  ])('%j', (reply, problem) => {
    expect(() => readReply(reply, 'call')).toThrow(FormError);
    expect(() => readReply(reply, 'call')).toThrow(problem);
  });
});
