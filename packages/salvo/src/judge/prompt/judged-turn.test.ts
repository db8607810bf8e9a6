import { describe, expect, it } from 'vitest';
import { sampleTrace } from '../../../../../test/sample-trace.ts';
import { createFence } from '../../models/ask/fence.ts';
import type { Turn } from '../../scenario/schema/shared-fields.ts';
import type { JudgedScenario } from './context.ts';
import { judgedMaterial } from './judged-material.ts';
import { renderPart } from './shown-part.ts';

const scenario: JudgedScenario = {
  messages: [
    { role: 'user', content: 'QUESTION-ONE' },
    { role: 'user', content: 'QUESTION-TWO' },
    { role: 'user', content: 'QUESTION-THREE' },
  ],
};

const call = (id: string) => ({ id, name: 'look', arguments: { of: id } });
const trace = sampleTrace({
  messages: [
    { role: 'user', content: 'QUESTION-ONE' },
    { role: 'assistant', content: null, tool_calls: [call('FIRST-CALL')] },
    { role: 'tool_result', tool_call_id: 'FIRST-CALL', name: 'look', content: 'ok', is_error: false },
    { role: 'assistant', content: 'ANSWER-ONE', tool_calls: [] },
    { role: 'user', content: 'QUESTION-TWO' },
    { role: 'assistant', content: 'ANSWER-TWO', tool_calls: [] },
    { role: 'user', content: 'QUESTION-THREE' },
    { role: 'assistant', content: null, tool_calls: [call('LAST-CALL')] },
    { role: 'tool_result', tool_call_id: 'LAST-CALL', name: 'look', content: 'ok', is_error: false },
    { role: 'assistant', content: 'ANSWER-THREE', tool_calls: [] },
  ],
  tool_calls_made: ['FIRST-CALL', 'LAST-CALL'].map((id, index) => ({
    ...{ ...call(id), turn: index + 1, result: 'ok', is_error: false },
  })),
  final_content: 'ANSWER-THREE',
});

const MARKS = /(?:QUESTION|ANSWER)-\w+|\w+-CALL/g;

function seen(turn: Turn | undefined, limit = 200_000, given = trace) {
  const criteria = [{ name: 'a', description: 'b', weight: 1 }];
  const { parts } = judgedMaterial({ criteria, trace: given, scenario, turn }, limit);
  const texts = parts.map((part) => renderPart(part, createFence('f00d'.repeat(4))));
  return { texts, marks: new Set(texts.join('\n').match(MARKS)) };
}

describe('a judge of one turn', () => {
  it('sees what had happened until its end, and nothing that came later', () => {
    const { texts, marks } = seen(2);
    expect([...marks]).toEqual(['QUESTION-ONE', 'QUESTION-TWO', 'ANSWER-TWO', 'FIRST-CALL']);
    expect(texts[0]).toContain('Judge only its answer in turn 2');
    expect(texts[0]).toContain('response in turn 2');
  });

  it('sees no task that the agent made up because the trial went on', () => {
    expect(seen(1).texts[0]).not.toContain('as the Agent Reported It');
  });

  it('sees the same as ever for the last answer', () => {
    expect(seen('last').texts).toEqual(seen(undefined).texts);
    expect(seen(undefined).texts[0]).not.toContain('What is judged');
  });
});

describe('a judge of several turns', () => {
  it.each([
    ['every', 'every one of its answers is judged'],
    ['any', 'one good answer is enough'],
  ] as const)('sees %s answer, and how they count', (turn, note) => {
    const { texts, marks } = seen(turn);
    expect(texts[0]).toContain(note);
    expect(texts[0]).toContain('in 3 turns');
    for (const number of ['ONE', 'TWO', 'THREE']) expect(marks).toContain(`ANSWER-${number}`);
  });

  it('is told so in every part of a long trial', () => {
    const long = { ...trace, final_content: 'x '.repeat(8000) };
    const { texts } = seen('every', 4000, long);
    expect(texts.length).toBeGreaterThan(3);
    for (const text of texts) expect(text).toMatch(/every one of its answers is judged.*## Part \d+ of/s);
  });
});
