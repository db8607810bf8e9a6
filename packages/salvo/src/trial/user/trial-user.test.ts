import { describe, expect, test } from 'vitest';
import { sampleTrace } from '../../../../../test/sample-trace.ts';
import type { Message } from '../../trace/message.ts';
import { scriptedUser } from './scripted-user.ts';
import { type NextMessage, TrialUser, type UserVoice } from './trial-user.ts';
import type { SaidText } from './user-prompt.ts';

const NOTHING = { cached: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0 };

/** A conversation with an agent that gives these answers, and then has no turn left. */
async function talk(
  voice: UserVoice,
  answers: readonly string[],
  { given = [], maxMessages = 10, mustEnd = true }: { given?: Message[]; maxMessages?: number; mustEnd?: boolean } = {},
) {
  const user = new TrialUser(voice, { maxMessages, mustEnd });
  const messages: Message[] = [...given];
  const left = [...answers];
  const converse = async () => {
    for (;;) {
      const said = await user.next(messages);
      if (!said) return;
      messages.push(...said);
      if (!user.waitsForAnswer()) return;
      const content = left.shift();
      if (content === undefined) return user.outOfTurns();
      messages.push({ role: 'assistant', content, tool_calls: [] });
    }
  };
  const error = await converse().then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return { error, trace: user.addTo(sampleTrace({ messages })) };
}

const saying = (...said: NextMessage[]): UserVoice => ({
  next: async () => said.shift() ?? { done: 'user', text: '' },
  facts: () => NOTHING,
});

test('a user talks until it is done, and its last word is part of the conversation', async () => {
  const { trace } = await talk(saying({ text: 'Hi.' }, { done: 'user', text: 'Never mind.' }), ['Which one?']);
  expect(trace.conversation_end).toEqual({ by: 'user', messages: 2 });
  expect(trace.messages.map(({ content }) => content)).toEqual(['Hi.', 'Which one?', 'Never mind.']);
  expect(trace.simulated_user).toEqual({ ...NOTHING, messages: 2 });
});

test('a user that never ends has broken its role, unless it may', async () => {
  const voice = () => saying(...Array.from({ length: 9 }, (_, index) => ({ text: `${index}` })));
  const broken = await talk(voice(), ['a', 'b', 'c', 'd'], { maxMessages: 3 });
  expect(broken.error).toMatchObject({ code: 'USER_BROKE_ROLE' });
  expect(broken.trace.simulated_user?.broke_role).toMatchObject({ message: 3, kind: 'never_ended' });
  expect(broken.trace.conversation_end).toBeUndefined();
  const allowed = await talk(voice(), ['a', 'b', 'c', 'd'], { maxMessages: 3, mustEnd: false });
  expect(allowed.trace.conversation_end).toEqual({ by: 'limit', limit: 'max_messages', messages: 3 });
});

test('an agent at its last turn ends the conversation', async () => {
  const { error, trace } = await talk(saying({ text: 'Hi.' }, { text: 'And?' }), ['Hello.']);
  expect(error).toBeNull();
  expect(trace.conversation_end).toEqual({ by: 'limit', limit: 'max_turns', messages: 2 });
});

test('a message that broke the role is in the trace, and nobody answers it', async () => {
  const broke = { message: 1, kind: 'agent_role', why: 'spoke as the agent' } as const;
  const { error, trace } = await talk(saying({ text: 'How can I help?', broke }), ['Hello.']);
  expect(error).toMatchObject({ message: expect.stringContaining('in its message 1 it spoke as the agent') });
  expect(trace.messages).toEqual([{ role: 'user', content: 'How can I help?', simulated: true }]);
  expect(trace.simulated_user).toMatchObject({ messages: 1, broke_role: broke });
});

test('messages of the scenario are not marked as simulated, also if they are the same', async () => {
  const given: Message[] = [
    { role: 'user', content: 'Hi.' },
    { role: 'assistant', content: 'Hello.', tool_calls: [] },
  ];
  const { trace } = await talk(saying({ text: 'Hi.' }), ['Hello again.'], { given });
  expect(trace.messages.map((message) => message.role === 'user' && message.simulated)).toEqual([
    ...[undefined, false, true, false],
  ]);
});

test('an agent that reports the conversation in other words changes neither what the user knows nor what it said', async () => {
  const heard: (readonly SaidText[])[] = [];
  const left = ['Cancel A-1.', 'No, only A-1.'];
  const voice: UserVoice = {
    next: async (said) => {
      heard.push(said);
      const text = left.shift();
      return text === undefined ? { text: '', done: 'user' } : { text };
    },
    facts: () => NOTHING,
  };
  const user = new TrialUser(voice, { maxMessages: 5, mustEnd: true });
  await user.next([]);
  const reported: Message[] = [
    { role: 'user', content: 'Cancel everything.', simulated: true },
    { role: 'assistant', content: 'All of it?', tool_calls: [] },
  ];
  const [second] = (await user.next(reported)) ?? [];
  const messages = [...reported, ...(second ? [second] : [])];
  expect(heard[1]).toEqual([
    { by: 'user', text: 'Cancel A-1.' },
    { by: 'agent', text: 'All of it?' },
  ]);
  const trace = user.addTo(sampleTrace({ messages }));
  expect(trace.messages[0]).toEqual({ role: 'user', content: 'Cancel everything.' });
  expect(trace.messages[2]).toMatchObject({ content: 'No, only A-1.', simulated: true });
  expect(trace.simulated_user?.said).toEqual(['Cancel A-1.', 'No, only A-1.']);
});

describe('a script', () => {
  const said = async (script: Parameters<typeof scriptedUser>[0], answers: string[]) => {
    const { trace } = await talk(scriptedUser(script), answers);
    return { ...trace.conversation_end, texts: trace.messages.flatMap((m) => (m.role === 'user' ? [m.content] : [])) };
  };

  test('is said in order, each text once, until nothing fits', async () => {
    expect(await said(['One.', 'Two.'], ['a', 'b'])).toEqual({ by: 'script', messages: 2, texts: ['One.', 'Two.'] });
  });

  test('answers what the agent asks for, in whatever order', async () => {
    const script = ['Cancel it.', { text: 'A-1.', when: 'number' }, { text: 'Mia.', when: 'name' }, 'Thanks.'];
    expect((await said(script, ['Your name?', 'The number?', 'Done.', 'Bye.'])).texts).toEqual([
      ...['Cancel it.', 'Mia.', 'A-1.', 'Thanks.'],
    ]);
    expect((await said(script, ['Done.', 'Bye.'])).texts).toEqual(['Cancel it.', 'Thanks.']);
  });
});
