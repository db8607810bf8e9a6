import { missingPackage, openDoors, packageOf } from 'salvo/kit/extension';
import type { Work } from 'salvo/kit/queue';
import { isPluginPackage, loadPlugins, type Project } from 'salvo/kit/scenario';
import type { Store } from 'salvo/kit/store';
import { SalvoError } from 'salvo/kit/text';
import { runKind, type WorkKind, type WorkTypes } from 'salvo/kit/work';

/**
 * Executes the packages that the salvo.yaml of a worker, or of somebody who follows work, names: one of them may have a
 * kind of work. Files that it names are not executed: they are for the runs of that project.
 */
export async function loadPackages({ root, config }: Project): Promise<void> {
  await loadPlugins(config.plugins.filter(isPluginPackage), root);
}

/** All kinds of work that are known here. */
export async function workKinds(): Promise<WorkKind[]> {
  return [runKind, ...(await openDoors('work')).flat()];
}

export async function isKnown({ kind }: Work): Promise<boolean> {
  return (await workKinds()).some((each) => each.kind === kind);
}

/** Throws if the package that has it is not installed. */
export async function kindOf({ kind }: Work): Promise<WorkKind> {
  const found = (await workKinds()).find((each) => each.kind === kind);
  if (found) return found;
  throw missingPackage(packageOf('commands', kind) ?? kind, `Work of the kind ${kind}`);
}

export async function recordOf<T extends WorkTypes>(kind: WorkKind<T>, store: Store, id: string): Promise<T['record']> {
  const record = await kind.getRecord(store, id);
  if (record !== null) return record;
  throw new SalvoError('RUN_UNKNOWN', `There is no ${kind.kind} ${id}.`);
}

/** For the reader: `Run 0198...` */
export function nameOf({ kind, id }: Work): string {
  return `${kind.charAt(0).toUpperCase()}${kind.slice(1)} ${id}`;
}
