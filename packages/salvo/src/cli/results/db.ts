import { importStore } from '../../app/results/import-store.ts';
import { migrateProjectStore, pruneStore, storeStatus } from '../../app/results/tend-store.ts';
import { importText, pruneText, renderStoreStatus } from '../../report/store-report.ts';
import type { Look } from '../../report/terminal/look.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { safeLine } from '../../text/output/safe-text.ts';
import { snakeCase } from '../../text/snake-case.ts';
import type { DbCommandOptions } from '../program/command-options.ts';
import { printResult } from '../terminal/print-result.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `salvo db` */
export async function dbCommand(options: DbCommandOptions, terminal: Terminal): Promise<number> {
  const { cwd, env } = terminal;
  const print = (document: object, text: (look: Look) => string) =>
    printResult({ json: options.json, kind: `db-${options.action}`, document, text }, terminal);
  refuseUnfitting(options);
  switch (options.action) {
    case 'migrate': {
      const place = await migrateProjectStore({ cwd, env });
      print({ place }, () => `The tables in ${safeLine(place)} are those of this version of Salvo.\n`);
      return 0;
    }
    case 'status': {
      const status = await storeStatus({ cwd, env });
      print(status, (look) => renderStoreStatus(status, look));
      return 0;
    }
    case 'import': {
      const imported = await importFile(options, terminal);
      const { work, ...rest } = imported;
      print(snakeCase({ ...byPlural(work, (count) => count), ...rest }), () => importText(imported));
      return imported.isInterrupted ? 3 : 0;
    }
    case 'prune': {
      const before = options.olderThan === undefined ? null : new Date(Date.now() - options.olderThan);
      const pruned = await pruneStore({ before, unreadable: options.unreadable, dryRun: options.dryRun, cwd, env });
      const { work, kept } = pruned;
      const removed = byPlural(work, (each) => each.removed);
      print({ ...byPlural(work, ({ ids }) => ids), kept, removed }, () =>
        pruneText(pruned, { before, isUnreadable: options.unreadable, isDryRun: options.dryRun }),
      );
      return 0;
    }
  }
}

function byPlural<T, Shown>(work: Record<string, T>, show: (each: T) => Shown): Record<string, Shown> {
  return Object.fromEntries(Object.entries(work).map(([kind, each]) => [`${kind}s`, show(each)]));
}

async function importFile({ file = '', quiet }: DbCommandOptions, { cwd, env, stderr, stop }: Terminal) {
  let shownAt = 0;
  return await importStore({
    ...{ file, cwd, env, stop },
    onProgress({ kind, id, index, count }) {
      // A line for each of thousands of runs would hide everything else.
      const isDue = index === 1 || index === count || Date.now() - shownAt > 2000;
      if (quiet || !isDue) return;
      shownAt = Date.now();
      stderr.write(`${kind} ${index} of ${count}: ${safeLine(id)}\n`);
    },
  });
}

/** Words that an action has no use for are a mistake of the user. */
function refuseUnfitting({ action, file, olderThan, unreadable, dryRun }: DbCommandOptions): void {
  const refuse = (message: string): never => {
    throw new SalvoError('OPTIONS_INVALID', message);
  };
  if (action === 'import' ? file === undefined : file !== undefined) {
    refuse(
      action === 'import' ? 'Name the file to import: salvo db import .salvo/salvo.db.' : `${action} takes no file.`,
    );
  }
  const isLimited = olderThan !== undefined || unreadable;
  if (action === 'prune' ? !isLimited : isLimited || dryRun) {
    refuse(
      action === 'prune'
        ? 'Say what may go: salvo db prune --older-than 90d, or --unreadable.'
        : '--older-than, --unreadable and --dry-run are for prune.',
    );
  }
}
