import { basename, dirname } from 'node:path';
import type { LocatedValue } from '../../scenario/diagnostics/located-value.ts';
import type { Migration, MigrationChoices } from '../migration.ts';
import { MigrationNotes } from '../notes.ts';
import { childOf, entriesOf, numberOf, problemAt, textOf } from '../source/located.ts';
import { yamlFile } from '../written-project.ts';
import { agentFiles, type NamedProvider, namedProviders, projectAdapters } from './adapter-files.ts';
import { composeScenarios } from './compose-scenario.ts';
import { CopiedFiles } from './copied-files.ts';
import { judgeOf } from './judge-provider.ts';
import { loadPromptfooConfig, type PromptfooConfig, refuseRedTeam } from './load-config.ts';
import { planPrompt } from './prompt-plan.ts';
import { readPrompts } from './prompts.ts';
import { readProviders } from './providers.ts';
import { renamedColumns, TestTranslator } from './rows.ts';
import { type PromptfooTest, readTests } from './tests.ts';
import { type TestUnit, testUnits } from './units.ts';

/** A config of promptfoo as a project of Salvo. */
export async function migratePromptfoo(
  choices: MigrationChoices & { config: string | undefined; cwd: string },
): Promise<Migration> {
  const config = await loadPromptfooConfig(choices);
  refuseRedTeam(config.root);
  const notes = new MigrationNotes();
  noteTopLevel(config.root, notes);
  const { root, files } = config;
  const isReplaced = choices.adapter !== undefined || choices.model !== undefined;
  const targets = childOf(root, 'providers') ?? childOf(root, 'targets');
  const providers = isReplaced ? [] : await readProviders(targets, { files, notes });
  const prompts = await readPrompts(config, notes);
  const tests = await readTests(config, notes);
  if (prompts.length === 0)
    throw problemAt(root, { code: 'empty-data', message: 'no prompt of this config can be translated' });
  const units = await testUnits({
    providers,
    prompts,
    tests: isReplaced ? tests.map(withoutProvider) : tests,
    files,
    notes,
  });
  const named = namedProviders(units.flatMap((unit) => unit.providers));
  const copied = new CopiedFiles(files);
  const composing = { config, notes, units, named, copied, tests };
  const scenarios = await Promise.all(units.map((unit, index) => scenariosOf(unit, index, composing)));
  const written = scenarios.flat();
  if (written.length === 0) {
    throw problemAt(root, {
      code: 'empty-data',
      message: 'no test of this config can be translated',
      hint: firstGap(notes),
    });
  }
  const project = projectFile({ choices, root, units, named, tests, notes });
  const all = new Map(written.flatMap((each) => each.files));
  for (const [path, text] of agentFiles(named, copied)) all.set(path, text);
  for (const [path, text] of copied.texts()) all.set(path, text);
  all.set('salvo.yaml', project);
  const shown = written.filter((each) => each.files.some(([path]) => path.startsWith('look/')));
  return {
    ...{ source: config.file, files: all, notes, scenarios: written.reduce((sum, each) => sum + each.scenarios, 0) },
    rows: {
      read: tests.length,
      written: new Set(written.flatMap((each) => each.positions)).size,
      only_shown: shown.length,
    },
  };
}

function withoutProvider(test: PromptfooTest): PromptfooTest {
  const fields = new Map(test.fields);
  fields.delete('provider');
  fields.delete('providers');
  return { ...test, fields };
}

function firstGap(notes: MigrationNotes): string | undefined {
  const [first] = notes.lists().left_out;
  return first && `${first.what} (line ${first.place.line}): ${first.why}`;
}

interface Composing {
  config: PromptfooConfig;
  notes: MigrationNotes;
  units: readonly TestUnit[];
  named: readonly NamedProvider[];
  copied: CopiedFiles;
  tests: readonly PromptfooTest[];
}

/** The scenarios of a unit: one, or one for each provider if the settings of units differ. */
async function scenariosOf(unit: TestUnit, index: number, composing: Composing) {
  const { config, notes, units, named, copied, tests } = composing;
  const [provider] = unit.providers;
  const settings = provider?.settings ?? {};
  const used = new Set<string>();
  const hasData =
    (unit.tests.some(
      ({ node, vars, description }) =>
        Object.keys(vars).length > 0 || description !== undefined || node !== config.root,
    ) &&
      childOf(config.root, 'tests') !== undefined) ||
    childOf(config.root, 'scenarios') !== undefined ||
    unit.tests.some(({ vars }) => Object.keys(vars).length > 0);
  const renamed = renamedColumns(unit.tests);
  const texts = { renamed, hasData, uses: (name: string) => void used.add(name) };
  const plans = await Promise.all(unit.prompts.map((prompt) => planPrompt(prompt, unit.tests, texts)));
  const translator = new TestTranslator({
    ...{ files: config.files, notes, ...texts },
    needsChecks: () => copied.needChecks(),
    needsFile: (file, at) => copied.add(file, at),
    isParsed: settings.isParsed ?? false,
    hasTools: settings.tools !== undefined,
    transforms: provider?.transform ? [provider.transform] : [],
    hasOwnJudges: judgesOf(tests).length > 1,
  });
  const translated = unit.tests.flatMap((test, position) => {
    const found = translator.translate(test);
    return found ? [{ ...found, position }] : [];
  });
  if (translated.length === 0) return [];
  if (translated.every(({ assertions }) => assertions.length === 0)) {
    notes.changed(
      'tests',
      'no test has an assertion: nothing is judged, and `salvo run --look` shows the answers',
      config.root,
    );
  } else if (translated.some(({ assertions }) => assertions.length === 0)) {
    notes.changed(
      'tests',
      'rows without assertions pass there; here they are in look/, and `salvo run look --look` shows their answers',
      config.root,
    );
  }
  const stem = scenarioName(config);
  const base = units.length === 1 ? stem : `${stem}-${index + 1}`;
  const several = units.length > 1 ? unit.providers : [undefined];
  return several.map((own, at) => {
    const agent = own && named.find((each) => each.provider === own);
    const name = several.length > 1 ? `${base}-${at + 1}` : base;
    const fields = { ...(agent && agentFields(agent)), ...settingFields(settings) };
    const description = textOf(childOf(config.root, 'description'));
    const composed = composeScenarios({
      name,
      description,
      plans,
      tests: translated,
      renamed,
      used,
      hasData,
      fields,
      notes,
    });
    return { ...composed, positions: translated.map(({ test }) => tests.indexOf(test)) };
  });
}

