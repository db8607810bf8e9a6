import { glob, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { SalvoError } from '../text/errors/salvo-error.ts';
import type { Project } from './schema/project-schema.ts';
import type { Scenario } from './schema/scenario-schema.ts';

export interface ScenarioSearch {
  /** Files, folders and globs; the project's `scenarios_dir` when there are none. */
  patterns: string[];
  project: Project;
  cwd: string;
}

/**
 * The absolute paths of all matching scenario files, without repeats: in the order of the patterns, by name within each.
 * A pattern that matches nothing is an error.
 */
export async function findScenarioFiles({ patterns, project, cwd }: ScenarioSearch): Promise<string[]> {
  if (patterns.length === 0) {
    const folder = resolve(project.root, project.config.scenarios_dir);
    const files = await filesMatching('.', folder);
    if (files.length > 0) return sortedByName(files);
    throw new SalvoError(
      'SCENARIOS_MISSING',
      `There are no scenarios in ${folder}. Name files, folders or globs, or ${
        project.file === null ? 'start a project with `salvo init`' : 'set scenarios_dir in salvo.yaml'
      }.`,
    );
  }
  const found = await Promise.all(
    patterns.map(async (pattern) => {
      const files = await filesMatching(pattern.replaceAll('\0', ''), cwd);
      if (files.length > 0) return sortedByName(files);
      const { suggestScenario } = await import('./suggest-scenario.ts');
      const guess = suggestScenario({
        pattern,
        files: await nearbyFiles(pattern, project, cwd),
        projectRoot: project.root,
        cwd,
      });
      throw new SalvoError(
        'SCENARIOS_MISSING',
        `No scenario file matches ${JSON.stringify(pattern)}, looked for from ${cwd}.${guess}`,
      );
    }),
  );
  return [...new Set(found.flat())];
}

/** The scenarios of the project, and the files in the folder where the pattern looks: not below, which may be much. */
async function nearbyFiles(pattern: string, project: Project, cwd: string): Promise<string[]> {
  const folder = resolve(cwd, dirname(pattern.replaceAll('\0', '')));
  const beside = await readdir(folder).catch(() => []);
  const scenarios = await filesBelow(resolve(project.root, project.config.scenarios_dir)).catch(() => []);
  return sortedByName([...beside.map((name) => join(folder, name)).filter(isScenarioFile), ...scenarios]);
}

function sortedByName(files: string[]): string[] {
  return [...new Set(files)].sort();
}

/** An existing path is taken literally, even with a `*` in it. */
async function filesMatching(pattern: string, cwd: string): Promise<string[]> {
  const path = resolve(cwd, pattern);
  const kind = await kindOf(path);
  // A file that is named explicitly may have any name.
  if (kind === 'file') return [path];
  if (kind === 'folder') return filesBelow(path);
  if (!/[*?[\]{}]/.test(pattern)) return [];
  // Folders that the pattern spells out are searched; only folders found by a wildcard are skipped.
  const spelt = new Set(pattern.split(/[\\/]/));
  const isSkipped = (name: string) => isSkippedFolder(name) && !spelt.has(name);
  const files: string[] = [];
  for await (const match of glob(pattern, { cwd, exclude: (name) => isSkipped(basename(name)) })) {
    const found = resolve(cwd, match);
    const kind = await kindOf(found);
    if (kind === 'folder' && !isSkipped(basename(found))) files.push(...(await filesBelow(found)));
    if (kind === 'file' && isScenarioFile(found) && !dirname(match).split(sep).some(isSkipped)) files.push(found);
  }
  return files;
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      // Symlinks to folders are not followed: they can form cycles.
      if (entry.isDirectory()) return isSkippedFolder(entry.name) ? [] : filesBelow(path);
      return isScenarioFile(path) && (await kindOf(path)) === 'file' ? [path] : [];
    }),
  );
  return files.flat();
}

/** Names that begin with `_` are fragments for `!include`. */
function isSkippedFolder(name: string): boolean {
  return name === 'node_modules' || name.startsWith('_') || (name.startsWith('.') && name !== '.' && name !== '..');
}

function isScenarioFile(path: string): boolean {
  const name = basename(path);
  if (/^(?:_|\.)|\.cassette\.ya?ml$/.test(name)) return false;
  return /\.scenario\.m?[jt]s$/.test(name) || (/\.ya?ml$/i.test(name) && !/^salvo\.ya?ml$/.test(name));
}

/** Whether the scenarios of a file are code. One that is named explicitly need not be called `*.scenario.ts`. */
export function isCodeFile(file: string): boolean {
  return /\.m?[jt]s$/.test(file);
}

async function kindOf(path: string): Promise<'file' | 'folder' | null> {
  const stats = await stat(path).catch(() => null);
  if (stats?.isFile()) return 'file';
  return stats?.isDirectory() ? 'folder' : null;
}

/** Whether a scenario has all wanted tags: `fast`, or `tier=1` for an entry of a map (or of a list, literally). */
export function matchesTags(tags: Scenario['tags'], wanted: string[]): boolean {
  return wanted.every((tag) => (Array.isArray(tags) ? tags.includes(tag) : hasEntry(tags ?? {}, tag)));
}

function hasEntry(tags: Record<string, string | number | boolean>, tag: string): boolean {
  // `fast: false` means that the scenario does not have the tag.
  if (Object.hasOwn(tags, tag)) return tags[tag] !== false;
  return Object.entries(tags).some(([key, value]) => tag === `${key}=${value}`);
}
