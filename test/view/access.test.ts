import { createServer, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { viewProject } from '../../packages/salvo/src/app/view/viewed-project.ts';
import { serveViewer } from '../../packages/salvo/src/server/serve-viewer.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { openPage } from './browser.ts';
import { type ViewerFixture, viewerFixture } from './viewer-fixture.ts';

let project: ProjectFixture;
let viewer: ViewerFixture;

beforeAll(async () => {
  project = await projectFixture({ 'salvo.yaml': '' });
  viewer = await viewerFixture(project.root);
});
afterAll(async () => {
  await viewer[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
});

/** With headers that `fetch` does not allow. */
function rawStatus(path: string, headers: Record<string, string>, method = 'GET'): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(`${viewer.origin}${path}`, { method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject).end();
  });
}

async function httpServer(html: string): Promise<AsyncDisposable & { port: number }> {
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html));
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}

async function cookie(): Promise<string> {
  const response = await fetch(viewer.url, { redirect: 'manual' });
  return (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
}

describe('who gets in', () => {
  it.each(['/', '/api/project', '/api/runs', '/assets/x.js', '/nothing', '/api/nothing'])(
    'answers 401 to %s without the token',
    async (path) => {
      expect((await fetch(`${viewer.origin}${path}`)).status).toBe(401);
    },
  );

  it('refuses a wrong token', async () => {
    expect((await fetch(`${viewer.origin}/?token=wrong`, { redirect: 'manual' })).status).toBe(401);
  });

  it('moves the token from the address into a cookie that scripts cannot read', async () => {
    const response = await fetch(viewer.url, { redirect: 'manual' });
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe('/');
    expect(response.headers.get('set-cookie')).toMatch(/; HttpOnly; SameSite=Lax$/);
  });

  it('does not take the token from the address of the API', async () => {
    const token = new URL(viewer.url).searchParams.get('token');
    expect((await fetch(`${viewer.origin}/api/runs?token=${token}`)).status).toBe(401);
  });

  it.each(['evil.example', 'evil.example:80', '127.0.0.1.evil.example'])(
    'refuses the host %j: another site could have that name',
    async (host) => {
      expect(await rawStatus('/api/project', { host, cookie: await cookie() })).toBe(403);
    },
  );

  it.each(['user@127.0.0.1', 'a b'])('refuses %j, which is no host', async (host) => {
    expect(await rawStatus('/api/project', { host, cookie: await cookie() })).toBe(400);
  });

  it.each(['localhost:1', '[::1]:1', '10.0.0.7'])('accepts the host %s', async (host) => {
    expect(await rawStatus('/api/project', { host, cookie: await cookie() })).toBe(200);
  });

  it.each([
    ['origin', 'https://evil.example'],
    ['origin', 'null'],
    ['sec-fetch-site', 'cross-site'],
  ])('refuses a request from elsewhere: %s %s', async (name, value) => {
    expect(await rawStatus('/api/project', { [name]: value, cookie: await cookie() })).toBe(403);
  });

  it('opens the page from a link on another site, and nothing else', async () => {
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document', cookie: await cookie() };
    expect(await rawStatus('/', link)).toBe(200);
    expect(await rawStatus('/api/project', link)).toBe(403);
    expect(await rawStatus('/api/runs/latest/resume', link, 'POST')).toBe(403);
    expect(await rawStatus('/', { ...link, 'sec-fetch-dest': 'iframe' })).toBe(403);
  });

  it('shows a page of the viewer that another site links to', async () => {
    // Another host is another site, even on the same machine.
    await using linking = await httpServer(`<a href="${viewer.origin}/#/judges">the judges</a>`);
    await using opened = await openPage(viewer.url);
    const { page } = opened;
    await page.getByRole('heading', { name: 'Runs' }).waitFor();
    await page.goto(`http://localhost:${linking.port}/`);
    await page.getByRole('link', { name: 'the judges' }).click();
    await page.getByRole('heading', { name: 'Judges' }).waitFor();
  });

  it('refuses a write that does not say where it comes from', async () => {
    expect(await rawStatus('/api/project', { cookie: await cookie() }, 'DELETE')).toBe(403);
  });
});

describe('what is served', () => {
  it('has a policy that allows nothing inline and nothing from elsewhere', async () => {
    const { headers } = await viewer.request('/');
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it.each([
    '/assets/..%2findex.html',
    '/assets/%2e%2e/index.html',
    '/assets/x.json',
    '/salvo.yaml',
    '/..%2fsalvo.yaml',
  ])('has no file %s', async (path) => {
    expect((await viewer.request(path)).status).toBe(404);
  });

  it('says what is wrong with a query', async () => {
    const response = await viewer.request('/api/runs?limit=x');
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: 'limit must be a whole number.' });
  });

  it('answers whoever watches over the process, and tells nothing', async () => {
    const response = await fetch(`${viewer.origin}/healthz`);
    expect([response.status, await response.text()]).toEqual([200, 'ok\n']);
  });
});

describe('a token of the environment', () => {
  const token = 'a-token-of-our-own-0123456789';

  it('is accepted as a bearer token, and is not in the address that is printed', async () => {
    await using viewed = await viewProject({ cwd: project.root, env: {}, command: [] });
    await using own = await serveViewer(viewed, { env: { SALVO_VIEW_TOKEN: token } });
    expect(own.url).toBe(`${own.origin}/`);
    const status = async (authorization: string) =>
      (await fetch(`${own.origin}/api/project`, { headers: { authorization } })).status;
    expect(await status(`Bearer ${token}`)).toBe(200);
    expect(await status(`Bearer ${token}x`)).toBe(401);
    expect(await status('Bearer ')).toBe(401);
  });

  it.each(['short', `${token} `, `${token}\u00e9`])('is refused if it is %j', async (wrong) => {
    await using viewed = await viewProject({ cwd: project.root, env: {}, command: [] });
    const started = serveViewer(viewed, { env: { SALVO_VIEW_TOKEN: wrong } });
    await expect(started).rejects.toThrow('SALVO_VIEW_TOKEN must have at least 16 characters');
  });
});
