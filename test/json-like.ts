import fc from 'fast-check';

/** Anything, but more often than chance would have it something that is nearly a vote. */
export const jsonLike = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.json(),
  fc
    .array(
      fc.oneof(
        fc.constantFrom(
          '{',
          '}',
          '[',
          ']',
          '"',
          ':',
          ',',
          '```',
          '```json\n',
          '\\',
          '\n',
          ' ',
          'NaN',
          '1e999',
          '-5',
          '0.5',
        ),
        fc.constantFrom('"accuracy"', '"score"', '"scores"', '"__proto__"', '{"accuracy":', '{"score":9}', '}}'),
        fc.string({ maxLength: 3 }),
      ),
      { maxLength: 30 },
    )
    .map((parts) => parts.join('')),
);
