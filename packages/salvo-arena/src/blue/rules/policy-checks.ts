import { plainPath, readPath } from '../../iac/read/attribute-path.ts';
import type { CodeNode, Spot } from '../../iac/read/code-node.ts';
import {
  type PolicyCondition,
  type PolicyStatement,
  policyStatements,
  type StatementPart,
} from '../../iac/read/policy-statements.ts';
import { isPublicCidr } from '../../iac/read/public-cidr.ts';
import type { CustomCheck, Subject } from './subject.ts';
import { allAt, badAt, GOOD, UNKNOWN, type Verdict } from './verdict.ts';

/** The part of a statement that is bad, and why. */
interface Fault {
  part: StatementPart;
  because: string;
}

/** What is wrong with a statement; `allowed` are all statements of its policy that allow something. */
export type StatementJudge = (
  statement: PolicyStatement,
  allowed: readonly PolicyStatement[],
  subject: Subject,
) => Fault | null;

/**
 * Bad if a statement that allows something has a fault. Without a path, the block is the policy itself: a
 * `data "aws_iam_policy_document"`.
 */
export function policyCheck(judge: StatementJudge): CustomCheck {
  return (subject, path) => {
    if (path === undefined) return judgePolicy(subject, subject.node, 'statement', judge);
    return allAt(subject.node, path, (policy) => judgePolicy(subject, policy, plainPath(path), judge));
  };
}

function judgePolicy(subject: Subject, policy: CodeNode, attribute: string, judge: StatementJudge): Verdict {
  const statements = policyStatements(policy);
  const allowed = statements.filter(allows);
  for (const statement of allowed) {
    const fault = judge(statement, allowed, subject);
    if (fault) return faultIn(subject, attribute, statement, statements, fault);
  }
  return GOOD;
}

function faultIn(
  subject: Subject,
  attribute: string,
  statement: PolicyStatement,
  all: readonly PolicyStatement[],
  { part, because }: Fault,
): Verdict {
  const spot = spotOf(subject, part, statement, all);
  const document = subject.surroundings.documentAt(spot);
  const involves = document === null ? [] : [document];
  return { result: 'bad', spot, attribute, detail: `the policy ${because}`, involves };
}

export const POLICY_CHECKS: Readonly<Record<string, CustomCheck>> = {
  'bucket-policy-tls': judgeTransport,
  'policy-lockout': judgeLockout,
  'policy-public': policyCheck(grantsToAnyone),
  'trust-any-principal': policyCheck(grantsToAnyone),
  /** Anyone who has one of some addresses: the principal is still anonymous. */
  'policy-by-address': policyCheck((statement) => {
    const restricting = statement.conditions.filter(isRestricting);
    const isByAddress = restricting.length > 0 && restricting.every(({ key }) => key === 'aws:sourceip');
    return isByAddress && isForAnyone(statement)
      ? { part: 'Principal', because: 'allows anyone who has one of these addresses' }
      : null;
  }),
  /** An identity that is named may use a topic, but not decide who else may. */
  'policy-other-account': policyCheck((statement) => {
    if (statement.conditions.length > 0) return null;
    const manages = statement.actions.some((action) => MANAGING_A_TOPIC.test(action));
    const named = statement.principals.find(({ id }) => /^arn:aws[\w-]*:iam::\d{12}:/.test(id));
    if (manages && named)
      return { part: 'Principal', because: `lets ${named.id} change the topic without a condition` };
    return wholeAccountIn(statement);
  }),
  'policy-not-action': policyCheck(({ hasNotAction }) =>
    hasNotAction ? { part: 'NotAction', because: 'allows all actions but those it names' } : null,
  ),
  /** A user or a group may assume roles, and the statement does not ask for a second factor. */
  'policy-no-mfa': policyCheck(({ actions, conditions }) => {
    if (!actions.includes('sts:assumerole') || conditions.some(({ key }) => key === '')) return null;
    const factor = conditions.filter(({ key }) => /^aws:multifactorauth(?:present|age)$/.test(key));
    if (factor.length === 0) return { part: 'Action', because: 'does not ask for a second factor' };
    const isNone = factor.every(({ values }) => values.some((value) => value.toLowerCase() === 'false'));
    return isNone ? { part: 'Condition', because: 'does not ask for a second factor' } : null;
  }),
  'policy-no-principal': policyCheck(({ principals, hasNotPrincipal, part }) =>
    principals.length === 0 && !hasNotPrincipal && part('Principal') === undefined
      ? { part: 'Effect', because: 'names no principal' }
      : null,
  ),
  /** For policies in which even a wildcard within one service is too much, as in those of devices. */
  'policy-wildcard': policyCheck(({ actions, resources }) => {
    if (actions.some((action) => action === '*' || action.endsWith(':*')))
      return { part: 'Action', because: 'allows every action' };
    return resources.includes('*') ? { part: 'Resource', because: 'is about every resource' } : null;
  }),
  'trust-other-account': policyCheck((statement) => {
    const { conditions, actions } = statement;
    if (!conditions.every(asksForNothing) || !actions.some((action) => action.startsWith('sts:'))) return null;
    return wholeAccountIn(statement);
  }),
  'trust-github': policyCheck(({ principals, conditions }) => {
    // A reference to the provider does not contain its address, but the keys of conditions do.
    const isOfGithub = conditions.some(({ key }) => key.startsWith(GITHUB));
    if (!principals.some(({ kind, id }) => kind === 'Federated' && (isOfGithub || id.includes(GITHUB)))) return null;
    if (conditions.some(({ key }) => key === '')) return null;
    const subjects = conditions.filter(({ key }) => key.startsWith(GITHUB) && /:(?:sub|repository)$/.test(key));
    if (subjects.length === 0) return { part: 'Principal', because: 'lets the workflows of any repository in' };
    const isOpen = subjects.every(({ values }) => values.some((value) => OPEN_SUBJECT.test(value)));
    return isOpen ? { part: 'Condition', because: 'lets the workflows of any repository in' } : null;
  }),
};

