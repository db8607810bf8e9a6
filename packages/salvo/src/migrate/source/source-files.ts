import { glob } from 'node:fs/promises';
import { dirname, extname, isAbsolute, relative, resolve } from 'node:path';
import { readDataFile } from '../../scenario/cases/data-rows.ts';
import { DiagnosticsError, hasErrors } from '../../scenario/diagnostics/diagnostics-error.ts';
import type { LocatedValue } from '../../scenario/diagnostics/located-value.ts';
import { isInside, readChosen, readInsideRoot } from '../../scenario/yaml/read-source.ts';
import { leaf, resolveYaml } from '../../scenario/yaml/resolve-yaml.ts';
import { type LexemeBudget, parseYamlTree } from '../../scenario/yaml/yaml-tree.ts';
import { jsonSyntaxError } from '../../text/json/json-syntax-error.ts';
import { bracketsFrom } from '../../text/json/nesting.ts';
import { type SourceText, type Span, sourceText } from '../../text/source-text.ts';
import { locatedAt, locatedList, problemAt } from './located.ts';

/** Configs of other tools have more than one scenario in them. */
const MOST_LEXEMES = 400_000;
const LONGEST_LOCATED = 400_000;
const MOST_DEPTH = 100;
const MOST_MATCHES = 1000;
const MEGABYTES = 64;

const CODE = /\.(?:[cm]?[jt]s)$/;

/** Whether a file is a module, which has to be executed. */
export function isCodeFile(file: string): boolean {
  return CODE.test(file);
}

/** The files of the config of another tool. Nothing outside of `root` is read, also not through links. */
export class SourceFiles {
  readonly root: string;
  readonly #budget: LexemeBudget = { left: MOST_LEXEMES };
  readonly #known = new Map<string, LocatedValue>();

  constructor(root: string) {
    this.root = resolve(root);
  }

  /** A file that the user named: YAML, JSON, JSON lines, CSV or text, by the end of its name. */
  chosen(file: string): LocatedValue {
    const source = sourceText({ file, text: '' });
    return this.#read(file, { source, start: 0, end: 0 }, file);
  }

  /** A file that is named at `from`, relative to the file that names it. */
  named(name: string, from: Span): LocatedValue {
    return this.#read(this.pathOf(name, from), from, name);
  }

  pathOf(name: string, from: Span): string {
    const path = name.replace(/^file:\/\//, '');
    return isAbsolute(path) ? path : resolve(dirname(from.source.file), path);
  }

  /** The files that a name with `*` means, sorted; the name itself without one. Throws if there is none. */
  async matches(name: string, from: Span): Promise<string[]> {
    const path = this.pathOf(name, from);
    if (!/[*?{[]/.test(name)) return [path];
    const found: string[] = [];
    const base = dirname(from.source.file);
    for await (const match of glob(relative(base, path), { cwd: base })) {
      const file = resolve(base, match);
      if (!isInside(this.root, file)) throw this.#outside(name, from);
      if (extname(file) !== '') found.push(file);
      if (found.length > MOST_MATCHES) {
        throw problemAt(
          { span: from },
          { code: 'too-large', message: `${name} means more than ${MOST_MATCHES} files` },
        );
      }
    }
    if (found.length === 0) {
      throw problemAt({ span: from }, { code: 'missing-file', message: `no file is called ${name}` });
    }
    return found.sort();
  }

  /** The text of a file, whatever it is. */
  text(name: string, from: Span): SourceText {
    const file = this.pathOf(name, from);
    const read = readInsideRoot({ file, name, root: this.root, mostMegabytes: MEGABYTES });
    if ('source' in read) return read.source;
    if (read.problem.code === 'outside-project') throw this.#outside(name, from);
    throw problemAt({ span: from }, read.problem);
  }

  #outside(name: string, from: Span): DiagnosticsError {
    return problemAt(
      { span: from },
      {
        code: 'outside-project',
        message: `${name} is outside of ${this.root}`,
        hint: 'start the command in a folder that contains all files of the config',
      },
    );
  }

  #read(file: string, from: Span, name: string): LocatedValue {
    const known = this.#known.get(file);
    if (known) return known;
    const read = isInside(this.root, file)
      ? { source: this.text(file, from) }
      : name === file
        ? readChosen({ file, name, root: this.root, mostMegabytes: MEGABYTES })
        : null;
    if (read === null) throw this.#outside(name, from);
    if ('problem' in read) throw problemAt({ span: from }, read.problem);
    const node = this.#parse(read.source);
    this.#known.set(file, node);
    return node;
  }

  #parse(source: SourceText): LocatedValue {
    const whole = { source, start: 0, end: source.text.length };
    const extension = extname(source.file).toLowerCase();
    if (['.csv', '.jsonl', '.ndjson'].includes(extension)) return this.#rows(source);
    if (!['.yaml', '.yml', '.json'].includes(extension)) return leaf(source.text, whole);
    if (extension === '.json' && source.text.length > LONGEST_LOCATED) return longJson(whole);
    const tree = parseYamlTree(source, this.#budget);
    const diagnostics = [...tree.diagnostics];
    if (hasErrors(diagnostics)) throw new DiagnosticsError(diagnostics);
    const node = resolveYaml({
      source,
      contents: tree.contents,
      report: (problem) => diagnostics.push(problem),
      include: () => null,
    });
    if (hasErrors(diagnostics) || node.broken) throw new DiagnosticsError(diagnostics);
    return node;
  }

  /** A list of maps; the cells of CSV are texts, as other tools read them. */
  #rows(source: SourceText): LocatedValue {
    const rows = readDataFile({ file: source.file, name: source.file, root: this.root, asText: true });
    const whole = { source, start: 0, end: source.text.length };
    if ('problem' in rows) throw problemAt({ span: whole }, rows.problem);
    if ('diagnostics' in rows) throw new DiagnosticsError(rows.diagnostics);
    return locatedList(
      rows.rows.map((row, index) => locatedAt(row, rows.spanOf(index))),
      whole,
    );
  }
}

/** Without the position of each value, which takes a hundred times as long to find out. */
function longJson(span: Span): LocatedValue {
  const error = jsonSyntaxError(span.source.text);
  if (error) {
    const at = { ...span, start: error.offset, end: error.offset + 1 };
    throw problemAt({ span: at }, { code: 'yaml-syntax', message: `not valid JSON: ${error.message}` });
  }
  if (bracketsFrom(span.source.text, span.source.text.search(/\S/)).deepest > MOST_DEPTH) {
    throw problemAt({ span }, { code: 'too-deep', message: `values are nested more than ${MOST_DEPTH} levels deep` });
  }
  return locatedAt(JSON.parse(span.source.text), span);
}
