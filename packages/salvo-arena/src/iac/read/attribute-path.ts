import { remembered } from 'salvo/kit/text';
import { equalsSetting } from '../evaluate/value.ts';
import type { CodeNode } from './code-node.ts';

/**
 * The path language of all catalogues (operators, rules, safeguards):
 *
 *     metadata_options.http_tokens     the attribute of each block or map of that name; lists are stepped into
 *     Parameters."rds.force_ssl"       a name with other characters than letters, digits, `_` and `-` needs quotes
 *     parameter[name=tls].value        only of the elements whose `name` is `tls`
 *     ebs_block_device?.encrypted      where there is no such block, the path has no reading at all
 */
export interface PathStep {
  name: string;
  where: { name: string; value: string } | null;
  isOptional: boolean;
}

const STEP = /(?:"([^"]+)"|([\w-]+))(?:\[([\w-]+)=([^\]]+)\])?(\?)?(?:\.(?=.)|$)/y;

const parsedPaths = new Map<string, readonly PathStep[]>();

/** The steps of a path. Throws on a text that is no path. */
export function pathSteps(path: string): readonly PathStep[] {
  return remembered(parsedPaths, path, () => parsePath(path));
}

function parsePath(path: string): PathStep[] {
  const steps: PathStep[] = [];
  STEP.lastIndex = 0;
  do {
    const found = STEP.exec(path);
    if (!found) throw new Error(`${path} is not an attribute path.`);
    const [, quoted, plain, name, value, optional] = found;
    const where = name === undefined || value === undefined ? null : { name, value };
    steps.push({ name: quoted ?? plain ?? '', where, isOptional: optional === '?' });
  } while (STEP.lastIndex < path.length);
  return steps;
}

/** For the schemas of catalogues: a bad path fails when the catalogue is loaded, not when a rule first uses it. */
export function isAttributePath(text: string): boolean {
  try {
    return pathSteps(text).length > 0;
  } catch {
    return false;
  }
}

/** Only the names, as a manifest or a finding writes it: `parameter.value`. */
export function plainPath(path: string): string {
  return pathSteps(path)
    .map(({ name }) => name)
    .join('.');
}

/** What a path leads to, once for every way through blocks and lists. */
export interface Reading {
  state: 'known' | 'unknown' | 'missing';
  /** The value; when it is missing or hidden behind something unknown, the innermost node on the way. */
  node: CodeNode;
  /** The node that has, or lacks, the last name of the path. Null when the way ends before it. */
  holder: CodeNode | null;
}

export function readPath(from: CodeNode, path: string): Reading[] {
  let readings: Reading[] = [{ state: 'known', node: from, holder: null }];
  const steps = pathSteps(path);
  for (const [index, step] of steps.entries()) {
    readings = readings.flatMap((reading) => {
      if (reading.state !== 'known') return reading.holder ? [{ ...reading, holder: null }] : [reading];
      // A path begins at a resource, which is never a list.
      const holders = index === 0 ? [reading.node] : reading.node.items();
      // An empty list has no such block either.
      const isOptional = step.isOptional || steps[index - 1]?.isOptional === true;
      if (holders.length === 0) return isOptional ? [] : [{ state: 'missing', node: reading.node, holder: null }];
      return holders.flatMap((holder) => readStep(step, holder));
    });
  }
  return readings;
}

/** The entries of every list that a path leads to. */
export function knownItems(from: CodeNode, path: string): CodeNode[] {
  return readPath(from, path).flatMap(({ state, node }) => (state === 'known' ? node.items() : []));
}

function readStep({ name, where, isOptional }: PathStep, holder: CodeNode): Reading[] {
  if (!holder.known) return [{ state: 'unknown', node: holder, holder: null }];
  const children = holder.children(name);
  const wanted = where ? children.flatMap((child) => elementsWhere(child, where)) : children;
  if (wanted.length === 0) return isOptional ? [] : [{ state: 'missing', node: holder, holder }];
  const known = wanted.filter((child) => child.known);
  // If an element has the wanted key, use it. Otherwise every element whose key is unknown is a possible match.
  const chosen = where && known.length > 0 ? known : wanted;
  return chosen.map((node) => ({ state: node.known ? 'known' : 'unknown', node, holder }));
}

function elementsWhere(list: CodeNode, { name, value }: { name: string; value: string }): CodeNode[] {
  if (!list.known) return [list];
  return list.items().flatMap((item) => {
    if (!item.known) return [item];
    const keys = item.children(name);
    if (keys.some((key) => key.known && equalsSetting(key.json, value))) return [item];
    return keys.filter((key) => !key.known);
  });
}
