import { expect, test } from 'vitest';
import { toolChoiceOf } from './tool-choice.ts';

test.each([
  ['auto', { type: 'auto' }],
  ['required', { type: 'required' }],
  [{ type: 'none' }, { type: 'none' }],
  [{ type: 'any' }, { type: 'required' }],
  [
    { type: 'function', function: { name: 'look' } },
    { type: 'tool', name: 'look' },
  ],
  [
    { type: 'tool', name: 'look' },
    { type: 'tool', name: 'look' },
  ],
  [undefined, undefined],
  [null, undefined],
  ['sometimes', undefined],
  [{ type: 'tool' }, undefined],
  [42, undefined],
])('tool_choice %o means %o', (tool_choice, choice) => {
  expect(toolChoiceOf({ tool_choice })).toEqual(choice);
});

test('no extras are no choice', () => {
  expect(toolChoiceOf(undefined)).toBeUndefined();
});