function agentFields({ adapter, provider }: NamedProvider): Record<string, unknown> {
  return { adapter, ...(provider.model !== undefined && { model: provider.model }) };
}

function settingFields({
  isParsed: _,
  tools,
  ...settings
}: TestUnit['providers'][number]['settings']): Record<string, unknown> {
  return { ...settings, ...(tools && { tools, max_turns: 1 }) };
}

/** Of the folder, or of the file if that says more. */
function scenarioName({ file }: PromptfooConfig): string {
  const stem = basename(file).replace(/\.\w+$/, '');
  const own = stem === 'promptfooconfig' ? basename(dirname(file)) : stem.replace(/^promptfooconfig[.-]?/, '');
  const plain = own
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 50);
  return plain === '' ? 'promptfoo' : plain;
}

/** The providers of judges that tests name, each once. */
function judgesOf(tests: readonly PromptfooTest[]): LocatedValue[] {
  return [
    ...new Map(
      tests.flatMap(({ options }) => options.get('provider') ?? []).map((node) => [JSON.stringify(node.value), node]),
    ).values(),
  ];
}

function projectFile({
  choices,
  root,
  units,
  named,
  tests,
  notes,
}: Pick<Composing, 'units' | 'named' | 'tests' | 'notes'> & { choices: MigrationChoices; root: LocatedValue }): string {
  const [only, ...others] = named;
  const isMatrix = units.length === 1 && others.length > 0;
  const judges = judgesOf(tests);
  const [judgeNode] = judges;
  const judge = judgeNode && judges.length === 1 ? judgeOf(judgeNode) : undefined;
  if (judgeNode && judges.length === 1 && !judge)
    notes.changed('options.provider', 'this judge is not translated: set `judge` in salvo.yaml', judgeNode);
  const repeat = numberOf(childOf(root, 'evaluateOptions', 'repeat')) ?? 1;
  const concurrency = numberOf(childOf(root, 'evaluateOptions', 'maxConcurrency'));
  const adapters = projectAdapters(named);
  return yamlFile(
    {
      ...(choices.adapter !== undefined
        ? { default_adapter: choices.adapter }
        : only && !isMatrix && others.length === 0
          ? { default_adapter: only.adapter }
          : {}),
      ...(choices.model !== undefined
        ? { default_model: choices.model }
        : only?.provider.model !== undefined && others.length === 0
          ? { default_model: only.provider.model }
          : {}),
      ...(isMatrix && { matrix: named.map((each) => agentFields(each)) }),
      ...(concurrency !== undefined && concurrency >= 1 && { concurrency: Math.trunc(concurrency) }),
      defaults: { trials: Math.max(1, Math.trunc(repeat)) },
      ...(Object.keys(adapters).length > 0 && { adapters }),
      judge: { ...(judge && { adapter: judge.judge_adapter, model: judge.judge_model }), k: 1 },
    },
    ['Made of a config of promptfoo: each test runs once, and every assertion must pass.'],
  );
}

const READ = new Set([
  'description',
  'prompts',
  'providers',
  'targets',
  'tests',
  'scenarios',
  'defaultTest',
  '$schema',
]);
const UNNEEDED: Readonly<Record<string, string>> = {
  outputPath: 'reports are written with `salvo run --json`, `salvo run --junit` and others',
  sharing: 'results are shared with `salvo export --html`',
  evaluateOptions: 'how often and how many at once is in salvo.yaml',
  commandLineOptions: 'options are given on the command line',
  derivedMetrics: 'numbers that are derived from metrics are not computed',
  metadata: 'it has no effect on results',
  tags: 'it has no effect on results',
  tracing: 'every trial has a trace',
  env: 'values of variables are not copied: set them in the environment, or in `env_file` of salvo.yaml',
  writeLatestResults: 'results are always stored',
};
const LEFT_OUT: Readonly<Record<string, string>> = {
  extensions: 'hooks are not translated: write `hooks` in salvo.yaml',
  nunjucksFilters: 'filters of your own are not translated',
  redteam: 'red teaming is not supported; the tests of the config are translated',
};

function noteTopLevel(root: LocatedValue, notes: MigrationNotes): void {
  for (const [key, node] of entriesOf(root)) {
    if (READ.has(key) || /templates?$/i.test(key)) continue;
    const [unneeded, leftOut] = [UNNEEDED[key], LEFT_OUT[key]];
    if (leftOut !== undefined) notes.leftOut(key, leftOut, node);
    else if (unneeded !== undefined) notes.unneeded(key, unneeded, node);
    else notes.changed(key, 'this key is not known', node);
  }
}
