import type { LocatedValue } from '../../scenario/diagnostics/located-value.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { childOf, locatedList, locatedMap, problemAt, textOf } from '../source/located.ts';
import type { SourceFiles } from '../source/source-files.ts';

const MOST_NODES = 300_000;
const MOST_NESTED = 60;

/** What a `$ref` is replaced by, everywhere but in the settings of providers: JSON Schemas of tools have their own. */
export function resolveReferences(root: LocatedValue, files: SourceFiles): LocatedValue {
  const walk: Walk = { root, files, left: MOST_NODES, chain: [] };
  return resolveNode(root, walk, true);
}

interface Walk {
  root: LocatedValue;
  files: SourceFiles;
  left: number;
  /** The references that are being replaced. */
  chain: readonly string[];
}

/** Keys whose value is a JSON Schema or the settings of a provider. Only a reference that is found is replaced there. */
const SCHEMAS = new Set(['config', 'value', 'schema']);

function resolveNode(node: LocatedValue, walk: Walk, isStrict: boolean): LocatedValue {
  walk.left -= 1;
  if (walk.left < 0) {
    throw problemAt(node, { code: 'too-large', message: 'this is too large once its references are replaced' });
  }
  const reference = isRecord(node.value) ? textOf(childOf(node, '$ref')) : undefined;
  if (reference !== undefined) {
    const target = targetOf(reference, node, walk);
    if (target) return resolveTarget(target, reference, node, walk);
    if (isStrict) {
      throw problemAt(node, { code: 'missing-file', message: `there is nothing at the reference ${reference}` });
    }
  }
  if (node.children.size === 0) return node;
  const resolved = [...node.children].map(([key, child]) => {
    const strict = isStrict && !SCHEMAS.has(String(key));
    return [String(key), resolveNode(child.node, walk, strict)] as const;
  });
  if (resolved.every(([key, child]) => child === (node.children.get(key) ?? node.children.get(Number(key)))?.node)) {
    return node;
  }
  if (Array.isArray(node.value)) {
    return locatedList(
      resolved.map(([, child]) => child),
      node.span,
    );
  }
  return locatedMap(resolved, node.span);
}

function resolveTarget(target: LocatedValue, reference: string, node: LocatedValue, walk: Walk): LocatedValue {
  if (walk.chain.includes(reference)) {
    const cycle = [...walk.chain.slice(walk.chain.indexOf(reference)), reference].join(' -> ');
    throw problemAt(node, { code: 'include-cycle', message: `the reference leads back to itself: ${cycle}` });
  }
  if (walk.chain.length >= MOST_NESTED) {
    throw problemAt(node, { code: 'too-deep', message: `references lead through more than ${MOST_NESTED} others` });
  }
  const before = walk.chain;
  walk.chain = [...before, reference];
  const resolved = resolveNode(target, walk, true);
  walk.chain = before;
  return resolved;
}

/** `#/a/b`, `file.yaml` or `file.yaml#/a/b`. */
function targetOf(reference: string, node: LocatedValue, { root, files }: Walk): LocatedValue | undefined {
  const [file = '', pointer = ''] = reference.split('#', 2);
  let at: LocatedValue | undefined = file === '' ? root : files.named(file, node.span);
  for (const step of pointer.split('/').slice(1)) {
    const key = decodeURIComponent(step.replaceAll('%', '%25')).replaceAll('~1', '/').replaceAll('~0', '~');
    at = at?.children.get(key)?.node ?? at?.children.get(Number(key))?.node;
  }
  return at;
}
