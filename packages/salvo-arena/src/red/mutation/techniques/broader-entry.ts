import { insertion } from '../../../iac/edit/edits.ts';
import { columnAt, commaAfter, indentAt } from '../../../iac/edit/line-layout.ts';
import { writtenAttributes } from '../../../iac/read/written-code.ts';
import type { Expression, TextRange } from '../../../iac/syntax/expression.ts';
import type { Block, SourceFile } from '../../../iac/syntax/source-file.ts';
import { onlyChange } from '../site/weak-spot.ts';
import { ADDITIVE_PARTS, copyAfter, isInside, nextRule, partAfter, withoutLineEnd } from './code-parts.ts';
import type { Hidden, HidingPlace } from './technique.ts';

/** The statement, or rule, is kept; a second one is added, which may be broader and makes the first ineffective. */
export function broaderEntry({ project, plain, harmless, choice }: HidingPlace): Hidden | null {
  const change = onlyChange(project, plain);
  if (!change) return null;
  const { source, edits } = change;
  const holds: Holds = ({ range }) => edits.every((edit) => isInside(withoutLineEnd(source.text, range, edit), range));
  // A new entry after the last one does not change that one.
  if (edits.some((edit) => edit.start === edit.end && /^\s*[-,{]/.test(edit.text))) return null;
  const block = source.blocks.find(holds);
  const entry = block && (blockEntry(source, block, holds) ?? listEntry(source, holds));
  const broader = entry && partAfter(source.text, entry.range, edits);
  if (!entry || !broader) return null;
  const narrow = copyAfter(source.text, entry.range, harmless);
  const suffix = choice.one(['Jobs', 'Delegated', 'Automation', 'Operations']) ?? 'Jobs';
  const second = (code: string) => {
    const text = entry.before + renamedStatement(code, suffix);
    return { edits: [{ file: source.file, edits: [insertion(entry.range.end, text)] }] };
  };
  return { safe: second(narrow), weak: second(broader), carriers: [] };
}

/** Whether all edits are in a part of the code. */
type Holds = (part: { range: TextRange }) => boolean;

interface Entry {
  range: TextRange;
  /** The text between this entry and another one after it. */
  before: string;
}

function blockEntry({ text }: SourceFile, top: Block, holds: Holds): Entry | null {
  const block = top.blocks.find((one) => ADDITIVE_PARTS.has(one.type) && holds(one));
  return block ? { range: block.range, before: `\n\n${indentAt(text, block.range.start)}` } : null;
}

function listEntry(source: SourceFile, holds: Holds): Entry | null {
  const { text, syntax } = source;
  for (const { attribute } of writtenAttributes(source)) {
    const { value } = attribute;
    if (!ADDITIVE_PARTS.has(attribute.name) || value.kind !== 'list') continue;
    const item = value.items.find(
      (one): one is Extract<Expression, { kind: 'object' }> => one.kind === 'object' && holds(one),
    );
    if (!item) continue;
    const { range } = item;
    if (syntax === 'hcl') return { range, before: commaAfter(text, range.start) };
    return { range, before: `\n${columnAt(text, text.lastIndexOf('-', range.start - 1))}- ` };
  }
  return null;
}

/** Two statements of one policy may not have the same name. */
function renamedStatement(code: string, suffix: string): string {
  return nextRule(code.replace(/\b([Ss]id\s*[=:]\s*"?)(\w+)/, `$1$2${suffix}`));
}
