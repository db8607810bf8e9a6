import type { Arrangement } from '../arrangement.ts';
import { Blocks, type Code, Policy, type StatementCode } from '../code.ts';
import { block, type Draft, ref } from '../draft.ts';
import { queueOf, queuePolicy, topicOf } from './event-path.ts';

const ELEMENTS = 'AWS IAM: condition operators';

export const POLICY_LOGIC: readonly Arrangement[] = [
  {
    weakness: 'policy-condition-if-exists',
    calledBy: [`${ELEMENTS} (IfExists)`, 'AWS IAM Access Analyzer policy checks'],
    says: 'A statement for anyone has a condition that requests without its key pass.',
    write: (draft) => {
      const [strict, lax] = ['ArnEquals', 'ArnEqualsIfExists'] as const;
      const [forAnyone, forRole] = draft.order(lax, strict);
      const topic = topicOf(draft, draft.word());
      onQueue(draft, (own) => [
        { Principal: ANYONE, Condition: { [forAnyone]: { 'aws:SourceArn': ref(topic, 'arn') } } },
        { Principal: { AWS: own }, Condition: { [forRole]: { 'aws:SourceArn': ref(topic, 'arn') } } },
      ]);
    },
  },
  {
    weakness: 'policy-condition-negated',
    calledBy: [`${ELEMENTS} (negated matching)`, 'AWS IAM Access Analyzer policy checks'],
    says: 'A statement for anyone has a condition that everyone passes but the organization that was meant.',
    write: (draft) => {
      const { code } = draft.drawn;
      const name = draft.word();
      const topic = topicOf(draft, name);
      const [allowed, denied] = draft.order('StringNotEquals', 'StringEquals');
      const arn = ref(topic, 'arn');
      const statement = (Effect: 'Allow' | 'Deny', Sid: string, test: string, Action: string): StatementCode => ({
        Sid,
        Effect,
        Principal: ANYONE,
        Action,
        Resource: arn,
        Condition: { [test]: { 'aws:PrincipalOrgID': `o-${code}` } },
      });
      draft.add('topicPolicy', name, {
        arn: draft.isTerraform ? arn : [arn],
        policy: new Policy([
          statement('Allow', 'Publishers', allowed, 'sns:Publish'),
          statement('Deny', 'Others', denied, 'sns:Publish'),
        ]),
      });
    },
  },
  {
    weakness: 'policy-condition-any-value',
    calledBy: [`${ELEMENTS} (StringLike)`, 'AWS IAM Access Analyzer policy checks'],
    says: 'A statement for anyone has a condition that every value fits.',
    write: (draft) => {
      const { code } = draft.drawn;
      const [forAnyone, forRole] = draft.order('o-*/*', `o-${code}/r-${code.slice(0, 4)}/*`);
      onQueue(draft, (own) => [
        { Principal: ANYONE, Condition: { 'ForAnyValue:StringLike': { 'aws:PrincipalOrgPaths': forAnyone } } },
        { Principal: { AWS: own }, Condition: { 'ForAnyValue:StringLike': { 'aws:PrincipalOrgPaths': forRole } } },
      ]);
    },
  },
  {
    weakness: 'policy-document-deny-replaced',
    language: 'terraform',
    calledBy: ['hashicorp/aws: override_policy_documents', 'AWS Well-Architected SEC03-BP07'],
    says: 'A policy document puts a statement that allows in the place of one that denies, since both have one name.',
    write: (draft) => {
      const { account, app } = draft.drawn;
      const name = draft.word();
      const topic = topicOf(draft, name);
      const role = draft.role(draft.word(), draft.trustOfWorker());
      const resources = [ref(topic, 'arn')];
      const [replaced] = draft.order('OnlyThroughEndpoint', 'PartnerPublishers');
      const document = (...statements: Readonly<Record<string, Code>>[]) =>
        draft.add('policyDocument', draft.word(), { statement: new Blocks(statements, true) });
      const base = document(
        {
          sid: 'OnlyThroughEndpoint',
          effect: 'Deny',
          actions: ['sns:Publish'],
          resources,
          principals: block({ type: 'AWS', identifiers: ['*'] }),
          condition: block({
            test: 'StringNotEquals',
            variable: 'aws:SourceVpce',
            values: [draft.lookup('vpcEndpoint')],
          }),
        },
        {
          sid: 'PartnerPublishers',
          effect: 'Allow',
          actions: ['sns:Publish', 'sns:GetTopicAttributes'],
          resources,
          principals: block({ type: 'AWS', identifiers: [`arn:aws:iam::${account}:role/${app}`] }),
        },
      );
      const override = document({
        sid: replaced,
        effect: 'Allow',
        actions: ['sns:Publish'],
        resources,
        principals: block({ type: 'AWS', identifiers: [ref(role, 'arn')] }),
      });
      const merged = draft.add('policyDocument', draft.word(), {
        source_policy_documents: [ref(base, 'json')],
        override_policy_documents: [ref(override, 'json')],
      });
      draft.add('topicPolicy', name, { arn: ref(topic, 'arn'), policy: ref(merged, 'json') });
    },
  },
];

const ANYONE = { AWS: '*' };

type Part = Pick<StatementCode, 'Principal' | 'Condition'>;

/** A queue with a role of its own, and a policy of these statements. */
function onQueue(draft: Draft, parts: (own: Code) => [Part, Part]): void {
  const name = draft.word();
  const queue = queueOf(draft, name);
  const role = draft.role(draft.word(), draft.trustOfWorker());
  const [anyone, own] = parts(ref(role, 'arn'));
  const Resource = ref(queue, 'arn');
  queuePolicy(
    draft,
    { name, queue },
    { Sid: 'Senders', Effect: 'Allow', ...anyone, Action: 'sqs:SendMessage', Resource },
    { Sid: 'Readers', Effect: 'Allow', ...own, Action: 'sqs:ReceiveMessage', Resource },
  );
}
