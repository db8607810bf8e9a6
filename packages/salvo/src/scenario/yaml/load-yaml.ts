import { dirname, resolve } from 'node:path';
import { doubledKeyAt } from '../../text/json/doubled-keys.ts';
import { jsonSyntaxError } from '../../text/json/json-syntax-error.ts';
import { bracketsFrom } from '../../text/json/nesting.ts';
import { type SourceText, type Span, sourceText } from '../../text/source-text.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { displayPath } from '../diagnostics/format-diagnostics.ts';
import type { LocatedValue } from '../diagnostics/located-value.ts';
import { diagnosticAt, type ProblemText } from '../diagnostics/problem.ts';
import { isJson, isYaml, readChosen, readInsideRoot } from './read-source.ts';
import { leaf, resolveYaml } from './resolve-yaml.ts';
import {
  type LexemeBudget,
  MAX_DEPTH,
  MAX_LEXEMES,
  parseYamlTree,
  parseYamlTrees,
  TOO_DEEP,
  type YamlTree,
} from './yaml-tree.ts';

export interface LoadedYaml {
  /** Null when the file could not be read at all; the diagnostics say why. */
  root: LocatedValue | null;
  diagnostics: Diagnostic[];
}

const MAX_INCLUDES = 20;
/** JSON that is longer is data, such as a state document. */
const LONGEST_LOCATED = 200_000;

interface YamlFile {
  file: string;
  projectRoot: string;
}

/** Reads a YAML file with everything it includes, and records the position of each value. */
export function loadYaml(given: YamlFile): LoadedYaml {
  const { roots, diagnostics } = loadDocuments(given, { several: false });
  return { root: roots[0] ?? null, diagnostics };
}

/** The same for a file that may have several documents. None if it could not be read; an empty file has one. */
export function loadYamlDocuments(given: YamlFile): { roots: LocatedValue[]; diagnostics: Diagnostic[] } {
  return loadDocuments(given, { several: true });
}

function loadDocuments({ file, projectRoot }: YamlFile, { several }: { several: boolean }) {
  const diagnostics: Diagnostic[] = [];
  const lexemes: LexemeBudget = { left: MAX_LEXEMES };
  /** A file that is included several times is read once. */
  const included = new Map<string, LocatedValue | null>();
  const read = readChosen({ file, name: 'the file', root: projectRoot });
  if ('source' in read)
    return {
      roots: several ? loadAll(read.source) : [loadSource(read.source, [file])].flatMap((root) => root ?? []),
      diagnostics,
    };
  const source = sourceText({ file, text: '' });
  return { roots: [], diagnostics: [diagnosticAt({ source, start: 0, end: 0 }, read.problem)] };

  function loadAll(source: SourceText): LocatedValue[] {
    const trees = parseYamlTrees(source, lexemes);
    diagnostics.push(...trees.diagnostics);
    if (trees.diagnostics.length > 0) return [];
    const contents = trees.documents.length === 0 ? [null] : trees.documents;
    return contents.map((each) => resolveContents(source, each, [file]));
  }

  /** `chain` has the including files, then this file. */
  function loadSource(source: SourceText, chain: string[]): LocatedValue | null {
    const tree = parseYamlTree(source, lexemes);
    diagnostics.push(...tree.diagnostics);
    return tree.diagnostics.length > 0 ? null : resolveContents(source, tree.contents, chain);
  }

  function resolveContents(source: SourceText, contents: YamlTree['contents'], chain: string[]): LocatedValue {
    return resolveYaml({
      source,
      contents,
      report: (diagnostic) => diagnostics.push(diagnostic),
      include: (name, span) => include(name, span, chain),
    });
  }

  function include(name: string, span: Span, chain: string[]): LocatedValue | null {
    const fail = (problem: ProblemText) => {
      diagnostics.push(diagnosticAt(span, problem));
      return null;
    };
    if (name.trim() === '' || name.includes('\0')) {
      const hint = 'such as !include tools.yaml';
      return fail({ code: 'invalid-include', message: '!include needs a file name', hint });
    }
    const path = resolve(dirname(span.source.file), name);
    if (chain.includes(path)) {
      const cycle = [...chain.slice(chain.indexOf(path)), path].map((step) => displayPath(step, projectRoot));
      return fail({ code: 'include-cycle', message: `${name} includes itself: ${cycle.join(' -> ')}` });
    }
    if (chain.length > MAX_INCLUDES) {
      return fail({ code: 'too-deep', message: `files are included through more than ${MAX_INCLUDES} others` });
    }
    const known = included.get(path);
    if (known !== undefined) return known;
    const found = readInsideRoot({ file: path, name, root: projectRoot });
    if ('problem' in found) return fail(found.problem);
    const { source } = found;
    const whole = { source, start: 0, end: source.text.length };
    const node =
      isJson(path) && source.text.length > LONGEST_LOCATED
        ? loadLongJson(whole)
        : isYaml(path)
          ? loadSource(source, [...chain, path])
          : leaf(source.text, whole);
    included.set(path, node);
    return node;
  }

  /** Without the position of each value, which takes a hundred times as long to find out. */
  function loadLongJson(span: Span): LocatedValue | null {
    const read = parseLongJson(span.source.text);
    if ('value' in read) return leaf(read.value, span);
    const { offset, ...problem } = read;
    diagnostics.push(diagnosticAt({ ...span, start: offset, end: offset + 1 }, problem));
    return null;
  }
}

function parseLongJson(text: string): { value: unknown } | (ProblemText & { offset: number }) {
  const error = jsonSyntaxError(text);
  if (error) return { code: 'yaml-syntax', message: `not valid JSON: ${error.message}`, offset: error.offset };
  if (bracketsFrom(text, text.search(/\S/)).deepest > MAX_DEPTH) return { ...TOO_DEEP, offset: 0 };
  const doubled = doubledKeyAt(text);
  if (!doubled) return { value: JSON.parse(text) };
  return {
    code: 'duplicate-key',
    message: `the key "${doubled.key}" occurs twice in this map`,
    offset: doubled.offset,
  };
}
