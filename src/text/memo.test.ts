import { describe, expect, it } from 'vitest';
import { memoByKey, once } from './memo.ts';

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
