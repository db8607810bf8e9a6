import { parseCode } from '../../packages/salvo-arena/src/iac/syntax/parse-code.ts';
import type { FormGame } from './form-units.ts';

/** Constructs that Red hides flaws with. */
const PATTERNS: Readonly<Record<string, RegExp>> = {
  'output of a module': /\bmodule\.\w+\.\w+/,
  'module call': /^module "/,
  'environment condition': /var\.environment (?:==|!=)|local\.\w+_(?:profile|sizing|stage|selection)\b/,
  'list by environment': /\[for one in/,
  'override file': /^override$/,
  'values file': /^values$/,
  'several tags': /\btags\s*=.*\{.*,/,
  'count or for_each': /^\s*(?:count|for_each) = (?:var|local)\./m,
  'own variable or local': /\b(?:var|local)\.([a-z0-9]+)_[a-z0-9_]+/,
  If: /!If \[|Fn::If/,
  FindInMap: /!FindInMap/,
  'condition of a resource': /^ {4}Condition:/m,
  metadata: /^ {4}Metadata:/m,
};

export interface ConstructCount {
  /** Places that a flaw's entry in the manifest lists. */
  guilty: number;
  innocent: number;
}

export interface FormScan {
  /** By construct. */
  counts: Record<string, ConstructCount>;
  flaws: number;
  found: number;
}

/** A scanner that knows nothing about security, and reports every use of a construct. */
export async function scanForms({ files, vulnerabilities }: FormGame): Promise<FormScan> {
  const listed = new Map<string, string[]>();
  for (const { id, locations } of vulnerabilities) {
    for (const one of Array.isArray(locations) ? locations : []) {
      if (one.kind === 'related') continue;
      const key = `${one.file}:${one.line}`;
      listed.set(key, [...(listed.get(key) ?? []), id]);
    }
  }
  const scan: FormScan = { counts: {}, flaws: vulnerabilities.length, found: 0 };
  const found = new Set<string>();
  for (const { file, text, blocks, attributes } of (await parseCode(files)).files) {
    const parts = blocks
      .filter(({ type }) => type === 'resource' || type === 'module')
      .map(({ range, line, type }) => ({
        line,
        code: file.endsWith('_override.tf') ? 'override' : text.slice(range.start, range.end),
        isResource: type === 'resource',
      }));
    const values = attributes.map(({ line }) => ({ line, code: 'values', isResource: false }));
    for (const { line, code } of [...parts, ...values]) {
      const ids = listed.get(`${file}:${line}`) ?? [];
      for (const [name, pattern] of Object.entries(PATTERNS)) {
        if (!pattern.test(code)) continue;
        const { guilty, innocent } = scan.counts[name] ?? { guilty: 0, innocent: 0 };
        const isGuilty = ids.length > 0;
        scan.counts[name] = { guilty: guilty + Number(isGuilty), innocent: innocent + Number(!isGuilty) };
        for (const id of ids) found.add(id);
      }
    }
  }
  scan.found = found.size;
  return scan;
}
