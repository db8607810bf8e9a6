import { describe, expect, test } from 'vitest';
import { createRedactor, type Redactor } from './redactor.ts';

const redactor = createRedactor({ customPatterns: [], secrets: [] });

function redactorFor(options: { customPatterns?: string[]; secrets?: string[] }): Redactor {
  return createRedactor({ customPatterns: [], secrets: [], ...options });
}

/** Built from parts, so that no scanner takes this file for a leak. */
const KEY = `sk-${'1234567890abcdef'}`;
const JWT = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxMjM0In0', 'dozjgNryP4J3jVmNHl0w5N'].join('.');
const AWS_SECRET = `wJalrXUtnFEMI/K7MDENG/${'bPxRfiCYEXAMPLEKEY'}`;
const PEM = `-----BEGIN RSA PRIVATE ${'KEY'}-----`;

describe('secrets known by their form', () => {
  test.each([
    ['Authorization: Bearer abc123', 'Authorization: Bearer [REDACTED:authorization]'],
    [`{ authorization: "Bearer \${key}" }`, `{ authorization: "Bearer \${key}" }`],
    [`{ authorization: "Bearer \${key}4f9a1" }`, '{ authorization: "Bearer [REDACTED:authorization]" }'],
    ['authorization: Basic dXNlcjpwYXNz', 'authorization: Basic [REDACTED:authorization]'],
    ['curl -H "Authorization: token abcdef" x', 'curl -H "Authorization: token [REDACTED:authorization]" x'],
    ['sent Bearer ya29.a0AfH6SMBx today', 'sent Bearer [REDACTED:bearer] today'],
    [`key ${KEY}.`, 'key [REDACTED:api_key].'],
    ['sk-proj-abcdefgh_ijkl-mnop', '[REDACTED:api_key]'],
    ['sk-ant-api03-abcDEF', '[REDACTED:api_key]'],
    ['sk-abcdefghijklmnopqrstuvwxyz', '[REDACTED:api_key]'],
    [`ghp_${'abcdefghijklmnopqrstuvwxyz0123456789'}`, '[REDACTED:api_key]'],
    [`github_pat_${'11ABCDEFG0abcdefghijkl_abc'}`, '[REDACTED:api_key]'],
    [`AKIA${'IOSFODNN7EXAMPLE'}`, '[REDACTED:api_key]'],
    [`ASIA${'IOSFODNN7EXAMPLE'},`, '[REDACTED:api_key],'],
    [`aws_secret_access_key = ${AWS_SECRET}`, 'aws_secret_access_key = [REDACTED:secret]'],
    [`"SecretAccessKey": "${AWS_SECRET}"`, '"SecretAccessKey": "[REDACTED:secret]"'],
    [`AIza${'SyA1234567890abcdefghijklmnopqrstuv'}`, '[REDACTED:api_key]'],
    [`xoxb-${'123456789012-abcdefghij'}`, '[REDACTED:api_key]'],
    [`sk_live_${'abcdefghijklmnop'}`, '[REDACTED:api_key]'],
    [`see ${JWT} there`, 'see [REDACTED:jwt] there'],
    [`${PEM}\nMIIEpAIBAAKCAQEA\n${PEM.replace('BEGIN', 'END')}\nafter`, '[REDACTED:private_key]\nafter'],
    [`${PEM}\nb3BlbnNzaC1rZXktdjEAAAAABG5v`, '[REDACTED:private_key]'],
    ['postgres://user:pa55word@host/db', 'postgres://user:[REDACTED:url_password]@host/db'],
    ['postgres://user:$PA55word@host/db', 'postgres://user:[REDACTED:url_password]@host/db'],
    ['Cookie: session=abc; theme=dark', 'Cookie: [REDACTED:cookie]'],
    ['Set-Cookie: sid=xyz; Path=/; HttpOnly\nServer: x', 'Set-Cookie: [REDACTED:cookie]\nServer: x'],
    [`line one\\n${KEY}`, 'line one\\n[REDACTED:api_key]'],
    [`?q=a%20${KEY}`, '?q=a%20[REDACTED:api_key]'],
    [`ya29.${'a0AfH6SMBxabcdefghijk'}`, '[REDACTED:api_key]'],
    [`of SK${'0123456789abcdef'.repeat(2)}.`, 'of [REDACTED:api_key].'],
    [
      `https://hooks.slack.com/services/T0/B0/${'abcdefghijklmnopqrstuvwx'} x`,
      'https://hooks.slack.com/services/[REDACTED:webhook] x',
    ],
    [
      `https://a.blob.core.windows.net/f?se=2026&sig=${'aB3dE5gH7jK9mN1p'}%3D&sp=r`,
      'https://a.blob.core.windows.net/f?se=2026&sig=[REDACTED:url_secret]&sp=r',
    ],
    [`\\u0026X-Amz-Signature=${'0123456789abcdef'}`, '\\u0026X-Amz-Signature=[REDACTED:url_secret]'],
    ['https://a1b2c3d4e5f6a7b8@host/x', 'https://[REDACTED:url_password]@host/x'],
  ])('%s', (text, expected) => {
    expect(redactor.text(text)).toBe(expected);
  });
});

