import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { exampleFolder } from '../app/example-folder.ts';
import { createStyle } from '../report/terminal/style.ts';
import { projectJsonSchema, scenarioJsonSchema } from '../scenario/schema/editor-schema.ts';
import { SalvoError } from '../text/salvo-error.ts';
import type { Terminal } from './terminal/terminal.ts';

const STARTER = exampleFolder('starter');

const SETTINGS_FILE = '.vscode/settings.json';

type Outcome = 'created' | 'overwrote' | 'kept';

/** `salvo init`: a project that runs immediately. Existing files are kept unless `force`. */
export async function initCommand(options: { dir: string; force: boolean }, terminal: Terminal): Promise<number> {
  const target = resolve(terminal.cwd, options.dir);
  const style = createStyle(terminal.stdout.color);
  const outcomes = new Map<string, Outcome>();
  for (const [name, content] of await starterFiles()) {
    const file = join(target, name);
    // Never overwritten: the settings of an editor belong to the user.
    const outcome = await write(file, content, options.force && name !== SETTINGS_FILE);
    outcomes.set(name, outcome);
    const paint = outcome === 'kept' ? style.dim : style.green;
    terminal.stdout.write(`${paint(outcome.padStart(11))}  ${name}\n`);
    if (name === SETTINGS_FILE && outcome === 'kept' && !(await readFile(file, 'utf8')).includes('!include')) {
      terminal.stdout.write(`${' '.repeat(13)}add to it: "yaml.customTags": ["!include scalar"]\n`);
    }
  }
  const where = relative(terminal.cwd, target);
  // An existing salvo.yaml may have another scenarios folder and another adapter than the starter needs.
  const first = outcomes.get('salvo.yaml') === 'kept' ? ' scenarios/weather.yaml --adapter scripted' : '';
  const steps = [
    ...(where === '' ? [] : [`cd ${/^[\w./-]+$/.test(where) ? where : JSON.stringify(where)}`]),
    `npx salvo run${first} -n 10`,
    'npx salvo replay',
  ];
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
    [SETTINGS_FILE, json(EDITOR_SETTINGS)],
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

async function write(file: string, content: string, force: boolean): Promise<Outcome> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content, { flag: 'wx' });
    return 'created';
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? cause.code : null;
    const isFile = await stat(file).then(
      (stats) => stats.isFile(),
      () => false,
    );
    if (reason !== 'EEXIST' || !isFile) {
      const message = cause instanceof Error ? cause.message : String(cause);
      throw new SalvoError('FILE_NOT_WRITTEN', `Could not write ${file}: ${message}`, { cause });
    }
  }
  if (!force) return 'kept';
  await writeFile(file, content);
  return 'overwrote';
}
