import fc from 'fast-check';
import { expect, test } from 'vitest';
import { looksLikeSecret, maskSourceLine } from './mask-secrets.ts';
import { isSecretName } from './secret-names.ts';

test.each([
  'api_key',
  'apiKey',
  'X-Api-Key',
  'Authorization',
  'auth_token',
  'token',
  'password',
  'client_secret',
  'Cookie',
  'aws_secret_access_key',
  'credentials',
])('%s is the name of a secret', (name) => expect(isSecretName(name)).toBe(true));

test.each([
  'max_tokens',
  'tokenizer',
  'api_key_env',
  'token_count',
  'top_k',
  'author',
  'keys',
  'max_completion_tokens',
  'secretary',
])('%s is not the name of a secret', (name) => expect(isSecretName(name)).toBe(false));

test.each(['sk-proj-abcdefghijkl', 'Bearer abcdefghijkl', 'ghp_abcdefghijklmnopqrst', 'AKIAIOSFODNN7EXAMPLE'])(
  '%s looks like a secret',
  (text) => {
    expect(looksLikeSecret(`x ${text}`)).toBe(true);
  },
);

test.each([
  ['  api_key: abc', '  api_key: ***'],
  ['{"password": "x"}', '{"password": ****'],
  ['headers: {Authorization: abc}', 'headers: {Authorization: ****'],
  ['k: sk-abcdefghijkl, b: 1', 'k: ***************, b: 1'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is what salvo.yaml holds
  ['Authorization: Bearer ${KEY}', 'Authorization: Bearer ${KEY}'],
  ['api_key_env: OPENAI_API_KEY', 'api_key_env: OPENAI_API_KEY'],
  ['api_key_env: my secret', 'api_key_env: *********'],
  ['max_tokens: 100', 'max_tokens: 100'],
])('%s is shown as %s', (line, shown) => {
  expect(maskSourceLine(line)).toBe(shown);
});

test('masking keeps the length, so that a caret stays where it belongs', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(maskSourceLine(`token: ${text}`)).toHaveLength(text.length + 7);
    }),
  );
});
