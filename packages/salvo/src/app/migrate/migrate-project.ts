import { randomBytes } from 'node:crypto';
import { cp, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Migration, MigrationChoices } from '../../migrate/migration.ts';
import type { MigrationReport } from '../../migrate/migration-document.ts';
import type { MigrationNote } from '../../migrate/notes.ts';
import { displayPath } from '../../scenario/diagnostics/format-diagnostics.ts';
import { errorMessage, SalvoError } from '../../text/errors/salvo-error.ts';
import type { Workplace } from '../project/open-project.ts';
import { validateFiles } from '../project/validate.ts';

export interface MigrateOptions extends Workplace, MigrationChoices {
  tool: MigrationReport['tool'];
  /** The file to read. Default for promptfoo: promptfooconfig.yaml. */
  files?: readonly string[] | undefined;
  /** The folder to write. */
  out: string;
  /** Write into a folder that has files already. */
  force?: boolean | undefined;
  /** Write nothing if anything is left out. */
  strict?: boolean | undefined;
  dryRun?: boolean | undefined;
}

/** Makes a project of the files of another tool. It is written completely, or not at all. */
export async function migrateProject(options: MigrateOptions): Promise<MigrationReport> {
  const { cwd = process.cwd(), out, force = false, strict = false, dryRun = false } = options;
  const target = resolve(cwd, out);
  if (!force && !dryRun) await refuseUsed(target, out);
  const migration = await convert(options, cwd);
  const { left_out, ...lists } = migration.notes.lists();
  const [first] = left_out;
  if (strict && first) {
    const place = `${displayPath(first.place.file, cwd)}:${first.place.line}`;
    throw new SalvoError(
      'IMPORT_LOSSY',
      `${left_out.length} parts would be left out, so nothing was written. The first: ${first.what} (${place}): ${first.why}.`,
    );
  }
  await writeProject(migration, { target, out, dryRun });
  const shown = (notes: readonly MigrationNote[]) =>
    notes.map((note) => ({ ...note, place: { ...note.place, file: displayPath(note.place.file, cwd) } }));
  return {
    ...{ tool: options.tool, source: displayPath(migration.source, cwd), out, written: !dryRun },
    ...{ complete: left_out.length === 0, files: [...migration.files.keys()].sort() },
    ...{ scenarios: migration.scenarios, rows: migration.rows, translated: lists.translated },
    ...{ changed: shown(lists.changed), left_out: shown(left_out), unneeded: shown(lists.unneeded) },
  };
}

async function convert({ tool, files = [], adapter, model }: MigrateOptions, cwd: string): Promise<Migration> {
  const [file, ...others] = files;
  if (tool === 'promptfoo') {
    if (others.length > 0) throw new SalvoError('OPTIONS_INVALID', 'Name one config at a time.');
    const { migratePromptfoo } = await import('../../migrate/promptfoo/migrate-promptfoo.ts');
    return migratePromptfoo({ config: file, cwd, adapter, model });
  }
  if (file === undefined) throw new SalvoError('OPTIONS_INVALID', `Name the file: salvo import ${tool} FILE.`);
  const choices = { files: files.map((each) => resolve(cwd, each)), cwd, adapter, model };
  if (tool === 'openai-evals') return (await import('../../migrate/openai-evals.ts')).migrateOpenaiEvals(choices);
  if (tool === 'deepeval') return (await import('../../migrate/deepeval.ts')).migrateDeepeval(choices);
  return (await import('../../migrate/inspect-samples.ts')).migrateInspectSamples(choices);
}

async function refuseUsed(target: string, out: string): Promise<void> {
  const stats = await stat(target).catch(() => null);
  if (!stats) return;
  const isUsed = !stats.isDirectory() || (await readdir(target)).length > 0;
  if (!isUsed) return;
  throw new SalvoError(
    'FILE_NOT_WRITTEN',
    `${out} exists and is not empty. Name another folder with {option:out}, or write into it with {option:force}.`,
  );
}

/** Into a folder beside the target, which takes its place when all is there and valid. */
async function writeProject(
  { files }: Migration,
  { target, out, dryRun }: { target: string; out: string; dryRun: boolean },
): Promise<void> {
  const draft = `${target}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    for (const [path, text] of files) {
      await mkdir(dirname(join(draft, path)), { recursive: true });
      await writeFile(join(draft, path), text);
    }
    await refuseInvalid(draft);
    if (dryRun) return;
    const stats = await stat(target).catch(() => null);
    if (stats) await cp(draft, target, { recursive: true, force: true });
    else await rename(draft, target);
  } catch (cause) {
    if (cause instanceof SalvoError) throw cause;
    throw new SalvoError('FILE_NOT_WRITTEN', `Could not write ${out}: ${errorMessage(cause)}.`, { cause });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function refuseInvalid(draft: string): Promise<void> {
  const folders = (await readdir(draft)).filter((name) => name === 'scenarios' || name === 'look');
  const { diagnostics } = await validateFiles({ cwd: draft, files: folders });
  const [first] = diagnostics.filter(({ severity }) => severity === 'error');
  if (!first) return;
  const { message, hint, line, column, file } = first;
  throw new SalvoError(
    'FILE_INVALID',
    `The project would not be valid, so nothing was written. ${displayPath(file, draft)}:${line}:${column}: ${message}${hint === undefined ? '' : ` (${hint})`}`,
  );
}
