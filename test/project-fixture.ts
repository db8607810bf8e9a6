import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadProject } from '../packages/salvo/src/scenario/load-project.ts';
import type { Project } from '../packages/salvo/src/scenario/schema/project-schema.ts';

export interface ProjectFixture extends AsyncDisposable {
  root: string;
  path(name: string): string;
  write(name: string, content: string | Uint8Array): Promise<string>;
  remove(name: string): Promise<void>;
  project(): Promise<Project>;
}

/** A folder with these files, gone when it is disposed of. */
export async function projectFixture(files: Record<string, string> = {}): Promise<ProjectFixture> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'salvo-project-')));
  const fixture: ProjectFixture = {
    root,
    path: (name) => join(root, name),
    async write(name, content) {
      const file = join(root, name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
      return file;
    },
    remove: (name) => rm(join(root, name)),
    project: () => loadProject(root),
    // An agent of a run that was killed may still write here: what it adds meanwhile is removed at the next attempt.
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true, maxRetries: 10 }),
  };
  for (const [name, content] of Object.entries(files)) await fixture.write(name, content);
  return fixture;
}
