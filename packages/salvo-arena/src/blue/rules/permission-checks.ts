import { dataFile, once } from 'salvo/kit/text';
import { z } from 'zod';
import type { PolicyStatement } from '../../iac/read/policy-statements.ts';
import { statementsOfHolders } from './identity-policies.ts';
import { policyCheck, type StatementJudge } from './policy-checks.ts';
import type { CustomCheck } from './subject.ts';

/**
 * What the policies of users, groups and roles allow. A policy document may be for anything; its statements with a
 * principal belong to the policy of a resource.
 */
const permissions = (judge: StatementJudge) =>
  policyCheck((statement, allowed, subject) => {
    const isOfResource = statement.principals.length > 0 || statement.hasNotPrincipal;
    return subject.view?.kind === 'data' && isOfResource ? null : judge(statement, allowed, subject);
  });

/** An action that a statement allows on every resource, and without a condition. */
const unlimited = (among: (statement: PolicyStatement) => string | undefined, part: 'Action' | 'Resource' = 'Action') =>
  permissions((statement) => {
    const action = isUnlimited(statement) ? among(statement) : undefined;
    return action === undefined ? null : { part, because: `allows ${action} on every resource` };
  });

export const PERMISSION_CHECKS: Readonly<Record<string, CustomCheck>> = {
  'policy-full-admin': permissions((statement) => {
    if (!isUnlimited(statement)) return null;
    if (statement.hasNotAction) return { part: 'NotAction', because: 'allows all but a few actions on everything' };
    const isAll = statement.actions.some(isAllActions);
    return isAll ? { part: 'Action', because: 'allows every action on everything' } : null;
  }),
  /** Even on some resources: a role for one program needs some actions of a service, never all of every service. */
  'policy-all-actions': permissions(({ actions, conditions }) =>
    conditions.length === 0 && actions.some(isAllActions) ? { part: 'Action', because: 'allows every action' } : null,
  ),
  'policy-service-wildcard': permissions((statement) => {
    const action = statement.actions.find((one) => isWholeService(one) || isAllActions(one));
    if (action === undefined || (isAllActions(action) && isUnlimited(statement))) return null;
    return { part: 'Action', because: `allows ${action}` };
  }),
  /** On some identities, it is still enough to make oneself administrator. */
  'policy-full-iam': permissions(({ actions, conditions }) => {
    const isAll = conditions.length === 0 && actions.includes('iam:*');
    return isAll ? { part: 'Action', because: 'allows everything in IAM' } : null;
  }),
  'policy-full-s3': permissions((statement) =>
    isUnlimited(statement) && statement.actions.includes('s3:*')
      ? { part: 'Action', because: 'allows everything in S3 on every bucket' }
      : null,
  ),
  'policy-pass-role': permissions(({ actions, resources, conditions }) => {
    const isAnyRole = resources.some((resource) => /^(?:\*|arn:[^:]*:iam::[^:]*:role\/\*)$/.test(resource));
    if (conditions.length > 0 || !isAnyRole) return null;
    return actions.includes('iam:passrole') ? { part: 'Resource', because: 'lets any role be passed on' } : null;
  }),
  'policy-assumes-any-role': permissions((statement) =>
    isUnlimited(statement) && statement.actions.includes('sts:assumerole')
      ? { part: 'Resource', because: 'lets every role be assumed' }
      : null,
  ),
  /** The parts of an escalation may be in several policies of the same holder. */
  'policy-escalates': permissions((statement, allowed, subject) => {
    if (!isUnlimited(statement)) return null;
    const action = actionAmong(statement, actionLists().escalating);
    if (action !== undefined) return { part: 'Action', because: `allows ${action} on everything` };
    if (!statement.actions.includes('iam:passrole')) return null;
    const others = statementsOfHolders(subject).filter(({ effect }) => effect === 'allow');
    const starts = [...allowed, ...others]
      .filter(isUnlimited)
      .map((other) => actionAmong(other, actionLists().starting_with_a_role));
    const found = starts.find((start) => start !== undefined);
    return found === undefined ? null : { part: 'Action', because: `allows iam:passrole and ${found} on everything` };
  }),
  'policy-wildcard-resource': unlimited(
    ({ actions }) => actions.find((action) => LIMITABLE.test(action) || isWrite(action)),
    'Resource',
  ),
  'policy-reads-data': unlimited((statement) => actionAmong(statement, actionLists().reading_data)),
  'policy-gets-credentials': unlimited((statement) => actionAmong(statement, actionLists().getting_credentials)),
  'policy-changes-permissions': unlimited(
    (statement) =>
      statement.actions.find((action) => action === 'iam:*') ??
      actionAmong(statement, actionLists().changing_permissions),
  ),
  'policy-writes': unlimited(({ actions }) => actions.find(isWrite)),
};

