import { remembered } from 'salvo/kit/text';
import type { BlockView } from '../../iac/evaluate/block-view.ts';
import { readPath } from '../../iac/read/attribute-path.ts';
import type { CodeNode } from '../../iac/read/code-node.ts';

/** Which resources belong to others: the settings of a bucket, the flow log of a network. */
export type Companions = ReturnType<typeof createCompanions>;

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
  /** By address: `aws_s3_bucket.data`, with a key if one is named, or, in a template, the file and the name in it. */
  byAddress: Map<string, Set<BlockView>>;
  byText: Map<string, Set<BlockView>>;
  hasUnknown: boolean;
}

/** `parameters` are those of templates: the file and the name in it, as in `template.yaml#Network`. */
export function createCompanions(
  byType: ReadonlyMap<string, readonly BlockView[]>,
  nodeOf: (view: BlockView) => CodeNode,
  parameters: ReadonlySet<string>,
) {
  const known = new Map<string, Targets>();
  const all = [...byType.values()].flat();
  const byAddress = new Map([...Map.groupBy(all, ({ address }) => address), ...Map.groupBy(all, addressOf)]);
  const generators = [...byType].flatMap(([type, views]) => (type.startsWith('AWS::Serverless::') ? views : []));
  // SAM creates resources that are not in the template, such as `ShopProdStage` for the API `Shop`.
  const mayBeCreated = (address: string) =>
    parameters.has(address) || generators.some((view) => address.startsWith(addressOf(view)));
  const isThere = (address: string) => byAddress.has(address);
  const targetsOf = (type: string, link: string): Targets => {
    return remembered(known, `${type} ${link}`, () => {
      const targets: Targets = { byAddress: new Map(), byText: new Map(), hasUnknown: false };
      for (const view of byType.get(type) ?? []) {
        addTargets(targets, view, nodeOf(view), link, { isThere, mayBeCreated });
      }
      return targets;
    });
  };
  return {
    /** All resources of these types. */
    ofTypes: (types: readonly string[]) =>
      types.flatMap((type) => byType.get(type) ?? []).filter(({ kind }) => kind === 'resource'),
    /** The resources of these types that this one names; `unknown` when it names something that is not in the code. */
    namedBy(view: BlockView, { types, link, name }: Wanted): Answer {
      const readings = readPath(nodeOf(view), link).filter(({ state }) => state !== 'missing');
      const items = readings.flatMap(({ node }) => node.items()).filter((item) => !isDefaultGroup(item));
      const named = new Set(
        items.flatMap((item) => addressesOf(item, view, isThere)).flatMap((address) => byAddress.get(address) ?? []),
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
    /** The resources of these types that refer to this one; `unknown` when there is none, but a target is unknown. */
    of(view: BlockView, { types, link, name }: Wanted): Answer {
      const own = name === undefined ? [] : readPath(nodeOf(view), name);
      const texts = own.flatMap(({ state, node: { json } }) => (state === 'missing' ? [] : [json]));
      const targets = types.map((type) => targetsOf(type, link));
      const found = targets.flatMap(({ byAddress, byText }) => [
        ...(byAddress.get(view.address) ?? []),
        ...(byAddress.get(addressOf(view)) ?? []),
        ...texts.flatMap((text) => (typeof text === 'string' ? [...(byText.get(text) ?? [])] : [])),
      ]);
      if (found.length > 0) return [...new Set(found)];
      return targets.some(({ hasUnknown }) => hasUnknown) ? 'unknown' : [];
    },
    /** The same for what a module creates: `unknown` when one of these resources refers to the module. */
    ofModule(address: string, { types, link }: Wanted): Answer {
      const texts = types.flatMap((type) => [...targetsOf(type, link).byText.keys()]);
      return texts.some((text) => text.includes(`${address}.`) || text.includes(`${address}[`)) ? 'unknown' : [];
    },
  };
}

/** `default.postgres16`: a parameter group of AWS is the same as none. */
function isDefaultGroup({ known, json }: CodeNode): boolean {
  return known && typeof json === 'string' && json.startsWith('default.');
}

function addTargets(
  targets: Targets,
  view: BlockView,
  node: CodeNode,
  link: string,
  { isThere, mayBeCreated }: Record<'isThere' | 'mayBeCreated', (address: string) => boolean>,
): void {
  for (const reading of readPath(node, link)) {
    if (reading.state === 'missing') continue;
    for (const item of reading.node.items()) {
      if (typeof item.json !== 'string') continue;
      const named = addressesOf(item, view, isThere);
      const found = named.filter(isThere);
      for (const address of found) remembered(targets.byAddress, address, () => new Set()).add(view);
      // Two buckets can have the same name by mistake, or in an example. The address says which one is meant.
      if (found.length === 0) remembered(targets.byText, item.json, () => new Set()).add(view);
      // A name that is not in the code belongs at least to none of the others.
      const mayBeAny = () => named.length === 0 || named.some(mayBeCreated);
      if (!item.known && found.length === 0 && mayBeAny()) targets.hasUnknown = true;
    }
  }
}

/**
 * The addresses in a value. `aws_s3_bucket.a.bucket` evaluates to the name of the bucket, and then only the code has its
 * address. `aws_s3_bucket.a[each.key].id` has a key only in the value.
 */
function addressesOf({ json, spot }: CodeNode, view: BlockView, isThere: (address: string) => boolean): string[] {
  const inValue = addressesIn(String(json), view).map(({ block, key }) => ({
    block,
    address: isThere(block + key) ? block + key : block,
  }));
  const inCode = addressesIn(spot.text, view).filter(({ block }) => !inValue.some((other) => other.block === block));
  return [...inValue.map(({ address }) => address), ...inCode.map(({ block }) => block)];
}

const TERRAFORM_ADDRESS =
  /(?<![\w.-])((?:module\.[\w-]+(?:\[[^\]\s]*\])?\.)*)(aws_\w+\.[\w-]+)(\[(?:\d{1,9}|["'][^"'\]\s]{1,200}["'])\])?/g;
/** Not the pseudo parameters, such as `AWS::Region`. */
const TEMPLATE_NAME =
  /\$\{(\w+)[.}]|!(?:Ref|GetAtt)\s+["']?(\w+)\b(?!::)|"(?:Ref|Fn::GetAtt)"\s*:\s*\[?\s*"(\w+)\b(?!::)/g;

/** The blocks that a text names. A key is `["eu"]`, `[0]`, or empty. */
function addressesIn(text: string, view: BlockView): { block: string; key: string }[] {
  if (text.length > 2000) return [];
  if (!view.type.includes('::')) {
    return [...text.matchAll(TERRAFORM_ADDRESS)].map(([, module = '', address = '', key = '']) => ({
      block: (module === '' ? view.module : withPlainQuotes(module)) + address,
      key: withPlainQuotes(key),
    }));
  }
  const inTemplate = (name: string | undefined) => ({ block: `${view.file}#${name}`, key: '' });
  // Some write `Network` or `Role.Arn` where a reference is meant.
  const [, plain] = /^(\w{1,255})(?:\.[A-Za-z.]{1,255})?$/.exec(text) ?? [];
  if (plain !== undefined) return [inTemplate(plain)];
  return [...text.matchAll(TEMPLATE_NAME)].map(([, ...names]) => inTemplate(names.find((name) => name !== undefined)));
}

/** The placeholder of an unknown value has single quotes: `${module.shop['eu'].aws_s3_bucket.data['a'].id}`. */
function withPlainQuotes(path: string): string {
  return path.replaceAll("'", '"');
}

function addressOf(view: BlockView): string {
  return view.type.includes('::') ? `${view.file}#${view.name}` : view.blockAddress;
}
