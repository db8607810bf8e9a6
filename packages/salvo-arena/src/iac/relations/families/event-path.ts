import type { Cloud, Thing } from '../cloud.ts';
import { foreignAccount, trustedAccount, usesOf } from '../identity.ts';
import { type Facts, fact, type Relation } from '../relation.ts';
import { isAbout, listOf, statementsOf } from '../statement.ts';
import { factsOfUse } from './role-chain.ts';

const family = 'event_path';

/** Messages of another account that reach a queue whose worker has a role of its own. */
function foreignMessages(cloud: Cloud): Facts[] {
  return cloud.all('topicPolicy').flatMap((policy) => {
    const account = accountIn(policy, 'sns:publish');
    const topics = cloud.targets(policy, policy.get('arn'), 'topic');
    return topics.flatMap((topic) =>
      cloud.all('topicSubscription').flatMap((subscription): Facts[] => {
        const isOf = cloud.targets(subscription, subscription.get('topic_arn'), 'topic').includes(topic);
        const [queue] = isOf ? cloud.targets(subscription, subscription.get('endpoint'), 'queue') : [];
        const worker = queue && workerOf(cloud, queue);
        if (account === null || !queue || !worker || admits(cloud, queue, topic).length === 0) return [];
        const [use] = usesOf(cloud, worker.role).filter(({ asset }) => asset !== queue);
        if (!use) return [];
        return [
          [
            fact(subscription, `delivers ${topic.address} to ${queue.address}`, 'topic_arn'),
            fact(policy, `lets the account ${account} publish to ${topic.address}`, 'policy'),
            fact(topic, 'takes messages of that account'),
            fact(queue, `is worked off by ${worker.pipe.address}`),
            ...admits(cloud, queue, topic).map((one) => fact(one, `admits ${topic.address}`, 'policy')),
            fact(worker.pipe, `runs with ${worker.role.address}`, 'role_arn'),
            fact(worker.role, 'acts on such a message'),
            ...factsOfUse(worker.role, use),
          ],
        ];
      }),
    );
  });
}

function accountIn(policy: Thing, action: string): string | null {
  const statements = statementsOf(policy.get('policy'));
  return statements.flatMap((one) => (isAbout(one, action) ? (foreignAccount(one) ?? []) : []))[0] ?? null;
}

function workerOf(cloud: Cloud, queue: Thing): { pipe: Thing; role: Thing } | undefined {
  return cloud.all('pipe').flatMap((pipe) => {
    const [role] = cloud.targets(pipe, pipe.get('role_arn'), 'role');
    return role && cloud.targets(pipe, pipe.get('source'), 'queue').includes(queue) ? [{ pipe, role }] : [];
  })[0];
}

/** The policies of a queue that let a topic send to it. */
function admits(cloud: Cloud, queue: Thing, topic: Thing): Thing[] {
  const policies = cloud
    .all('queuePolicy')
    .filter((one) => cloud.targets(one, one.get('queue_url'), 'queue').includes(queue));
  return policies.filter((policy) =>
    statementsOf(policy.get('policy')).some(
      (statement) =>
        statement.isAllow &&
        isAbout(statement, 'sqs:sendmessage') &&
        statement.conditions.some(
          ({ key, values }) => key === 'aws:sourcearn' && cloud.targets(policy, values, 'topic').includes(topic),
        ),
    ),
  );
}

/** Events of another account that start something with a role. */
function foreignEvents(cloud: Cloud): Facts[] {
  return cloud.all('eventBusPolicy').flatMap((policy) => {
    const account = accountIn(policy, 'events:putevents');
    const [bus] = cloud.targets(policy, policy.get('event_bus_name'), 'eventBus');
    if (account === null || !bus) return [];
    const rules = cloud
      .all('eventRule')
      .filter((rule) => cloud.targets(rule, rule.get('event_bus_name'), 'eventBus').includes(bus));
    return rules.flatMap((rule) =>
      targetRoles(cloud, rule).flatMap(({ target, role }): Facts[] => {
        const [use] = usesOf(cloud, role);
        if (!use) return [];
        return [
          [
            fact(rule, `listens on ${bus.address}`, 'event_bus_name'),
            fact(policy, `lets the account ${account} put events on ${bus.address}`, 'policy'),
            fact(bus, 'takes events of that account'),
            ...(target === rule ? [] : [fact(target, `runs with ${role.address}`, 'role_arn')]),
            fact(role, 'acts on such an event'),
            ...factsOfUse(role, use),
          ],
        ];
      }),
    );
  });
}

function targetRoles(cloud: Cloud, rule: Thing): { target: Thing; role: Thing }[] {
  const own = cloud.all('eventTarget').filter((one) => cloud.targets(one, one.get('rule'), 'eventRule').includes(rule));
  return [
    ...own.flatMap((target) => cloud.targets(target, target.get('role_arn'), 'role').map((role) => ({ target, role }))),
    ...listOf(rule.get('targets.role_arn')).flatMap((arn) =>
      cloud.targets(rule, arn, 'role').map((role) => ({ target: rule, role })),
    ),
  ];
}

/** A log that is forwarded to a stream which a role of another account reads. */
function foreignLogs(cloud: Cloud): Facts[] {
  return cloud.all('logSubscription').flatMap((filter) => {
    const [group] = cloud.targets(filter, filter.get('log_group_name'), 'logGroup');
    const [stream] = cloud.targets(filter, filter.get('destination_arn'), 'stream');
    if (!group || !stream) return [];
    return cloud.all('role').flatMap((role): Facts[] => {
      const account = trustedAccount(role);
      const use = usesOf(cloud, role).find(
        ({ asset, permission }) => asset === stream && isAbout(permission.statement, 'kinesis:getrecords'),
      );
      if (account === null || !use || isMeantFor(cloud, role, group)) return [];
      return [
        [
          fact(filter, `forwards ${group.address} to ${stream.address}`, 'destination_arn'),
          ...factsOfUse(role, use),
          fact(role, `can be assumed by the account ${account}`, 'assume_role_policy'),
          fact(group, 'is read by that account'),
        ],
      ];
    });
  });
}

/** Whether the role may read the log itself, so that the stream gives it nothing new. */
function isMeantFor(cloud: Cloud, role: Thing, group: Thing): boolean {
  return usesOf(cloud, role).some(({ asset }) => asset === group);
}

export const EVENT_PATHS: readonly Relation[] = [
  { weakness: 'sns-other-account-reaches-worker', family, find: foreignMessages },
  { weakness: 'eventbridge-other-account-starts-job', family, find: foreignEvents },
  { weakness: 'log-forwarded-to-other-account', family, find: foreignLogs },
];
