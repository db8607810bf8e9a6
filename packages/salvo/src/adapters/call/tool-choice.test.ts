import { expect, test } from 'vitest';
import { requestedToolChoice } from './tool-choice.ts';

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
  expect(requestedToolChoice({ tool_choice })).toEqual(choice);
});

test('without extras there is no choice', () => {
  expect(requestedToolChoice(undefined)).toBeUndefined();
});
