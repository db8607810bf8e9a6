import { cp } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { runFiles } from '../../packages/salvo/src/app/runs/run.ts';
import { projectFixture } from '../project-fixture.ts';
import { openPage } from './browser.ts';
import { viewerFixture } from './viewer-fixture.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/coding-agent', import.meta.url));

it('shows the files that an agent changed, and what the commands printed', async () => {
  await using project = await projectFixture();
  await cp(EXAMPLE, project.root, { recursive: true, filter: (path) => !path.includes('.salvo') });
  await using finished = await runFiles({ cwd: project.root, files: [], adapter: 'careless' });
  await using viewer = await viewerFixture(project.root);
  await using opened = await openPage(`${viewer.url}#/runs/${finished.run.run_id}/trials/0/0/1`);
  const files = opened.page.getByRole('region', { name: 'Files' });
  await files.getByText('1 changed').waitFor();
  const text = (await files.textContent()) ?? '';
  expect(text).toContain('src/price.mjs changed');
  expect(text).toContain('-const RATE = 1.08;\n+const RATE = 1.2;\n');
  expect(text).toContain('node --test: exit code 1');
});
