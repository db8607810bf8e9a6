import type { BlockView } from '../../../iac/evaluate/block-view.ts';
import type { Scope } from '../../../iac/evaluate/scope.ts';

/** The instances of a resource, wherever it was moved to: the address is that of the block, without module and key. */
export function targetViews(scope: Scope, address: string): BlockView[] {
  const views = viewsByAddress.get(scope) ?? Map.groupBy(scope.instances(), viewAddress);
  viewsByAddress.set(scope, views);
  return views.get(address) ?? [];
}

/** Hundreds of operators ask the same scope. */
const viewsByAddress = new WeakMap<Scope, Map<string | null, BlockView[]>>();

function viewAddress({ kind, block }: BlockView): string | null {
  return kind === 'resource' ? block.address : null;
}

/** Blocks of certain types, each with its instances. */
export function blocksWithViews(scope: Scope, types: readonly string[]): [address: string, views: BlockView[]][] {
  const views = types.flatMap((type) => scope.instances(type)).filter(({ kind }) => kind === 'resource');
  return [...Map.groupBy(views, ({ block }) => block.address)];
}

/** `fine` when every instance surely is, `weak` when one surely is. */
export type Strength = 'weak' | 'fine' | 'unknown';

export function strengthOf(views: readonly BlockView[], of: (view: BlockView) => Strength): Strength {
  const certain = views.filter((view) => view.certain);
  const strengths = certain.map(of);
  if (strengths.includes('weak')) return 'weak';
  return views.length > 0 && certain.length === views.length && strengths.every((one) => one === 'fine')
    ? 'fine'
    : 'unknown';
}
