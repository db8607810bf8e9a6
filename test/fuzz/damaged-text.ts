import fc from 'fast-check';

const TOKENS = [
  ...[
    '{',
    '}',
    '[',
    ']',
    '"',
    "'",
    ',',
    ':',
    ': ',
    '- ',
    '\n',
    '\r\n',
    '\t',
    '#',
    '|',
    '>',
    '\\',
    '`',
    '${',
    '%{',
    '<<EOT\n',
  ],
  ...[
    '&a ',
    '*a',
    '<<: *a',
    '!include x',
    '!Ref x',
    '!!int ',
    '---\n',
    '\u0000',
    '\ud800',
    '\ufeff',
    '\u2028',
    '\u202e',
  ],
  ...[
    'null',
    'true',
    '-1',
    '1e999',
    '0.5',
    '.nan',
    '""',
    '[]',
    '{}',
    '__proto__',
    'constructor',
    '"__proto__":{"a":1},',
  ],
  ...['['.repeat(300), '{"a":'.repeat(300), 'x'.repeat(2000)],
];

/** A text that someone damaged in one to four places: cut off, a piece removed, repeated, replaced or inserted. */
export function damagedText(samples: readonly string[]): fc.Arbitrary<string> {
  const damage = fc.record({
    kind: fc.constantFrom('insert', 'replace', 'remove', 'repeat', 'cut'),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.nat(40),
    token: fc.oneof(fc.constantFrom(...TOKENS), fc.string({ unit: 'binary', maxLength: 5 })),
  });
  return fc
    .tuple(fc.constantFrom(...samples), fc.array(damage, { minLength: 1, maxLength: 4 }))
    .map(([sample, damages]) =>
      damages.reduce((text, { kind, at, length, token }) => {
        const start = Math.floor(at * text.length);
        const before = text.slice(0, start);
        const piece = text.slice(start, start + length);
        const after = text.slice(start + length);
        if (kind === 'cut') return before;
        if (kind === 'remove') return before + after;
        if (kind === 'repeat') return before + piece + piece + after;
        return kind === 'insert' ? before + token + piece + after : before + token + after;
      }, sample),
    );
}
