import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SECRET_BEGINNINGS } from '../../../../test/secret-beginnings.ts';
import { maskSourceLine } from './mask-secrets.ts';
import { createRedactor } from './redactor.ts';

const redactor = createRedactor({ customPatterns: [], secrets: [] });

/** Built from parts, so that no scanner takes this file for a leak. */
const KEY = `sk-${'1234567890abcdef'}`;
const JWT = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxMjM0In0', 'dozjgNryP4J3jVmNHl0w5N'].join('.');
const PEM = `-----BEGIN RSA PRIVATE ${'KEY'}-----`;

describe('whatever the text', () => {
  const part = fc.oneof(
    fc.string(),
    fc.constantFrom(
      KEY,
      JWT,
      PEM,
      'password',
      '"password"',
      '\\"api_key\\"',
      'token',
      'Cookie',
      'Authorization',
      'Bearer ',
    ),
    fc.constantFrom(
      ': ',
      '=',
      ':',
      ' is ',
      '"',
      "'",
      '\\"',
      '\\',
      '\\n',
      '\n',
      ' ',
      '://u:p@',
      'a=b',
      ';',
      ',',
      '{',
      '}',
      'CUST-1',
    ),
    fc.constantFrom(
      '[REDACTED]',
      '[REDACTED:secret]',
      '[REDACTED',
      ':secret]',
      'hunter2hunter2',
      'hunter2',
      '--token ',
    ),
  );
  const text = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));

  test('redacting twice is redacting once', () => {
    // A redactor remembers texts without secrets, so a second one has to reach the same result.
    const options = { customPatterns: ['CUST-\\d+'], secrets: ['hunter2hunter2'] };
    const [first, second] = [createRedactor(options), createRedactor(options)];
    fc.assert(
      fc.property(text, (sample) => {
        const once = first.text(sample);
        expect(second.text(once)).toBe(once);
      }),
      { numRuns: 1000 },
    );
  });

  test('a given secret is in no redacted text, as it is, in JSON, in a URL or in base64', () => {
    const secret = fc.stringMatching(/^[A-Za-z0-9+/._!"\\-]{6,30}[-+!][0-9]$/);
    const encodings = [
      (given: string) => given,
      (given: string) => JSON.stringify({ a: given }),
      (given: string) => `?a=${encodeURIComponent(given)}`,
      (given: string) => Buffer.from(`user:${given}`).toString('base64'),
    ];
    fc.assert(
      fc.property(secret, text, text, fc.constantFrom(...encodings), (given, before, after, encode) => {
        const { text: redact } = createRedactor({ customPatterns: [], secrets: [given] });
        const redacted = redact(`${before} ${encode(given)} ${after}`);
        expect(redacted).not.toContain(given);
        expect(redacted).not.toContain(encode(given));
      }),
      { numRuns: 1000 },
    );
  });

  test('JSON inside a string stays JSON', () => {
    const object = fc.dictionary(fc.oneof(fc.constantFrom('password', 'token', 'Cookie', 'x'), fc.string()), text);
    fc.assert(
      fc.property(object, fc.boolean(), (value, twice) => {
        const json = JSON.stringify(twice ? { body: JSON.stringify(value) } : value);
        const redacted = JSON.parse(redactor.text(json));
        expect(twice ? JSON.parse(redacted.body) : redacted).toBeTypeOf('object');
      }),
      { numRuns: 1000 },
    );
  });

  test.each(SECRET_BEGINNINGS)('a text of nothing but %j is redacted once and for all', (beginning) => {
    const hostile = `${beginning.repeat(Math.ceil(5000 / beginning.length))}(`;
    const once = createRedactor({ customPatterns: [], secrets: [] }).text(hostile);
    expect(redactor.text(once)).toBe(once);
    expect(maskSourceLine(hostile)).toHaveLength(hostile.length);
  });
});
