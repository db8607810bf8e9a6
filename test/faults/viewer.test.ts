import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { runCli, startCliPipe } from '../cli/cli-fixture.ts';
import { sampleScenario } from '../cli/sample-scenario.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';
import { openPage } from '../view/browser.ts';
import { viewerFixture } from '../view/viewer-fixture.ts';

const TOKEN = 'a-token-of-our-own-0123456789';

interface StartedViewer extends AsyncDisposable {
  origin: string;
  addresses: string[];
  stderr(): string;
  /** A request of somebody who has the token, from the viewer's own page. */
  send(method: string, path: string, body?: object): Promise<{ status: number; error: string }>;
}

/** `salvo view` in a process of its own. */
async function startView(project: ProjectFixture, args: string[] = []): Promise<StartedViewer> {
  const env = { SALVO_VIEW_TOKEN: TOKEN };
  const child = startCliPipe(['view', '--no-open', ...args], { cwd: project.root, env });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // The last thing that it says.
  await expect.poll(() => stderr).toContain('Ctrl-C ends the viewer');
  const addresses = stdout.trim().split('\n');
  const { origin } = new URL(addresses[0] ?? '');
  return {
    ...{ origin, addresses },
    stderr: () => stderr,
    async send(method, path, body = {}) {
      const headers = { authorization: `Bearer ${TOKEN}`, origin };
      const response = await fetch(`${origin}/api${path}`, { method, headers, body: JSON.stringify(body) });
      return { status: response.status, error: String(((await response.json()) as { error?: unknown }).error) };
    },
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.kill();
      await ended;
    },
  };
}

async function projectWithRun(salvoYaml = ''): Promise<ProjectFixture> {
  const project = await projectFixture({ 'salvo.yaml': salvoYaml, 's.yaml': sampleScenario() });
  await runCli(['run', 's.yaml', '-n', '1'], { cwd: project.root });
  return project;
}

test('a viewer that others can reach warns, prints addresses that they can open, and changes nothing', async () => {
  await using project = await projectWithRun('budget_usd: 2');
  await using viewer = await startView(project, ['--host', '0.0.0.0']);
  expect(viewer.stderr()).toContain('Warning: other machines can connect, and nothing is encrypted');
  expect(viewer.stderr()).toContain('can see all results, and change nothing');
  expect(viewer.addresses.join()).not.toContain('0.0.0.0');
  for (const [method, path] of [
    ['POST', '/runs/latest/resume'],
    ['POST', '/runs/latest/stop'],
    ['DELETE', '/runs/latest'],
    ['POST', '/labels'],
  ] as const) {
    expect(await viewer.send(method, path)).toEqual({ status: 403, error: expect.stringContaining('--allow') });
  }
});

test.each([
  ['on this machine, without a limit', '', [], 'has no limit of money', 'Nobody has set a limit'],
  ['on this machine', 'budget_usd: 2', [], 'spends at most $2', 'is $2: give that or less'],
  ['with a limit of the viewer', 'budget_usd: 2', ['--max-budget-usd', '1'], 'at most $1', 'is $1: give that or less'],
  ['elsewhere, without a limit', '', ['--host', '0.0.0.0', '--allow', 'run'], 'cannot be resumed', 'Nobody has set'],
])('a link does not decide what is spent %s', async (_, salvoYaml, args, said, refusal) => {
  await using project = await projectWithRun(salvoYaml);
  await using viewer = await startView(project, args);
  expect(viewer.stderr()).toContain(said);
  const resumed = await viewer.send('POST', '/runs/latest/resume', { budget_usd: 999_999 });
  expect(resumed).toEqual({ status: 400, error: expect.stringContaining(refusal) });
});

