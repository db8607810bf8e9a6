import type { Expression, ObjectExpression } from '../syntax/expression.ts';
import type { CodeProject } from '../syntax/parse-code.ts';
import type { Block, SourceFile } from '../syntax/source-file.ts';
import { countReferences, policySource } from './references.ts';
import { attributeIn, type WrittenBlock, withoutEncoding, writtenBlock, writtenSlots } from './written-code.ts';

/** A statement as it is written: a block of a document, or an object with the list that it may be in. */
export type WrittenStatement = { source: SourceFile } & (
  | { kind: 'block'; block: Block }
  | { kind: 'object'; object: ObjectExpression; list: Extract<Expression, { kind: 'list' }> | null }
);

/**
 * The statements of the policies at a path of a resource, in the same order as `policyStatements` has them, and the
 * address of the document that they are taken from, if they are.
 */
export function writtenStatements(project: CodeProject, { source, block }: WrittenBlock, path: string) {
  const values = writtenSlots(block, path).flatMap(({ attribute }) => attribute?.value ?? []);
  const [only] = values;
  const document = only && values.length === 1 ? policySource(only) : null;
  if (document?.key === '') {
    return { document: document.address, statements: documentStatements(project, document.address) };
  }
  return { document: null, statements: values.flatMap((value) => objectStatements(source, value)) };
}

function documentStatements(project: CodeProject, address: string): WrittenStatement[] {
  const document = writtenBlock(project, address);
  // To edit a document that is used more than once would change more than one resource.
  if (!document || countReferences(project, address, document.source) !== 1) return [];
  return document.block.blocks.flatMap((block) =>
    block.type === 'statement' ? [{ source: document.source, kind: 'block' as const, block }] : [],
  );
}

function objectStatements(source: SourceFile, value: Expression): WrittenStatement[] {
  const policy = withoutEncoding(value);
  if (policy.kind !== 'object') return [];
  const statements = attributeIn(policy, 'Statement')?.value;
  if (statements?.kind === 'object') return [{ source, kind: 'object', object: statements, list: null }];
  if (statements?.kind !== 'list') return [];
  return statements.items.flatMap((object) =>
    object.kind === 'object' ? [{ source, kind: 'object' as const, object, list: statements }] : [],
  );
}
