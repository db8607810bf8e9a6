import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { commentBody, commentMarker } from '../../action/comment-body.ts';
import { openGitHub } from '../../action/github-api.ts';
import { upsertComment } from '../../action/upsert-comment.ts';
import { type Exchange, startLoopback } from '../loopback/loopback-server.ts';
import { projectFixture } from '../project-fixture.ts';

const MARKER = commentMarker('tests/salvo');
const TARGET = { repository: 'acme/shop-agent', pullRequest: 42, marker: MARKER };
const LIST = '/repos/acme/shop-agent/issues/42/comments';
const TOKEN = 'ghs_thisIsTheTokenOfTheTest0000000000';

const asked = (method: string, path: string, reply: Exchange['reply']): Exchange => ({
  expect: (request) => {
    expect(`${request.method} ${request.path}`).toBe(`${method} ${path}`);
    expect(request.headers.authorization).toBe(`Bearer ${TOKEN}`);
  },
  reply,
});
const noUser = asked('GET', '/user', { status: 403, json: { message: 'Resource not accessible by integration' } });
const listed = (comments: unknown[], page = 1) => asked('GET', `${LIST}?per_page=100&page=${page}`, { json: comments });
const created = asked('POST', LIST, { status: 201, json: { id: 9 } });
const comment = (id: number, body: string, user: object = { login: 'github-actions[bot]', type: 'Bot' }) => ({
  id,
  body,
  user,
});

async function upsert(...exchanges: Exchange[]) {
  await using server = await startLoopback(exchanges);
  const waits: number[] = [];
  const api = openGitHub({ url: server.url, token: TOKEN, wait: async (seconds) => void waits.push(seconds) });
  const outcome = await upsertComment(api, TARGET, `${MARKER}\nhello`).catch((error: Error) => error.message);
  return { outcome, waits, requests: server.requests };
}

describe('the comment on a pull request', () => {
  test('is created once', async () => {
    const { outcome, requests } = await upsert(noUser, listed([comment(1, 'hi')]), created);
    expect(outcome).toBe('created');
    expect(requests.at(-1)?.body).toEqual({ body: `${MARKER}\nhello` });
  });

  test('is updated by later runs, on whatever page it is', async () => {
    const first = Array.from({ length: 100 }, (_, id) => comment(id + 1, 'hi'));
    const update = asked('PATCH', '/repos/acme/shop-agent/issues/comments/777', { json: { id: 777 } });
    const { outcome } = await upsert(noUser, listed(first), listed([comment(777, `${MARKER}\nold`)], 2), update);
    expect(outcome).toBe('updated');
  });

  test('is not one that somebody else wrote, even if it begins with the marker', async () => {
    const forged = comment(5, `${MARKER}\nall is well`, { login: 'mallory', type: 'User' });
    const quoted = comment(6, `> ${MARKER}`);
    expect(await upsert(noUser, listed([forged, quoted]), created)).toMatchObject({ outcome: 'created' });
  });

  test('is that of the person whose token it is', async () => {
    const user = asked('GET', '/user', { json: { login: 'mona' } });
    const own = comment(5, `${MARKER}\nold`, { login: 'mona', type: 'User' });
    const update = asked('PATCH', '/repos/acme/shop-agent/issues/comments/5', { json: { id: 5 } });
    expect(await upsert(user, listed([comment(4, MARKER), own]), update)).toMatchObject({ outcome: 'updated' });
  });

  test.each([401, 403, 404])('is not allowed with status %i, which is no error', async (status) => {
    const refused = asked('POST', LIST, { status, json: { message: 'no' } });
    expect(await upsert(noUser, listed([]), refused)).toMatchObject({ outcome: 'not allowed' });
  });

  test('that GitHub finds wrong is an error with its status', async () => {
    const refused = asked('POST', LIST, { status: 422, json: { message: 'Validation Failed' } });
    const { outcome } = await upsert(noUser, listed([]), refused);
    expect(outcome).toBe('GitHub refused the comment with status 422.');
  });

  test('that was deleted meanwhile is created again', async () => {
    const gone = asked('PATCH', '/repos/acme/shop-agent/issues/comments/7', { status: 404, json: {} });
    const { outcome } = await upsert(noUser, listed([comment(7, MARKER)]), gone, noUser, listed([]), created);
    expect(outcome).toBe('created');
  });
});

