import { describe, expect, it, vi } from 'vitest';
import { memoByKey, memoByWord, once } from './memo.ts';

describe('once', () => {
  it('makes the result when it is first needed, and only then', () => {
    let calls = 0;
    const result = once(() => {
      calls += 1;
      return undefined;
    });
    expect(calls).toBe(0);
    expect([result(), result()]).toEqual([undefined, undefined]);
    expect(calls).toBe(1);
  });
});

describe('memoByKey', () => {
  it('makes one result for every key, also when it is null', () => {
    const asked: string[] = [];
    const lookUp = memoByKey((key) => {
      asked.push(key);
      return key === 'none' ? null : key.length;
    });
    expect(['one', 'none', 'one', 'none'].map(lookUp)).toEqual([3, null, 3, null]);
    expect(asked).toEqual(['one', 'none']);
  });
});

describe('a memo by word', () => {
  it('asks once for a word', () => {
    const compute = vi.fn((word: string) => word.length);
    const lengthOf = memoByWord(compute);
    expect([lengthOf('bucket'), lengthOf('bucket'), lengthOf('key')]).toEqual([6, 6, 3]);
    expect(compute).toHaveBeenCalledTimes(2);
  });

  it('does not mistake the names of an object for words it knows', () => {
    const lengthOf = memoByWord((word) => word.length);
    expect([lengthOf('__proto__'), lengthOf('constructor')]).toEqual([9, 11]);
  });

  it('forgets rather than grow without end, and stays right', () => {
    const compute = vi.fn((word: string) => word);
    const same = memoByWord(compute);
    for (let n = 0; n < 50_000; n += 1) same(`w${n}`);
    expect(same('w0')).toBe('w0');
    expect(compute).toHaveBeenCalledTimes(50_001);
  });
});
