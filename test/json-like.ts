import fc from 'fast-check';

const scores = fc.oneof(fc.double(), fc.jsonValue(), fc.record({ score: fc.oneof(fc.double(), fc.jsonValue()) }));
const votes = fc.dictionary(fc.constantFrom('accuracy', 'cites sources', 'score', 'scores', '__proto__'), scores);

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
  fc
    .tuple(fc.string({ maxLength: 5 }), votes, fc.string({ maxLength: 5 }))
    .map(([before, vote, after]) => `${before}${JSON.stringify(vote)}${after}`),
);
