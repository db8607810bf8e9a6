import { dirname, resolve } from 'node:path';
import { type SourceText, type Span, sourceText } from '../../text/source-text.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { displayPath } from '../diagnostics/format-diagnostics.ts';
import type { LocatedValue } from '../diagnostics/located-value.ts';
import { diagnosticAt, type ProblemText } from '../diagnostics/problem.ts';
import { isYaml, readChosen, readInsideRoot } from './read-source.ts';
import { leaf, resolveYaml } from './resolve-yaml.ts';
import { type LexemeBudget, MAX_LEXEMES, parseYamlTree } from './yaml-tree.ts';

export interface LoadedYaml {
  /** Null when the file could not be read at all; the diagnostics say why. */
  root: LocatedValue | null;
  diagnostics: Diagnostic[];
}

const MAX_INCLUDES = 20;

/** Reads a YAML file with everything it includes, and records the position of each value. */
export function loadYaml({ file, projectRoot }: { file: string; projectRoot: string }): LoadedYaml {
  const loader: Loader = { projectRoot, diagnostics: [], included: new Map(), lexemes: { left: MAX_LEXEMES } };
  const read = readChosen({ file, name: 'the file', root: projectRoot });
  if ('problem' in read) {
    const source = sourceText({ file, text: '' });
    return { root: null, diagnostics: [diagnosticAt({ source, start: 0, end: 0 }, read.problem)] };
  }
  const root = loadSource({ loader, source: read.source, chain: [file] });
  return { root, diagnostics: loader.diagnostics };
}

interface Loader {
  projectRoot: string;
  diagnostics: Diagnostic[];
  /** A file that is included several times is read once. */
  included: Map<string, LocatedValue | null>;
  lexemes: LexemeBudget;
}

interface SourceInChain {
  loader: Loader;
  source: SourceText;
  /** The including files, then this file. */
  chain: string[];
}

function loadSource({ loader, source, chain }: SourceInChain): LocatedValue | null {
  const tree = parseYamlTree(source, loader.lexemes);
  loader.diagnostics.push(...tree.diagnostics);
  if (tree.diagnostics.length > 0) return null;
  return resolveYaml({
    source,
    contents: tree.contents,
    report: (diagnostic) => loader.diagnostics.push(diagnostic),
    include: (name, span) => include({ loader, name, span, chain }),
  });
}

interface Inclusion extends Omit<SourceInChain, 'source'> {
  name: string;
  span: Span;
}

function include({ loader, name, span, chain }: Inclusion): LocatedValue | null {
  const fail = (problem: ProblemText) => {
    loader.diagnostics.push(diagnosticAt(span, problem));
    return null;
  };
  if (name.trim() === '' || name.includes('\0')) {
    const hint = 'such as !include tools.yaml';
    return fail({ code: 'invalid-include', message: '!include needs a file name', hint });
  }
  const file = resolve(dirname(span.source.file), name);
  if (chain.includes(file)) {
    const cycle = [...chain.slice(chain.indexOf(file)), file].map((step) => displayPath(step, loader.projectRoot));
    return fail({ code: 'include-cycle', message: `${name} includes itself: ${cycle.join(' -> ')}` });
  }
  if (chain.length > MAX_INCLUDES) {
    return fail({ code: 'too-deep', message: `files are included through more than ${MAX_INCLUDES} others` });
  }
  const known = loader.included.get(file);
  if (known !== undefined) return known;
  const read = readInsideRoot({ file, name, root: loader.projectRoot });
  if ('problem' in read) return fail(read.problem);
  const { source } = read;
  const node = isYaml(file)
    ? loadSource({ loader, source, chain: [...chain, file] })
    : leaf(source.text, { source, start: 0, end: source.text.length });
  loader.included.set(file, node);
  return node;
}
