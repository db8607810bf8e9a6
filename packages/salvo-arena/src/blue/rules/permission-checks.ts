import { dataFile, once } from 'salvo/kit/text';
import { z } from 'zod';
import type { PolicyStatement } from '../../iac/read/policy-statements.ts';
import { statementsOfHolders } from './identity-policies.ts';
import { judgePolicies, type StatementJudge } from './policy-checks.ts';
import type { Subject } from './subject.ts';
import type { Verdict } from './verdict.ts';

/**
 * What the policies of users, groups and roles allow. A policy document may be for anything; its statements with a
 * principal belong to the policy of a resource.
 */
export function judgePermissions(subject: Subject, path: string | undefined, judge: StatementJudge): Verdict {
  const isOfResource = ({ principals, hasNotPrincipal }: PolicyStatement) => principals.length > 0 || hasNotPrincipal;
  return judgePolicies(subject, path, (statement, allowed) =>
    subject.view?.kind === 'data' && isOfResource(statement) ? null : judge(statement, allowed),
  );
}

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

export const grantsEverything: StatementJudge = ({ actions, resources, hasNotAction, conditions }) => {
  if (conditions.length > 0 || !resources.includes('*')) return null;
  if (hasNotAction) return { part: 'NotAction', because: 'allows all but a few actions on everything' };
  return actions.some(isAllActions) ? { part: 'Action', because: 'allows every action on everything' } : null;
};

/** Even on some resources: a role for one program needs some actions of a service, never all of every service. */
export const grantsAllActions: StatementJudge = ({ actions, conditions }) =>
  conditions.length === 0 && actions.some(isAllActions) ? { part: 'Action', because: 'allows every action' } : null;

export const grantsWholeService: StatementJudge = ({ actions, resources, conditions }) => {
  const action = actions.find((one) => isWholeService(one) || isAllActions(one));
  if (action === undefined || (isAllActions(action) && resources.includes('*') && conditions.length === 0)) return null;
  return { part: 'Action', because: `allows ${action}` };
};

/** On some identities, it is still enough to make oneself administrator. */
export const grantsAllOfIam: StatementJudge = ({ actions, conditions }) =>
  conditions.length === 0 && actions.includes('iam:*') ? { part: 'Action', because: 'allows everything in IAM' } : null;

export const grantsAllOfS3: StatementJudge = (statement) =>
  isUnlimited(statement) && statement.actions.includes('s3:*')
    ? { part: 'Action', because: 'allows everything in S3 on every bucket' }
    : null;

export const grantsPassRole: StatementJudge = ({ actions, resources, conditions }) => {
  if (conditions.length > 0 || !resources.some((resource) => /^(?:\*|arn:[^:]*:iam::[^:]*:role\/\*)$/.test(resource)))
    return null;
  return actions.includes('iam:passrole') ? { part: 'Resource', because: 'lets any role be passed on' } : null;
};

export const grantsAssumingAnyRole: StatementJudge = (statement) =>
  isUnlimited(statement) && statement.actions.includes('sts:assumerole')
    ? { part: 'Resource', because: 'lets every role be assumed' }
    : null;

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

const permissions = once(() => permissionsSchema.parse(JSON.parse(dataFile(import.meta.url, './permissions.json'))));

/** The parts of an escalation may be in several policies of the same holder. */
export function judgeEscalation(subject: Subject, path: string | undefined): Verdict {
  return judgePermissions(subject, path, (statement, allowed) => {
    if (!statement.actions.includes('iam:passrole')) return grantsEscalation(statement, allowed);
    const others = statementsOfHolders(subject).filter(({ effect }) => effect === 'allow');
    return grantsEscalation(statement, [...allowed, ...others]);
  });
}

const grantsEscalation: StatementJudge = (statement, allowed) => {
  if (!isUnlimited(statement)) return null;
  const action = actionAmong(statement, permissions().escalating);
  if (action !== undefined) return { part: 'Action', because: `allows ${action} on everything` };
  if (!statement.actions.includes('iam:passrole')) return null;
  const start = allowed.filter(isUnlimited).map((other) => actionAmong(other, permissions().starting_with_a_role));
  const found = start.find((other) => other !== undefined);
  return found === undefined ? null : { part: 'Action', because: `allows iam:passrole and ${found} on everything` };
};

/** Actions that can be limited to one resource, and give away data or power if they are not. */
const LIMITABLE =
  /^(?:s3:(?:get|put|delete)object\w*\*?|s3:(?:get|put|delete)\*|dynamodb:(?:get|put|update|delete|batch|query|scan)\w*\*?|secretsmanager:(?:getsecretvalue|putsecretvalue|updatesecret|deletesecret|get\*)|ssm:(?:getparameters?|getparametersbypath|putparameter|getparameter\*|sendcommand|startsession)|kms:(?:decrypt|encrypt|creategrant|schedulekeydeletion|disablekey|putkeypolicy)|sqs:(?:sendmessage|receivemessage|deletemessage|purgequeue)|sns:publish|lambda:(?:invokefunction|updatefunctioncode|invoke\*)|sts:assumerole|rds:delete\w+|ec2:(?:terminateinstances|stopinstances|deletevolume)|logs:delete\w+|states:startexecution|ecs:(?:runtask|executecommand)|kinesis:(?:getrecords|putrecords?)|codebuild:startbuild|cloudformation:(?:createstack|updatestack|deletestack))$/;

export const grantsOnAnyResource: StatementJudge = (statement) => {
  const isLimitable = (action: string) => LIMITABLE.test(action) || isWrite(action);
  const action = isUnlimited(statement) ? statement.actions.find(isLimitable) : undefined;
  return action === undefined ? null : { part: 'Resource', because: `allows ${action} on every resource` };
};

function isWrite(action: string): boolean {
  const [service = '', name = ''] = action.split(':', 2);
  const starts = permissions().writes[service] ?? [];
  return starts.some((start) => name === '*' || name.startsWith(start));
}

const unlimited =
  (among: (statement: PolicyStatement) => string | undefined): StatementJudge =>
  (statement) => {
    const action = isUnlimited(statement) ? among(statement) : undefined;
    return action === undefined ? null : { part: 'Action', because: `allows ${action} on every resource` };
  };

export const grantsReadingData = unlimited((statement) => actionAmong(statement, permissions().reading_data));

export const grantsCredentials = unlimited((statement) => actionAmong(statement, permissions().getting_credentials));

export const grantsChangingPermissions = unlimited(
  (statement) =>
    statement.actions.find((action) => action === 'iam:*') ??
    actionAmong(statement, permissions().changing_permissions),
);

export const grantsWriting = unlimited(({ actions }) => actions.find(isWrite));
