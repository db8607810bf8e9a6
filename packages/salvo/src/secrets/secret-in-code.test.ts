import { describe, expect, it } from 'vitest';
import { isPlainSecret, secretInScript, secretShapeIn } from './secret-in-code.ts';
import { isSecretName } from './secret-names.ts';

describe('a name', () => {
  it.each([
    'DB_PASSWORD',
    'password',
    'apiToken',
    'API_KEY',
    'client-secret',
    'AWS_SECRET_ACCESS_KEY',
    'PGPASS',
    'token2',
  ])('of a secret: %s', (name) => {
    expect(isSecretName(name)).toBe(name !== 'PGPASS');
  });

  it.each([
    'SECRET_ARN',
    'PASSWORD_FILE',
    'TOKEN_URL',
    'KEY',
    'KMS_KEY_ID',
    'monkey',
    'COMPASS',
    'SECRETARY',
    'tokens_per_minute',
    '',
  ])('of something else: %s', (name) => {
    expect(isSecretName(name)).toBe(false);
  });
});

describe('a value', () => {
  it.each(['hunter2hunter2', 'changeme', 'p@ss word', 12_345_678])('that may be a secret: %s', (value) => {
    expect(isPlainSecret(value)).toBe(true);
  });

  it.each([
    '',
    'abc',
    'true',
    'arn:aws:x',
    '{{resolve:ssm-secure:x}}',
    `\${var.x}`,
    '<password>',
    '/prod/db',
    'prod/db/password',
    '****',
    null,
    {},
    true,
  ])('that is none: %j', (value) => {
    expect(isPlainSecret(value)).toBe(false);
  });
});

describe('a shape', () => {
  it.each([
    ['key AKIAQWERTYUIOPASDFGH here', 'AKIAQWERTYUIOPASDFGH'],
    ['-----BEGIN RSA PRIVATE KEY-----\nabc', '-----BEGIN RSA PRIVATE KEY-----'],
    ['postgres://app:hunter2@db:5432/x', 'postgres://app:hunter2@'],
    ['AKIAIOSFODNN7EXAMPLE', null],
    ['https://salvo.example/a:b@c', null],
    ['-----BEGIN PUBLIC KEY-----', null],
  ])('in %j is %j', (text, expected) => {
    expect(secretShapeIn(text)).toBe(expected);
  });
});

describe('a script', () => {
  it.each([
    ['export DB_PASSWORD="hunter2hunter2"', true],
    ['mysql --password=hunter2hunter2', true],
    ['password: hunter2hunter2', true],
    ['export DB_PASSWORD=$(fetch-secret)', false],
    ['export DB_PASSWORD="$1"', false],
    ['# DB_PASSWORD=hunter2hunter2', false],
    ['echo done', false],
  ])('%s: %s', (script, tells) => {
    expect(secretInScript(`#!/bin/bash\n${script}\n`) !== null).toBe(tells);
  });
});
