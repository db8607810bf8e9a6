import { describe, expect, test } from 'vitest';
import { chosenHref, readChoice } from './grid-choice.ts';

describe('what is chosen on the page of a run', () => {
  test('is in its address, and read from there', () => {
    const choice = { statuses: new Set(['failed', 'crashed'] as const), order: 'worst' as const };
    const href = chosenHref('r1', choice);
    expect(href).toMatch(/^\/runs\/r1\/where\/status=\w+,\w+&order=worst$/);
    expect(readChoice(href.slice('/runs/r1/where/'.length))).toEqual(choice);
    expect(chosenHref('r1', { statuses: new Set(), order: 'file' })).toBe('/runs/r1');
  });

  test('is nothing if the address has unknown words', () => {
    expect(readChoice('status=nice&order=random&x=y')).toEqual({ statuses: new Set(), order: 'file' });
  });
});
