import type { Attribute, Expression, ObjectEntry } from '../syntax/expression.ts';
import type { Block } from '../syntax/source-file.ts';
import { type ModuleBlock, writtenContent } from './terraform-module.ts';

const SERVERLESS = 'AWS::Serverless::';

/**
 * The content of a resource of a template. The Serverless Application Model adds what Globals says about its type: maps
 * are merged, lists are joined, and of two other values the one of the resource holds.
 */
export function templateContent(block: Block, file: string, globals: ReadonlyMap<string, Attribute>): ModuleBlock {
  const content = writtenContent(block, file);
  const [type = ''] = block.labels;
  const shared = type.startsWith(SERVERLESS) ? globals.get(type.slice(SERVERLESS.length))?.value : undefined;
  if (shared?.kind !== 'object') return content;
  for (const entry of shared.entries) {
    const own = content.attributes.get(entry.name)?.it;
    const it = own ? { ...own, value: merged(own.value, entry.value) } : entry;
    content.attributes.set(entry.name, { it, file });
  }
  return content;
}

function merged(own: Expression, shared: Expression): Expression {
  if (own.kind === 'list' && shared.kind === 'list') return { ...own, items: [...shared.items, ...own.items] };
  if (own.kind !== 'object' || shared.kind !== 'object') return own;
  const ofShared = new Map(shared.entries.map((entry) => [entry.name, entry]));
  const entries = own.entries.map((entry): ObjectEntry => {
    const other = ofShared.get(entry.name);
    ofShared.delete(entry.name);
    return other ? { ...entry, value: merged(entry.value, other.value) } : entry;
  });
  return { ...own, entries: [...entries, ...ofShared.values()] };
}
