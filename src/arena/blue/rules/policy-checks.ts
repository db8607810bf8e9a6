import { plainPath, readPath } from '../../../iac/read/attribute-path.ts';
import type { CodeNode, Spot } from '../../../iac/read/code-node.ts';
import {
  type PolicyCondition,
  type PolicyStatement,
  policyStatements,
  type StatementPart,
} from '../../../iac/read/policy-statements.ts';
import { isPublicCidr } from '../../../iac/read/public-cidr.ts';
import type { Subject } from './subject.ts';
import { allOf, GOOD, UNKNOWN, type Verdict } from './verdict.ts';

/** The part of a statement that is bad, and why. */
interface Fault {
  part: StatementPart;
  because: string;
}

type Judge = (statement: PolicyStatement) => Fault | null;

/** Bad if a statement that allows something has a fault. */
export function judgePolicies(subject: Subject, path: string, judge: Judge): Verdict {
  return allOf(
    readPath(subject.node, path).map((reading): Verdict => {
      if (reading.state !== 'known') return reading.state === 'missing' ? GOOD : UNKNOWN;
      const statements = policyStatements(reading.node);
      for (const statement of statements.filter(allows)) {
        const fault = judge(statement);
        if (fault) return verdictOf(subject, path, fault, spotOf(subject, fault.part, statement, statements));
      }
      return GOOD;
    }),
  );
}

function allows({ effect }: PolicyStatement): boolean {
  return effect === 'allow';
}

function verdictOf({ surroundings }: Subject, path: string, { because }: Fault, spot: Spot): Verdict {
  const document = surroundings.documentAt(spot);
  const involves = document === null ? [] : [document];
  return { result: 'bad', spot, attribute: plainPath(path), detail: `the policy ${because}`, involves };
}

/** Parts of JSON in a text have no place of their own: skip the same part of the statements before this one. */
function spotOf(
  { surroundings }: Subject,
  part: StatementPart,
  statement: PolicyStatement,
  all: readonly PolicyStatement[],
): Spot {
  const { spot } = statement.part(part) ?? statement.node;
  if (spot !== statement.node.spot) return spot;
  const before = all.slice(0, all.indexOf(statement)).filter((other) => other.part(part) !== undefined);
  return surroundings.lineIn(spot, `"${part}"`, before.length);
}

/** Condition keys that anyone can fulfil. */
const IDLE_KEYS = new Set([
  'aws:securetransport',
  'aws:useragent',
  'aws:referer',
  'aws:currenttime',
  'aws:epochtime',
  's3:x-amz-acl',
  's3:x-amz-server-side-encryption',
]);

function isRestricting({ key, values }: PolicyCondition): boolean {
  if (IDLE_KEYS.has(key)) return false;
  return !(values.length > 0 && values.every((value) => value === '*' || isPublicCidr(value)));
}

function isForAnyone({ principals }: PolicyStatement): boolean {
  return principals.some(({ kind, id }) => id === '*' && (kind === '*' || kind === 'AWS'));
}

export const grantsToAnyone: Judge = (statement) => {
  if (statement.conditions.some(isRestricting)) return null;
  if (statement.hasNotPrincipal) return { part: 'NotPrincipal', because: 'allows everybody but those it names' };
  return isForAnyone(statement) ? { part: 'Principal', because: 'allows anyone' } : null;
};

export const trustsOtherAccount: Judge = ({ principals, conditions, actions }) => {
  if (conditions.length > 0 || !actions.some((action) => action.startsWith('sts:'))) return null;
  const account = principals.find(
    ({ kind, id }) => kind === 'AWS' && /^(?:\d{12}|arn:aws[\w-]*:iam::\d{12}:root)$/.test(id),
  );
  return account ? { part: 'Principal', because: `lets all of account ${account.id} in without a condition` } : null;
};

const GITHUB = 'token.actions.githubusercontent.com';

export const trustsAnyRepository: Judge = ({ principals, conditions }) => {
  if (!principals.some(({ kind, id }) => kind === 'Federated' && id.includes(GITHUB))) return null;
  if (conditions.some(({ key }) => key === '')) return null;
  const subjects = conditions.filter(({ key }) => key === `${GITHUB}:sub` || key === `${GITHUB}:repository`);
  if (subjects.length === 0) return { part: 'Principal', because: 'lets the workflows of any repository in' };
  const isOpen = subjects.every(({ values }) => values.some((value) => /^(?:repo:)?\*/.test(value)));
  return isOpen ? { part: 'Condition', because: 'lets the workflows of any repository in' } : null;
};

