import { hash } from 'node:crypto';
import { extname, posix } from 'node:path';
import { canonicalJson, compareNames, contentHash, SalvoError } from 'salvo/kit/text';
import { z } from 'zod';
import { clashingPath, parcelPathProblem } from './parcel-path.ts';

const hashSchema = z.string().regex(/^[0-9a-f]{64}$/);
const pathSchema = z.string().max(1000);

const parcelFileSchema = z.strictObject({
  /** Relative to the root of the parcel, with forward slashes. */
  path: pathSchema,
  /** The sha256 of the content. */
  hash: hashSchema,
  size: z.int().nonnegative(),
  executable: z.boolean(),
});

const CODE_KINDS = ['plugin', 'hooks', 'scenario', 'module', 'assertion', 'command', 'file'] as const;

const parcelCodeSchema = z.strictObject({
  what: z.enum(CODE_KINDS),
  /** The path of the file from the folder of salvo.yaml, or the command line. */
  name: z.string().max(20_000),
  /** Of a command: its words, its folder from that of salvo.yaml, and the variables that it receives. */
  command: z
    .strictObject({ words: z.array(z.string()).min(1), cwd: z.string().max(1000), env: z.array(z.string()) })
    .nullable(),
  /** The paths of its files: those that it is started with, and those that they import or name. */
  files: z.array(pathSchema).max(100_000),
});

/** What is in a parcel: the files of a project that the jobs of a run or an experiment need. */
const parcelSchema = z.strictObject({
  /** The folder of salvo.yaml in it; empty if that is the root. */
  project: pathSchema,
  /** The working directory in which the commands of an experiment run. */
  cwd: pathSchema,
  files: z.array(parcelFileSchema).min(1).max(100_000),
  /** The paths of files that `data:` of scenarios names. Their content is not part of the code. */
  data: z.array(pathSchema).max(100_000),
  /** The code among it. */
  code: z.array(parcelCodeSchema).max(10_000),
});

export type Parcel = z.infer<typeof parcelSchema>;
export type ParcelCode = z.infer<typeof parcelCodeSchema>;

/** The code of a parcel as the owner of a worker sees it, who allows all of it by one hash. */
export interface CodeToAllow {
  hash: string;
  pieces: PieceOfCode[];
}

interface PieceOfCode extends Pick<ParcelCode, 'what' | 'name'> {
  /** What it takes from the machine that executes it: the hash does not cover this. */
  outside: string[];
}

/** The document as it is stored, and its hash, by which the whole parcel is known. */
export function parcelBytes(parcel: Parcel): { hash: string; content: Uint8Array } {
  const content = Buffer.from(canonicalJson(parcel));
  return { hash: fileHash(content), content };
}

export function fileHash(content: Uint8Array): string {
  return hash('sha256', content, 'hex');
}

/** Reads the document of a parcel. It may come from anybody who can write to the database: everything is checked. */
export function readParcel(content: Uint8Array, expectedHash: string): Parcel {
  if (fileHash(content) !== expectedHash) throw badParcel('its content does not match its hash');
  const parcel = parseDocument(content);
  const paths = parcel.files.map(({ path }) => path);
  for (const path of [...paths, ...[parcel.project, parcel.cwd].filter((each) => each !== '')]) {
    const problem = parcelPathProblem(path);
    if (problem) throw badParcel(`the path ${JSON.stringify(path.slice(0, 200))} is refused: ${problem}`);
  }
  const clash = clashingPath(paths);
  if (clash !== null) throw badParcel(`the path ${JSON.stringify(clash.slice(0, 200))} is there twice`);
  const known = new Set(paths);
  const unknown = [...parcel.data, ...parcel.code.flatMap(({ files }) => files)].find((path) => !known.has(path));
  if (unknown !== undefined) throw badParcel(`it lists ${JSON.stringify(unknown.slice(0, 200))}, which is not in it`);
  const named = new Set(parcel.code.flatMap(({ files }) => files));
  const hidden = parcel.files.find(({ path, executable }) => (executable || looksLikeCode(path)) && !named.has(path));
  if (hidden)
    throw badParcel(`${JSON.stringify(hidden.path.slice(0, 200))} is code, and the list of its code lacks it`);
  return parcel;
}

function parseDocument(content: Uint8Array): Parcel {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content));
    return parcelSchema.parse(value);
  } catch (cause) {
    throw badParcel('its list of files cannot be read', cause);
  }
}

export function badParcel(why: string, cause?: unknown): SalvoError {
  const message = `The files of this run were not taken, because ${why}. Nothing of them was executed. Start the run again.`;
  return new SalvoError('PARCEL_INVALID', message, { cause });
}

const CODE_EXTENSIONS = new Set(
  '.ts .mts .cts .tsx .js .mjs .cjs .jsx .node .wasm .py .pyc .so .dll .dylib .exe .bat .cmd .ps1 .sh .bash .zsh .rb .pl .php .lua'.split(
    ' ',
  ),
);

/** Whether a file can be executed or imported, or says what an import means, judged by its name alone. */
export function looksLikeCode(path: string): boolean {
  return CODE_EXTENSIONS.has(extname(path).toLowerCase()) || posix.basename(path) === 'package.json';
}

/**
 * The code that a worker's owner has to allow; null if there is none. A program may read any file in its folder, such as
 * a Makefile or pyproject.toml, so the hash covers every path, and every content except that of data and Markdown that
 * no code names. Paths count from the folder of salvo.yaml: where the project is in the parcel must not change the hash.
 */
export function codeOf(parcel: Parcel): CodeToAllow | null {
  if (parcel.code.length === 0) return null;
  const named = new Set(parcel.code.flatMap(({ files }) => files));
  const data = new Set(parcel.data);
  const isFree = (path: string) => (data.has(path) || /\.(?:md|markdown)$/i.test(path)) && !named.has(path);
  const files = parcel.files.map(({ path, hash: content, executable }) => ({
    path: posix.relative(parcel.project, path),
    content: isFree(path) ? null : content,
    executable,
  }));
  const code = parcel.code.map(({ what, name, command }) => ({ what, name, command }));
  return {
    hash: contentHash({
      files: files.sort((a, b) => compareNames(a.path, b.path)),
      code: code.map(canonicalJson).sort(compareNames),
    }),
    pieces: parcel.code.map((piece) => ({
      what: piece.what,
      name: piece.name,
      outside: takenFromOutside(piece, parcel),
    })),
  };
}

/** The program of a command unless the parcel has it, arguments that lead elsewhere, and variables. */
function takenFromOutside({ command }: ParcelCode, { project, files }: Parcel): string[] {
  if (!command) return [];
  const paths = new Set(files.map(({ path }) => path));
  const [program = '', ...rest] = command.words;
  const inParcel = (word: string) => paths.has(posix.join(project, command.cwd, word));
  const leadsOut = (word: string) => /(?:^|[=:])(?:\/|~|[a-z]:[\\/])|\.\.[\\/]/i.test(word) && !inParcel(word);
  return [
    ...(program.includes('/') && inParcel(program) ? [] : [`the program ${program}`]),
    ...rest.filter(leadsOut).map((word) => `the argument ${word}`),
    ...command.env.map((name) => `the variable ${name}`),
  ];
}
