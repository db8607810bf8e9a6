import { globSync, readFileSync } from 'node:fs';

/** A function, a method or a component, with the number of its lines. */
export interface FunctionLength {
  file: string;
  name: string;
  lines: number;
}

/** `function name(`, `const name = (...) => {` and methods, each at the beginning of a line. */
const BEGINNINGS = [
  /^( *)(?:export )?(?:default )?(?:async )?function\*? (\w+)/,
  /^( *)(?:export )?const (\w+).* = (?:async )?(?:<.*>)?\(.*[{(]$/,
  /^( +)(?:static |async |get |set |\*)*([#\w]+)(?:<.*>)?\(.*\{$/,
];
const STATEMENTS = /^(if|for|while|switch|catch|return|do|with)$/;

/** All functions of the packages. The formatter's indentation tells where one ends: at the next `}` below its first letter. */
export function functionLengths(root: string): FunctionLength[] {
  const files = globSync('packages/*/{src,web/src}/**/*.{ts,tsx}', { cwd: root });
  return files
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .flatMap((file) => lengthsIn(readFileSync(`${root}/${file}`, 'utf8')).map((each) => ({ file, ...each })));
}

/** The functions of one source. */
export function lengthsIn(source: string): Omit<FunctionLength, 'file'>[] {
  const lines = source.split('\n');
  return lines.flatMap((line, index) => {
    const found = BEGINNINGS.map((beginning) => beginning.exec(line)).find((each) => each !== null);
    const [, indentation = '', name = ''] = found ?? [];
    if (!found || STATEMENTS.test(name)) return [];
    const length = lines.slice(index + 1).findIndex((below) => isEnd(below, indentation));
    return length === -1 ? [] : [{ name, lines: length + 2 }];
  });
}

/** A `}` that closes parameters or their type goes on in its line: `}): Promise<void> {`, `} = {}) {`. */
function isEnd(line: string, indentation: string): boolean {
  return line.startsWith(`${indentation}}`) && !line.endsWith('{') && !/^ *\}(, | \w|: )/.test(line);
}
