import { describe, expect, it } from 'vitest';
import type { Message } from '../../trace/message.ts';
import { judgedTask, withoutTask } from './judged-task.ts';

const traceOf = (...users: string[]): { messages: Message[] } => ({
  messages: users.flatMap((content): Message[] => [
    { role: 'user', content },
    { role: 'assistant', content: 'Yes.', tool_calls: [] },
  ]),
});
const turns = (...users: string[]) => ({ messages: users.map((content) => ({ role: 'user' as const, content })) });

describe('the task that a judge sees', () => {
  it("is the scenario's, not what an agent put into the trace it returned", () => {
    expect(judgedTask(traceOf('Say hello.'), { prompt: 'Find the cat.' })).toEqual({
      messages: ['Find the cat.'],
      reported: ['Say hello.'],
    });
  });

  it('has every turn of the scenario, and nothing is reported when the trace has the same', () => {
    const scenario = turns('First.', 'Second.');
    expect(judgedTask(traceOf('First.', 'Second.'), scenario)).toEqual({
      messages: ['First.', 'Second.'],
      reported: null,
    });
  });

  it.each([
    ['none of the turns', traceOf()],
    ['only the first turns, because the agent ran out of its own', traceOf('First.')],
    ['only the last turn', traceOf('Second.')],
    ['other spaces', traceOf(' First.\n', 'Second.')],
  ])('is as reported when the trace has %s', (_, trace) => {
    expect(judgedTask(trace, turns('First.', 'Second.')).reported).toBeNull();
  });

  it.each([
    ['another turn', traceOf('First.', 'Third.')],
    ['a turn more', traceOf('First.', 'Second.', 'Third.')],
    ['another order', traceOf('Second.', 'First.')],
  ])('is reported differently when the trace has %s', (_, trace) => {
    expect(judgedTask(trace, turns('First.', 'Second.')).reported).not.toBeNull();
  });

  it('is the same when only a secret was redacted from the stored trace', () => {
    const scenario = { prompt: 'Use the key sk-12345 for me, and sk-67890 for him.' };
    const reportedAs = (text: string) => judgedTask(traceOf(text), scenario).reported;
    expect(reportedAs('Use the key [REDACTED:api_key] for me, and [REDACTED] for him.')).toBeNull();
    expect(reportedAs('Use the key [REDACTED:api_key] for him.')).toBeNull();
    expect(reportedAs('Use no key [REDACTED:api_key] for me, and [REDACTED] for him.')).not.toBeNull();
    expect(reportedAs('Use the key [REDACTED] for her.')).not.toBeNull();
  });

  it("is the trace's where no scenario says one", () => {
    expect(judgedTask(traceOf('Please.'), undefined)).toEqual({ messages: ['Please.'], reported: null });
    expect(judgedTask(traceOf('Please.'), { system_prompt: 'Be kind.' }).messages).toEqual(['Please.']);
    expect(judgedTask(traceOf('Please.'), withoutTask({ prompt: 'Other.' })).messages).toEqual(['Please.']);
  });
});
