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
  const diagnostics: Diagnostic[] = [];
  const lexemes: LexemeBudget = { left: MAX_LEXEMES };
  /** A file that is included several times is read once. */
  const included = new Map<string, LocatedValue | null>();
  const read = readChosen({ file, name: 'the file', root: projectRoot });
  if ('source' in read) return { root: loadSource(read.source, [file]), diagnostics };
  const source = sourceText({ file, text: '' });
  return { root: null, diagnostics: [diagnosticAt({ source, start: 0, end: 0 }, read.problem)] };

  /** `chain` has the including files, then this file. */
  function loadSource(source: SourceText, chain: string[]): LocatedValue | null {
    const tree = parseYamlTree(source, lexemes);
    diagnostics.push(...tree.diagnostics);
    if (tree.diagnostics.length > 0) return null;
    return resolveYaml({
      source,
      contents: tree.contents,
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
    const node = isYaml(path)
      ? loadSource(source, [...chain, path])
      : leaf(source.text, { source, start: 0, end: source.text.length });
    included.set(path, node);
    return node;
  }
}