describe('secrets known by the name in front of them', () => {
  test.each([
    ['{"api_key": "abcdef", "a": 1}', '{"api_key": "[REDACTED:secret]", "a": 1}'],
    ['{\\"password\\": \\"hunter\\"}', '{\\"password\\": \\"[REDACTED:secret]\\"}'],
    ['{\\\\\\"secret\\\\\\":\\\\\\"zzz\\\\\\"}', '{\\\\\\"secret\\\\\\":\\\\\\"[REDACTED:secret]\\\\\\"}'],
    ['{"password":"abc\\"def","x":"y"}', '{"password":"[REDACTED:secret]","x":"y"}'],
    ['{"password":"ends with \\\\","x":"y"}', '{"password":"[REDACTED:secret]","x":"y"}'],
    ['{"a": 1, "password":"cut off in the mid', '{"a": 1, "password":"[REDACTED:secret]'],
    ['OPENAI_API_KEY=abc', 'OPENAI_API_KEY=[REDACTED:secret]'],
    ['export DB_PASSWORD=swordfish && ls', 'export DB_PASSWORD=[REDACTED:secret] && ls'],
    ['https://x.y/?access_token=abc&z=1', 'https://x.y/?access_token=[REDACTED:secret]&z=1'],
    ['user: bob\npassword: swordfish\n', 'user: bob\npassword: [REDACTED:secret]\n'],
    ['my password is hunter2, ok?', 'my password is [REDACTED:secret], ok?'],
    ['tool --api-key abcd1234 run', 'tool --api-key [REDACTED:secret] run'],
    ["password = 'x y z'", "password = '[REDACTED:secret]'"],
    ['os.environ["API_KEY"] = "abc"', 'os.environ["API_KEY"] = "[REDACTED:secret]"'],
    ['GITHUB_PAT=abc1234', 'GITHUB_PAT=[REDACTED:secret]'],
    ['{"azure-devops-pat": "abc1234"}', '{"azure-devops-pat": "[REDACTED:secret]"}'],
    ['<password>abc</password>', '<password>[REDACTED:secret]</password>'],
  ])('%s', (text, expected) => {
    expect(redactor.text(text)).toBe(expected);
  });
});

