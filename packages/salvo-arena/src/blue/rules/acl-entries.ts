import type { BlockView } from '../../iac/evaluate/block-view.ts';
import { type CodeNode, firstChild } from '../../iac/read/code-node.ts';
import { networkRule } from '../../iac/read/network-rules.ts';
import { knownViews } from './companions.ts';
import type { Subject } from './subject.ts';
import { GOOD, UNKNOWN, type Verdict } from './verdict.ts';

const LINK = 'NetworkAclId';

/**
 * Bad if an entry before this one, of the same network ACL and direction, has its `number`; or if it has some of its
 * `ports` and counts instead of it, because it has the same number, or does the opposite with some of its addresses.
 */
export function judgeAclEntry({ node, view, surroundings }: Subject, _: string | undefined, of: string): Verdict {
  const { companions, nodeOf } = surroundings;
  const acls = view ? companions.namedBy(view, { types: ['AWS::EC2::NetworkAcl'], link: LINK }) : 'unknown';
  if (!view || acls === 'unknown') return UNKNOWN;
  const entries = acls.flatMap((acl) =>
    knownViews(companions.of(acl, { types: ['AWS::EC2::NetworkAclEntry'], link: LINK })),
  );
  const before = entries.find((other) => {
    const entry = nodeOf(other);
    if (isOutbound(entry) !== isOutbound(node)) return false;
    const hasItsNumber = numberOf(entry) === numberOf(node) && isAbove(other, view);
    if (of === 'number') return hasItsNumber;
    const isAgainst = () => numberOf(entry) < numberOf(node) && contradict(entry, node);
    return haveOnePort(entry, node) && (hasItsNumber || isAgainst());
  });
  const attribute = of === 'number' ? 'RuleNumber' : 'PortRange';
  const own = firstChild(node, attribute);
  if (!before || !own) return GOOD;
  const { blockAddress: address } = before;
  return { result: 'bad', spot: own.spot, attribute, detail: `${address} has the same ${of}`, involves: [address] };
}

function isAbove(one: BlockView, other: BlockView): boolean {
  return one.file === other.file && one.block.range.start < other.block.range.start;
}

function isOutbound(entry: CodeNode): boolean {
  return String(firstChild(entry, 'Egress')?.json) === 'true';
}

/** NaN, which is no number of another entry, if it is not known. */
function numberOf(entry: CodeNode): number {
  const number = firstChild(entry, 'RuleNumber');
  return number?.known ? Number(number.json) : Number.NaN;
}

function haveOnePort(one: CodeNode, other: CodeNode): boolean {
  const [first, second] = [networkRule(one), networkRule(other)];
  if (!first?.ports || !second?.ports || first.protocol !== second.protocol) return false;
  return first.ports[0] <= second.ports[1] && second.ports[0] <= first.ports[1];
}

function contradict(one: CodeNode, other: CodeNode): boolean {
  const [first, second] = [networkRule(one), networkRule(other)];
  if (!first?.action || !second?.action || first.action === second.action) return false;
  const addresses = first.ranges.map(({ node }) => node.json);
  const haveOneAddress = second.ranges.some(({ node }) => addresses.includes(node.json));
  return haveOneAddress || first.isPublic === true || second.isPublic === true;
}
