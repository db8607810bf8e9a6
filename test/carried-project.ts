import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseEntries } from '../packages/salvo/src/app/selection/choose-entries.ts';
import { loadProject } from '../packages/salvo/src/scenario/load-project.ts';
import { type PackedProject, packProject } from '../packages/salvo-postgres/src/bundle/pack-project.ts';
import {
  type UnpackedProject,
  type UnpackOptions,
  unpackBundle,
} from '../packages/salvo-postgres/src/bundle/unpack-bundle.ts';

/** Packs all scenarios of a project, or those that are named. */
export async function packAll(
  root: string,
  { files, adapter, env = {} }: { files?: string[]; adapter?: string; env?: Record<string, string> } = {},
): Promise<PackedProject> {
  const project = await loadProject(root);
  const { chosen, skipped } = await chooseEntries({ options: { adapter }, project, cwd: root, files });
  return packProject({ project, env, needs: { entries: [...chosen, ...skipped] }, cwd: root });
}

/** Another machine: a cache of its own, and the database as a map. */
export async function otherMachine(): Promise<
  AsyncDisposable & {
    cache: string;
    unpack(
      packed: Pick<PackedProject, 'hash' | 'contents'>,
      options?: Partial<UnpackOptions>,
    ): Promise<UnpackedProject>;
  }
> {
  const folder = await mkdtemp(join(tmpdir(), 'salvo-worker-'));
  const cache = join(folder, 'cache');
  return {
    cache,
    unpack: ({ hash, contents }, options) =>
      unpackBundle({ hash, cache, cwd: folder, allowedCode: 'all', readFiles: readFrom(contents), ...options }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 10 }),
  };
}

function readFrom(contents: ReadonlyMap<string, Uint8Array>): UnpackOptions['readFiles'] {
  return async (hashes) =>
    new Map(
      hashes.flatMap((hash) => {
        const content = contents.get(hash);
        return content ? [[hash, content] as const] : [];
      }),
    );
}
