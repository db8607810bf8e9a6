import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

export interface Place {
  /** Absolute. */
  file: string;
  line: number;
  column: number;
}

/**
 * Where a module could not be compiled or threw while it was loaded; undefined when Node does not report it. `others` are
 * modules that it imports, in which a wrong syntax may be as well.
 */
export function placeOfError(error: unknown, file: string, others: readonly string[] = []): Place | undefined {
  if (!(error instanceof Error)) return undefined;
  const stack = error.stack ?? '';
  return (
    excerptPlace(stack) ??
    endOfFilePlace(stack) ??
    framePlace(stack, file) ??
    (error instanceof SyntaxError ? firstPlace([file, ...others]) : undefined)
  );
}

/**
 * Many syntax errors have a stack that begins with file:line, the source, and carets under the error, or `>` before its
 * lines if there are several.
 */
function excerptPlace(text: string): Place | undefined {
  const [, url = '', line, excerpt] = /^(\S.*):(\d+)\n(?: *> |([\s\S]*?\n *)\^)/.exec(text) ?? [];
  if (line === undefined) return undefined;
  const file = url.startsWith('file:///') ? fileURLToPath(url) : url;
  if (!existsSync(file)) return undefined;
  const before = excerpt ?? indentation(file, Number(line));
  return { file, line: Number(line), column: before.length - before.lastIndexOf('\n') };
}

/** What is missing at the end of a file of TypeScript has no carets: file:line, the source, and an empty line. */
function endOfFilePlace(stack: string): Place | undefined {
  const [, file = '', line] = /^(\S.*):(\d+)\n(?:.*\n)*?\nSyntaxError /.exec(stack) ?? [];
  if (line === undefined || !existsSync(file)) return undefined;
  const text = readFileSync(file, 'utf8').split('\n')[Number(line) - 1] ?? '';
  return { file, line: Number(line), column: text.length + 1 };
}

function indentation(file: string, line: number): string {
  return /^\s*/.exec(readFileSync(file, 'utf8').split('\n')[line - 1] ?? '')?.[0] ?? '';
}

function framePlace(stack: string, file: string): Place | undefined {
  for (const frame of stack.split('\n')) {
    const [position = '', line, column] = /:(\d{1,9}):(\d{1,9})\)?$/.exec(frame) ?? [];
    const place = frame.slice(0, frame.length - position.length);
    const isHere = [file, pathToFileURL(file).href].some(
      (name) => place.endsWith(` ${name}`) || place.endsWith(`(${name}`),
    );
    if (position !== '' && isHere) return { file, line: Number(line), column: Number(column) };
  }
  return undefined;
}

function firstPlace(files: readonly string[]): Place | undefined {
  for (const file of new Set(files)) {
    const place = syntaxErrorPlace(file);
    if (place) return place;
  }
  return undefined;
}

/** An error of V8's own parser has no position when it is caught; `node --check` prints it. */
function syntaxErrorPlace(file: string): Place | undefined {
  const isTypeScript = /\.[cm]?ts$/.test(file);
  const input = isTypeScript ? withoutTypes(file) : '';
  const args = isTypeScript ? ['--check', '--input-type=module', '-'] : ['--check', file];
  const { stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 5000, input });
  return excerptPlace((stderr ?? '').replace(/^(?:file:\/\/\S*)?\[stdin\]:/, `${file}:`));
}

/** Every other character keeps its place. */
function withoutTypes(file: string): string {
  try {
    return stripTypes(file);
  } catch {
    return '';
  }
}

/** The code of a module without its types. Node's warning that this is experimental would only puzzle the user. */
export function stripTypes(file: string, options?: Parameters<typeof stripTypeScriptTypes>[1]): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(readFileSync(file, 'utf8'), options);
  } finally {
    process.emitWarning = emitWarning;
  }
}
