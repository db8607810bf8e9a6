import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode, errorMessage, SalvoError } from 'salvo/kit/text';
import type { EntryStatus, GateEntry } from '../gate/gate-result.ts';
import type { Finding } from '../match/claims/finding.ts';
import type { Vulnerability } from '../match/claims/vulnerability.ts';
import { scoreResultsToDict } from '../match/results/score-results-to-dict.ts';
import type { RedMetadata } from '../red/red-team.ts';
import type { PlayedGame } from './played-game.ts';

/** In every manifest, and nowhere else: a model that completes it was trained on answers of this benchmark. */
const CANARY = 'Answers of a benchmark: not for training data. salvo-arena canary 5d0c7a1e-93b4-4f62-8e1d-b2f60c9a7e35';

/**
 * The files of a game's folder by path. A game that failed has the files of the stages before: what Red made may have
 * been paid for, and is kept.
 */
export function gameFiles(played: PlayedGame): Map<string, string> {
  const { game, blue, blueOnTwin, results } = played;
  const files = redFiles(played);
  if (blue) files.set('findings.json', json(findingsWithTwin(played)));
  if (blueOnTwin) files.set('twin_findings.json', json(blueOnTwin.findings));
  if (results) files.set('scores.json', json(scoreResultsToDict(results)));
  return files.set('game.json', json(game));
}

/** The folder of Red's side alone; `delivery` is the content of red.json. */
export function deliveryFiles(played: Parameters<typeof redFiles>[0], delivery: object): Map<string, string> {
  return redFiles(played).set('red.json', json(delivery));
}

/** What a folder has of Red's side: code, twin and manifests. */
function redFiles({ red, gate, scored }: Pick<PlayedGame, 'red' | 'gate' | 'scored'>): Map<string, string> {
  const manifest = (vulnerabilities: readonly Vulnerability[], present: RedMetadata['present_before'] = []) =>
    json({ canary: CANARY, vulnerabilities, ...(present.length > 0 ? { present_before: present } : {}) });
  const files = new Map<string, string>();
  for (const [name, text] of Object.entries(red?.files ?? {})) files.set(`code/${name}`, text);
  for (const [name, text] of Object.entries(red?.metadata.twin ?? {})) files.set(`twin/${name}`, text);
  if (red) files.set('vulnerability_manifest.json', manifest(red.vulnerabilities, red.metadata.present_before));
  if (gate) {
    files.set('scored_manifest.json', manifest(scored, red?.metadata.present_before));
    files.set('phantom_manifest.json', manifest(entriesWithChecks(gate.entries, 'phantom')));
    const unchecked = entriesWithChecks(gate.entries, 'unchecked');
    if (unchecked.length > 0) files.set('unchecked_manifest.json', manifest(unchecked));
  }
  return files;
}

/** Blue's findings; if Blue looked at the clean twin, each says whether it is in both reports. */
export function findingsWithTwin({ blue, results }: PlayedGame): Finding[] {
  const inTwin = results?.inTwin ?? null;
  if (inTwin === null) return blue?.findings ?? [];
  const both = new Set(inTwin);
  return (blue?.findings ?? []).map((finding, index) => ({ ...finding, in_twin: both.has(index) }));
}

/** Entries that are not scored, each with the reason. */
function entriesWithChecks(entries: readonly GateEntry[], wanted: EntryStatus): Vulnerability[] {
  return entries
    .filter(({ status }) => status === wanted)
    .map(({ vulnerability, checks }) => ({ ...vulnerability, gate: { status: wanted, checks } }));
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Everything that a game writes to its folder. Anything else belongs to the user. */
const GAME_FILES: ReadonlySet<string> = new Set([
  'code',
  'twin',
  'vulnerability_manifest.json',
  'scored_manifest.json',
  'phantom_manifest.json',
  'unchecked_manifest.json',
  'findings.json',
  'twin_findings.json',
  'scores.json',
  'game.json',
  'red.json',
]);

/**
 * Throws unless a game can be written to this folder: it does not exist, it is empty, or, with `force`, it holds an
 * earlier game and nothing else. Also called before the game is played, so that its result can be kept.
 */
export async function checkGameFolder(folder: string, { force }: { force: boolean }): Promise<void> {
  const names = await namesIn(folder);
  if (names.length === 0) return;
  const foreign = names.find((name) => !GAME_FILES.has(name));
  if (foreign !== undefined || !names.some((name) => name === 'game.json' || name === 'red.json')) {
    const what = foreign === undefined ? 'is not empty' : `holds ${JSON.stringify(foreign)}, which no game wrote`;
    throw folderError(`${folder} ${what}. Choose a folder that is empty, or does not exist yet.`);
  }
  if (!force)
    throw folderError(`${folder} holds a game already. Choose another folder, or replace it with {option:force}.`);
}

/** Writes a game's folder completely or not at all. An earlier game in it stays until the new one is complete. */
export async function writeGameFolder(
  folder: string,
  files: ReadonlyMap<string, string>,
  { force }: { force: boolean },
): Promise<void> {
  const mark = randomBytes(4).toString('hex');
  const [draft, old] = [`${folder}.${mark}.tmp`, `${folder}.${mark}.old`];
  try {
    await mkdir(dirname(folder), { recursive: true });
    await mkdir(draft);
    for (const [path, text] of files) {
      await mkdir(dirname(join(draft, path)), { recursive: true });
      await writeFile(join(draft, path), text, { flag: 'wx' });
    }
    // The folder may have been filled while the game was played.
    await checkGameFolder(folder, { force });
    const wasThere = await rename(folder, old).then(
      () => true,
      (error: unknown) => {
        if (errorCode(error) === 'ENOENT') return false;
        throw error;
      },
    );
    await rename(draft, folder).catch(async (error) => {
      if (wasThere) await rename(old, folder);
      throw error;
    });
    if (wasThere) await rm(old, { recursive: true, force: true });
  } catch (cause) {
    await rm(draft, { recursive: true, force: true });
    if (cause instanceof SalvoError) throw cause;
    throw folderError(`The game could not be written to ${folder}: ${errorMessage(cause)}.`, cause);
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (cause) {
    const code = errorCode(cause);
    if (code === 'ENOENT') return [];
    if (code === 'ENOTDIR') throw folderError(`${folder} is a file, or is below one: a game needs a folder.`, cause);
    throw folderError(`${folder} cannot be read: ${errorMessage(cause)}.`, cause);
  }
}

function folderError(message: string, cause?: unknown): SalvoError {
  return new SalvoError('GAME_FOLDER_UNUSABLE', message, { cause });
}
