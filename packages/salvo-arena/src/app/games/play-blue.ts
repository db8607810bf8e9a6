import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { BlueOutcome } from '../../blue/blue-team.ts';
import { readCodeFolder } from '../../code/read-code-folder.ts';
import type { CodeLanguage } from '../../iac/syntax/code-block.ts';
import { type AnalyzeOptions, analyzeCode } from './analyze-code.ts';

export interface PlayBlueOptions extends AnalyzeOptions {
  /** A folder of code, or the folder of a game. */
  dir: string;
  /** Only code of this language. */
  language?: CodeLanguage | undefined;
  seed?: number | undefined;
}

/** Plays Blue's side of a game: looks at the code of a folder. Of a game's folder, it sees the code alone. */
export async function playBlue({ dir, language, seed, ...options }: PlayBlueOptions): Promise<BlueOutcome> {
  const folder = resolve(options.cwd ?? process.cwd(), dir);
  const { files } = await readCodeFolder((await isGameFolder(folder)) ? join(folder, 'code') : folder);
  return await analyzeCode({ files, language, seed }, options);
}

async function isGameFolder(folder: string): Promise<boolean> {
  const found = await Promise.all(
    ['code', 'vulnerability_manifest.json'].map((name) => stat(join(folder, name)).catch(() => null)),
  );
  return found.every((stats) => stats !== null);
}
