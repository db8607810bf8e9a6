import { existsSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quoteOutput } from '../output/quote-output.ts';

const FRAME = /^\s*at\s+\S/;
const PYTHON_FRAME = /^\s*File ".+", line \d+/;
const PYTHON_LIBRARY = /[\\/](?:site-packages|dist-packages|lib[\\/]python[\d.]+)[\\/]/;

const MAX_CHARACTERS = 8000;
const MAX_CAUSES = 5;
const MAX_OWN_FRAMES = 20;
/** Shown when none of the frames is the user's: the first ones say at least which package threw. */
const MAX_OTHER_FRAMES = 10;

/**
 * Where code of the user threw: its own frames, with paths relative to the project, and how many others there are. With
 * the causes of the error. Undefined for what is not an error, which has no stack.
 */
export function ownStack(thrown: unknown, root: string): string | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const parts: string[] = [];
  const seen = new Set<unknown>();
  let error: unknown = thrown;
  for (let depth = 0; error !== undefined && error !== null && depth <= MAX_CAUSES && !seen.has(error); depth += 1) {
    seen.add(error);
    parts.push(`${depth === 0 ? '' : 'Caused by: '}${describe(error, root)}`);
    error = error instanceof Error ? error.cause : undefined;
  }
  return quoteOutput(parts.join('\n'), { length: MAX_CHARACTERS });
}

function describe(error: unknown, root: string): string {
  if (!(error instanceof Error)) return quoteOutput(String(error));
  const frames = framesOf(error);
  const own = frames.filter((frame) => isOwn(frame));
  const shown = own.length > 0 ? own.slice(0, MAX_OWN_FRAMES) : frames.slice(0, MAX_OTHER_FRAMES);
  const left = frames.length - shown.length;
  return [
    quoteOutput(`${error.name}: ${error.message}`, { length: 1000 }),
    ...shown.map((frame) => withShortPath(frame, root)),
    ...(left > 0 ? [`    ... and ${left} more ${left === 1 ? 'frame' : 'frames'} of Node, Salvo and packages`] : []),
  ].join('\n');
}

function framesOf(error: Error): string[] {
  // A getter, in an error of a hostile or careless class, may throw or return anything.
  const stack: unknown = attempt(() => error.stack);
  return typeof stack === 'string' ? stack.split('\n').filter((line) => /^ {4}at /.test(line)) : [];
}

/** The folder of Salvo's sources, or of its build; undefined in a bundle of an app, where both are one file. */
function salvoFolder(): string | undefined {
  const file = import.meta.filename ?? '';
  const folder = dirname(file);
  if (basename(folder) === 'chunks' && existsSync(join(folder, '../cli/main.js'))) return dirname(folder);
  return /\bown-stack\.[jt]s$/.test(file) ? dirname(dirname(folder)) : undefined;
}

function isOwn(frame: string): boolean {
  const file = fileOf(frame);
  if (file === undefined || file.split(sep).includes('node_modules')) return false;
  const salvo = salvoFolder();
  return salvo === undefined || !file.startsWith(salvo + sep);
}

/** The file of a frame; undefined for one of Node itself, or of code without a file. */
function fileOf(frame: string): string | undefined {
  const [start, end] = placeIn(frame);
  const place = frame.slice(start, end);
  if (place.startsWith('file://')) return attempt(() => fileURLToPath(place));
  return isAbsolute(place) ? place : undefined;
}

function withShortPath(frame: string, root: string): string {
  const file = fileOf(frame);
  if (file === undefined) return frame;
  const short = relative(root, file);
  const shown = short.startsWith('..') ? file : short;
  const [start, end] = placeIn(frame);
  return `${frame.slice(0, start)}${shown}${frame.slice(end)}`;
}

/** Where a frame names its file: `at run (file:///a.ts:1:2)`, `at async file:///a.ts:1:2`. Empty if it names none. */
function placeIn(frame: string): [start: number, end: number] {
  const end = frame.search(/:\d{1,9}:\d{1,9}\)?$/);
  const bracket = frame.lastIndexOf('(', end);
  const start = bracket === -1 ? (/^ {4}at (?:async )?/.exec(frame)?.[0].length ?? 0) : bracket + 1;
  return end < start ? [0, 0] : [start, end];
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/**
 * The line of a stack that names the place where code threw, such as `at plan (/app/agent.ts:12:9)`; null without one. In
 * a traceback of Python, it is the last place outside of libraries.
 */
export function firstFrame(stack: string): string | null {
  const lines = stack.split('\n');
  const python = lines.filter((line) => PYTHON_FRAME.test(line));
  const frame =
    lines.find((line) => FRAME.test(line)) ?? python.findLast((line) => !PYTHON_LIBRARY.test(line)) ?? python.at(-1);
  return frame?.trim() ?? null;
}
