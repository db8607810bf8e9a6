import type { Arrangement } from '../arrangement.ts';
import { type Code, type Named, OwnAccount, Policy, type StatementCode } from '../code.ts';
import { allow, block, type Draft, ref, trustOfService } from '../draft.ts';

export const EVENT_PATHS: readonly Arrangement[] = [
  {
    weakness: 'sns-other-account-reaches-worker',
    needs: 'asset',
    calledBy: ['AWS Well-Architected SEC03-BP08', 'AWS SNS: cross-account access', 'CWE-441'],
    says: 'Messages of another account reach a worker that trusts its queue.',
    write: (draft) => {
      const topics = [draft.word(), draft.word()].map((name) => ({ name, topic: topicOf(draft, name) }));
      const queues = [draft.word(), draft.word()].map((name) => ({ name, queue: queueOf(draft, name) }));
      const [partner, own] = topics;
      const [worked, kept] = queues;
      if (!partner || !own || !worked || !kept) return;
      const started = new OwnAccount(`arn:aws:states:eu-central-1:{account}:stateMachine:${draft.drawn.app}`);
      const role = draft.role(
        draft.word(),
        trustOfService('pipes.amazonaws.com'),
        allow('states:StartExecution', started),
        allow(['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'], ref(worked.queue, 'arn')),
        draft.assetUse(),
      );
      topicPolicy(draft, partner, { AWS: `arn:aws:iam::${draft.drawn.account}:role/${draft.drawn.app}` });
      topicPolicy(draft, own, { AWS: ref(role, 'arn') });
      const [toWorker, toArchive] = draft.order(partner, own);
      for (const [topic, queue] of [
        [toWorker, worked],
        [toArchive, kept],
      ] as const) {
        draft.add('topicSubscription', draft.word(), {
          topic_arn: ref(topic.topic, 'arn'),
          protocol: 'sqs',
          endpoint: ref(queue.queue, 'arn'),
        });
        queuePolicy(draft, queue, {
          Effect: 'Allow',
          Principal: { Service: 'sns.amazonaws.com' },
          Action: 'sqs:SendMessage',
          Resource: ref(queue.queue, 'arn'),
          Condition: { ArnEquals: { 'aws:SourceArn': ref(topic.topic, 'arn') } },
        });
      }
      const pipe = draft.word();
      draft.add('pipe', pipe, {
        name: pipe,
        role_arn: ref(role, 'arn'),
        source: ref(worked.queue, 'arn'),
        target: started,
      });
    },
  },
  {
    weakness: 'eventbridge-other-account-starts-job',
    needs: 'asset',
    calledBy: ['AWS EventBridge: cross-account event buses', 'AWS Well-Architected SEC03-BP08', 'CWE-441'],
    says: 'Events that another account can send start a job with a role of ours.',
    write: (draft) => {
      const { app } = draft.drawn;
      const start = allow('ssm:StartAutomationExecution', jobOf(draft));
      const role = draft.role(
        draft.word(),
        trustOfService('events.amazonaws.com'),
        start,
        draft.assetUse(),
        draft.metrics(),
      );
      const plain = draft.role(draft.word(), trustOfService('events.amazonaws.com'), start, draft.metrics());
      const [open, own] = [busOf(draft), busOf(draft)];
      busPolicy(draft, open, { AWS: `arn:aws:iam::${draft.drawn.account}:role/${app}` });
      busPolicy(draft, own, { AWS: ref(plain, 'arn') });
      const [strong, weak] = draft.order(open, own);
      eventRule(draft, strong, role);
      eventRule(draft, weak, plain);
    },
  },
  {
    weakness: 'log-forwarded-to-other-account',
    needs: 'logGroup',
    calledBy: ['AWS Well-Architected SEC04-BP02', 'AWS CloudWatch Logs: subscriptions', 'MITRE ATT&CK T1537'],
    says: 'A log is forwarded to a stream that a role of another account reads.',
    write: (draft) => {
      const { logGroup } = draft.drawn;
      if (!logGroup) return;
      const [first, second] = [streamOf(draft), streamOf(draft)];
      const sender = draft.role(
        draft.word(),
        trustOfService('logs.amazonaws.com'),
        allow('kinesis:PutRecord', [ref(first, 'arn'), ref(second, 'arn')]),
      );
      const other = draft.word();
      const own = draft.add('logGroup', other, {
        name: `/${draft.drawn.app}/${other}`,
        retention_in_days: 400,
        kms_key_id: ref(draft.key(draft.word(), 'Logs', LOG_DELIVERY), 'arn'),
      });
      const reading = ['kinesis:GetRecords', 'kinesis:GetShardIterator', 'kinesis:DescribeStream'];
      draft.role(
        draft.word(),
        draft.trustOfAccount(),
        allow(reading, ref(first, 'arn')),
        allow('logs:FilterLogEvents', ref(own, 'arn')),
      );
      draft.role(draft.word(), draft.trustOfWorker(), allow(reading, ref(second, 'arn')));
      const [toFirst, toSecond] = draft.order<Named>(logGroup, own);
      for (const [group, stream] of [
        [toFirst, first],
        [toSecond, second],
      ] as const) {
        const name = draft.word();
        draft.add('logSubscription', name, {
          name,
          log_group_name: ref(group, 'name'),
          filter_pattern: '?ERROR ?WARN',
          destination_arn: ref(stream, 'arn'),
          role_arn: ref(sender, 'arn'),
        });
      }
    },
  },
];

