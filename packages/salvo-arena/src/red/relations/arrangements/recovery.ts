import type { Arrangement } from '../arrangement.ts';
import { type Named, Policy, type StatementCode } from '../code.ts';
import { type Asset, allow, block, blocks, type Draft, ref, trustOfService } from '../draft.ts';
import { taskDefinition } from './escalation.ts';
import { LOG_DELIVERY, queueOf, queuePolicy } from './event-path.ts';

export const RECOVERY: readonly Arrangement[] = [
  {
    weakness: 'ecs-task-deletes-own-log',
    calledBy: ['AWS Well-Architected SEC04-BP02', 'MITRE ATT&CK T1070', 'CWE-778'],
    says: 'A program can delete its own log.',
    write: (draft) => {
      const key = draft.key(draft.word(), 'Logs', LOG_DELIVERY);
      const groups = [draft.word(), draft.word()].map((word) =>
        draft.add('logGroup', word, {
          name: `/${draft.drawn.app}/${word}`,
          retention_in_days: 400,
          kms_key_id: ref(key, 'arn'),
        }),
      );
      const [own, other] = groups;
      if (!own || !other) return;
      const [deleted, read] = draft.order(own, other);
      const role = draft.role(
        draft.word(),
        trustOfService('ecs-tasks.amazonaws.com'),
        allow(['logs:DeleteLogStream', 'logs:DescribeLogStreams'], ref(deleted, 'arn')),
        allow('logs:FilterLogEvents', ref(read, 'arn')),
      );
      taskDefinition(draft, draft.word(), role, ref(own, 'name'));
    },
  },
  {
    weakness: 'backup-deletable-by-workload',
    needs: 'backedUp',
    calledBy: ['AWS Backup: vault access policies', 'AWS Well-Architected REL09-BP02', 'MITRE ATT&CK T1490'],
    says: 'A role can delete data and the backups of that data.',
    write: (draft) =>
      withBackup(draft, (asset) => {
        const workload = draft.role(
          draft.word(),
          draft.trustOfWorker(),
          allow(asset.remove, asset.arn),
          draft.metrics(),
        );
        const keeper = draft.role(draft.word(), draft.trustOfWorker(), draft.metrics());
        const [deletes, restores] = draft.order(workload, keeper);
        const statement = (role: Named, ...Action: string[]): StatementCode => ({
          Effect: 'Allow',
          Principal: { AWS: ref(role, 'arn') },
          Action,
          Resource: '*',
        });
        return new Policy([
          statement(deletes, 'backup:DeleteRecoveryPoint', 'backup:DescribeRecoveryPoint'),
          statement(restores, 'backup:StartRestoreJob', 'backup:DescribeRecoveryPoint'),
        ]);
      }),
  },
  {
    weakness: 'backup-key-deletable-by-workload',
    needs: 'backedUp',
    calledBy: ['AWS KMS: deleting keys', 'AWS Well-Architected REL09-BP02', 'MITRE ATT&CK T1485'],
    says: 'A role can delete data and the key of the backups of that data.',
    write: (draft) =>
      withBackup(draft, (asset, key) => {
        const other = draft.key(draft.word(), 'Exports');
        const [gone, described] = draft.order(key, other);
        draft.role(
          draft.word(),
          draft.trustOfWorker(),
          allow(asset.remove, asset.arn),
          allow(['kms:ScheduleKeyDeletion', 'kms:DescribeKey'], ref(gone, 'arn')),
          allow('kms:DescribeKey', ref(described, 'arn')),
        );
        return null;
      }),
  },
  {
    weakness: 'kms-alias-shared-key',
    calledBy: ['AWS KMS: allowing users in other accounts to use a key', 'AWS Well-Architected SEC08-BP01'],
    says: 'A queue is encrypted with a key that another account can use, by way of an alias.',
    write: (draft) => {
      const { account, app } = draft.drawn;
      const shared = draft.key(draft.word(), 'Exchange', {
        Sid: 'Partner',
        Effect: 'Allow',
        Principal: { AWS: `arn:aws:iam::${account}:role/${app}` },
        Action: ['kms:Decrypt', 'kms:GenerateDataKey', 'kms:DescribeKey'],
        Resource: '*',
      });
      const own = draft.key(draft.word(), 'Orders');
      const [first, second] = draft.order(shared, own);
      const queues = [first, second].map((key) => {
        const word = draft.word();
        const alias = draft.add('keyAlias', word, { name: `alias/${word}`, target_key_id: ref(key, 'key_id') });
        const name = draft.word();
        return { name, queue: queueOf(draft, name, ref(alias, 'name')) };
      });
      const exchange = queues[1];
      if (!exchange) return;
      queuePolicy(draft, exchange, {
        Sid: 'Partner',
        Effect: 'Allow',
        Principal: { AWS: `arn:aws:iam::${account}:role/${app}` },
        Action: ['sqs:SendMessage', 'sqs:ReceiveMessage'],
        Resource: ref(exchange.queue, 'arn'),
      });
    },
  },
];

/** A vault with a key of its own, and a plan by which an asset is kept there. `rest` may give the vault a policy. */
function withBackup(draft: Draft, rest: (asset: Asset, key: Named) => Policy | null): void {
  const asset = draft.drawn.backedUp;
  if (!asset) return;
  const key = draft.key(draft.word(), 'Backups');
  const word = draft.word();
  const policy = rest(asset, key);
  const vault = draft.add('vault', word, {
    name: word,
    kms_key_arn: ref(key, 'arn'),
    ...(policy && !draft.isTerraform ? { policy } : {}),
  });
  if (policy && draft.isTerraform) draft.add('vaultPolicy', word, { backup_vault_name: ref(vault, 'name'), policy });
  const plan = draft.word();
  const schedule = 'cron(0 3 * * ? *)';
  const planned = draft.isTerraform
    ? draft.add('backupPlan', plan, {
        name: plan,
        rule: block({
          rule_name: plan,
          target_vault_name: ref(vault, 'name'),
          schedule,
          lifecycle: block({ delete_after: 35 }),
        }),
      })
    : draft.add('backupPlan', plan, {
        backup_plan: {
          backup_plan_name: plan,
          backup_plan_rule: blocks({
            rule_name: plan,
            target_backup_vault: ref(vault, 'name'),
            schedule_expression: schedule,
            lifecycle: { delete_after_days: 35 },
          }),
        },
      });
  const selection = draft.word();
  const keeper = draft.word();
  const backup = draft.add('role', keeper, {
    name: keeper,
    assume_role_policy: new Policy([trustOfService('backup.amazonaws.com')]),
    managed_policy_arns: ['arn:aws:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup'],
  });
  draft.add(
    'backupSelection',
    selection,
    draft.isTerraform
      ? {
          name: selection,
          plan_id: ref(planned, 'id'),
          iam_role_arn: ref(backup, 'arn'),
          resources: [asset.arn],
        }
      : {
          backup_plan_id: ref(planned, 'id'),
          backup_selection: { selection_name: selection, iam_role_arn: ref(backup, 'arn'), resources: [asset.arn] },
        },
  );
}
