import type { BlockView } from '../../../iac/evaluate/block-view.ts';
import { knownPart } from '../../../iac/evaluate/value.ts';
import { readPath } from '../../../iac/read/attribute-path.ts';
import type { CodeNode } from '../../../iac/read/code-node.ts';
import { remembered } from '../../../text/memo.ts';

/** Which resources belong to others: the settings of a bucket, the flow log of a network. */
export interface Companions {
  /** Whether a resource of these types refers to this one; `unknown` when the target of one is unknown. */
  of(view: BlockView, wanted: { types: readonly string[]; link: string; name?: string | undefined }): Answer;
}

type Answer = 'there' | 'unknown' | 'none';

interface Targets {
  /** `aws_s3_bucket.data` or, in a template, the file and the name in it. */
  addresses: Set<string>;
  texts: Set<string>;
  hasUnknown: boolean;
}

export function createCompanions(
  byType: ReadonlyMap<string, readonly BlockView[]>,
  nodeOf: (view: BlockView) => CodeNode,
): Companions {
  const known = new Map<string, Targets>();
  const addresses = new Set([...byType.values()].flat().map(addressOf));
  const targetsOf = (type: string, link: string): Targets => {
    return remembered(known, `${type} ${link}`, () => {
      const targets: Targets = { addresses: new Set(), texts: new Set(), hasUnknown: false };
      for (const view of byType.get(type) ?? []) addTargets(targets, view, nodeOf(view), link, addresses);
      return targets;
    });
  };
  return {
    of(view, { types, link, name }) {
      let answer: Answer = 'none';
      const own = name === undefined ? null : view.get(name);
      const text = own ? knownPart(own.value) : null;
      for (const type of types) {
        const { addresses, texts, hasUnknown } = targetsOf(type, link);
        if (addresses.has(addressOf(view)) || (typeof text === 'string' && texts.has(text))) return 'there';
        if (hasUnknown) answer = 'unknown';
      }
      return answer;
    },
  };
}

function addTargets(
  targets: Targets,
  view: BlockView,
  node: CodeNode,
  link: string,
  addresses: ReadonlySet<string>,
): void {
  for (const reading of readPath(node, link)) {
    if (reading.state === 'missing') continue;
    for (const item of reading.node.items()) {
      if (typeof item.json !== 'string') continue;
      targets.texts.add(item.json);
      const found = addressesIn(item.json, view).filter((address) => addresses.has(address));
      for (const address of found) targets.addresses.add(address);
      if (!item.known && found.length === 0) targets.hasUnknown = true;
      // `aws_s3_bucket.a.bucket` evaluates to the name of the bucket. Only the code still has its address.
      for (const address of addressesIn(item.spot.text, view)) targets.addresses.add(address);
    }
  }
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
  return [...text.matchAll(TEMPLATE_NAME)].map(
    ([, ...names]) => `${view.file}#${names.find((name) => name !== undefined)}`,
  );
}

function addressOf(view: BlockView): string {
  return view.type.includes('::') ? `${view.file}#${view.name}` : view.blockAddress;
}
