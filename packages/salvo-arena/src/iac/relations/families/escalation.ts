import type { Cloud, Thing } from '../cloud.ts';
import { type Permission, permissionsOf, trustsService, usesBeyond } from '../identity.ts';
import { type Facts, fact, type Relation } from '../relation.ts';
import { isAbout } from '../statement.ts';
import { factsOfUse } from './role-chain.ts';

const family = 'escalation';

/** Who may start something with a role has that role: both permissions together, in whatever policies they are. */
function passedRoles(cloud: Cloud, service: string, starts: readonly string[]): Facts[] {
  return cloud.all('role').flatMap((role) => {
    const permissions = permissionsOf(cloud, role);
    const started = starts.map((action) => permissions.find(({ statement }) => isAbout(statement, action)));
    if (started.includes(undefined)) return [];
    const [start] = started;
    return passable(cloud, permissions).flatMap(({ passed, permission }): Facts[] => {
      const [use] = trustsService(passed, service) ? usesBeyond(cloud, passed, role) : [];
      if (!use || !start || passed === role) return [];
      return [
        [
          ...givenTo(role, permission, `lets ${passed.address} be passed on`),
          ...givenTo(role, start, `allows ${starts[0]}`),
          fact(role, 'has both permissions'),
          fact(passed, `can be used by ${service}`, 'assume_role_policy'),
          ...factsOfUse(passed, use),
        ],
      ];
    });
  });
}

function givenTo(role: Thing, { attachment, holder }: Permission, says: string) {
  const link = attachment ? [fact(attachment, `gives ${holder.address} to ${role.address}`, 'policy_arn')] : [];
  return [...link, fact(holder, says, holder.kind === 'role' ? undefined : 'policy')];
}

function passable(cloud: Cloud, permissions: readonly Permission[]) {
  return permissions.flatMap((permission) => {
    const { statement, holder } = permission;
    if (!isAbout(statement, 'iam:passrole')) return [];
    return cloud.targets(holder, statement.resources, 'role').map((passed) => ({ passed, permission }));
  });
}

/** A task can be started with any command: whoever may start it has its role. */
function startedTasks(cloud: Cloud): Facts[] {
  return cloud.all('role').flatMap((role) => {
    const permissions = permissionsOf(cloud, role);
    return cloud.all('taskDefinition').flatMap((task): Facts[] => {
      const start = permissions.find(
        ({ statement, holder }) =>
          isAbout(statement, 'ecs:runtask') &&
          cloud.targets(holder, statement.resources, 'taskDefinition').includes(task),
      );
      const [own] = cloud.targets(task, task.get('task_role_arn'), 'role');
      const pass = passable(cloud, permissions).find(({ passed }) => passed === own);
      const [use] = own && own !== role ? usesBeyond(cloud, own, role) : [];
      if (!start || !own || !pass || !use) return [];
      return [
        [
          fact(task, `runs with ${own.address}`, 'task_role_arn'),
          ...givenTo(role, start, `lets ${role.address} start ${task.address}, with any command`),
          ...givenTo(role, pass.permission, `lets ${role.address} pass on ${own.address}`),
          ...factsOfUse(own, use),
        ],
      ];
    });
  });
}

const started = (weakness: string, service: string, ...starts: string[]): Relation => ({
  weakness,
  family,
  find: (cloud) => passedRoles(cloud, service, starts),
});

export const ESCALATIONS: readonly Relation[] = [
  started('iam-escalation-new-function', 'lambda.amazonaws.com', 'lambda:createfunction', 'lambda:invokefunction'),
  started('iam-escalation-new-stack', 'cloudformation.amazonaws.com', 'cloudformation:createstack'),
  started('iam-escalation-new-job', 'glue.amazonaws.com', 'glue:createjob', 'glue:startjobrun'),
  { weakness: 'iam-escalation-started-task', family, find: startedTasks },
];
