import { describe, expect, it } from 'vitest';
import { checkManifest } from './manifest-check.ts';

const vulnerabilities = [
  { id: 'v1', found: true },
  { id: 'v2', found: false },
  { id: 'v3', found: true },
  { id: 'v4', found: false },
];
const outcome = { manifestAccuracy: 0.5, phantoms: ['v3', 'v4'], adjustedRecall: 0.5, phantomConcordance: 0.5 };

describe('checkManifest', () => {
  it('accepts the ids of what is in the code', () => {
    expect(checkManifest(['v1', 'v2'], vulnerabilities)).toEqual(outcome);
    expect(checkManifest(new Set(['v1', 'v2']), vulnerabilities)).toEqual(outcome);
  });

  it('accepts true or false for each vulnerability', () => {
    expect(checkManifest([true, true, false, false], vulnerabilities)).toEqual(outcome);
    expect(checkManifest({ v1: true, v2: true, v3: false, v4: false }, vulnerabilities)).toEqual(outcome);
  });

  it('leaves out vulnerabilities that were not checked', () => {
    expect(checkManifest({ v1: true, v4: false }, vulnerabilities)).toEqual({
      manifestAccuracy: 0.5,
      phantoms: ['v4'],
      adjustedRecall: 1,
      phantomConcordance: 0,
    });
  });

  it('has no rate with a denominator of 0', () => {
    expect(checkManifest([], vulnerabilities)).toMatchObject({ manifestAccuracy: 0, adjustedRecall: null });
    expect(checkManifest(['v1', 'v2', 'v3', 'v4'], vulnerabilities)).toMatchObject({
      phantoms: [],
      phantomConcordance: null,
    });
    expect(checkManifest({}, vulnerabilities)).toMatchObject({ manifestAccuracy: null, phantoms: [] });
    expect(checkManifest([], [])).toEqual({
      manifestAccuracy: null,
      phantoms: [],
      adjustedRecall: null,
      phantomConcordance: null,
    });
  });

  it('counts each vulnerability of a shared id', () => {
    const sharedId = [
      { id: 'v', found: true },
      { id: 'v', found: false },
    ];
    expect(checkManifest(['v'], sharedId)).toMatchObject({ manifestAccuracy: 1, adjustedRecall: 0.5 });
    expect(checkManifest([true, false], sharedId)).toMatchObject({ manifestAccuracy: 0.5, adjustedRecall: 1 });
  });

  it.each([
    [['v1', 'V2'], 'no vulnerability with the id "V2"'],
    [{ toString: true }, 'no vulnerability with the id "toString"'],
    [[true], '1 entries for 4 vulnerabilities'],
    [JSON.parse('["v1", 2]'), 'all ids, or all true or false'],
    [JSON.parse('[true, true, "v1", false]'), 'all ids, or all true or false'],
    [JSON.parse('{"v1": "yes"}'), 'all ids, or all true or false'],
    [JSON.parse('"v1"'), 'neither a list nor an object'],
  ])('refuses %j', (confirmed, message) => {
    expect(() => checkManifest(confirmed, vulnerabilities)).toThrow(message);
    expect(() => checkManifest(confirmed, vulnerabilities)).toThrow(
      expect.objectContaining({ code: 'OPTIONS_INVALID' }),
    );
  });
});
