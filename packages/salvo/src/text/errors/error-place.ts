import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

export interface Place {
  /** Absolute. */
  file: string;
  line: number;
  column: number;
}

/** Where a module could not be compiled or threw while it was loaded; undefined when Node does not report it. */
export function placeOfError(error: unknown, file: string): Place | undefined {
  if (!(error instanceof Error)) return undefined;
  const stack = error.stack ?? '';
  return (
    excerptPlace(stack) ??
    framePlace(stack, file) ??
    (error instanceof SyntaxError ? syntaxErrorPlace(file) : undefined)
  );
}

/** Many syntax errors have a stack that begins with file:line, the source, and carets under the error. */
function excerptPlace(text: string): Place | undefined {
  const [, url = '', line, excerpt = ''] = /^(\S.*):(\d+)\n([\s\S]*?\n *)\^/.exec(text) ?? [];
  if (line === undefined) return undefined;
  const file = url.startsWith('file:///') ? fileURLToPath(url) : url;
  if (!existsSync(file)) return undefined;
  return { file, line: Number(line), column: excerpt.length - excerpt.lastIndexOf('\n') };
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

/** An error of V8's own parser has no position when it is caught; `node --check` prints it. */
function syntaxErrorPlace(file: string): Place | undefined {
  const { stderr } = spawnSync(process.execPath, ['--check', file], { encoding: 'utf8', timeout: 5000 });
  return excerptPlace(stderr ?? '');
}
