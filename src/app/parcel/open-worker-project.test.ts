import { expect, test } from 'vitest';
import { otherMachine, packAll, readFrom } from '../../../test/carried-project.ts';
import { projectFixture } from '../../../test/project-fixture.ts';
import { allRegistrations, processWideMap, restoreRegistrations } from '../../adapters/process-wide.ts';
import { loadProject } from '../../scenario/load-project.ts';
import { openWorkerProject } from './open-worker-project.ts';
import type { PackedProject } from './pack-project.ts';

/** As `registerAdapter` does it, which refuses a name that is there already. */
const plugin = (answer: string) => `
const adapters = globalThis[Symbol.for('salvo.adapters')];
if (adapters.has('shop')) throw new Error('registered already');
adapters.set('shop', () => '${answer}');
`;

async function packedWith(files: Record<string, string>): Promise<PackedProject> {
  await using project = await projectFixture({
    'scenarios/a.yaml': 'prompt: hi\nadapter: scripted\nscript: [{content: a}]\n',
    ...files,
  });
  const before = allRegistrations();
  const packed = await packAll(project.root);
  restoreRegistrations(before);
  return packed;
}

test('projects with the same plugins are open at the same time, and those with others take turns', async () => {
  const withPlugin = { 'salvo.yaml': 'plugins: [./p.mjs]', 'p.mjs': plugin('one') };
  const first = await packedWith(withPlugin);
  const second = await packedWith({ ...withPlugin, 'scenarios/b.yaml': 'prompt: ho\nadapter: shop\n' });
  const other = await packedWith({ ...withPlugin, 'p.mjs': plugin('two') });
  const none = await packedWith({ 'salvo.yaml': '' });
  await using own = await projectFixture({ 'salvo.yaml': 'storage_dir: results' });
  await using machine = await otherMachine();
  const ownProject = await loadProject(own.root);
  const open = ({ hash, contents }: PackedProject) =>
    openWorkerProject({
      ...{ hash, cache: machine.cache, cwd: own.root, allowedCode: 'all' },
      readFiles: readFrom(contents),
      own: ownProject,
    });
  const answer = () => processWideMap<() => unknown>('adapters').get('shop')?.();

  {
    await using a = await open(first);
    await using b = await open(second);
    expect(a?.project.config.storage_dir).toBe(own.path('results'));
    expect(b?.project.root).not.toBe(a?.project.root);
    expect(answer()).toBe('one');
    expect(await open(other)).toBeNull();
    expect(await open(none)).toBeNull();
  }
  {
    await using c = await open(other);
    expect(c).not.toBeNull();
    expect(answer()).toBe('two');
  }
  {
    await using d = await open(none);
    expect(d).not.toBeNull();
    expect(answer()).toBeUndefined();
  }
  // Its module is loaded already and does not register again.
  await using e = await open(first);
  expect(e).not.toBeNull();
  expect(answer()).toBe('one');
});
