import { describe, expect, it } from 'vitest';
import { fillTemplate, promptsIn } from './prompts.ts';

describe('fillTemplate', () => {
  it('inserts values as they are', () => {
    expect(fillTemplate('<{a}> <{b}>', { a: '{b} $& $1', b: '{a}' })).toBe('<{b} $& $1> <{a}>');
  });

  it('leaves braces alone that it has no value for', () => {
    expect(fillTemplate('{"x": 1} {toString} {a}', { a: 'A' })).toBe('{"x": 1} {toString} A');
  });
});

describe('promptsIn', () => {
  it('reads the folder once, when the first prompt is needed', () => {
    let reads = 0;
    const prompt = promptsIn<'hello' | 'bye'>(() => {
      reads += 1;
      return { 'hello.md': 'Hello {name}.\n', 'bye.md': 'Bye.\n' };
    });
    expect(reads).toBe(0);
    expect([prompt('hello', { name: 'you' }), prompt('bye')]).toEqual(['Hello you.', 'Bye.']);
    expect(reads).toBe(1);
  });
});
