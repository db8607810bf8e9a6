import type { Cloud, Thing } from '../cloud.ts';
import { foreignAccount, permissionsOf, type Use, usesOf } from '../identity.ts';
import { type Facts, fact, type Relation } from '../relation.ts';
import { isAbout, statementsOf, textsOf } from '../statement.ts';
import { factsOfUse } from './role-chain.ts';

const family = 'recovery';

/** A program that can delete its own log. */
function ownLogs(cloud: Cloud): Facts[] {
  return cloud.all('taskDefinition').flatMap((task) => {
    const [role] = cloud.targets(task, task.get('task_role_arn'), 'role');
    if (!role) return [];
    return logsOf(cloud, task).flatMap((group): Facts[] => {
      const permission = permissionsOf(cloud, role).find(
        ({ statement, holder }) =>
          isAbout(statement, 'logs:deletelogstream', 'logs:deleteloggroup') &&
          cloud.targets(holder, statement.resources, 'logGroup').includes(group),
      );
      if (!permission) return [];
      return [
        [
          fact(permission.holder, `lets ${role.address} delete from ${group.address}`, 'policy'),
          fact(task, `runs with ${role.address}, and logs to ${group.address}`, 'container_definitions'),
          fact(role, 'is the role of the program', 'name'),
          fact(group, 'has the log of the program'),
        ],
      ];
    });
  });
}

function logsOf(cloud: Cloud, task: Thing): Thing[] {
  const written = JSON.stringify(task.get('container_definitions') ?? '').replaceAll('\\', '');
  const names = [...written.matchAll(/"awslogs-group":"([^"]+)"/g)].map(([, name = '']) => name);
  return cloud.targets(task, names, 'logGroup');
}

interface Backup {
  vault: Thing;
  plan: Thing;
  selection: Thing;
  asset: Thing;
}

function backupsOf(cloud: Cloud): Backup[] {
  return cloud.all('backupSelection').flatMap((selection) =>
    cloud
      .targets(selection, selection.get('plan_id') ?? selection.get('backup_plan_id'), 'backupPlan')
      .flatMap((plan) => {
        const vaults =
          plan.get('rule.target_vault_name') ?? plan.get('backup_plan.backup_plan_rule.target_backup_vault');
        const assets = textsOf(selection.get('resources') ?? selection.get('backup_selection.resources'));
        return cloud
          .targets(plan, vaults, 'vault')
          .flatMap((vault) => cloud.targets(selection, assets).map((asset) => ({ vault, plan, selection, asset })));
      }),
  );
}

/** A use that lets a role delete something. */
const isDeletion = ({ permission }: Use) =>
  permission.statement.actions.some((action) => /:(?:delete|schedulekeydeletion|purge)/.test(action));

/** A role that can delete something and its backups. */
function ownBackups(cloud: Cloud): Facts[] {
  return backupsOf(cloud).flatMap(({ vault, plan, selection, asset }) =>
    vaultPolicies(cloud, vault).flatMap((policy) =>
      cloud.all('role').flatMap((role): Facts[] => {
        const may = statementsOf(policy.get('policy')).some(
          (one) =>
            one.isAllow &&
            isAbout(one, 'backup:deleterecoverypoint') &&
            one.principals.some(({ id }) => cloud.targets(policy, id, 'role').includes(role)),
        );
        const use = may ? usesOf(cloud, role).find((one) => one.asset === asset && isDeletion(one)) : undefined;
        if (!use) return [];
        return [
          [
            fact(policy, `lets ${role.address} delete recovery points`, 'policy'),
            ...factsOfUse(role, use),
            fact(selection, `selects ${asset.address}`),
            fact(plan, `keeps its backups in ${vault.address}`),
            ...(policy === vault ? [] : [fact(vault, 'has the backups')]),
            fact(role, 'can delete both'),
          ],
        ];
      }),
    ),
  );
}

function vaultPolicies(cloud: Cloud, vault: Thing): Thing[] {
  const own = cloud
    .all('vaultPolicy')
    .filter((one) => cloud.targets(one, one.get('backup_vault_name'), 'vault').includes(vault));
  return [...own, vault];
}

/** A role that can delete something, and the key of its backups. */
function ownBackupKeys(cloud: Cloud): Facts[] {
  return backupsOf(cloud).flatMap(({ vault, plan, selection, asset }) => {
    const [key] = cloud.targets(vault, vault.get('kms_key_arn'), 'key');
    return cloud.all('role').flatMap((role): Facts[] => {
      const uses = usesOf(cloud, role).filter(isDeletion);
      const ofKey = uses.find((use) => use.asset === key);
      const ofAsset = uses.find((use) => use.asset === asset);
      if (!key || key === asset || !ofKey || !ofAsset) return [];
      return [
        [
          fact(ofKey.permission.holder, `lets ${role.address} delete ${key.address}`, 'policy'),
          fact(key, `encrypts ${vault.address}`),
          fact(vault, 'cannot be read without its key', 'kms_key_arn'),
          ...factsOfUse(role, ofAsset),
          fact(selection, `selects ${asset.address}`),
          fact(plan, `keeps its backups in ${vault.address}`),
          fact(role, 'can delete both'),
        ],
      ];
    });
  });
}

/** A queue whose key, found through an alias, another account can use, though the queue itself is not shared. */
function sharedKeys(cloud: Cloud): Facts[] {
  return cloud.all('queue').flatMap((queue) => {
    const written = queue.get('kms_master_key_id');
    return cloud.targets(queue, written, 'keyAlias').flatMap((alias) =>
      cloud.targets(alias, alias.get('target_key_id'), 'key').flatMap((key): Facts[] => {
        const account = statementsOf(key.get('policy')).flatMap((one) =>
          isAbout(one, 'kms:decrypt') ? (foreignAccount(one) ?? []) : [],
        )[0];
        if (account === undefined || isSharedWith(cloud, queue, account)) return [];
        return [
          [
            fact(alias, `is the name of ${key.address}`, 'target_key_id'),
            fact(key, `lets the account ${account} decrypt`, 'policy'),
            fact(queue, `is encrypted with ${alias.address}, and is not shared with that account`, 'kms_master_key_id'),
          ],
        ];
      }),
    );
  });
}

function isSharedWith(cloud: Cloud, queue: Thing, account: string): boolean {
  return cloud
    .all('queuePolicy')
    .filter((one) => cloud.targets(one, one.get('queue_url'), 'queue').includes(queue))
    .some((policy) => statementsOf(policy.get('policy')).some((one) => foreignAccount(one) === account));
}

export const RECOVERY: readonly Relation[] = [
  { weakness: 'ecs-task-deletes-own-log', family, find: ownLogs },
  { weakness: 'backup-deletable-by-workload', family, find: ownBackups },
  { weakness: 'backup-key-deletable-by-workload', family, find: ownBackupKeys },
  { weakness: 'kms-alias-shared-key', family: 'shared_key', find: sharedKeys },
];