/** A key of logs must admit the service that writes them. */
export const LOG_DELIVERY: StatementCode = {
  Sid: 'Logs',
  Effect: 'Allow',
  Principal: { Service: 'logs.eu-central-1.amazonaws.com' },
  Action: ['kms:Encrypt', 'kms:Decrypt', 'kms:GenerateDataKey*', 'kms:DescribeKey'],
  Resource: '*',
};

interface Topic {
  name: string;
  topic: Named;
}

interface Queue {
  name: string;
  queue: Named;
}

export function topicOf(draft: Draft, name: string): Named {
  return draft.add('topic', name, { name, kms_master_key_id: `alias/${draft.drawn.app}` });
}

export function queueOf(draft: Draft, name: string, key: Code = `alias/${draft.drawn.app}`): Named {
  return draft.add('queue', name, { name, kms_master_key_id: key, message_retention_seconds: 345_600 });
}

function topicPolicy(draft: Draft, { name, topic }: Topic, principal: Readonly<Record<string, Code>>): void {
  const publish: StatementCode = {
    Effect: 'Allow',
    Principal: principal,
    Action: 'sns:Publish',
    Resource: ref(topic, 'arn'),
  };
  const arn = ref(topic, 'arn');
  draft.add('topicPolicy', name, { arn: draft.isTerraform ? arn : [arn], policy: new Policy([publish]) });
}

export function queuePolicy(draft: Draft, { name, queue }: Queue, ...statements: StatementCode[]): void {
  const url = ref(queue, 'url');
  draft.add('queuePolicy', name, { queue_url: draft.isTerraform ? url : [url], policy: new Policy(statements) });
}

function busOf(draft: Draft): Named {
  const name = draft.word();
  return draft.add('eventBus', name, { name });
}

function busPolicy(draft: Draft, bus: Named, principal: Readonly<Record<string, Code>>): void {
  const statement: StatementCode = {
    Effect: 'Allow',
    Principal: principal,
    Action: 'events:PutEvents',
    Resource: ref(bus, 'arn'),
  };
  const word = draft.word();
  if (draft.isTerraform) {
    draft.add('eventBusPolicy', word, { event_bus_name: ref(bus, 'name'), policy: new Policy([statement]) });
    return;
  }
  draft.add('eventBusPolicy', word, { event_bus_name: ref(bus, 'name'), statement_id: word, policy: { ...statement } });
}

function jobOf({ drawn }: Draft): OwnAccount {
  return new OwnAccount(`arn:aws:ssm:eu-central-1:{account}:automation-definition/${drawn.app}-job`);
}

function eventRule(draft: Draft, bus: Named, role: Named): void {
  const { app } = draft.drawn;
  const name = draft.word();
  const pattern = { source: [`${app}.orders`] };
  const job = jobOf(draft);
  if (!draft.isTerraform) {
    draft.add('eventRule', name, {
      name,
      event_bus_name: ref(bus, 'name'),
      event_pattern: pattern,
      targets: [{ id: name, arn: job, role_arn: ref(role, 'arn') }],
    });
    return;
  }
  const rule = draft.add('eventRule', name, {
    name,
    event_bus_name: ref(bus, 'name'),
    event_pattern: `{"source":["${app}.orders"]}`,
  });
  draft.add('eventTarget', name, {
    rule: ref(rule, 'name'),
    event_bus_name: ref(bus, 'name'),
    arn: job,
    role_arn: ref(role, 'arn'),
  });
}

function streamOf(draft: Draft): Named {
  const name = draft.word();
  return draft.add('stream', name, {
    name,
    retention_period: draft.isTerraform ? 168 : undefined,
    retention_period_hours: draft.isTerraform ? undefined : 168,
    ...(draft.isTerraform
      ? { encryption_type: 'KMS', kms_key_id: `alias/${draft.drawn.app}` }
      : { stream_encryption: { encryption_type: 'KMS', key_id: `alias/${draft.drawn.app}` } }),
    stream_mode_details: block({ stream_mode: 'ON_DEMAND' }),
  });
}
