import type { Cloud, Thing } from '../cloud.ts';
import { type Facts, fact, type Relation } from '../relation.ts';
import { isForAnyone, listOf, type Statement, statementsOf } from '../statement.ts';

const family = 'policy_logic';

type Condition = Statement['conditions'][number];

const POLICIES = [
  { kind: 'topicPolicy', owner: 'arn' },
  { kind: 'queuePolicy', owner: 'queue_url' },
  { kind: 'eventBusPolicy', owner: 'event_bus_name' },
] as const;

/** Policies of resources in which a statement for anyone has only conditions that let anyone pass. */
function conditions(cloud: Cloud, isVoid: (condition: Condition) => boolean, says: string): Facts[] {
  return POLICIES.flatMap(({ kind, owner }) =>
    cloud.all(kind).flatMap((policy): Facts[] => {
      const statements = statementsOf(policy.get('policy'));
      const open = statements.find(
        (one) =>
          one.isAllow &&
          isForAnyone(one) &&
          one.conditions.some(isVoid) &&
          one.conditions.every((condition) => VOID.some((test) => test(condition))),
      );
      if (!open || statements.some((other) => limits(other))) return [];
      const key = open.conditions.find(isVoid)?.key ?? '';
      const owners = cloud.targets(policy, policy.get(owner));
      return [
        [
          fact(policy, `allows ${open.actions[0]} to anyone, ${says.replace('{key}', key)}`, 'policy'),
          ...owners.map((thing) => fact(thing, 'has this policy')),
        ],
      ];
    }),
  );
}

/** A statement that denies everyone else. */
function limits(statement: Statement): boolean {
  const keys = ['aws:principalorgid', 'aws:sourcevpce', 'aws:principalaccount'];
  return (
    !statement.isAllow &&
    isForAnyone(statement) &&
    statement.conditions.some(({ test, key }) => /^stringnotequals(?:ifexists)?$/.test(test) && keys.includes(key))
  );
}

/** A request without the key passes. */
const isSkipped = ({ test }: Condition) => test.endsWith('ifexists');
/** Everyone passes who is not named. */
const isNegated = ({ test }: Condition) => /^(?:string|arn)not/.test(test);
/** Every value passes: `*`, every organization, every account. */
const isAnyValue = ({ test, values }: Condition) =>
  /(?:string|arn)like$/.test(test) && values.some((value) => /^(?:\*|o-\*.*|arn:aws:iam::\*:.*)$/.test(value));

const VOID = [isSkipped, isNegated, isAnyValue];

/** A policy document in which another one takes the place of a statement that denies. */
function droppedDenials(cloud: Cloud): Facts[] {
  return cloud.all('policyDocument').flatMap((document): Facts[] => {
    const overriding = statementsIn(document, 'override_policy_documents').filter(({ isAllow }) => isAllow);
    const denials = statementsIn(document, 'source_policy_documents').filter(({ isAllow }) => !isAllow);
    const sid = denials.find((one) => one.sid !== null && overriding.some((other) => other.sid === one.sid))?.sid;
    if (!sid) return [];
    return [
      [
        fact(document, `puts one statement ${sid} in the place of another`, 'override_policy_documents'),
        ...documentsIn(cloud, document, 'override_policy_documents').map((one) =>
          fact(one, `has a statement ${sid} that allows`),
        ),
        ...documentsIn(cloud, document, 'source_policy_documents').map((one) =>
          fact(one, `has the statement ${sid} that denies`),
        ),
        ...usersOf(cloud, document).flatMap((user) => [
          fact(user, `has the policy of ${document.address}`, 'policy'),
          ...cloud.targets(user, user.get('arn'), 'topic').map((topic) => fact(topic, 'has this policy')),
        ]),
      ],
    ];
  });
}

function statementsIn(document: Thing, name: string): Statement[] {
  return listOf(document.get(name)).flatMap((one) => statementsOf(one));
}

/** The documents that an attribute names. */
function documentsIn(cloud: Cloud, { view }: Thing, name: string): Thing[] {
  const written = view.get(name)?.attribute.value.text ?? '';
  return cloud.all('policyDocument').filter(({ address }) => written.includes(`${address}.json`));
}

/** The resources whose policy is this document. */
function usersOf(cloud: Cloud, document: Thing): Thing[] {
  const mention = `${document.address}.json`;
  return POLICIES.flatMap(({ kind }) => cloud.all(kind)).filter(
    ({ view }) => view.get('policy')?.attribute.value.text === mention,
  );
}

const voided = (weakness: string, isVoid: (condition: Condition) => boolean, says: string): Relation => ({
  weakness,
  family,
  find: (cloud) => conditions(cloud, isVoid, says),
});

export const POLICY_LOGIC: readonly Relation[] = [
  voided('policy-condition-if-exists', isSkipped, 'also to requests without {key}'),
  voided('policy-condition-negated', isNegated, 'unless {key} is the one that was meant'),
  voided('policy-condition-any-value', isAnyValue, 'since every value of {key} fits'),
  { weakness: 'policy-document-deny-replaced', family, find: droppedDenials },
];