export const grantsEverything: Judge = ({ actions, resources, hasNotAction, conditions }) => {
  if (conditions.length > 0 || !resources.includes('*')) return null;
  if (hasNotAction) return { part: 'NotAction', because: 'allows all but a few actions on everything' };
  return actions.some(isAllActions) ? { part: 'Action', because: 'allows every action on everything' } : null;
};

export const grantsWholeService: Judge = ({ actions, resources, conditions }) => {
  const action = actions.find((one) => /^[a-z0-9-]+:\*$/.test(one) || isAllActions(one));
  if (action === undefined || (isAllActions(action) && resources.includes('*') && conditions.length === 0)) return null;
  return { part: 'Action', because: `allows ${action}` };
};

export const grantsPassRole: Judge = ({ actions, resources, conditions }) => {
  if (conditions.length > 0 || !resources.some((resource) => /^(?:\*|arn:[^:]*:iam::[^:]*:role\/\*)$/.test(resource)))
    return null;
  return actions.includes('iam:passrole') ? { part: 'Resource', because: 'lets any role be passed on' } : null;
};

const ESCALATING = new Set(
  [
    ...['createpolicyversion', 'setdefaultpolicyversion', 'createaccesskey', 'createloginprofile'],
    ...['updateloginprofile', 'attachuserpolicy', 'attachgrouppolicy', 'attachrolepolicy', 'putuserpolicy'],
    ...['putgrouppolicy', 'putrolepolicy', 'addusertogroup', 'updateassumerolepolicy'],
  ].map((name) => `iam:${name}`),
);

export const grantsEscalation: Judge = ({ actions, resources, conditions }) => {
  const action = actions.find((one) => ESCALATING.has(one) || /^iam:(?:put|attach|update|create)\*$/.test(one));
  if (action === undefined || conditions.length > 0 || !resources.includes('*')) return null;
  return { part: 'Action', because: `allows ${action} on everything` };
};

/** Actions that can be limited to one resource, and give away data or power if they are not. */
const LIMITABLE =
  /^(?:s3:(?:get|put|delete)object\w*\*?|s3:(?:get|put|delete)\*|dynamodb:(?:get|put|update|delete|batch|query|scan)\w*\*?|secretsmanager:(?:getsecretvalue|putsecretvalue|updatesecret|deletesecret|get\*)|ssm:(?:getparameters?|getparametersbypath|putparameter|getparameter\*|sendcommand|startsession)|kms:(?:decrypt|encrypt|creategrant|schedulekeydeletion|disablekey|putkeypolicy)|sqs:(?:sendmessage|receivemessage|deletemessage|purgequeue)|sns:publish|lambda:(?:invokefunction|updatefunctioncode|invoke\*)|sts:assumerole|rds:delete\w+|ec2:(?:terminateinstances|stopinstances|deletevolume)|logs:delete\w+|states:startexecution|ecs:(?:runtask|executecommand)|kinesis:(?:getrecords|putrecords?)|codebuild:startbuild|cloudformation:(?:createstack|updatestack|deletestack))$/;

export const grantsOnAnyResource: Judge = ({ actions, resources, conditions }) => {
  if (conditions.length > 0 || !resources.includes('*')) return null;
  const action = actions.find((one) => LIMITABLE.test(one));
  return action === undefined ? null : { part: 'Resource', because: `allows ${action} on every resource` };
};

function isAllActions(action: string): boolean {
  return action === '*' || action === '*:*';
}

/** Whether a bucket policy denies requests without TLS, or lets in only services, which always use TLS. */
export function refusesPlainHttp(policy: CodeNode): boolean {
  const isForTls = ({ key, values }: PolicyCondition) =>
    (key === 'aws:securetransport' && values.every((value) => value.toLowerCase() === 'false')) ||
    key === 's3:tlsversion' ||
    key === '';
  const statements = policyStatements(policy);
  if (statements.some(({ effect, conditions }) => effect === 'deny' && conditions.some(isForTls))) return true;
  return statements.filter(allows).every(({ principals, conditions }) => {
    const isOfServices = principals.length > 0 && principals.every(({ kind }) => kind === 'Service');
    return isOfServices || conditions.some(({ key }) => key === 'aws:securetransport');
  });
}
