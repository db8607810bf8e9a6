import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runFiles } from '../../packages/salvo/src/app/runs/run.ts';
import { type ViewedProject, viewProject } from '../../packages/salvo/src/app/view/viewed-project.ts';
import { type RunningViewer, serveViewer, type ViewerOptions } from '../../packages/salvo/src/server/serve-viewer.ts';
import { viewerApi } from '../../packages/salvo/src/server/viewer-app.ts';
import { viewerDoor } from '../../packages/salvo-arena/src/server/viewer-door.ts';
import { sampleScenario } from '../cli/sample-scenario.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';

const TOKEN = 'a-token-of-our-own-0123456789';

let project: ProjectFixture;
let viewed: ViewedProject;

beforeAll(async () => {
  project = await projectFixture({ 'salvo.yaml': 'budget_usd: 2', 's.yaml': sampleScenario() });
  await using _run = await runFiles({ cwd: project.root, env: {}, files: ['s.yaml'] });
  viewed = await viewProject({ cwd: project.root, env: {}, command: [process.execPath, '--version'] });
});
afterAll(async () => {
  await viewed[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
});

async function send(viewer: RunningViewer, method: string, path: string, body = {}) {
  const headers = { authorization: `Bearer ${TOKEN}`, origin: viewer.origin };
  const response = await fetch(`${viewer.origin}/api${path}`, { method, headers, body: JSON.stringify(body) });
  return [response.status, String(((await response.json()) as { error?: unknown }).error)] as const;
}

function viewer(options: ViewerOptions): Promise<RunningViewer> {
  return serveViewer(viewed, { ...options, doors: [viewerDoor], env: { SALVO_VIEW_TOKEN: TOKEN } });
}

/** Everything by which something is changed, as the server knows it. */
function changes(): [string, string][] {
  const all = viewerApi(viewed, { rights: [], doors: [viewerDoor] }).routes.filter(
    ({ method }) => method !== 'GET' && method !== 'ALL',
  );
  const unique = new Map(all.map(({ method, path }) => [`${method} ${path}`, [method, path] as [string, string]]));
  return [...unique.values()];
}

describe('a viewer that other machines can reach', () => {
  it('refuses everything that changes something', async () => {
    await using open = await viewer({ host: '0.0.0.0' });
    expect(open.rights).toEqual([]);
    expect(changes().map(([method, path]) => `${method} ${path}`)).toEqual([
      'DELETE /runs/:run',
      'POST /runs/:run/restore',
      'POST /runs/:run/stop',
      'POST /runs/:run/resume',
      'POST /traces/:trace/scenario',
      'POST /labels',
      'DELETE /labels/:label',
      'POST /labels/calibrate',
      'POST /experiments/:experiment/stop',
      'POST /experiments/:experiment/resume',
    ]);
    for (const [method, path] of changes()) {
      expect(await send(open, method, path)).toEqual([403, expect.stringContaining('salvo view --allow')]);
    }
  });

  it('allows what was added, and nothing else', async () => {
    await using open = await viewer({ host: '0.0.0.0', allow: ['delete'] });
    expect((await send(open, 'DELETE', '/runs/nothing'))[0]).toBe(404);
    expect((await send(open, 'POST', '/runs/nothing/stop'))[0]).toBe(403);
    expect((await send(open, 'POST', '/labels'))[0]).toBe(403);
  });

  it('has addresses that other machines can open, and none that nobody can', async () => {
    await using open = await viewer({ host: '0.0.0.0' });
    expect(open.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    for (const url of open.urlsElsewhere) expect(url).not.toMatch(/0\.0\.0\.0|127\./);
  });
});

describe('a viewer of this machine', () => {
  it('has no address for others', async () => {
    await using local = await viewer({});
    expect([local.urlsElsewhere, local.rights]).toEqual([[], ['run', 'label', 'write', 'delete']]);
  });

  it('changes nothing with --read-only', async () => {
    await using local = await viewer({ readOnly: true });
    expect((await send(local, 'POST', '/runs/latest/resume'))[0]).toBe(403);
  });

  it('resumes with no more than the budget of the project', async () => {
    await using local = await viewer({});
    expect(await send(local, 'POST', '/runs/latest/resume', { budget_usd: 999_999 })).toEqual([
      400,
      'The largest budget of this project is $2: give that or less.',
    ]);
    // Within it, the process is started. Here it is one that ends at once.
    expect(await send(local, 'POST', '/runs/latest/resume', { budget_usd: 2 })).toEqual([
      409,
      expect.stringContaining('It ended with exit code 0'),
    ]);
  });
});
