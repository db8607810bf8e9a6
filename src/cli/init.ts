import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createStyle } from '../report/style.ts';
import { projectJsonSchema, scenarioJsonSchema } from '../scenario/editor-schema.ts';
import type { Terminal } from './terminal.ts';

const STARTER = fileURLToPath(new URL('../../examples/starter/', import.meta.url));

/** `salvo init`: a project that runs at once. What is there already stays as it is, unless `force`. */
export async function initCommand(options: { dir: string; force: boolean }, terminal: Terminal): Promise<number> {
  const target = resolve(terminal.cwd, options.dir);
  const files = await starterFiles();
  const style = createStyle(terminal.stdout.color);
  for (const [name, content] of files) {
    const file = join(target, name);
    await mkdir(dirname(file), { recursive: true });
    const written = await write(file, content, options.force);
    terminal.stdout.write(`${written ? style.green('  created') : style.dim('     kept')}  ${name}\n`);
  }
  const enter = target === resolve(terminal.cwd) ? [] : [`cd ${options.dir}`];
  const steps = [...enter, 'salvo run -n 10', 'salvo replay'];
  terminal.stdout.write(`\nNext:\n${steps.map((step) => `  ${step}\n`).join('')}`);
  return 0;
}

async function starterFiles(): Promise<[string, string][]> {
  const entries = await readdir(STARTER, { recursive: true, withFileTypes: true });
  const copied = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry): Promise<[string, string]> => {
        const file = join(entry.parentPath, entry.name);
        return [relative(STARTER, file), await readFile(file, 'utf8')];
      }),
  );
  const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
  return [
    ...copied.sort(([a], [b]) => a.localeCompare(b)),
    ['schemas/salvo-scenario.schema.json', json(scenarioJsonSchema())],
    ['schemas/salvo-project.schema.json', json(projectJsonSchema())],
    ['.vscode/settings.json', json(EDITOR_SETTINGS)],
  ];
}

/** For the YAML language server, which most editors use. The schemas themselves are named in the files' first line. */
const EDITOR_SETTINGS = {
  'yaml.schemas': {
    './schemas/salvo-scenario.schema.json': 'scenarios/**/*.yaml',
    './schemas/salvo-project.schema.json': 'salvo.yaml',
  },
  'yaml.customTags': ['!include scalar'],
};

async function write(file: string, content: string, force: boolean): Promise<boolean> {
  try {
    await writeFile(file, content, { flag: force ? 'w' : 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}
