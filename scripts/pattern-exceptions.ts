/** Regular expressions that are slow on a long text, and why they never see one. */
export const PATTERN_EXCEPTIONS: readonly { file: string; begins: string; reason: string }[] = [
  { file: 'stats/format.ts', begins: '\\B(?=', reason: 'the digits of one number' },
  { file: 'models/scoring/criterion-keys.ts', begins: '^[_-]+', reason: 'cut to 56 characters before' },
  { file: 'match/claims/claim-values.ts', begins: '\\s*(?:-', reason: 'cut to 50 characters before' },
  { file: 'arena/gate/check-attribute.ts', begins: '^["\'[\\s]+', reason: 'a value of at most 502 characters' },
  {
    file: 'arena/blue/scanners/check-tools.ts',
    begins: '\\d+\\.',
    reason: 'the ends of an output, a few thousand characters',
  },
  { file: 'arena/blue/rules/companions.ts', begins: '(?<![\\w.-])', reason: 'a text of at most 2,000 characters' },
  { file: 'arena/blue/rules/companions.ts', begins: '\\$\\{', reason: 'a text of at most 2,000 characters' },
];
