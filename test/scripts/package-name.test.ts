import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askForPackageName, type NameQuestion } from '../../scripts/package-name.ts';

/** What the registry answers, by the path that is asked for. */
const PACKAGES: Record<string, { status: number; body: string }> = {
  '/salvo': {
    status: 200,
    body: JSON.stringify({
      maintainers: [{ name: 'alice', email: 'a@example.com' }],
      repository: { type: 'git', url: 'git+https://example.com/alice/salvo.git' },
    }),
  },
  '/@salvo-eval%2Fsalvo': { status: 200, body: JSON.stringify({ maintainers: [{ name: 'bob' }], repository: 7 }) },
  '/nobody': { status: 200, body: '{}' },
  '/list': { status: 200, body: '[1, 2]' },
  '/page': { status: 200, body: '<html>Please log in</html>' },
  '/broken': { status: 503, body: '{}' },
};

const server = createServer((request, response) => {
  const { status, body } = PACKAGES[request.url ?? ''] ?? { status: 404, body: '{"error":"Not found"}' };
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
});
let registry: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => server.close());

function ask(name: string, who: Partial<NameQuestion> = {}) {
  return askForPackageName({ name, registry, user: null, repository: null, ...who });
}

describe('the name of the package', () => {
  it('is free where the registry has no such package', async () => {
    expect(await ask('salvo-2')).toMatchObject({ status: 'free', message: expect.stringContaining('too similar') });
    expect(await ask('@mine/salvo')).toMatchObject({ status: 'free', message: expect.stringContaining('scope') });
  });

  it.each([
    { user: 'alice' },
    { repository: 'https://example.com/alice/salvo' },
    { repository: 'git@example.com:alice/salvo.git' },
    { repository: 'ssh://git@example.com/alice/salvo' },
  ])('is ours for %j', async (who) => {
    expect(await ask('salvo', who)).toMatchObject({ status: 'ours' });
  });

  it.each([{ user: null }, { user: 'mallory' }, { repository: 'https://example.com/mallory/salvo' }])(
    'is taken for %j, with what to do',
    async (who) => {
      const { status, message } = await ask('salvo', who);
      expect(status).toBe('taken');
      expect(message).toMatch(/alice.*@salvo-eval\/salvo.*0021/);
    },
  );

  it('can have a scope', async () => {
    expect(await ask('@salvo-eval/salvo', { user: 'bob' })).toMatchObject({ status: 'ours' });
    expect(await ask('@salvo-eval/salvo', { user: 'alice' })).toMatchObject({ status: 'taken' });
  });

  it('is taken, too, where no maintainer is named', async () => {
    expect(await ask('nobody', { user: 'alice', repository: 'x' })).toMatchObject({ status: 'taken' });
  });

  it.each(['list', 'page', 'broken'])('is not called free when the registry answers nonsense (%s)', async (name) => {
    expect(await ask(name)).toMatchObject({ status: 'unknown', message: expect.stringContaining(registry) });
  });

  it('is not called free when there is no registry', async () => {
    const answer = await ask('salvo', { registry: 'http://127.0.0.1:1/' });
    expect(answer).toMatchObject({ status: 'unknown', message: expect.stringContaining('127.0.0.1:1') });
  });
});