/** On every resource, and without a condition. */
function isUnlimited({ resources, conditions }: PolicyStatement): boolean {
  return conditions.length === 0 && resources.includes('*');
}

function isAllActions(action: string): boolean {
  return action === '*' || action === '*:*';
}

function isWholeService(action: string): boolean {
  return /^[a-z0-9-]+:\*$/.test(action);
}

/** The action of a statement that includes one of these names; `s3:Get*` includes `s3:getobject`. */
function actionAmong({ actions }: PolicyStatement, names: readonly string[]): string | undefined {
  return actions.find((action) => {
    if (!action.endsWith('*')) return names.includes(action);
    const start = action.slice(0, -1);
    return !isAllActions(action) && !isWholeService(action) && names.some((name) => name.startsWith(start));
  });
}

const names = z.array(z.string());

/** Actions in lower case, by what they are good for. */
const permissionsSchema = z.object({
  /** Each is enough to get the permissions of another identity. */
  escalating: names,
  /** Each starts code of the caller with a role of the caller's choice, if any role may be passed. */
  starting_with_a_role: names,
  reading_data: names,
  /** Not `ecr:GetAuthorizationToken`: it cannot be limited, and every host that pulls images needs it. */
  getting_credentials: names,
  changing_permissions: names,
  /**
   * How the names of changes begin that can be limited to one resource, by service. Not those that cannot, such as
   * `xray:PutTraceSegments`.
   */
  writes: z.record(z.string(), names),
});

const actionLists = once(() => permissionsSchema.parse(JSON.parse(dataFile(import.meta.url, './permissions.json'))));

/** Actions that can be limited to one resource, and give away data or power if they are not. */
const LIMITABLE =
  /^(?:s3:(?:get|put|delete)object\w*\*?|s3:(?:get|put|delete)\*|dynamodb:(?:get|put|update|delete|batch|query|scan)\w*\*?|secretsmanager:(?:getsecretvalue|putsecretvalue|updatesecret|deletesecret|get\*)|ssm:(?:getparameters?|getparametersbypath|putparameter|getparameter\*|sendcommand|startsession)|kms:(?:decrypt|encrypt|creategrant|schedulekeydeletion|disablekey|putkeypolicy)|sqs:(?:sendmessage|receivemessage|deletemessage|purgequeue)|sns:publish|lambda:(?:invokefunction|updatefunctioncode|invoke\*)|sts:assumerole|rds:delete\w+|ec2:(?:terminateinstances|stopinstances|deletevolume)|logs:delete\w+|states:startexecution|ecs:(?:runtask|executecommand)|kinesis:(?:getrecords|putrecords?)|codebuild:startbuild|cloudformation:(?:createstack|updatestack|deletestack))$/;

function isWrite(action: string): boolean {
  const [service = '', name = ''] = action.split(':', 2);
  const starts = actionLists().writes[service] ?? [];
  return starts.some((start) => name === '*' || name.startsWith(start));
}