test('a link on another site opens the page, and no other request of another site is answered', async () => {
  await using project = await projectFixture({ 'salvo.yaml': '' });
  await using viewer = await viewerFixture(project.root);
  const entered = await fetch(viewer.url, { redirect: 'manual' });
  // With Strict, the browser would not send the cookie after a click elsewhere.
  expect(entered.headers.get('set-cookie')).toContain('SameSite=Lax');
  const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const { hostname, port } = new URL(viewer.origin);
  const statusOf = async (request: string, destination: string): Promise<string> => {
    const head = `${request} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nCookie: ${cookie}\r\nConnection: close\r\n`;
    const site = `Sec-Fetch-Site: cross-site\r\nSec-Fetch-Dest: ${destination}\r\n\r\n`;
    const { answer } = await talk(viewer.origin, head + site);
    return answer.slice(9, 12);
  };
  expect(await statusOf('GET /', 'document')).toBe('200');
  expect(await statusOf('GET /', 'iframe')).toBe('403');
  expect(await statusOf('GET /api/runs', 'empty')).toBe('403');
  expect(await statusOf('POST /api/runs/latest/resume', 'document')).toBe('403');
});

test('an answer that the page does not understand leaves a message and the rest of the page', async () => {
  await using project = await projectWithRun();
  await using viewer = await viewerFixture(project.root);
  await using opened = await openPage(viewer.url);
  const { page } = opened;
  await page.route('**/api/runs/*', (route) => route.fulfill({ json: { run_id: 7, scenarios: 'none' } }));
  await page.getByRole('row').getByRole('link').first().click();
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('navigation').count()).toBeGreaterThan(0);
  opened.forgetProblems();
});

test('other pages are answered while large runs are compared, and the second answer is the same', async () => {
  await using project = await projectFixture({ 'salvo.yaml': '', 's.yaml': sampleScenario() });
  // Together more than are compared in the thread of the server.
  for (const trials of ['1800', '300']) await runCli(['run', 's.yaml', '-n', trials], { cwd: project.root });
  await using viewer = await viewerFixture(project.root);
  let [isDone, answers] = [false, 0];
  const compare = () => viewer.request('/api/compare?run=previous&run=latest');
  const compared = compare().finally(() => {
    isDone = true;
  });
  for (; !isDone; answers += 1) expect((await viewer.request('/api/runs')).status).toBe(200);
  expect((await compared).status).toBe(200);
  // The first and the last one say nothing: they may come before and after the comparison.
  expect(answers).toBeGreaterThanOrEqual(5);
  expect(await (await compare()).json()).toEqual(await (await compared).json());
});

/** Writes to a connection until the other side closes it, or everything is written. */
async function talk(origin: string, head: string, body: Iterable<Uint8Array> = []) {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  let [answer, isClosed] = ['', false];
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      isClosed = true;
      resolve();
    });
  });
  // A connection that is refused while something is written to it.
  socket.on('error', () => {});
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text;
  });
  socket.write(head);
  let written = 0;
  for (const part of body) {
    if (isClosed) break;
    written += part.length;
    if (!socket.write(part)) await Promise.race([closed, new Promise((resolve) => socket.once('drain', resolve))]);
  }
  await closed;
  return { answer, written };
}

const MEGABYTE = 1_000_000;
/** The limit of 1 MB, and what the buffers of both sides of a connection hold. */
const MOST_WRITTEN = 20 * MEGABYTE;

function* chunks(bytes: number): Generator<Uint8Array> {
  const data = Buffer.alloc(0x10000, 'x');
  const chunk = Buffer.concat([Buffer.from('10000\r\n'), data, Buffer.from('\r\n')]);
  for (let sent = 0; sent < bytes; sent += chunk.length) yield chunk;
  yield Buffer.from('0\r\n\r\n');
}

test.each([
  ['a body that is read', '/api/runs/latest/resume', TOKEN, 400],
  ['a body that nobody reads', '/api/runs/latest/stop', TOKEN, 404],
  ['a body of somebody without the token', '/api/runs/latest/resume', 'wrong', 401],
])('%s: 300 MB in chunks are refused after about the limit', async (_, path, token, status) => {
  await using project = await projectFixture({ 'salvo.yaml': '' });
  await using viewer = await startView(project);
  const { host } = new URL(viewer.origin);
  const head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${viewer.origin}\r\nAuthorization: Bearer ${token}\r\nTransfer-Encoding: chunked\r\n\r\n`;
  const { answer, written } = await talk(viewer.origin, head, chunks(300 * MEGABYTE));
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(written).toBeLessThan(MOST_WRITTEN);
});