describe('text without a secret stays', () => {
  test.each([
    'max_tokens: 100',
    '{"max_tokens": 100, "total_tokens": 5, "token_count": "7"}',
    '{"token": 12345678, "secret": null, "password": true, "api_key": ""}',
    'passport: AB123456',
    'the password policy: strict',
    'secret_santa: Bob',
    'Password: required',
    'The password is incorrect.',
    'password reset link: https://x.y/z',
    'task-force-1-abcdefghijklmnop and risk-based-assessment-of-2024-things',
    'bearer authentication',
    'input("password: ")\nprint("x")',
    'Client(password=password, token=self.token, api_key=os.environ["X"], secret=get_secret())',
    `password=$${'{DB_PASS}'} token={{ token }} api_key=<your key>`,
    'next_page_token=abc123',
    'PWD=/home/me',
    'ssh_private_key: /home/me/.ssh/id_rsa',
    'keyboard: qwerty1, primary key: id1, key=value1, {"key":"abc123"}',
    'cookie: chocolate chip',
    'git@github.com:a/b.git https://github.com:443/x ssh://git@github.com/x',
    `postgres://user:\${DB_PASSWORD}@host/db postgres://user:$PASSWORD@host/db`,
    '{"type":"object","properties":{"password":{"type":"string"}}}',
    '{"password":"string"}',
    `a key starts with ${PEM} and then goes on`,
    'a token is 4 characters long',
    'https://x.y/?key=products&code=404&session=spring-2026 a sig=1; signature=none',
    'compat=1, pat: the postman, css_compat: yes, discord and slack webhooks',
    'Tokenizer=bpe2. The Secret Garden: 1911 novel. The secret: be kind.',
    '',
  ])('%s', (text) => {
    expect(redactor.text(text)).toBe(text);
  });

  test('a value without secrets is the same object', () => {
    const value = { a: ['text', { b: 1 }], password: '', max_tokens: 5 };
    expect(redactor.value(value)).toBe(value);
  });
});

