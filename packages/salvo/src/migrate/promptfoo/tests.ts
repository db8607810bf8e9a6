import type { LocatedValue } from '../../scenario/diagnostics/located-value.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { MigrationGap, type MigrationNotes } from '../notes.ts';
import { executeModule } from '../source/execute-module.ts';
import { childOf, entriesOf, itemsOf, locatedMap, numberOf, problemAt, textOf } from '../source/located.ts';
import { isCodeFile, type SourceFiles } from '../source/source-files.ts';
import { testOfRow } from './csv-test.ts';
import type { PromptfooConfig } from './load-config.ts';
import { varCombinations } from './vars.ts';

/** A test of promptfoo with everything that it inherits, one for each combination of its variables. */
export interface PromptfooTest {
  description: string | undefined;
  vars: Record<string, unknown>;
  /** Assertions, with those of `defaultTest` first. */
  asserts: LocatedValue[];
  threshold: LocatedValue | undefined;
  options: ReadonlyMap<string, LocatedValue>;
  /** Filters and overrides, such as `provider` and `prompts`. */
  fields: ReadonlyMap<string, LocatedValue>;
  node: LocatedValue;
}

const MOST_TESTS = 100_000;

/** All tests of a config. What cannot be read is noted, and is none. */
export async function readTests({ root, files }: PromptfooConfig, notes: MigrationNotes): Promise<PromptfooTest[]> {
  const base = await defaultTest(root, files);
  const written = childOf(root, 'tests');
  const tests = await testNodes(written, files, notes);
  const found: PromptfooTest[] = [];
  const add = async (layers: readonly LocatedValue[]) => {
    try {
      found.push(...(await combined(layers, files)));
    } catch (error) {
      if (!(error instanceof MigrationGap)) throw error;
      notes.leftOut(error.what, error.message, error.at);
    }
    if (found.length > MOST_TESTS) {
      throw problemAt(root, { code: 'too-large', message: `there are more than ${MOST_TESTS} tests` });
    }
  };
  for (const test of tests) await add([...base, test]);
  for (const scenario of await scenarioNodes(childOf(root, 'scenarios'), files)) {
    const configs = await testNodes(childOf(scenario, 'config'), files, notes);
    const own = await testNodes(childOf(scenario, 'tests'), files, notes);
    for (const config of configs) {
      for (const test of own.length > 0 ? own : [locatedMap([], scenario.span)]) await add([...base, config, test]);
    }
  }
  if (!written && !childOf(root, 'scenarios')) await add([...base, locatedMap([], root.span)]);
  return found;
}

async function defaultTest(root: LocatedValue, files: SourceFiles): Promise<LocatedValue[]> {
  const written = childOf(root, 'defaultTest');
  const name = textOf(written);
  if (written && name !== undefined) return [files.named(name, written.span)];
  return written ? [written] : [];
}

async function scenarioNodes(node: LocatedValue | undefined, files: SourceFiles): Promise<LocatedValue[]> {
  const found: LocatedValue[] = [];
  for (const each of node && textOf(node) !== undefined ? [node] : itemsOf(node)) {
    const name = textOf(each);
    if (name === undefined) found.push(each);
    else {
      for (const file of await files.matches(name, each.span)) {
        const read = files.named(file, each.span);
        found.push(...(Array.isArray(read.value) ? itemsOf(read) : [read]));
      }
    }
  }
  return found;
}

/** The tests of a list, a file, or several files. */
async function testNodes(
  node: LocatedValue | undefined,
  files: SourceFiles,
  notes: MigrationNotes,
): Promise<LocatedValue[]> {
  if (!node) return [];
  const name = textOf(node) ?? textOf(childOf(node, 'path'));
  if (name !== undefined) return await testsOfFiles(name, node, { files, notes });
  if (!Array.isArray(node.value)) return isRecord(node.value) ? [node] : [];
  const lists: LocatedValue[][] = [];
  for (const item of itemsOf(node)) {
    const isFile = textOf(item) !== undefined || (childOf(item, 'path') && !childOf(item, 'vars'));
    lists.push(isFile ? await testNodes(item, files, notes) : [item]);
  }
  return lists.flat();
}

