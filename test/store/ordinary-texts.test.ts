import { glob, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { adapterSecrets } from '../../packages/salvo/src/adapters/adapter-secrets.ts';
import { createRedactor } from '../../packages/salvo/src/secrets/redactor.ts';

/** Settings and default passwords, as they are in the environments of developers and of CI. */
const ENVIRONMENT = {
  DB_PASSWORD: 'password',
  POSTGRES_PASSWORD: 'postgres',
  REDIS_PASSWORD: 'changeme',
  OPENAI_API_KEY: 'not-needed',
  STAGE: 'production',
  REGION_TOKEN: 'default',
  TEAM: 'h',
  SHORT: 'answer',
  GOOGLE_APPLICATION_CREDENTIALS: '/home/me/key.json',
  TOKEN_URL: 'https://login.example.com/token',
  MAX_TOKENS: '100000',
};
const headers = { 'X-Stage': `\${STAGE}`, 'X-Team': `\${TEAM}`, 'X-Short': `\${SHORT}` };
const CORPUS = ['README.md', 'docs/*.md', 'examples/**/*.{yaml,md,ts}', 'src/arena/templates/**/*.{tf,yaml}'];

test('ordinary texts stay as they are: guides, examples and infrastructure code', async () => {
  const secrets = adapterSecrets({ adapters: { a: { type: 'openai', headers } }, env: ENVIRONMENT });
  const redactor = createRedactor({ customPatterns: [], secrets });
  const changed: string[] = [];
  let lines = 0;
  for await (const file of glob(CORPUS)) {
    for (const line of (await readFile(file, 'utf8')).split('\n')) {
      lines += 1;
      if (redactor.text(line) !== line) changed.push(`${file}: ${line}`);
    }
  }
  expect(lines).toBeGreaterThan(5000);
  expect(changed).toEqual([]);
});