describe('a GitHub that is busy', () => {
  test('is asked again after the time that it says', async () => {
    const limited = asked('GET', '/user', { status: 429, json: {}, headers: { 'retry-after': '7' } });
    const secondary = asked('POST', LIST, { status: 403, json: {}, headers: { 'x-ratelimit-remaining': '0' } });
    const down = asked('GET', `${LIST}?per_page=100&page=1`, { status: 502, json: {} });
    const { outcome, waits } = await upsert(limited, noUser, down, listed([]), secondary, created);
    expect({ outcome, waits }).toEqual({ outcome: 'created', waits: [7, 1, 1] });
  });

  test('may have created the comment although it failed: it is looked for before it is created again', async () => {
    const failed = asked('POST', LIST, { status: 500, json: {} });
    const update = asked('PATCH', '/repos/acme/shop-agent/issues/comments/9', { json: { id: 9 } });
    const { outcome } = await upsert(noUser, listed([]), failed, noUser, listed([comment(9, MARKER)]), update);
    expect(outcome).toBe('updated');
  });

  test('is given up when it wants us to wait for long', async () => {
    const limited = asked('GET', '/user', { status: 429, json: {}, headers: { 'retry-after': '3600' } });
    const { outcome, waits } = await upsert(limited, limited, limited);
    expect({ outcome, waits }).toEqual({ outcome: 'GitHub answered with status 429', waits: [] });
  });
});

describe('the text of the comment', () => {
  const parts = { marker: MARKER, command: 'run', exitCode: '1', runUrl: 'https://x/1', sha: 'ec26c3e57ca3a959' };

  test('begins with the marker and says where it comes from', () => {
    const body = commentBody({ ...parts, summary: '## Salvo\n\n| a |\n' });
    expect(body).toMatch(/^<!-- salvo:[0-9a-f]{16} -->\n## Salvo\n/);
    expect(body).toContain('exit code 1, commit ec26c3e57ca3, [log](https://x/1)');
  });

  test('is never longer than GitHub takes, and ends at a whole line', () => {
    const body = commentBody({ ...parts, summary: '| a row of a table |\n'.repeat(10_000) });
    expect(body.length).toBeLessThanOrEqual(65_536);
    expect(body).toMatch(/\| a row of a table \|\n\n_The rest is in the \[summary/);
  });

  test('says so if there is no summary', () => {
    expect(commentBody({ ...parts, exitCode: '3', summary: null })).toContain('has exit code 3** and wrote no summary');
  });

  test('cannot be ended by the key of its marker', () => {
    expect(commentMarker('--> @everyone')).toMatch(/^<!-- salvo:[0-9a-f]{16} -->$/);
  });
});

describe('the step', () => {
  const script = fileURLToPath(new URL('../../action/comment.ts', import.meta.url));
  const step = async (event: string, exchanges: Exchange[]) => {
    await using server = await startLoopback(exchanges);
    await using folder = await projectFixture({ 'summary.md': '## Salvo: PASS\n', 'page.md': '' });
    const env = {
      PATH: process.env.PATH,
      GITHUB_API_URL: server.url,
      GITHUB_REPOSITORY: 'acme/shop-agent',
      GITHUB_EVENT_NAME: event.split('-')[0],
      GITHUB_EVENT_PATH: fileURLToPath(new URL(`../fixtures/github-events/${event}.json`, import.meta.url)),
      GITHUB_STEP_SUMMARY: folder.path('page.md'),
      SALVO_GITHUB_TOKEN: TOKEN,
      SALVO_COMMENT_KEY: 'tests/salvo',
      SALVO_SUMMARY: folder.path('summary.md'),
      SALVO_EXIT_CODE: '0',
    };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [script], { env });
    expect(stdout + stderr).not.toContain(TOKEN);
    return { stdout, page: await readFile(folder.path('page.md'), 'utf8'), requests: server.requests };
  };

  test('writes the comment of a pull request', async () => {
    const { stdout, requests } = await step('pull_request', [noUser, listed([]), created]);
    expect(stdout).toBe('The comment was created.\n');
    expect(requests.at(-1)?.body).toMatchObject({ body: expect.stringContaining('## Salvo: PASS') });
  });

  test('says that a fork may not write, and leaves the result in the summary', async () => {
    const refused = asked('POST', LIST, { status: 403, json: { message: 'Resource not accessible by integration' } });
    const { stdout, page } = await step('pull_request-from-fork', [noUser, listed([]), refused]);
    expect(stdout).toMatch(/^::notice title=Salvo::The pull request comes from a fork/);
    expect(page).toContain('so the result is only here');
  });

  test('asks GitHub nothing without a pull request', async () => {
    expect((await step('merge_group', [])).stdout).toBe('No comment: the event merge_group has no pull request.\n');
  });
});
