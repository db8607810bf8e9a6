import type { CodeNode } from './code-node.ts';
import { isSame } from './equals-setting.ts';

/**
 * What a path leads to. It goes through blocks, maps, and all elements of lists:
 *
 *     metadata_options.http_tokens     the attribute of the block; of each, when there are several
 *     ebs_block_device?.encrypted      where there is no such block, there is nothing to be said
 *     parameter[name=tls].value        of the element whose name is tls
 */
export type Reading =
  | { state: 'known' | 'unknown'; node: CodeNode }
  /** `node` is the innermost that is there. */
  | { state: 'missing'; node: CodeNode };

interface Step {
  name: string;
  isOptional: boolean;
  key: { name: string; value: string } | null;
}

const STEP = /([A-Za-z0-9_]+)(?:\[([A-Za-z0-9_]+)=([^\]]+)\])?(\?)?(?:\.|$)/y;

export function readPath(node: CodeNode, path: string): Reading[] {
  let readings: Reading[] = [{ state: 'known', node }];
  for (const step of stepsOf(path)) {
    readings = readings.flatMap((reading) => (reading.state === 'known' ? take(step, reading.node) : [reading]));
  }
  return readings;
}

/** The path without what selects: `parameter.value`. */
export function plainPath(path: string): string {
  return stepsOf(path)
    .map(({ name }) => name)
    .join('.');
}

const parsed = new Map<string, Step[]>();

function stepsOf(path: string): Step[] {
  const known = parsed.get(path);
  if (known) return known;
  const steps: Step[] = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < path.length) {
    const found = STEP.exec(path);
    if (!found) throw new Error(`${path} is no path of a rule.`);
    const [, name = '', keyName, keyValue, optional] = found;
    const key = keyName === undefined || keyValue === undefined ? null : { name: keyName, value: keyValue };
    steps.push({ name, isOptional: optional === '?', key });
  }
  parsed.set(path, steps);
  return steps;
}

function take({ name, isOptional, key }: Step, node: CodeNode): Reading[] {
  const children = node.children(name);
  const wanted = key ? children.flatMap((child) => keyed(child, key)) : children;
  if (wanted.length === 0) return isOptional ? [] : [{ state: 'missing', node }];
  const known = wanted.filter((child) => child.known);
  // One that is found settles it; otherwise any that is called who knows what may be it.
  if (key && known.length > 0) return known.map((child) => ({ state: 'known', node: child }));
  return wanted.map((child) => ({ state: child.known ? 'known' : 'unknown', node: child }));
}

function keyed(list: CodeNode, key: { name: string; value: string }): CodeNode[] {
  if (!list.known) return [list];
  return list.items().flatMap((item) => {
    if (!item.known) return [item];
    const names = item.children(key.name);
    if (names.some((child) => child.known && isSame(child.json, key.value))) return [item];
    return names.filter((child) => !child.known);
  });
}