/** A bucket policy that denies everything to everybody. Only the root user can still remove it. */
function judgeLockout(subject: Subject, path = 'policy'): Verdict {
  for (const { state, node } of readPath(subject.node, path)) {
    if (state !== 'known') return state === 'missing' ? GOOD : UNKNOWN;
    const statements = policyStatements(node);
    const lockout = statements.find(
      (one) =>
        one.effect === 'deny' &&
        one.conditions.length === 0 &&
        isForAnyone(one) &&
        one.actions.some((action) => action === '*' || action === 's3:*'),
    );
    const fault: Fault = { part: 'Principal', because: 'denies everything to everybody' };
    if (lockout) return faultIn(subject, plainPath(path), lockout, statements, fault);
  }
  return GOOD;
}

function allows({ effect }: PolicyStatement): boolean {
  return effect === 'allow';
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

/** Condition keys that anyone can fulfil. A user of any account can have the same name, or use the same service. */
const IDLE_KEYS = new Set([
  'aws:securetransport',
  'aws:username',
  'aws:useragent',
  'aws:referer',
  'aws:currenttime',
  'aws:epochtime',
  'kms:viaservice',
  's3:x-amz-acl',
  's3:x-amz-server-side-encryption',
]);

/** `*`, or an identity of any account. In `arn:aws:s3:*:*:claims`, the name of the bucket is enough. */
const ANY_ARN = /^(?:\*|arn:[^:]*:(?:iam|sts):[^:]*:\*(?::\S*)?)$/;

function isRestricting({ key, values }: PolicyCondition): boolean {
  if (IDLE_KEYS.has(key)) return false;
  return !(values.length > 0 && values.every((value) => ANY_ARN.test(value) || isPublicCidr(value)));
}

function isForAnyone({ principals }: PolicyStatement): boolean {
  return principals.some(({ kind, id }) => ANY_ARN.test(id) && (kind === '*' || kind === 'AWS'));
}

function grantsToAnyone(statement: PolicyStatement): Fault | null {
  if (statement.conditions.some(isRestricting)) return null;
  if (statement.hasNotPrincipal) return { part: 'NotPrincipal', because: 'allows everybody but those it names' };
  return isForAnyone(statement) ? { part: 'Principal', because: 'allows anyone' } : null;
}

/** Everyone in an account. A reference to the account of the code has no number. */
const WHOLE_ACCOUNT = /^(?:\d{12}|arn:aws[\w-]*:iam::\d{12}:root)$/;

function wholeAccountIn({ principals }: PolicyStatement): Fault | null {
  const account = principals.find(({ kind, id }) => kind === 'AWS' && WHOLE_ACCOUNT.test(id));
  return account ? { part: 'Principal', because: `lets all of account ${account.id} in without a condition` } : null;
}

const MANAGING_A_TOPIC = /^(?:\*|sns:(?:\*|addpermission|removepermission|settopicattributes|deletetopic))$/;

/** `sts:ExternalId` is empty, or a second factor must be missing. */
function asksForNothing({ key, values }: PolicyCondition): boolean {
  if (values.length === 0) return false;
  if (key === 'aws:multifactorauthpresent') return values.every((value) => value.toLowerCase() === 'false');
  return key === 'sts:externalid' && values.every((value) => value === '' || value === '*');
}

const GITHUB = 'token.actions.githubusercontent.com';

/** A subject that anyone can have: of any organisation, or only of a workflow, branch or environment by its name. */
const OPEN_SUBJECT =
  /^(?:repo:[^/]*\*|\*|(?:actor|base_ref|context|environment|event_name|head_ref|ref|ref_type|workflow):)/;

function judgeTransport({ node }: Subject, path = 'policy'): Verdict {
  for (const { state, node: policy } of readPath(node, path)) {
    if (state !== 'known') return state === 'missing' ? GOOD : UNKNOWN;
    const statements = policyStatements(policy);
    if (statements.length > 0 && !refusesPlainHttp(statements))
      return badAt(policy, path, 'no statement denies requests without TLS');
  }
  return GOOD;
}

/** Whether a bucket policy denies requests without TLS, or lets in only services, which always use TLS. */
function refusesPlainHttp(statements: readonly PolicyStatement[]): boolean {
  const isForTls = ({ key, values }: PolicyCondition) =>
    (key === 'aws:securetransport' && values.every((value) => value.toLowerCase() === 'false')) ||
    key === 's3:tlsversion' ||
    key === '';
  if (statements.some(({ effect, conditions }) => effect === 'deny' && conditions.some(isForTls))) return true;
  const allowed = statements.filter(allows);
  return (
    allowed.length > 0 &&
    allowed.every(({ principals, conditions }) => {
      const isOfServices = principals.length > 0 && principals.every(({ kind }) => kind === 'Service');
      return (
        isOfServices || conditions.some(({ key, values }) => key === 'aws:securetransport' && !values.includes('false'))
      );
    })
  );
}
