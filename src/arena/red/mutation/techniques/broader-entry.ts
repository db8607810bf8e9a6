import type { Expression, TextRange } from '../../../../iac/syntax/expression.ts';
import type { Block, SourceFile } from '../../../../iac/syntax/source-file.ts';
import type { SeededChoice } from '../site/seeded-choice.ts';
import { writtenAttributes } from '../site/written-attributes.ts';
import { ADDITIVE_PARTS } from './additive.ts';
import { isInside, partAfter } from './code-parts.ts';
import type { Technique } from './technique.ts';

/** The narrow statement, or rule, is kept; a broader one is added, which makes it ineffective. */
export const broaderEntries: readonly Technique[] = (['terraform', 'cloudformation'] as const).map((language) => ({
  id: 'broader_entry',
  language,
  difficulty: 'hard',
  hide: ({ project, plain, choice }) => {
    const [change, ...others] = plain;
    const source = project.files.find(({ file }) => file === change?.file);
    if (!source || !change || others.length > 0) return null;
    const holds = ({ range }: { range: TextRange }) => change.edits.every((edit) => isInside(edit, range));
    // A new entry after the last one does not change that one.
    if (change.edits.some((edit) => edit.start === edit.end && /^\s*[-,{]/.test(edit.text))) return null;
    const entry = entryWith(source, holds);
    const broader = entry && partAfter(source.text, entry.range, change.edits);
    if (!entry || !broader) return null;
    const text = entry.before + renamedStatement(broader, choice);
    return { edits: [{ file: source.file, edits: [{ start: entry.at, end: entry.at, text }] }] };
  },
}));

interface Entry {
  range: TextRange;
  /** Where another entry can be inserted, and the text to write before it. */
  at: number;
  before: string;
}

function entryWith(source: SourceFile, holds: (part: { range: TextRange }) => boolean): Entry | null {
  const block = source.blocks.find(holds);
  if (!block) return null;
  return blockEntry(source, block, holds) ?? listEntry(source, holds);
}

function blockEntry({ text }: SourceFile, top: Block, holds: (part: { range: TextRange }) => boolean): Entry | null {
  const block = top.blocks.find((one) => ADDITIVE_PARTS.has(one.type) && holds(one));
  return block
    ? { range: block.range, at: block.range.end, before: `\n\n${indentation(text, block.range.start)}` }
    : null;
}

function listEntry(source: SourceFile, holds: (part: { range: TextRange }) => boolean): Entry | null {
  const { text, syntax } = source;
  for (const { attribute } of writtenAttributes(source)) {
    const { value } = attribute;
    if (!ADDITIVE_PARTS.has(attribute.name) || value.kind !== 'list') continue;
    const item = value.items.find(
      (one): one is Extract<Expression, { kind: 'object' }> => one.kind === 'object' && holds(one),
    );
    if (!item) continue;
    const { range } = item;
    if (syntax === 'hcl') {
      const indent = indentation(text, range.start);
      const isOnOwnLine = text.slice(text.lastIndexOf('\n', range.start) + 1, range.start).trim() === '';
      return { range, at: range.end, before: isOnOwnLine ? `,\n${indent}` : ', ' };
    }
    const dash = text.lastIndexOf('-', range.start - 1);
    const column = dash - text.lastIndexOf('\n', dash) - 1;
    return { range, at: range.end, before: `\n${' '.repeat(column)}- ` };
  }
  return null;
}

/** Two statements of one policy may not have the same name. */
function renamedStatement(code: string, choice: SeededChoice): string {
  const suffix = choice.one(['Jobs', 'Delegated', 'Automation', 'Operations']) ?? 'Jobs';
  return code.replace(/\b([Ss]id\s*[=:]\s*"?)(\w+)/, `$1$2${suffix}`);
}

function indentation(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset))?.[0] ?? '';
}
