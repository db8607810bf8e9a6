import { expect, test } from 'vitest';
import type { BlueTeam } from '../blue/blue-team.ts';
import { BlueTeamError } from '../blue/blue-team-error.ts';
import { createScannerChecker } from './create-scanner-checker.ts';
import { checkRule } from './rule-checker.ts';

const failing = (code: 'SCANNER_LANGUAGE_UNKNOWN' | 'SCANNER_MISSING'): BlueTeam => ({
  name: 'tfsec',
  analyze: () => Promise.reject(new BlueTeamError(code, 'tfsec reads terraform, not cloudformation.')),
});
const FLAW = { id: 'v1', type: 'encryption', resource: 'Data' };

test('a scanner that does not read the language decides nothing, and the game goes on', async () => {
  const checker = await createScannerChecker(failing('SCANNER_LANGUAGE_UNKNOWN'), { 'template.yaml': 'Resources: {}' });
  expect(await checkRule(checker, FLAW)).toMatchObject({ outcome: 'unchecked', reason: 'tfsec has no rule for it' });
});

test('a scanner that is missing is an error', async () => {
  await expect(createScannerChecker(failing('SCANNER_MISSING'), {})).rejects.toThrow('tfsec reads');
});
