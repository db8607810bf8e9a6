import type { Expression } from '../../../iac/syntax/expression.ts';
import type { CodeProject } from '../../../iac/syntax/parse-code.ts';
import type { Block, SourceFile } from '../../../iac/syntax/source-file.ts';
import { attributePath } from './attribute-path.ts';
import { policySource } from './policy-source.ts';
import { attributeIn, holdersAt, unwrapped, writtenBlock } from './written-holder.ts';

type ObjectCode = Extract<Expression, { kind: 'object' }>;
type ListCode = Extract<Expression, { kind: 'list' }>;

/** A statement as it is written: a block of a document, or an object with the list it may stand in. */
export type WrittenStatement = { source: SourceFile } & (
  | { kind: 'block'; block: Block }
  | { kind: 'object'; object: ObjectCode; list: ListCode | null }
);

export interface WrittenPolicy {
  /** The document that the policy is taken from. */
  document: string | null;
  statements: WrittenStatement[];
}

/** The statements of the policies at a path of a resource, in the order they come out in. */
export function writtenStatements(project: CodeProject, address: string, path: string): WrittenPolicy {
  const written = writtenBlock(project, address);
  if (!written) return { document: null, statements: [] };
  const steps = attributePath(path);
  const last = steps.at(-1)?.name ?? '';
  const values = holdersAt({ source: written.source, holder: written.block }, steps).flatMap(
    ({ holder }) => attributeIn(holder, last)?.value ?? [],
  );
  const [only] = values;
  const document = only && values.length === 1 ? policySource(only) : null;
  if (document !== null) return { document, statements: documentStatements(project, document) };
  return { document: null, statements: values.flatMap((value) => objectStatements(written.source, value)) };
}

function documentStatements(project: CodeProject, address: string): WrittenStatement[] {
  const document = writtenBlock(project, address);
  // What is shared, or put together from several documents, would change more than one resource.
  if (!document || referencesTo(project, address) !== 1) return [];
  return document.block.blocks.flatMap((block) =>
    block.type === 'statement' ? [{ source: document.source, kind: 'block' as const, block }] : [],
  );
}

function objectStatements(source: SourceFile, value: Expression): WrittenStatement[] {
  const policy = unwrapped(value);
  if (policy.kind !== 'object') return [];
  const statements = attributeIn(policy, 'Statement')?.value;
  if (statements?.kind === 'object') return [{ source, kind: 'object', object: statements, list: null }];
  if (statements?.kind !== 'list') return [];
  return statements.items.flatMap((object) =>
    object.kind === 'object' ? [{ source, kind: 'object' as const, object, list: statements }] : [],
  );
}

/** How often an address of Terraform is named in the code. */
export function referencesTo(project: CodeProject, address: string): number {
  const pattern = new RegExp(`(?<![\\w.-])${address.replaceAll(/\W/g, '\\$&')}(?![\\w-])`, 'g');
  return project.files.reduce((sum, { text }) => sum + (text.match(pattern)?.length ?? 0), 0);
}
