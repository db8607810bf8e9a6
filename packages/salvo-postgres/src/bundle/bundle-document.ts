import { hash } from 'node:crypto';
import { extname, posix } from 'node:path';
import { canonicalJson, compareNames, contentHash, SalvoError } from 'salvo/kit/text';
import { z } from 'zod';
import { bundlePathProblem, clashingPath } from './bundle-path.ts';

const hashSchema = z.string().regex(/^[0-9a-f]{64}$/);
const pathSchema = z.string().max(1000);

const bundleFileSchema = z.strictObject({
  /** Relative to the root of the bundle, with forward slashes. */
  path: pathSchema,
  /** The sha256 of the content. */
  hash: hashSchema,
  size: z.int().nonnegative(),
  executable: z.boolean(),
});

const CODE_KINDS = ['plugin', 'hooks', 'scenario', 'module', 'assertion', 'command', 'file'] as const;

const bundleCodeSchema = z.strictObject({
  what: z.enum(CODE_KINDS),
  /** The path of the file from the folder of salvo.yaml, or the command line. */
  name: z.string().max(20_000),
  /** Of a command: its words, its folder from that of salvo.yaml, and the variables that it receives. */
  command: z
    .strictObject({ words: z.array(z.string()).min(1), cwd: z.string().max(1000), env: z.array(z.string()) })
    .nullable(),
});

/** What is in a bundle: the files of a project that workers get for a run or an experiment. */
const bundleSchema = z.strictObject({
  /** The folder of salvo.yaml in it; empty if that is the root. */
  project: pathSchema,
  /** The working directory in which the commands of an experiment run. */
  cwd: pathSchema,
  files: z.array(bundleFileSchema).min(1).max(100_000),
  /** The paths of data and Markdown. Their content may change without another permission to execute the code. */
  unhashed: z.array(pathSchema).max(100_000),
  /** What is executed. */
  code: z.array(bundleCodeSchema).max(10_000),
  /** The versions of plugins that are packages. They do not travel. */
  packages: z.record(z.string().max(300), z.string().max(300)),
});

export type Bundle = z.infer<typeof bundleSchema>;
export type BundleCode = z.infer<typeof bundleCodeSchema>;

/** The code of a bundle as the owner of a worker sees it, who allows all of it by one hash. */
export interface CodeToAllow {
  hash: string;
  pieces: PieceOfCode[];
}

interface PieceOfCode extends Pick<BundleCode, 'what' | 'name'> {
  /** What it takes from the machine that executes it: the hash does not cover this. */
  outside: string[];
}

/** The document as it is stored, and its hash, by which the whole bundle is known. */
export function bundleBytes(bundle: Bundle): { hash: string; content: Uint8Array } {
  const content = Buffer.from(canonicalJson(bundle));
  return { hash: fileHash(content), content };
}

export function fileHash(content: Uint8Array): string {
  return hash('sha256', content, 'hex');
}

/** Reads the document of a bundle. It may come from anybody who can write to the database: everything is checked. */
export function readBundle(content: Uint8Array, expectedHash: string): Bundle {
  if (fileHash(content) !== expectedHash) throw badBundle('its content does not match its hash');
  const bundle = parseDocument(content);
  const paths = bundle.files.map(({ path }) => path);
  for (const path of [...paths, ...[bundle.project, bundle.cwd].filter((each) => each !== '')]) {
    const problem = bundlePathProblem(path);
    if (problem) throw badBundle(`the path ${JSON.stringify(path.slice(0, 200))} is refused: ${problem}`);
  }
  const clash = clashingPath(paths);
  if (clash !== null) throw badBundle(`the path ${JSON.stringify(clash.slice(0, 200))} is there twice`);
  const known = new Set(paths);
  const modules = bundle.code.filter(({ command }) => !command).map(({ name }) => posix.join(bundle.project, name));
  const unknown = [...bundle.unhashed, ...modules].find((path) => !known.has(path));
  if (unknown !== undefined) throw badBundle(`it lists ${JSON.stringify(unknown.slice(0, 200))}, which is not in it`);
  const unhashed = new Set(bundle.unhashed);
  const hidden = bundle.files.find((file) => isCode(file) && (bundle.code.length === 0 || unhashed.has(file.path)));
  if (hidden) throw badBundle(`${JSON.stringify(hidden.path.slice(0, 200))} is code, and is not listed as such`);
  return bundle;
}

function parseDocument(content: Uint8Array): Bundle {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content));
    return bundleSchema.parse(value);
  } catch (cause) {
    throw badBundle('its list of files cannot be read', cause);
  }
}

export function badBundle(why: string, cause?: unknown): SalvoError {
  const message = `The files of this run were not taken, because ${why}. Nothing of them was executed. Start the run again.`;
  return new SalvoError('BUNDLE_INVALID', message, { cause });
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

/** Whether a file of a bundle can be executed. */
function isCode({ path, executable }: Bundle['files'][number]): boolean {
  return executable || looksLikeCode(path);
}

/**
 * The code that a worker's owner has to allow; null if there is none. A program may read any file in its folder, such as
 * a Makefile or pyproject.toml, so the hash covers every path, and every content except that of data and Markdown that
 * no code imports. Paths count from the folder of salvo.yaml: where the project is in the bundle must not change the hash.
 */
export function codeOf(bundle: Bundle): CodeToAllow | null {
  if (bundle.code.length === 0) return null;
  const unhashed = new Set(bundle.unhashed);
  const files = bundle.files.map(({ path, hash: content, executable }) => ({
    path: posix.relative(bundle.project, path),
    content: unhashed.has(path) ? null : content,
    executable,
  }));
  return {
    hash: contentHash({
      files: files.sort((a, b) => compareNames(a.path, b.path)),
      code: bundle.code.map(canonicalJson).sort(compareNames),
    }),
    pieces: bundle.code.map((piece) => ({
      what: piece.what,
      name: piece.name,
      outside: takenFromOutside(piece, bundle),
    })),
  };
}

/** The program of a command unless the bundle has it, arguments that lead elsewhere, and variables. */
function takenFromOutside({ command }: BundleCode, { project, files }: Bundle): string[] {
  if (!command) return [];
  const paths = new Set(files.map(({ path }) => path));
  const [program = '', ...rest] = command.words;
  const inBundle = (word: string) => paths.has(posix.join(project, command.cwd, word));
  const leadsOut = (word: string) => /(?:^|[=:])(?:\/|~|[a-z]:[\\/])|\.\.[\\/]/i.test(word) && !inBundle(word);
  return [
    ...(program.includes('/') && inBundle(program) ? [] : [`the program ${program}`]),
    ...rest.filter(leadsOut).map((word) => `the argument ${word}`),
    ...command.env.map((name) => `the variable ${name}`),
  ];
}
