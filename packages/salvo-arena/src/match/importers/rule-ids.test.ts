import { expect, it } from 'vitest';
import { cweIds } from './rule-ids.ts';

it('knows a CWE in every spelling', () => {
  const spellings = [
    '311',
    311,
    'CWE-311',
    'cwe_311',
    'CWE-311: Missing Encryption',
    'external/cwe/cwe-311',
    'CWE-0311',
  ];
  for (const spelling of spellings) expect(cweIds(spelling)).toEqual(['CWE-311']);
});

it('gives each id once, in order, and skips texts without one', () => {
  expect(cweIds(['CWE-798', 'security'], 'CWE-311', null, {}, '', '0', 'CWE-798')).toEqual(['CWE-798', 'CWE-311']);
});
