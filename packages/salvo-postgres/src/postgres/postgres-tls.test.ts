import { expect, test } from 'vitest';
import { connectionSettings } from './postgres-tls.ts';

const ssl = (url: string) => connectionSettings(url).ssl;

test.each(['localhost', '127.0.0.1', '127.1.2.3', '[::1]'])('%s is this machine: nothing is encrypted', (host) => {
  expect(ssl(`postgres://u:p@${host}/db`)).toBe(false);
});

test.each(['db', 'db.example.com', '10.0.0.5', '[2001:db8::1]', '127.evil.example'])(
  '%s is another machine: it must prove who it is',
  (host) => {
    expect(ssl(`postgres://u:p@${host}/db`)).toMatchObject({ rejectUnauthorized: true });
  },
);

test('a host among the parameters counts', () => {
  expect(ssl('postgres://u:p@localhost/db?host=db.example.com')).toMatchObject({ rejectUnauthorized: true });
  expect(ssl('postgres://u:p@db/db?host=/run/postgresql')).toBe(false);
});

test.each(['require', 'verify-ca', 'verify-full'])('sslmode=%s verifies, also on this machine', (mode) => {
  expect(ssl(`postgres://u:p@localhost/db?sslmode=${mode}`)).toMatchObject({ rejectUnauthorized: true });
});

test('only what is written out switches the verification or the encryption off', () => {
  expect(ssl('postgres://u:p@db/db?sslmode=no-verify')).toMatchObject({ rejectUnauthorized: false });
  expect(ssl('postgres://u:p@db/db?sslmode=disable')).toBe(false);
  expect(ssl('postgres://u:p@db/db?ssl=0&uselibpqcompat=true')).toMatchObject({ rejectUnauthorized: true });
});

test('what `pg` would read in another way is not left in the address', () => {
  const { connectionString } = connectionSettings('postgres://u:p@db/db?sslmode=require&application_name=x');
  expect(connectionString).toBe('postgres://u:p@db/db?application_name=x');
});

test.each(['?sslmode=prefer', '?sslmode=allow', '?sslmode=off', '?sslrootcert=/missing.pem'])(
  '%s is refused, without the password',
  (query) => {
    const refused = expect.objectContaining({
      code: 'DATABASE_URL_INVALID',
      message: expect.not.stringContaining('hunter2'),
    });
    expect(() => ssl(`postgres://u:hunter2@db/db${query}`)).toThrow(refused);
  },
);
