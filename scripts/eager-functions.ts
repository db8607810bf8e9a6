import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { RolldownMagicString } from 'rolldown';
import { parseAst } from 'rolldown/parseAst';
import { type ESTree, Visitor } from 'rolldown/utils';

/** The starts that should be fast, each in a copy of an example. */
const STARTS = [
  { example: 'starter', args: ['--version'] },
  { example: 'starter', args: ['--help'] },
  { example: 'starter', args: ['run', '--trials', '8'] },
  { example: 'support-agent', args: ['run', 'scenarios', '--quiet', '--trials', '2'] },
  { example: 'judge-agent', args: ['score', '--red', 'manifest.json', '--blue', 'checkov.json'] },
];

/**
 * Puts the functions that the usual starts call into parentheses, so that V8 compiles them together with their file.
 * Node's compile cache holds only what is compiled by then: every start would compile all others again.
 */
export function compileCalledFunctions(folder: string): void {
  for (const [file, offsets] of calledFunctions(realpathSync(folder)))
    writeFileSync(file, withEagerFunctions(readFileSync(file, 'utf8'), offsets));
}

/** Where the functions begin that were called, by file. */
function calledFunctions(folder: string): Map<string, Set<number>> {
  const called = new Map<string, Set<number>>();
  const own = mkdtempSync(join(tmpdir(), 'salvo-starts-'));
  try {
    const coverage = join(own, 'coverage');
    // Nothing else of the environment: a run in CI would write a report there.
    const env = { PATH: process.env.PATH, NODE_V8_COVERAGE: coverage };
    for (const { example, args } of STARTS) {
      cpSync(join('examples', example), join(own, example), { recursive: true });
      const command = [join(folder, 'salvo/dist/cli/main.js'), ...args];
      const { status, stderr } = spawnSync(process.execPath, command, { cwd: join(own, example), env });
      // A verdict of the example may be that it failed.
      if (status !== 0 && status !== 1) throw new Error(`salvo ${args.join(' ')} ended with ${status}: ${stderr}`);
    }
    for (const name of readdirSync(coverage)) {
      const { result }: Coverage = JSON.parse(readFileSync(join(coverage, name), 'utf8'));
      for (const { url, functions } of result) {
        if (!url.startsWith(pathToFileURL(folder).href) || !url.includes('/dist/')) continue;
        const offsets = called.get(fileURLToPath(url)) ?? new Set();
        called.set(fileURLToPath(url), offsets);
        for (const { ranges } of functions) if (ranges[0]?.count) offsets.add(ranges[0].startOffset);
      }
    }
  } finally {
    rmSync(own, { recursive: true });
  }
  return called;
}

/** As V8 writes it. The first range of a function is the whole of it. */
interface Coverage {
  result: { url: string; functions: { ranges: { startOffset: number; count: number }[] }[] }[];
}

/**
 * The same program, with parentheses around the functions that begin at these offsets. Methods of classes cannot have
 * them.
 */
export function withEagerFunctions(code: string, called: ReadonlySet<number>): string {
  const program = parseAst(code);
  const text = new RolldownMagicString(code);
  const parenthesize = ({ start, end }: { start: number; end: number }, before = '', after = ''): void => {
    text.appendRight(start, `${before}(`);
    text.appendLeft(end, `)${after}`);
  };
  /** A declared function is there before the first statement, so the variable that replaces it goes there. */
  const hoist = (block: ESTree.Program['body']): void => {
    const first = block[0]?.start ?? 0;
    for (const each of block) {
      if (each.type !== 'FunctionDeclaration' || !each.id || !called.has(each.start)) continue;
      parenthesize(each, `var ${each.id.name} = `, ';\n');
      if (each.start !== first) text.move(each.start, each.end, first);
    }
  };
  const enter = (node: ESTree.Function | ESTree.ArrowFunctionExpression): void => {
    if (node.body?.type === 'BlockStatement') hoist(node.body.body);
    const isMethod = code[node.start] === '(' && node.type === 'FunctionExpression';
    if (node.type !== 'FunctionDeclaration' && !isMethod && called.has(node.start)) parenthesize(node);
  };
  hoist(program.body);
  new Visitor({
    FunctionDeclaration: enter,
    FunctionExpression: enter,
    ArrowFunctionExpression: enter,
    Property({ start, end, key, value, computed, method }) {
      const isFree = !/\bsuper\b|^__proto__\b/.test(code.slice(start, end));
      if (!method || value.type !== 'FunctionExpression' || !called.has(start) || !isFree) return;
      const name = code.slice(key.start, key.end);
      const word = `${value.async ? 'async ' : ''}function${value.generator ? '*' : ''}`;
      text.overwrite(start, value.start, `${computed ? `[${name}]` : name}: (${word} `);
      text.appendLeft(end, ')');
    },
  }).visit(program);
  return text.toString();
}
