import { request } from 'node:http';
import { expect, it } from 'vitest';
import { viewProject } from '../../packages/salvo/src/app/view/viewed-project.ts';
import { serveViewer } from '../../packages/salvo/src/server/serve-viewer.ts';
import { projectFixture } from '../project-fixture.ts';

const TOKEN = 'a-token-of-our-own-0123456789';

it('refuses a body in chunks as soon as it is too long, without waiting for its end', async () => {
  await using project = await projectFixture({ 'salvo.yaml': '' });
  await using viewed = await viewProject({ cwd: project.root, env: {}, command: [] });
  await using viewer = await serveViewer(viewed, { env: { SALVO_VIEW_TOKEN: TOKEN } });
  const headers = { authorization: `Bearer ${TOKEN}`, origin: viewer.origin };
  const answer = await new Promise<[number | undefined, string]>((resolve, reject) => {
    const sent = request(`${viewer.origin}/api/runs/latest/resume`, { method: 'POST', headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => {
        sent.destroy();
        resolve([response.statusCode, text]);
      });
    });
    sent.on('error', reject);
    // The request is never ended.
    sent.write('x'.repeat(1_100_000));
  });
  expect(answer).toEqual([400, '{"error":"The request cannot be read. It is longer than 1000000 bytes."}']);
});
