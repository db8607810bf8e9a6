import type { LocatedValue } from '../../scenario/diagnostics/located-value.ts';
import type { MigrationNotes } from '../notes.ts';
import { childOf, itemsOf, textOf } from '../source/located.ts';
import type { SourceFiles } from '../source/source-files.ts';
import type { PromptfooPrompt } from './prompts.ts';
import { readProviders, type TranslatedProvider } from './providers.ts';
import type { PromptfooTest } from './tests.ts';

/** Tests that run with the same prompts, and with providers that have the same settings. */
export interface TestUnit {
  providers: TranslatedProvider[];
  prompts: PromptfooPrompt[];
  tests: PromptfooTest[];
}

interface Whole {
  providers: readonly TranslatedProvider[];
  prompts: readonly PromptfooPrompt[];
  tests: readonly PromptfooTest[];
  files: SourceFiles;
  notes: MigrationNotes;
}

/** Puts together what can be one scenario. */
export async function testUnits({ providers, prompts, tests, files, notes }: Whole): Promise<TestUnit[]> {
  const own = new Map<LocatedValue, TranslatedProvider[]>();
  for (const { fields } of tests) {
    const node = fields.get('provider');
    if (!node || own.has(node)) continue;
    const known = providers.filter(({ id, label }) => textOf(node) === id || textOf(node) === label);
    own.set(node, known.length > 0 ? known : await readProviders(node, { files, notes }));
  }
  const all = [...new Set([...providers, ...[...own.values()].flat()])];
  const unitOf = (provider: TranslatedProvider | undefined) => {
    const chosen = tests.filter((test) => isChosen(test, provider, own));
    return splitByPrompts(chosen, prompts, provider).map((unit) => ({ ...unit, provider }));
  };
  const units = (all.length > 0 ? all : [undefined]).flatMap(unitOf);
  const groups = Map.groupBy(units, ({ tests: rows, prompts: texts, provider }) =>
    JSON.stringify([
      rows.map((test) => tests.indexOf(test)),
      texts.map((prompt) => prompts.indexOf(prompt)),
      provider?.settings,
      provider?.transform?.value,
    ]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first || first.tests.length === 0) return [];
    return [{ tests: first.tests, prompts: first.prompts, providers: group.flatMap(({ provider }) => provider ?? []) }];
  });
}

function isChosen(
  { fields }: PromptfooTest,
  provider: TranslatedProvider | undefined,
  own: ReadonlyMap<LocatedValue, TranslatedProvider[]>,
): boolean {
  const node = fields.get('provider');
  if (provider === undefined) return true;
  if (node) return own.get(node)?.includes(provider) ?? false;
  if (isOnlyOwn(provider, own)) return false;
  const filter = itemsOf(fields.get('providers')).flatMap((each) => textOf(each) ?? textOf(childOf(each, 'id')) ?? []);
  return filter.length === 0 || filter.some((name) => fits(name, [provider.id, provider.label]));
}

/** A provider that only a test names is none of the config. */
function isOnlyOwn(provider: TranslatedProvider, own: ReadonlyMap<LocatedValue, TranslatedProvider[]>): boolean {
  return [...own].some(([node, providers]) => providers.includes(provider) && provider.node === node);
}

/** Tests may name the prompts that they are for. */
function splitByPrompts(
  tests: readonly PromptfooTest[],
  prompts: readonly PromptfooPrompt[],
  provider: TranslatedProvider | undefined,
): Omit<TestUnit, 'providers'>[] {
  const allowed = provider?.prompts;
  const ofProvider = prompts.filter(
    ({ label }) => allowed === undefined || allowed.some((name) => fits(name, [label])),
  );
  const groups = Map.groupBy(tests, ({ fields }) => {
    const names = itemsOf(fields.get('prompts')).flatMap((each) => textOf(each) ?? []);
    return JSON.stringify(
      ofProvider.flatMap(({ label }, index) =>
        names.length === 0 || names.some((name) => fits(name, [label])) ? [index] : [],
      ),
    );
  });
  return [...groups].flatMap(([key, rows]) => {
    const indices: number[] = JSON.parse(key);
    const chosen = indices.flatMap((index) => ofProvider[index] ?? []);
    return chosen.length === 0 ? [] : [{ tests: rows, prompts: chosen }];
  });
}

/** A name, the beginning of one with `*`, or a group of names with `:`. */
function fits(name: string, labels: readonly string[]): boolean {
  return labels.some(
    (label) =>
      label === name || label.startsWith(`${name}:`) || (name.endsWith('*') && label.startsWith(name.slice(0, -1))),
  );
}
