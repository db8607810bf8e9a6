/** Regular expressions that are slow on a long text, and why they never see one. */
export const PATTERN_EXCEPTIONS: readonly { file: string; begins: string; reason: string }[] = [
  { file: 'salvo/src/stats/format.ts', begins: '\\B(?=', reason: 'the digits of one number' },
  { file: 'salvo/src/models/scoring/criterion-keys.ts', begins: '^[_-]+', reason: 'cut to 56 characters before' },
  { file: 'salvo-arena/src/match/claims/claim-values.ts', begins: '\\s*(?:-', reason: 'cut to 50 characters before' },
  {
    file: 'salvo-arena/src/gate/check-attribute.ts',
    begins: '^["\'[\\s]+',
    reason: 'a value of at most 502 characters',
  },
  {
    file: 'salvo-arena/src/blue/scanners/check-tools.ts',
    begins: '\\d+\\.',
    reason: 'the ends of an output, a few thousand characters',
  },
  {
    file: 'salvo-arena/src/blue/rules/companions.ts',
    begins: '(?<![\\w.-])',
    reason: 'a text of at most 2,000 characters',
  },
  { file: 'salvo-arena/src/blue/rules/companions.ts', begins: '\\$\\{', reason: 'a text of at most 2,000 characters' },
];
