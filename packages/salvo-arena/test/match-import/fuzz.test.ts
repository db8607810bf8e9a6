import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isThorough, tried, triedOf } from '../../../../test/thorough.ts';
import { findingSchema } from '../../src/match/claims/finding.ts';
import { JudgeError } from '../../src/match/claims/judge-error.ts';
import { vulnerabilitySchema } from '../../src/match/claims/vulnerability.ts';
import { readFindings, readFindingsFromText } from '../../src/match/read-findings.ts';
import { readManifest } from '../../src/match/read-manifest.ts';
import { untyped } from '../match/untyped.ts';
import { REPORT_NAMES, report, reportText } from './report-fixture.ts';

const FILES = [...REPORT_NAMES, 'cdk-nag.csv', 'findings.json', 'findings.jsonl', 'manifest.json'];
const CUTS = isThorough() ? 100 : 20;

/** Expects findings that satisfy the schema, or a JudgeError with a message. */
function expectVerdict(read: () => unknown): void {
  try {
    findingSchema.array().parse(read());
  } catch (error) {
    if (!(error instanceof JudgeError)) throw error;
    expect(error.message).not.toBe('');
    expect(error.message.length).toBeLessThan(1000);
  }
}

function expectManifestVerdict(read: () => { vulnerabilities: unknown }): void {
  try {
    vulnerabilitySchema.array().parse(read().vulnerabilities);
  } catch (error) {
    if (!(error instanceof JudgeError)) throw error;
  }
}

/** Every value that differs from the report in one place. */
function* mutants(value: unknown, replace: (old: unknown) => unknown): Generator<unknown> {
  yield replace(value);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    for (const changed of mutants(inner, replace)) {
      yield Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed };
    }
  }
}

const REPLACEMENTS: Record<string, (old: unknown) => unknown> = {
  null: () => null,
  'a number': () => -1.5,
  'a text': () => '\u0000x[{.%',
  'an empty list': () => [],
  'a list of it': (old) => [old],
  'a list of nothing': () => [null],
  'an object': () => ({}),
  'an object with a prototype': () => JSON.parse('{"__proto__": {"x": 1}, "constructor": null, "toString": 1}'),
  true: () => true,
};

describe.each(FILES)('%s', (name) => {
  test('cut off anywhere is either read or refused', () => {
    const text = reportText(name);
    const step = Math.max(1, Math.floor(text.length / CUTS));
    for (let length = 0; length < text.length; length += step) {
      expectVerdict(() => readFindings(text.slice(0, length)));
      expectManifestVerdict(() => readManifest(text.slice(0, length)));
    }
  });

  test('a report that was cut off is never read as if it were whole', () => {
    const text = name.endsWith('l') ? JSON.stringify(reportText(name).split('\n')) : reportText(name).trimEnd();
    expect(() => readFindings(text.slice(0, -1))).toThrow(JudgeError);
  });
});

describe.each(FILES.filter((name) => name.endsWith('.json')))('%s', (name) => {
  test('with any value of another type is either read or refused', () => {
    for (const replace of Object.values(REPLACEMENTS)) {
      for (const mutant of triedOf([...mutants(report(name), replace)])) {
        expectVerdict(() => untyped(readFindings)(mutant));
        expectManifestVerdict(() => untyped(readManifest)(mutant));
      }
    }
  });
});

test('a report with changed characters is either read or refused', () => {
  const change = fc.record({
    name: fc.constantFrom(...FILES),
    at: fc.nat(20_000),
    length: fc.nat(30),
    piece: fc.constantFrom(
      '',
      '{',
      '}',
      '[',
      ']',
      '"',
      ',',
      ':',
      '\\',
      '\n',
      '\u0000',
      '\ud800',
      '1e999',
      '__proto__',
      'null',
    ),
  });
  fc.assert(
    fc.property(change, ({ name, at, length, piece }) => {
      const text = reportText(name);
      const start = at % text.length;
      const changed = text.slice(0, start) + piece + text.slice(start + length);
      expectVerdict(() => readFindings(changed));
      expectVerdict(() => readFindingsFromText(changed));
    }),
    { numRuns: tried(1000) },
  );
});

test('any value and any text is either read or refused', () => {
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }), fc.json()), (input) => {
      expectVerdict(() => untyped(readFindings)(input));
      expectManifestVerdict(() => untyped(readManifest)(input));
      expectVerdict(() => readFindingsFromText(typeof input === 'string' ? input : JSON.stringify(input)));
    }),
    { numRuns: tried(1000) },
  );
});

test('objects get no new fields from a report', () => {
  const hostile =
    '{"findings": [{"type": "x", "resource": "y", "__proto__": {"polluted": true}}], "__proto__": {"polluted": true}}';
  readFindings(hostile);
  readFindingsFromText(hostile);
  readManifest(hostile.replace('findings', 'vulnerabilities'));
  expect('polluted' in {}).toBe(false);
});
