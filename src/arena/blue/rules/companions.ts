import type { BlockView } from '../../../iac/evaluate/block-view.ts';
import { readPath } from '../../../iac/read/attribute-path.ts';
import type { CodeNode } from '../../../iac/read/code-node.ts';
import { remembered } from '../../../text/memo.ts';

/** Which resources belong to others: the settings of a bucket, the flow log of a network. */
export interface Companions {
  /** All resources of these types. */
  ofTypes(types: readonly string[]): readonly BlockView[];
  /** The resources of these types that this one names; `unknown` when it names something that is not in the code. */
  namedBy(view: BlockView, wanted: Wanted): Answer;
  /** The resources of these types that refer to this one; `unknown` when there is none, but a target is unknown. */
  of(view: BlockView, wanted: Wanted): Answer;
  /** The same for what a module creates: `unknown` when one of these resources refers to the module. */
  ofModule(address: string, wanted: Wanted): Answer;
}

export interface Wanted {
  types: readonly string[];
  link: string;
  name?: string | undefined;
}

type Answer = readonly BlockView[] | 'unknown';

/** Those that are in the code; none if that is unknown. */
export function knownViews(answer: Answer): readonly BlockView[] {
  return answer === 'unknown' ? [] : answer;
}

interface Targets {
  /** By address: `aws_s3_bucket.data` or, in a template, the file and the name in it. */
  byAddress: Map<string, Set<BlockView>>;
  byText: Map<string, Set<BlockView>>;
  hasUnknown: boolean;
}

export function createCompanions(
  byType: ReadonlyMap<string, readonly BlockView[]>,
  nodeOf: (view: BlockView) => CodeNode,
): Companions {
  const known = new Map<string, Targets>();
  const byAddress = Map.groupBy([...byType.values()].flat(), addressOf);
  const targetsOf = (type: string, link: string): Targets => {
    return remembered(known, `${type} ${link}`, () => {
      const targets: Targets = { byAddress: new Map(), byText: new Map(), hasUnknown: false };
      for (const view of byType.get(type) ?? []) addTargets(targets, view, nodeOf(view), link, byAddress);
      return targets;
    });
  };
  return {
    ofTypes: (types) => types.flatMap((type) => byType.get(type) ?? []).filter(({ kind }) => kind === 'resource'),
    namedBy(view, { types, link, name }) {
      const readings = readPath(nodeOf(view), link).filter(({ state }) => state !== 'missing');
      const items = readings.flatMap(({ node }) => node.items());
      const named = new Set(
        items
          .flatMap(({ json, spot }) => [...addressesIn(spot.text, view), ...addressesIn(String(json), view)])
          .flatMap((address) => byAddress.get(address) ?? []),
      );
      const texts = new Set(items.map(({ json }) => json));
      const isCalledSo = (other: BlockView): boolean =>
        name !== undefined &&
        readPath(nodeOf(other), name).some(({ state, node: { json } }) => state === 'known' && texts.has(json));
      const found = types
        .flatMap((type) => byType.get(type) ?? [])
        .filter((other) => other.kind === 'resource' && (named.size > 0 ? named.has(other) : isCalledSo(other)));
      return found.length === 0 && items.length > 0 ? 'unknown' : found;
    },
    of(view, { types, link, name }) {
      const own = name === undefined ? [] : readPath(nodeOf(view), name);
      const texts = own.flatMap(({ state, node: { json } }) => (state === 'missing' ? [] : [json]));
      const targets = types.map((type) => targetsOf(type, link));
      const found = targets.flatMap(({ byAddress, byText }) => [
        ...(byAddress.get(addressOf(view)) ?? []),
        ...texts.flatMap((text) => (typeof text === 'string' ? [...(byText.get(text) ?? [])] : [])),
      ]);
      if (found.length > 0) return [...new Set(found)];
      return targets.some(({ hasUnknown }) => hasUnknown) ? 'unknown' : [];
    },
    ofModule(address, { types, link }) {
      const texts = types.flatMap((type) => [...targetsOf(type, link).byText.keys()]);
      return texts.some((text) => text.includes(`${address}.`) || text.includes(`${address}[`)) ? 'unknown' : [];
    },
  };
}

function addTargets(
  targets: Targets,
  view: BlockView,
  node: CodeNode,
  link: string,
  addresses: ReadonlyMap<string, unknown>,
): void {
  for (const reading of readPath(node, link)) {
    if (reading.state === 'missing') continue;
    for (const item of reading.node.items()) {
      if (typeof item.json !== 'string') continue;
      // `aws_s3_bucket.a.bucket` evaluates to the name of the bucket. Only the code still has its address.
      const named = [...addressesIn(item.spot.text, view), ...addressesIn(item.json, view)];
      const found = named.filter((address) => addresses.has(address));
      for (const address of found) addTo(targets.byAddress, address, view);
      // Two buckets can have the same name by mistake, or in an example. The address says which one is meant.
      if (found.length === 0) addTo(targets.byText, item.json, view);
      // A missing resource of Terraform is at least none of the others. In a template, the name may be a parameter.
      const isElsewhere = named.length > 0 && !view.type.includes('::');
      if (!item.known && found.length === 0 && !isElsewhere) targets.hasUnknown = true;
    }
  }
}

function addTo(targets: Map<string, Set<BlockView>>, key: string, view: BlockView): void {
  const known = targets.get(key);
  if (known) known.add(view);
  else targets.set(key, new Set([view]));
}

const TERRAFORM_ADDRESS = /(?<![\w.-])((?:module\.[\w-]+(?:\[[^\]\s]*\])?\.)*)(aws_\w+\.[\w-]+)/g;
const TEMPLATE_NAME =
  /\$\{([A-Za-z0-9]+)[.}]|!(?:Ref|GetAtt)\s+["']?([A-Za-z0-9]+)|"(?:Ref|Fn::GetAtt)"\s*:\s*\[?\s*"([A-Za-z0-9]+)/g;

function addressesIn(text: string, view: BlockView): string[] {
  if (text.length > 2000) return [];
  if (!view.type.includes('::')) {
    return [...text.matchAll(TERRAFORM_ADDRESS)].map(([, module = '', address = '']) =>
      module === '' ? view.module + address : module + address,
    );
  }
  // Some write `Network` or `Role.Arn` where a reference is meant.
  const [, plain] = /^([A-Za-z0-9]{1,255})(?:\.[A-Za-z.]{1,255})?$/.exec(text) ?? [];
  if (plain !== undefined) return [`${view.file}#${plain}`];
  return [...text.matchAll(TEMPLATE_NAME)].map(
    ([, ...names]) => `${view.file}#${names.find((name) => name !== undefined)}`,
  );
}

function addressOf(view: BlockView): string {
  return view.type.includes('::') ? `${view.file}#${view.name}` : view.blockAddress;
}
