import type { BlockView } from '../../iac/evaluate/block-view.ts';
import { readPath } from '../../iac/read/attribute-path.ts';
import { type PolicyStatement, policyStatements } from '../../iac/read/policy-statements.ts';
import { knownViews } from './companions.ts';
import type { Subject } from './subject.ts';

const ATTACHMENT = 'aws_iam_policy_attachment';

/** How Terraform gives a policy to an identity: inside of it, or by an attachment to one or to many. */
const IDENTITIES = ['role', 'user', 'group'].map((link) => ({
  type: `aws_iam_${link}`,
  inline: `aws_iam_${link}_policy`,
  attachment: `aws_iam_${link}_policy_attachment`,
  link,
  links: `${link}s`,
}));

/** The statements of all policies whose holder also has this one: two harmless policies can be dangerous together. */
export function statementsOfHolders({ view, surroundings }: Subject): PolicyStatement[] {
  if (!view) return [];
  const { companions, nodeOf } = surroundings;
  const attached = (to: BlockView, type: string, link: string) =>
    knownViews(companions.of(to, { types: [type], link }));
  const named = (by: BlockView, type: string, link: string) =>
    knownViews(companions.namedBy(by, { types: [type], link }));
  const policies = IDENTITIES.flatMap(({ type, inline, attachment, link, links }) => {
    const holders = [
      ...named(view, type, link),
      ...attached(view, attachment, 'policy_arn').flatMap((it) => named(it, type, link)),
      ...attached(view, ATTACHMENT, 'policy_arn').flatMap((it) => named(it, type, links)),
    ];
    return holders.flatMap((holder) => {
      const attachments = [...attached(holder, attachment, link), ...attached(holder, ATTACHMENT, links)];
      const managed = attachments.flatMap((it) => named(it, 'aws_iam_policy', 'policy_arn'));
      return [...attached(holder, inline, link), ...managed];
    });
  });
  return [...new Set(policies)].flatMap((policy) =>
    readPath(nodeOf(policy), 'policy').flatMap((reading) =>
      reading.state === 'known' ? policyStatements(reading.node) : [],
    ),
  );
}
