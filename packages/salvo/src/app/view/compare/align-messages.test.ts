import { describe, expect, it } from 'vitest';
import type { Message } from '../../../trace/message.ts';
import { alignMessages } from './align-messages.ts';

const says = (content: string): Message => ({ role: 'assistant', content, tool_calls: [] });
const asks = (content: string): Message => ({ role: 'user', content });
const calls = (name: string, id: string, given: Record<string, unknown> = {}): Message => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, name, arguments: given }],
});
const answers = (name: string, id: string, content: string): Message => ({
  role: 'tool_result',
  tool_call_id: id,
  name,
  content,
  is_error: false,
});

/** Pairs as `0=0` for the same, `1~1` for alike, `2-` and `-2` for one side only. */
function aligned(base: Message[], next: Message[]): string {
  return alignMessages(base, next)
    .map(({ base: a, next: b, same }) => `${a ?? ''}${a === null || b === null ? '-' : same ? '=' : '~'}${b ?? ''}`)
    .join(' ');
}

describe('two conversations side by side', () => {
  it('are aligned to the end if nothing but the ids of calls differs', () => {
    const course = (id: string) => [asks('Hi'), calls('look_up', id), answers('look_up', id, 'A'), says('Done.')];
    expect(aligned(course('x'), course('y'))).toBe('0=0 1=1 2=2 3=3');
  });

  it('show a call that only one of them has beside nothing', () => {
    const base = [asks('Hi'), calls('look_up', '1'), answers('look_up', '1', 'A'), says('Done.')];
    expect(aligned(base, [asks('Hi'), says('Done.')])).toBe('0=0 1- 2- 3=1');
    expect(aligned([asks('Hi'), says('Done.')], base)).toBe('0=0 -1 -2 1=3');
  });

  it('pair calls of the same tool with other arguments, and keep calls of other tools apart', () => {
    const base = [asks('Hi'), calls('look_up', '1', { id: 1 }), says('Yes.')];
    expect(aligned(base, [asks('Hi'), calls('look_up', '1', { id: 2 }), says('No.')])).toBe('0=0 1~1 2~2');
    expect(aligned(base, [asks('Hi'), calls('refund', '1'), says('No.')])).toBe('0=0 1- -1 2~2');
  });

  it('may have arguments that are nested deeper than a stack is', () => {
    let deep: Record<string, unknown> = {};
    for (let level = 0; level < 20_000; level += 1) deep = { deep };
    expect(aligned([calls('look_up', '1', deep)], [calls('look_up', '1')])).toBe('0~0');
  });

  it('may be empty, or too long to weigh all pairs', () => {
    expect(aligned([], [])).toBe('');
    expect(aligned([], [says('A')])).toBe('-0');
    const long = (word: string) => Array.from({ length: 2100 }, (_, index) => says(`${word} ${index}`));
    expect(alignMessages(long('a'), [...long('b'), says('last')])).toHaveLength(2101);
  });
});