async function testsOfFiles(
  name: string,
  from: LocatedValue,
  { files, notes }: { files: SourceFiles; notes: MigrationNotes },
): Promise<LocatedValue[]> {
  if (/^(?:https?|huggingface|az|s3|gs):\/\//.test(name) || /\.(?:xlsx?|py)(?:[:#]|$)/.test(name)) {
    const why =
      'these tests are not in a file that can be read here: save them as CSV or JSON lines, and name that file';
    notes.leftOut('tests', why, from);
    return [];
  }
  const found: LocatedValue[] = [];
  for (const file of await files.matches(name, from.span)) {
    found.push(...(await testsOfFile(file, from, files)));
  }
  return found;
}

async function testsOfFile(named: string, from: LocatedValue, files: SourceFiles): Promise<LocatedValue[]> {
  const [, path = named, exported] = /^(.*\.[cm]?[jt]s):(\w+)$/.exec(named) ?? [];
  if (isCodeFile(path)) {
    files.text(path, from.span);
    const [value] = await executeModule({ file: path, from: from.span, name: exported });
    return itemsOf(value);
  }
  const read = files.named(path, from.span);
  if (path.endsWith('.csv')) return itemsOf(read).map(testOfRow);
  if (!Array.isArray(read.value) && !isRecord(read.value)) {
    throw problemAt(read, { code: 'invalid-row', message: 'this file has no list of tests' });
  }
  return Array.isArray(read.value) ? await testNodesOfList(read, files) : [read];
}

async function testNodesOfList(read: LocatedValue, files: SourceFiles): Promise<LocatedValue[]> {
  const lists: LocatedValue[][] = [];
  for (const item of itemsOf(read)) {
    const name = textOf(item);
    lists.push(name === undefined ? [item] : await testsOfFile(files.pathOf(name, item.span), item, files));
  }
  return lists.flat();
}

/** One test for each combination of the values of its variables; later layers win. */
async function combined(layers: readonly LocatedValue[], files: SourceFiles): Promise<PromptfooTest[]> {
  const node = layers.at(-1);
  if (!node) return [];
  if (!isRecord(node.value)) throw new MigrationGap('test', 'a test is a map, and this is none', node);
  const fields = new Map(layers.flatMap((layer) => entriesOf(layer)));
  const options = new Map(layers.flatMap((layer) => entriesOf(childOf(layer, 'options'))));
  const isBare = options.get('disableDefaultAsserts')?.value === true;
  const asserts = (isBare ? layers.slice(-1) : layers).flatMap((layer) => itemsOf(childOf(layer, 'assert')));
  const vars = new Map<string, LocatedValue>();
  for (const layer of layers) {
    for (const [key, value] of await varNodes(childOf(layer, 'vars'), files)) vars.set(key, value);
  }
  const disabled = options.get('disableVarExpansion')?.value === true;
  const all = await varCombinations(vars, { files, isExpanded: !disabled, most: MOST_TESTS, node });
  const description = textOf(childOf(node, 'description')) ?? textOf(fields.get('description'));
  const threshold = layers.map((layer) => childOf(layer, 'threshold')).findLast((each) => numberOf(each) !== undefined);
  return all.map((each) => ({ description, vars: each, asserts, threshold, options, fields, node }));
}

/** Variables are a map, or files of maps. */
async function varNodes(node: LocatedValue | undefined, files: SourceFiles): Promise<[string, LocatedValue][]> {
  if (!node) return [];
  const names = textOf(node) === undefined ? itemsOf(node) : [node];
  const lists: [string, LocatedValue][][] = [entriesOf(node)];
  for (const each of names) {
    for (const file of await files.matches(textOf(each) ?? '', each.span))
      lists.push(entriesOf(files.named(file, each.span)));
  }
  return lists.flat();
}
