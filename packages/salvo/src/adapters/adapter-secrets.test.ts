import { expect, it } from 'vitest';
import { adapterSecrets } from './adapter-secrets.ts';

it('the secrets are the values of every variable that an adapter may send or grant, and of every other with a secret name', () => {
  const secrets = adapterSecrets({
    adapters: {
      groq: { type: 'openai', api_key_env: 'GROQ', headers: { 'X-Org': `id \${ORG}` } },
      mine: {
        type: 'exec',
        command: 'agent',
        env: ['AGENT_TOKEN', 'LANG_SETTING', 'MY_THING', 'NOT_SET', 'SERVER', 'HOME'],
      },
    },
    env: {
      GROQ: 'groq-secret-1\n',
      ORG: 'org-secret-1',
      AGENT_TOKEN: 'agent-secret-1',
      LANG_SETTING: 'en_GB.UTF-8',
      MY_THING: 'granted-secret-1',
      HOME: '/home/somebody',
      SERVER: 'https://example.com/v1',
      OPENAI_API_KEY: 'openai-secret-1',
      ANTHROPIC_API_KEY: 'none',
      GOOGLE_GENERATIVE_AI_API_KEY: 'google-secret-1',
      PATH: '/usr/local/bin',
      SOME_PASSWORD: 'password-nobody-uses',
      GITHUB_PAT: 'pat-secret-1',
      STRIPE_KEY: 'stripe0123456789',
      API_KEY_PROD: 'prod-secret-1',
      PRIMARY_KEY: 'customer_id',
      SHORT_TOKEN: 'abc1234',
      MAX_TOKENS: '100000000',
      PASSWORD_FILE: '/run/secrets/db.txt',
      GOOGLE_APPLICATION_CREDENTIALS: '/home/me/key.json',
      AUTH: 'https://login.example.com/',
      SSH_AUTH_SOCK: '/tmp/ssh-XXXX/agent.1',
    },
  });
  expect(secrets.sort()).toEqual([
    'agent-secret-1',
    'google-secret-1',
    'granted-secret-1',
    'groq-secret-1',
    'openai-secret-1',
    'org-secret-1',
    'password-nobody-uses',
    'pat-secret-1',
    'prod-secret-1',
    'stripe0123456789',
  ]);
});
