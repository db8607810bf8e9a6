import { describe, expect, test } from 'vitest';
import { maskSourceLine } from '../../../salvo/src/secrets/mask-secrets.ts';
import { createRedactor } from '../../../salvo/src/secrets/redactor.ts';
import { isSecretName } from '../../../salvo/src/secrets/secret-names.ts';
import { KEY_LIKE } from '../../../salvo/src/secrets/secret-shapes.ts';
import { createRulesBlue } from '../../src/blue/rules/rules-blue.ts';
import { checkManifest } from '../../src/gate/check-manifest.ts';

const LETTERS = 'aB3dE5gH7jK9mN1pQ2sT4vW6yZ8bC0dF3gH5jK7';

/** Built from parts, so that no scanner takes this file for a leak. By the prefix in the list of shapes. */
const SAMPLES: Record<string, string> = {
  'sk-': `sk-proj-${LETTERS}`,
  '[spr]k_': `sk_live_${LETTERS}`,
  whsec_: `whsec_${LETTERS}`,
  'gh[pousr]_': `ghp_${LETTERS.slice(0, 36)}`,
  github_pat_: `github_pat_${LETTERS}`,
  'glpat-': `glpat-${LETTERS.slice(0, 20)}`,
  'do[opr]_v1_': `dop_v1_${'0123456789abcdef'.repeat(4)}`,
  npm_: `npm_${LETTERS.slice(0, 36)}`,
  hf_: `hf_${LETTERS.slice(0, 34)}`,
  gsk_: `gsk_${LETTERS}${LETTERS}`,
  'xai-': `xai-${LETTERS}${LETTERS}`,
  AIza: `AIza${LETTERS.slice(0, 35)}`,
  'xox[a-z]-': `xoxb-123456789012-${LETTERS}`,
  'xapp-': `xapp-1-A123-${LETTERS}`,
  'SG\\.': `SG.${LETTERS.slice(0, 22)}.${LETTERS}${LETTERS.slice(0, 4)}`,
  'ya29\\.': `ya29.a0${LETTERS}`,
  'SK[0-9a-f]{8}': `SK${'0123456789abcdef'.repeat(2)}`,
  'A[KS]IA': `AKIA${'QWERTYUIOPASDFGH'}`,
};

const OTHER_FORMS = [
  ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxMjM0In0', 'dozjgNryP4J3jVmNHl0w5N'].join('.'),
  `postgres://app:${'hunter2hunter2'}@db.internal/orders`,
  `Authorization: Bearer ${LETTERS}`,
  `https://hooks.slack.com/services/T00000000/B00000000/${LETTERS.slice(0, 24)}`,
  `https://discord.com/api/webhooks/123456789012345678/${LETTERS}`,
  `https://acme.blob.core.windows.net/c/f.txt?sv=2024-01-01&sig=${LETTERS}%3D`,
  `https://${LETTERS}@git.example.com/x`,
];

function queue(value: string): Record<string, string> {
  const code = `resource "aws_lambda_function" "f" {\n  environment {\n    variables = {\n      SETTING = "${value}"\n    }\n  }\n}\n`;
  return { 'main.tf': code };
}

async function isFoundByRules(value: string): Promise<boolean> {
  const { findings } = await createRulesBlue().analyze({ files: queue(value) });
  return findings.some(({ evidence }) => evidence?.includes('SETTING'));
}

/** Whether the gate holds the claim for true that a secret is written in the code, without saying where. */
async function isConfirmedByGate(value: string): Promise<boolean> {
  const description = 'An API token is hardcoded in plain text in the code.';
  const vulnerability = { id: 'v1', type: 'hardcoded_secret', resource: 'aws_lambda_function.f', description };
  const { entries } = await checkManifest({ files: queue(value), vulnerabilities: [vulnerability] });
  const outcomes = entries[0]?.checks.map(({ outcome }) => outcome) ?? [];
  return outcomes.length > 0 && !outcomes.includes('failed');
}

const redactor = createRedactor({ customPatterns: [], secrets: [] });

async function treatment(value: string) {
  return {
    redacted: redactor.text(value) !== value,
    masked: maskSourceLine(`setting: ${value}`) !== `setting: ${value}`,
    foundByRules: await isFoundByRules(value),
    confirmedByGate: await isConfirmedByGate(value),
  };
}

describe('redaction, diagnostics, rules and gate', () => {
  test('have a sample of every shape', () => {
    expect(KEY_LIKE.source).toContain(`(?:${Object.keys(SAMPLES).join('|')})`);
  });

  test.each([...Object.values(SAMPLES), ...OTHER_FORMS])('take %s for a secret', async (secret) => {
    const yes = { redacted: true, masked: true, foundByRules: true, confirmedByGate: true };
    expect(await treatment(secret)).toEqual(yes);
    for (const before of ['key ', '"', 'k=', '(', '\\n']) {
      const line = `${before}${secret}`;
      expect(redactor.text(line)).not.toContain(secret);
      expect(maskSourceLine(line)).not.toContain(secret);
    }
  });

  test.each(['orders-queue', 'm5.large', 'task-force-1-abcdefghijklmnop', 'eu-central-1'])(
    'take %s for no secret',
    async (value) => {
      const no = { redacted: false, masked: false, foundByRules: false, confirmedByGate: false };
      expect(await treatment(value)).toEqual(no);
    },
  );

  test.each([
    'password',
    'DB_PASSWORD',
    'master_password',
    'masterpassword',
    'client_secret',
    'authToken',
    'apikey',
    'GITHUB_PAT',
  ])('take %s for the name of a secret', (name) => {
    expect(isSecretName(name)).toBe(true);
    expect(redactor.value({ [name]: 'swordfish' })).toEqual({ [name]: '[REDACTED:secret]' });
    expect(maskSourceLine(`${name}: swordfish`)).toBe(`${name}: *********`);
  });
});
