import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { displayWidth } from '../../../../salvo/src/text/output/safe-text.ts';
import { teamLabels } from './team-labels.ts';

describe('labels of teams', () => {
  test('are the names where they fit', () => {
    expect(teamLabels(['rules', 'checkov'], 20)('checkov')).toBe('checkov');
  });

  test('keep the end of a name, where commands differ', () => {
    const names = ['command:node scan.mjs --strict {dir}', 'command:node scan.mjs --loose {dir}'];
    const labels = names.map(teamLabels(names, 24));
    expect(labels).toEqual(['node scan.mjs --strict', 'node scan.mjs --loose']);
    expect(new Set(labels).size).toBe(2);
  });

  test('are numbered when they are equal otherwise', () => {
    const names = ['llm:aaaa-x-bbbb', 'llm:aaaa-y-bbbb', 'llm:aaaa-z-bbbb'];
    expect(names.map(teamLabels(names, 9))).toEqual(['llm:…bbbb', 'llm…bb #2', 'llm…bb #3']);
  });

  test('fit, are distinct, and contain no control characters', () => {
    const names = fc.uniqueArray(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).filter((text) => text.trim() !== ''),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(names, fc.integer({ min: 8, max: 40 }), (list, max) => {
        const labels = list.map(teamLabels(list, max));
        expect(new Set(labels).size).toBe(list.length);
        for (const label of labels) expect(displayWidth(label)).toBeLessThanOrEqual(max);
        expect(labels.join('')).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
      }),
    );
  });
});
