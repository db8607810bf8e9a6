import type { BlockView } from '../../../iac/evaluate/block-view.ts';

/** The resource that another one is about, by the attribute that refers to it; none when the code does not tell. */
export function ownersOf(view: BlockView | undefined, name: string | undefined): string[] {
  const attribute = name === undefined ? null : view?.get(name);
  if (!attribute) return [];
  const { value } = attribute;
  if (!value.known && value.refersTo !== null) return [value.refersTo];
  // The name of a resource is often known, and then its value refers to nothing any more.
  const written = attribute.attribute.value;
  const [type, resource] = written.kind === 'reference' ? written.steps : [];
  return typeof type === 'string' && type.startsWith('aws_') ? [`${type}.${resource}`] : [];
}
