import type { AttributeHolder } from '../../../iac/edit/insert-attribute.ts';
import type { Attribute, Expression } from '../../../iac/syntax/expression.ts';
import type { CodeProject } from '../../../iac/syntax/parse-code.ts';
import type { Block, SourceFile } from '../../../iac/syntax/source-file.ts';
import type { PathStep } from './attribute-path.ts';

/** Where something is written: a block or an object, in a file. */
export interface WrittenHolder {
  source: SourceFile;
  holder: AttributeHolder;
}

export function writtenBlock(project: CodeProject, address: string): { source: SourceFile; block: Block } | null {
  for (const source of project.files) {
    const block = source.blocks.find(
      (one) => (one.type === 'resource' || one.type === 'data') && one.address === address,
    );
    if (block) return { source, block };
  }
  return null;
}

/** All blocks or objects that a path without its last step leads to; what a reference stands for is not followed. */
export function holdersAt(from: WrittenHolder, path: readonly PathStep[]): WrittenHolder[] {
  const [step, ...rest] = path;
  if (!step || rest.length === 0) return [from];
  return childrenOf(from, step.name)
    .filter(({ holder }) => !step.where || literalIn(holder, step.where.name) === step.where.value)
    .flatMap((child) => holdersAt(child, rest));
}

function childrenOf({ source, holder }: WrittenHolder, name: string): WrittenHolder[] {
  if (!('kind' in holder)) {
    const blocks = holder.blocks.flatMap((block) => {
      if (block.type === name) return [block];
      if (block.type !== 'dynamic' || block.labels[0] !== name) return [];
      return block.blocks.filter(({ type }) => type === 'content');
    });
    if (blocks.length > 0) return blocks.map((block) => ({ source, holder: block }));
  }
  const value = attributeIn(holder, name)?.value;
  return value ? objectsIn(value).map((object) => ({ source, holder: object })) : [];
}

export function attributeIn(holder: AttributeHolder, name: string): Attribute | null {
  const attributes: readonly Attribute[] = 'kind' in holder ? holder.entries : holder.attributes;
  return attributes.find((attribute) => attribute.name === name) ?? null;
}

/** The value behind `jsonencode`, which is what a policy or a container is written in. */
export function unwrapped(value: Expression): Expression {
  return value.kind === 'call' && value.name === 'jsonencode' ? (value.args[0] ?? value) : value;
}

function objectsIn(value: Expression): Extract<Expression, { kind: 'object' }>[] {
  const inner = unwrapped(value);
  if (inner.kind === 'list') return inner.items.flatMap(objectsIn);
  return inner.kind === 'object' ? [inner] : [];
}

function literalIn(holder: AttributeHolder, name: string): string | null {
  const value = attributeIn(holder, name)?.value;
  return value?.kind === 'literal' ? String(value.value) : null;
}