describe('values', () => {
  test('strings under a secret key are replaced as a whole, numbers and booleans stay', () => {
    expect(redactor.value({ password: 'x', api_key: ['p', 1, true, ''], token: 7, user: 'bob' })).toEqual({
      password: '[REDACTED:secret]',
      api_key: ['[REDACTED:secret]', 1, true, ''],
      token: 7,
      user: 'bob',
    });
  });

  test.each([
    'clientSecret',
    'X-Api-Key',
    'newPassword',
    'password_confirmation',
    'refresh_token',
    'PGPASSWORD',
    'db_pass',
    'Authorization',
  ])('%s is a secret key', (key) => {
    expect(redactor.value({ nested: { [key]: 'value' } })).toEqual({ nested: { [key]: '[REDACTED:secret]' } });
  });

  test.each([
    'passport',
    'secret_santa',
    'token_count',
    'nextPageToken',
    'boarding_pass',
    'primary_key',
    'keyboard',
    'password_policy',
  ])('%s is an ordinary key', (key) => {
    expect(redactor.value({ [key]: 'value' })).toEqual({ [key]: 'value' });
  });

  test('a name beside a value is its key', () => {
    const headers = [
      { name: 'Authorization', value: 'zzz' },
      { key: 'API_KEY', value: 'a' },
      { name: 'Accept', value: 'b' },
    ];
    expect(redactor.value(headers).map((header) => header.value)).toEqual([
      '[REDACTED:secret]',
      '[REDACTED:secret]',
      'b',
    ]);
  });

  test('keys are redacted too, and stay apart', () => {
    expect(redactor.value({ [KEY]: 1, [`${KEY}0`]: 2 })).toEqual({
      '[REDACTED:api_key]': 1,
      '[REDACTED:api_key] (2)': 2,
    });
  });

  test('hostile values are survived', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(5000)}"x"${'}'.repeat(5000)}`);
    expect(JSON.stringify(redactor.value(deep))).toContain('nested too deeply');
    const loop: Record<string, unknown> = { n: 10n };
    loop.self = [loop];
    expect(redactor.value(loop)).toEqual({ n: '10', self: ['[circular]'] });
    const inherited = redactor.value(JSON.parse(`{"__proto__": {"password": "x"}, "b": "${KEY}"}`));
    expect(JSON.stringify(inherited)).toBe('{"__proto__":{"password":"[REDACTED:secret]"},"b":"[REDACTED:api_key]"}');
    expect(redactor.text(`\0\ud800 ${KEY} \udfff`)).toBe('\0\ud800 [REDACTED:api_key] \udfff');
  });
});

describe('given secrets', () => {
  const secret = 'p/q+r "s" é!x';

  test.each([
    ['as they are', secret],
    ['in JSON', JSON.stringify(secret).slice(1, -1)],
    ['in a URL', encodeURIComponent(secret)],
    ['in a form', new URLSearchParams({ a: secret }).toString().slice(2)],
    ['in base64', Buffer.from(secret).toString('base64').replace(/=+$/, '').slice(0, -1)],
  ])('are removed %s', async (_, form) => {
    const { text } = redactorFor({ secrets: [secret] });
    expect(text(`before ${form} after`)).toBe('before [REDACTED:secret] after');
  });

  test.each(['', 'u', 'us', 'user:'])('are removed from base64 after %j', async (before) => {
    const { text } = redactorFor({ secrets: ['hunter2hunter2'] });
    const encoded = text(Buffer.from(`${before}hunter2hunter2`).toString('base64'));
    expect(encoded).toContain('[REDACTED:secret]');
    expect(Buffer.from(encoded, 'base64').toString('latin1')).not.toContain('hunter2');
  });

  test('that are part of each other are replaced as a whole', async () => {
    const { text } = redactorFor({ secrets: ['abc-def-1', 'abc-def-1-ghi'] });
    expect(text('xabc-def-1-ghi abc-def-1')).toBe('x[REDACTED:secret] [REDACTED:secret]');
  });

  test('that are short or mere placeholders are ignored', async () => {
    const { text } = redactorFor({ secrets: ['', '   ', 'short', 'ollama', 'not-needed'] });
    expect(text('a short talk with ollama, not-needed')).toBe('a short talk with ollama, not-needed');
  });

  test('of fewer than 8 characters are removed as whole words, and only if they have letters and digits', () => {
    const { text } = redactorFor({ secrets: ['h', 'nswer1', 'answer', '123456'] });
    expect(text('The answer1 of 1234567, 123456: nswer1!')).toBe('The answer1 of 1234567, 123456: [REDACTED:secret]!');
  });

  test.each([
    [
      'swordfish',
      'a swordfish, swordfishes and swordfish_2',
      'a [REDACTED:secret], swordfishes and [REDACTED:secret]_2',
    ],
    ['swordfish', 'line one\\nswordfish?q=%20swordfish', 'line one\\n[REDACTED:secret]?q=%20[REDACTED:secret]'],
    ['87654321', '87654321 and 876543210', '[REDACTED:secret] and 876543210'],
  ])('that are only letters or only digits are not cut out of longer words: %s', (secret, before, after) => {
    expect(redactorFor({ secrets: [secret] }).text(before)).toBe(after);
  });

  test.each(['password', 'production', 'changeme', 'xxxxxxxx', '00000000'])('that say nothing stay: %s', (value) => {
    expect(redactorFor({ secrets: [value] }).text(`the ${value} of it`)).toBe(`the ${value} of it`);
  });

  test('leave the markers alone', async () => {
    const { text } = redactorFor({ secrets: ['REDACTED', 'secret]'] });
    expect(text(`x ${KEY}`)).toBe('x [REDACTED:api_key]');
  });
});

describe('custom patterns', () => {
  test('are removed wherever they match', async () => {
    const { value } = redactorFor({ customPatterns: ['CUST-\\d+', '(?i)project x'] });
    expect(value({ 'CUST-1': 'of CUST-22 in Project X' })).toEqual({
      '[REDACTED:custom]': 'of [REDACTED:custom] in [REDACTED:custom]',
    });
  });

  test('that match nothing, everything or a marker do no harm', async () => {
    const { text } = redactorFor({ customPatterns: ['z*', '\\w+'] });
    expect(text('')).toBe('');
    expect(text('two words')).toBe('[REDACTED:custom] [REDACTED:custom]');
    expect(text(text('two words'))).toBe(text('two words'));
  });

  test('cannot hang', async () => {
    const { text } = redactorFor({ customPatterns: ['(a+)+$'] });
    expect(text(`${'a'.repeat(50_000)}!`)).toBe(`${'a'.repeat(50_000)}!`);
  });

  test('that are no regular expression are an error that names them', () => {
    expect(() => redactorFor({ customPatterns: ['ok', '(unclosed'] })).toThrow(
      expect.objectContaining({
        code: 'PATTERN_INVALID',
        message: expect.stringContaining('"(unclosed"'),
      }),
    );
  });
});
