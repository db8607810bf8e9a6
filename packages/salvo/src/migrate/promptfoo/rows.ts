import type { LocatedValue } from '../../scenario/diagnostics/located-value.ts';
import { MigrationGap, type MigrationNotes } from '../notes.ts';
import { childOf, numberOf, textOf } from '../source/located.ts';
import type { AssertionSurroundings, WrittenAssertion } from './assertions/source-assertion.ts';
import { translateAssertion } from './assertions/translate-assertion.ts';
import { judgeOf } from './judge-provider.ts';
import type { PromptfooTest } from './tests.ts';

/** A test as a row: what it demands, and its threshold. */
export interface TranslatedTest {
  test: PromptfooTest;
  assertions: WrittenAssertion[];
  threshold: number | undefined;
}

/** Columns of a row that mean something in Salvo. */
const RESERVED = ['name', 'tags', 'skip', 'threshold', 'trials', 'quarantine', 'assertions'];

/** New names for variables whose own name has a meaning in rows. */
export function renamedColumns(tests: readonly PromptfooTest[]): Map<string, string> {
  const used = new Set(tests.flatMap(({ vars }) => Object.keys(vars)));
  const taken = RESERVED.filter((name) => used.has(name));
  const names = tests.map(({ vars }) => vars.name);
  const isName =
    names.every((name) => typeof name === 'string' && name.trim() !== '' && name.length <= 150) &&
    new Set(names).size === names.length;
  const free = taken.filter(
    (name) => name !== 'name' || !isName || tests.some(({ description }) => description !== undefined),
  );
  return new Map(
    free.map((name) => {
      let column = `${name}_`;
      while (used.has(column)) column += '_';
      return [name, column];
    }),
  );
}

type RowSurroundings = Omit<AssertionSurroundings, 'isScored' | 'texts'> & {
  renamed: ReadonlyMap<string, string>;
  hasData: boolean;
  uses: (name: string) => void;
  /** Whether tests have different judges, so that each assertion names its own. */
  hasOwnJudges: boolean;
};

/** Translates tests one by one. A test with an assertion that is not translated is left out, and the reason noted. */
export class TestTranslator {
  readonly #around: RowSurroundings;
  readonly #known = new Map<LocatedValue, Map<boolean, WrittenAssertion[]>>();

  constructor(around: RowSurroundings) {
    this.#around = around;
  }

  translate(test: PromptfooTest): TranslatedTest | undefined {
    const { notes } = this.#around;
    try {
      noteFields(test, notes);
      const threshold = thresholdOf(test, notes);
      const lists = test.asserts.map((node) => ({
        node,
        written: this.#assertions(node, test, threshold !== undefined),
      }));
      return { test, assertions: withIds(lists, notes), threshold };
    } catch (error) {
      if (!(error instanceof MigrationGap)) throw error;
      notes.leftOut(error.what, `${error.message}; the row is skipped`, error.at);
      return undefined;
    }
  }

  #assertions(node: LocatedValue, test: PromptfooTest, isScored: boolean): WrittenAssertion[] {
    const known = this.#known.get(node) ?? new Map<boolean, WrittenAssertion[]>();
    this.#known.set(node, known);
    const before = known.get(isScored);
    if (before) return before;
    let isOfTest = this.#around.hasOwnJudges || test.options.has('transform');
    const { renamed, hasData, uses, hasOwnJudges, ...around } = this.#around;
    const rendered = (): void => {
      isOfTest = true;
    };
    const texts = { vars: test.vars, renamed, hasData, uses, rendered };
    const own = test.options.get('transform') ?? test.options.get('postprocess');
    const transforms = [...around.transforms, ...(own ? [own] : [])];
    const written = translateAssertion(node, { ...around, transforms, isScored, texts }).map((each) => {
      const judge =
        hasOwnJudges && (each.judge !== undefined || each.type === 'judge') && each.judge_model === undefined;
      const provider = test.options.get('provider');
      return judge && provider ? { ...each, ...judgeOf(provider) } : each;
    });
    if (!isOfTest) known.set(isScored, written);
    return written;
  }
}

function thresholdOf({ threshold: node }: PromptfooTest, notes: MigrationNotes): number | undefined {
  const threshold = numberOf(node);
  if (node === undefined || threshold === undefined || (threshold >= 0 && threshold <= 1)) return threshold;
  notes.changed('threshold', 'a threshold is a share from 0 to 1', node);
  return Math.max(0, Math.min(1, threshold));
}

/** `metric` names an assertion in reports, as `id` does. */
function withIds(
  lists: readonly { node: LocatedValue; written: WrittenAssertion[] }[],
  notes: MigrationNotes,
): WrittenAssertion[] {
  const taken = new Set<string>();
  return lists.flatMap(({ node, written }) => {
    const metric = textOf(childOf(node, 'metric'))?.trim();
    if (metric === undefined || metric === '') return written;
    if (metric.includes('{{')) {
      notes.changed('metric', 'a template cannot be an id', node);
      return written;
    }
    return written.map((each) => {
      let id = metric.slice(0, 100);
      for (let count = 2; taken.has(id); count += 1) id = `${metric.slice(0, 100)} ${count}`;
      taken.add(id);
      return { id, ...each };
    });
  });
}

const KNOWN_FIELDS = new Set([
  'description',
  'vars',
  'assert',
  'threshold',
  'options',
  'metadata',
  'provider',
  'providers',
  'prompts',
  '$schema',
  'tags',
  'path',
  'config',
  'tests',
]);
const KNOWN_OPTIONS = new Set([
  'provider',
  'prefix',
  'suffix',
  'transform',
  'postprocess',
  'disableVarExpansion',
  'disableDefaultAsserts',
  'runSerially',
  'repeat',
]);
const GAPS: Readonly<Record<string, string>> = {
  storeOutputAs: 'an answer that later tests use is a conversation: write `messages` with several turns',
  transformVars: 'code that changes variables is not translated: write the values',
  providerOutput: 'a given answer is not asked for: import it with `salvo import`, or use the adapter `scripted`',
  assertScoringFunction: 'a scoring function is not translated: use weights and a threshold',
  conversationId: 'tests that are one conversation: write `messages` with several turns',
};

function noteFields({ fields, options }: PromptfooTest, notes: MigrationNotes): void {
  for (const [name, node] of [...fields, ...options]) {
    const gap = GAPS[name];
    if (gap !== undefined && node.value !== undefined) throw new MigrationGap(name, gap, node);
  }
  for (const [name, node] of fields) {
    if (!KNOWN_FIELDS.has(name)) notes.changed(`tests.${name}`, 'this key of a test is not known', node);
    if (name === 'metadata') notes.unneeded('tests.metadata', 'metadata of tests is not copied', node);
  }
  for (const [name, node] of options) {
    if (KNOWN_OPTIONS.has(name)) continue;
    const why =
      name === 'rubricPrompt'
        ? 'the prompt of the judge is that of Salvo: see custom_prompt'
        : 'this option of a test is not known';
    notes.changed(`options.${name}`, why, node);
  }
}
