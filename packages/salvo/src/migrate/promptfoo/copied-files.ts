import { dirname, extname, join, relative, resolve, sep } from 'node:path';
import type { LocatedValue } from '../../scenario/diagnostics/located-value.ts';
import { dataFile } from '../../text/modules/data-file.ts';
import type { SourceFiles } from '../source/source-files.ts';
import { withoutSecrets } from '../written-project.ts';

const MOST_FILES = 200;

/** Files of the user's code that the project needs, with those that they import by a relative path. */
export class CopiedFiles {
  readonly #files: SourceFiles;
  readonly #texts = new Map<string, string>();
  #hasChecks = false;

  constructor(files: SourceFiles) {
    this.#files = files;
  }

  needChecks(): void {
    this.#hasChecks = true;
  }

  /** Returns the path as a file in `checks/` or `agents/` names it. */
  add(file: string, at: LocatedValue): string {
    this.#copy(file, at);
    return `../${this.#pathOf(file)}`;
  }

  texts(): [string, string][] {
    const checks: [string, string][] = this.#hasChecks
      ? [['checks/promptfoo.mjs', dataFile(import.meta.url, '../written/checks.mjs')]]
      : [];
    const isCommonJs = [...this.#texts].some(
      ([path, text]) => path.endsWith('.js') && /\b(?:module\.)?exports\b/.test(text),
    );
    const kind: [string, string][] = isCommonJs ? [['files/package.json', '{ "type": "commonjs" }\n']] : [];
    return [...kind, ...this.#texts, ...checks];
  }

  #pathOf(file: string): string {
    return join('files', relative(this.#files.root, file)).replaceAll(sep, '/');
  }

  #copy(file: string, at: LocatedValue): void {
    const path = this.#pathOf(file);
    if (this.#texts.has(path) || this.#texts.size >= MOST_FILES) return;
    const { text } = this.#files.text(file, at.span);
    this.#texts.set(path, withoutSecrets(text));
    for (const [, name = ''] of text.matchAll(/(?:from|import|require)\s*\(?\s*['"](\.{1,2}\/[^'"\n]{1,300})['"]/g)) {
      const found = this.#existing(resolve(dirname(file), name), at);
      if (found !== undefined) this.#copy(found, at);
    }
  }

  #existing(file: string, at: LocatedValue): string | undefined {
    const candidates =
      extname(file) === '' ? ['.js', '.ts', '.mjs', '.cjs', '.json'].map((ending) => `${file}${ending}`) : [file];
    return candidates.find((each) => {
      try {
        return this.#files.text(each, at.span) !== undefined;
      } catch {
        return false;
      }
    });
  }
}
