import { describe, expect, it } from 'vitest';
import { conversationPlan } from './conversation-plan.ts';

const user = (content: string) => ({ role: 'user' as const, content });
const assistant = (content: string) => ({ role: 'assistant' as const, content, tool_calls: [] });

describe('the conversation plan', () => {
  it('is one piece for a prompt, led by the system prompt', () => {
    expect(conversationPlan({ system_prompt: 'Be kind.', prompt: 'Hi' })).toEqual([
      [{ role: 'system', content: 'Be kind.' }, user('Hi')],
    ]);
  });

  it('treats a user message that an assistant message follows as history', () => {
    expect(conversationPlan({ messages: [user('a'), assistant('b'), user('c')] })).toEqual([
      [user('a'), assistant('b'), user('c')],
    ]);
  });

  it('lets the agent answer each of several user messages in a row', () => {
    expect(conversationPlan({ messages: [user('a'), user('b'), user('c')] })).toEqual([
      [user('a')],
      [user('b')],
      [user('c')],
    ]);
  });

  it('sends history, then every open turn', () => {
    expect(conversationPlan({ messages: [user('a'), assistant('b'), user('c'), user('d')] })).toEqual([
      [user('a'), assistant('b'), user('c')],
      [user('d')],
    ]);
  });
});
