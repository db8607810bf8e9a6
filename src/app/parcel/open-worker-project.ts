import { resolve } from 'node:path';
import { allRegistrations, type Registrations, restoreRegistrations } from '../../adapters/process-wide.ts';
// It adds the built-in assertion types, which must be there before it is noted what plugins add.
import '../../evaluators/registry.ts';
import { loadProject } from '../../scenario/load-project.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import { permitNoCode } from '../../text/permitted-code.ts';
import { type UnpackedProject, type UnpackOptions, unpackParcel } from './unpack-parcel.ts';

export interface WorkerProjectOptions extends UnpackOptions {
  /** The project of the folder in which the worker was started: where it keeps what it stores. */
  own: Project;
}

/** The project of an order on a worker. Dispose of it when no job of the order is under way any more. */
export interface WorkerProject extends AsyncDisposable {
  project: Project;
  /** Where whoever started it was. */
  cwd: string;
}

/**
 * Opens the project of a parcel with the ordinary loader. Null: not now, because this process is working on a project
 * with other plugins. Plugins register for the whole process, so such projects take turns.
 */
export async function openWorkerProject(options: WorkerProjectOptions): Promise<WorkerProject | null> {
  if (options.allowedCode !== 'all') permitNoCode();
  const place = await unpackParcel(options);
  // One after the other: what a plugin registers while it is loaded must belong to its project.
  const opening = lastOpening.then(() => openInTurn(place, options.own));
  lastOpening = opening.catch(() => {});
  return await opening;
}

let lastOpening: Promise<unknown> = Promise.resolve();

interface Turn {
  plugins: string;
  root: string;
  users: number;
}

let turn: Turn | null = null;
/** What each project registered. A module is loaded once, so it would not register again. */
const registered = new Map<string, Registrations>();
let withoutPlugins: Registrations | null = null;

async function openInTurn({ root, cwd, plugins }: UnpackedProject, own: Project): Promise<WorkerProject | null> {
  if (turn && turn.users > 0 && turn.plugins !== plugins) return null;
  withoutPlugins ??= allRegistrations();
  const users = turn?.users ?? 0;
  const before = turn;
  if (turn?.root !== root) restoreRegistrations(registered.get(root) ?? withoutPlugins);
  try {
    const loaded = await loadProject(root);
    registered.set(root, allRegistrations());
    const current: Turn = { plugins, root, users: users + 1 };
    turn = current;
    return { project: withStorageOf(own, loaded), cwd, [Symbol.asyncDispose]: async () => void leave() };
  } catch (error) {
    if (before) restoreRegistrations(registered.get(before.root) ?? withoutPlugins);
    throw error;
  }
}

function leave(): void {
  if (turn) turn.users -= 1;
}

/** A parcel has no say in where this worker stores results. */
function withStorageOf({ root, config }: Project, project: Project): Project {
  return { ...project, config: { ...project.config, storage_dir: resolve(root, config.storage_dir) } };
}
