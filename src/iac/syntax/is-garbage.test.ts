import { describe, expect, it } from 'vitest';
import { isGarbage } from './is-garbage.ts';

describe('isGarbage', () => {
  it.each(['"', '{', '- ', '!\n', '"${', '}{"$'])('holds for %j without end', (signs) => {
    expect(isGarbage(`a = ${signs.repeat(6000)}`)).toBe(true);
  });

  it('does not for code, however long, nor for a ruler in a comment', () => {
    expect(isGarbage('a = [{ b = "c" }]\n'.repeat(10_000))).toBe(false);
    expect(isGarbage(`# ${'-'.repeat(1000)}\na = 1\n`)).toBe(false);
    expect(isGarbage('é'.repeat(10_000))).toBe(false);
  });
});
