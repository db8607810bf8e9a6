import type { Arrangement } from '../arrangement.ts';
import { type Code, Containers, type Named } from '../code.ts';
import { allow, type Draft, ref, trustOfService } from '../draft.ts';

const CALLED_BY = [
  'Rhino Security Labs: AWS IAM privilege escalation',
  'AWS IAM: iam:PassRole',
  'MITRE ATT&CK T1098.003',
];

export const ESCALATIONS: readonly Arrangement[] = [
  passed('iam-escalation-new-function', 'lambda.amazonaws.com', 'function', (app) => [
    ['lambda:CreateFunction', 'lambda:InvokeFunction'],
    `arn:aws:lambda:eu-central-1:*:function:${app}-*`,
  ]),
  passed('iam-escalation-new-stack', 'cloudformation.amazonaws.com', 'stack', (app) => [
    ['cloudformation:CreateStack', 'cloudformation:DescribeStacks'],
    `arn:aws:cloudformation:eu-central-1:*:stack/${app}-*`,
  ]),
  passed('iam-escalation-new-job', 'glue.amazonaws.com', 'job', (app) => [
    ['glue:CreateJob', 'glue:StartJobRun'],
    `arn:aws:glue:eu-central-1:*:job/${app}-*`,
  ]),
  {
    weakness: 'iam-escalation-started-task',
    needs: 'asset',
    calledBy: CALLED_BY,
    says: 'A role can start a task with any command, and the task has a stronger role.',
    write: (draft) => {
      const strong = draft.role(
        draft.word(),
        trustOfService('ecs-tasks.amazonaws.com'),
        draft.assetUse(),
        draft.metrics(),
      );
      const plain = draft.role(draft.word(), trustOfService('ecs-tasks.amazonaws.com'), draft.metrics());
      const logs = `/${draft.drawn.app}/tasks`;
      const [first, second] = draft.order(strong, plain);
      const startable = taskDefinition(draft, draft.word(), first, logs);
      taskDefinition(draft, draft.word(), second, logs);
      draft.role(
        draft.word(),
        draft.trustOfWorker(),
        allow('ecs:RunTask', ref(startable, 'arn')),
        allow('iam:PassRole', [ref(strong, 'arn'), ref(plain, 'arn')]),
      );
    },
  },
];

/** A role with two policies of its own, and a stronger role that one of them lets it pass on. */
function passed(
  weakness: string,
  service: string,
  what: string,
  started: (app: string) => [actions: string[], resource: string],
): Arrangement {
  return {
    weakness,
    needs: 'asset',
    calledBy: CALLED_BY,
    says: `A role may create a ${what} and, by another of its policies, pass on a stronger role to it.`,
    write: (draft) => {
      const strong = draft.role(draft.word(), trustOfService(service), draft.assetUse(), draft.metrics());
      const plain = draft.role(draft.word(), trustOfService(service), draft.metrics());
      const one = draft.role(draft.word(), draft.trustOfWorker());
      const other = draft.role(draft.word(), draft.trustOfWorker());
      const [actions, resource] = started(draft.drawn.app);
      const [first, second] = draft.order(one, other);
      draft.managedPolicy(draft.word(), one, allow(actions, resource));
      draft.managedPolicy(draft.word(), first, allow('iam:PassRole', ref(strong, 'arn')));
      draft.managedPolicy(draft.word(), second, allow('iam:PassRole', ref(plain, 'arn')));
    },
  };
}

/** A task with one container that writes its log to a group of this name. */
export function taskDefinition(draft: Draft, word: string, role: Named, group: Code) {
  const { app, code } = draft.drawn;
  return draft.add('taskDefinition', word, {
    family: word,
    requires_compatibilities: ['EC2'],
    network_mode: 'awsvpc',
    cpu: '256',
    memory: '512',
    task_role_arn: ref(role, 'arn'),
    container_definitions: new Containers([
      {
        name: word,
        image: `public.ecr.aws/docker/library/${app}:${code}`,
        essential: true,
        user: '10001',
        privileged: false,
        readonlyRootFilesystem: true,
        healthCheck: { command: ['CMD', '/app/healthcheck'], interval: 30 },
        logConfiguration: {
          logDriver: 'awslogs',
          options: {
            'awslogs-group': group,
            'awslogs-region': 'eu-central-1',
            'awslogs-stream-prefix': 'app',
          },
        },
      },
    ]),
  });
}
