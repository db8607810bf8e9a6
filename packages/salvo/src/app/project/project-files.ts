import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { inspectProject } from '../../scenario/load-project.ts';
import {
  type JsonSchemaDocument,
  projectJsonSchema,
  rubricJsonSchema,
  scenarioJsonSchema,
} from '../../scenario/schema/editor-schema.ts';
import { errorCode, errorMessage, SalvoError } from '../../text/errors/salvo-error.ts';
import { exampleFolder } from '../../text/modules/example-folder.ts';
import type { FileFormat } from './file-formats.ts';
import { isFile } from './read-text-file.ts';
import { type TemplateName, templateOf } from './templates.ts';

/** What became of a file of a new project. */
export interface CreatedFile {
  name: string;
  outcome: 'created' | 'overwrote' | 'kept';
  /** What the user has to add to a file that was kept; null for nothing. */
  missing: string | null;
}

const SETTINGS_FILE = '.vscode/settings.json';

/** How `salvo init` makes a project. */
export interface NewProject {
  force: boolean;
  /** The SDK of the agent; undefined for a project whose agent is a script in the scenario. */
  template?: TemplateName | undefined;
}

/** Creates a project that runs immediately. Existing files are kept unless `force`. */
export async function* createProject(dir: string, { force, template }: NewProject): AsyncGenerator<CreatedFile> {
  for (const [name, content] of await projectFiles(template)) {
    const file = join(dir, name);
    const isSettings = name === SETTINGS_FILE;
    // Never overwritten: the settings of an editor belong to the user.
    const outcome = await writeNew(file, content, force && !isSettings);
    const lacksTag = isSettings && outcome === 'kept' && !(await readFile(file, 'utf8')).includes('!include');
    yield { name, outcome, missing: lacksTag ? '"yaml.customTags": ["!include scalar"]' : null };
  }
}

/** Copies an example, without the results that running it may have left there. */
export async function copyExample(folder: string, dir: string): Promise<void> {
  const filter = (source: string) => !/[\\/]\.salvo([\\/]|$)/.test(source);
  await cp(folder, dir, { recursive: true, filter }).catch((cause: unknown) => {
    throw new SalvoError('FILE_NOT_WRITTEN', `Could not write ${dir}: ${errorMessage(cause)}.`, { cause });
  });
}

/** The JSON Schema of a file format. That of scenarios has the assertion types of the project's plugins. */
export async function fileSchema(which: FileFormat, { cwd }: { cwd: string }): Promise<JsonSchemaDocument> {
  switch (which) {
    case 'scenario':
      // Loads the plugins. `salvo validate` reports their errors.
      await inspectProject(cwd);
      return scenarioJsonSchema();
    case 'project':
      return projectJsonSchema();
    case 'rubric':
      return rubricJsonSchema();
  }
}

async function projectFiles(template: TemplateName | undefined): Promise<[string, string][]> {
  const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
  return [
    ...(template === undefined ? await exampleFiles('starter') : await templateFiles(template)),
    ['schemas/salvo-scenario.schema.json', json(scenarioJsonSchema())],
    ['schemas/salvo-project.schema.json', json(projectJsonSchema())],
    [SETTINGS_FILE, json(EDITOR_SETTINGS)],
  ];
}

/** The agent of an SDK, with the scenario that all of them have, and the settings of the starter. */
async function templateFiles(template: TemplateName): Promise<[string, string][]> {
  const starter = await exampleFiles('starter');
  const settings = starter.filter(([name]) => name === 'salvo.yaml');
  const scenarios = await exampleFiles('sdks/scenarios');
  return [
    ...(await exampleFiles(`sdks/${template}`)),
    ...settings.map(([name, text]): [string, string] => {
      return [name, text.replace(/^default_adapter: .*$/m, `default_adapter: ${templateOf(template).adapter}`)];
    }),
    ...scenarios.map(([name, text]): [string, string] => [join('scenarios', name), text]),
  ];
}

/** The files of an example by their names, in the order of these. */
async function exampleFiles(example: string): Promise<[string, string][]> {
  const folder = exampleFolder(example, import.meta.url);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const copied = await Promise.all(
    entries
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('__pycache__'))
      .map(async (entry): Promise<[string, string]> => {
        const file = join(entry.parentPath, entry.name);
        return [relative(folder, file), await readFile(file, 'utf8')];
      }),
  );
  return copied.sort(([a], [b]) => a.localeCompare(b));
}

/** For the YAML language server, which most editors use. The schemas themselves are named in the files' first line. */
const EDITOR_SETTINGS = {
  'yaml.schemas': {
    './schemas/salvo-scenario.schema.json': 'scenarios/**/*.yaml',
    './schemas/salvo-project.schema.json': 'salvo.yaml',
  },
  'yaml.customTags': ['!include scalar'],
};

async function writeNew(file: string, content: string, force: boolean): Promise<CreatedFile['outcome']> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content, { flag: 'wx' });
    return 'created';
  } catch (cause) {
    if (errorCode(cause) !== 'EEXIST' || !(await isFile(file))) {
      throw new SalvoError('FILE_NOT_WRITTEN', `Could not write ${file}: ${errorMessage(cause)}`, { cause });
    }
  }
  if (!force) return 'kept';
  await writeFile(file, content);
  return 'overwrote';
}
