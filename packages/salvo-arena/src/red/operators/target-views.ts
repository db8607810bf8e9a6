import { remembered } from 'salvo/kit/text';
import type { BlockView } from '../../iac/evaluate/block-view.ts';
import type { Scope } from '../../iac/evaluate/scope.ts';
import { readPath } from '../../iac/read/attribute-path.ts';
import type { CodeNode } from '../../iac/read/code-node.ts';
import { isInFocus } from '../../iac/syntax/parse-code.ts';
import type { Condition } from './operator-spec.ts';
import { askValue } from './value-test.ts';

/** The instances of a resource in all modules: the address is that of the block, without module and key. */
export function targetViews(scope: Scope, address: string): BlockView[] {
  const views = remembered(viewsByAddress, scope, () =>
    Map.groupBy(
      scope.instances().filter(({ file }) => isInFocus(scope.project, file)),
      resourceAddress,
    ),
  );
  return views.get(address) ?? [];
}

/** Hundreds of operators use the same scope. */
const viewsByAddress = new WeakMap<Scope, Map<string | null, BlockView[]>>();

function resourceAddress({ kind, block }: BlockView): string | null {
  return kind === 'resource' ? block.address : null;
}

/** Blocks of certain types, each with its instances. */
export function blocksWithViews(scope: Scope, types: readonly string[]): [address: string, views: BlockView[]][] {
  const views = types
    .flatMap((type) => scope.instances(type))
    .filter(({ kind, file }) => kind === 'resource' && isInFocus(scope.project, file));
  return [...Map.groupBy(views, ({ block }) => block.address)];
}

/** `fine` when every instance certainly is, `weak` when one certainly is. */
export type Strength = 'weak' | 'fine' | 'unknown';

export function weakestOf(views: readonly BlockView[], strengthOf: (view: BlockView) => Strength): Strength {
  const certain = views.filter((view) => view.certain);
  const strengths = certain.map(strengthOf);
  if (strengths.includes('weak')) return 'weak';
  return views.length > 0 && certain.length === views.length && strengths.every((one) => one === 'fine')
    ? 'fine'
    : 'unknown';
}

/** Whether an operator looks at this resource at all. */
export function meetsConditions(resource: CodeNode, conditions: readonly Condition[]): boolean {
  return conditions.every(({ path, test, all }) => {
    const answers = readPath(resource, path).map(({ state, holder, node }) =>
      state === 'missing' || !holder ? null : askValue(test, node.json),
    );
    return all ? answers.every((answer) => answer === 'yes') : answers.includes('yes');
  });
}

/** The resource that another one belongs to, by the attribute that refers to it; none when the code does not say. */
export function ownersOf(view: BlockView | undefined, name: string | undefined): string[] {
  const attribute = name === undefined ? null : view?.get(name);
  if (!attribute) return [];
  const { value } = attribute;
  if (!value.known && value.refersTo !== null) return [value.refersTo];
  // The name of a resource is often known. Its value then refers to nothing, but the expression still does.
  const written = attribute.attribute.value;
  const [type, resource] = written.kind === 'reference' ? written.steps : [];
  return typeof type === 'string' && type.startsWith('aws_') ? [`${type}.${resource}`] : [];
}
