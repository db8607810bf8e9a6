import { describe, expect, it } from 'vitest';
import { saysItIsAbsent, speaksOfAbsence } from './claim-words.ts';

describe('a claim that something is missing', () => {
  it.each([
    'The bucket has no policy.',
    'Encryption is disabled',
    'Versioning isn’t on: it is not configured',
    'unencrypted volume',
    'lacks logging',
    'The default is used',
  ])('%s', (text) => {
    expect(speaksOfAbsence(text)).toBe(true);
  });

  it.each(['The database is publicly accessible.', 'Uses the ACL public-read', 'Port 22 is open to the world'])(
    'is not: %s',
    (text) => {
      expect(speaksOfAbsence(text)).toBe(false);
    },
  );

  it('names the missing thing before or after the word', () => {
    expect(saysItIsAbsent('There is no access_logs block.', 'access_logs')).toBe(true);
    expect(saysItIsAbsent('AccessLogs is not configured here.', 'access_logs')).toBe(true);
    expect(saysItIsAbsent('access_logs attribute is missing', 'access_logs')).toBe(true);
    expect(saysItIsAbsent('The policy has no condition.', 'policy')).toBe(false);
    expect(saysItIsAbsent('access_logs go to a bucket that is not encrypted', 'access_logs')).toBe(false);
    expect(saysItIsAbsent('nothing at all', '')).toBe(false);
  });
});
