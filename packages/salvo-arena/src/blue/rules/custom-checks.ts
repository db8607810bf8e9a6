import { equalsSetting } from '../../iac/evaluate/value.ts';
import { knownItems, plainPath, type Reading, readPath } from '../../iac/read/attribute-path.ts';
import { type CodeNode, firstChild } from '../../iac/read/code-node.ts';
import { policyStatements } from '../../iac/read/policy-statements.ts';
import { judgeAclEntry } from './acl-entries.ts';
import { judgeLog4jRules } from './log4j-rules.ts';
import { NETWORK_CHECKS } from './network-checks.ts';
import { PERMISSION_CHECKS } from './permission-checks.ts';
import { POLICY_CHECKS } from './policy-checks.ts';
import { SECRET_CHECKS } from './secret-checks.ts';
import type { CustomCheck, Subject } from './subject.ts';
import { badAt, GOOD, missingAt, UNKNOWN, type Verdict } from './verdict.ts';

/** By their names in the catalogue. */
export const CUSTOM_CHECKS: Readonly<Record<string, CustomCheck>> = {
  ...NETWORK_CHECKS,
  ...PERMISSION_CHECKS,
  ...POLICY_CHECKS,
  ...SECRET_CHECKS,
  'acl-entry': judgeAclEntry,
  'api-method-open': judgeApiMethod,
  'bucket-grant': judgeBucketGrant,
  differs: judgeDifference,
  'origin-access': judgeOrigin,
  'policy-not-of-logs': judgeLogPolicy,
  somewhere: judgeSomewhere,
  used: judgeUse,
  'waf-log4j': judgeLog4jRules,
  'waf-rule-action': judgeRuleActions,
};

const GRANTED: Record<string, readonly string[]> = {
  acl: ['READ_ACP', 'FULL_CONTROL'],
  read: ['READ', 'READ_ACP', 'FULL_CONTROL'],
  write: ['WRITE', 'WRITE_ACP', 'FULL_CONTROL'],
  any: ['READ', 'READ_ACP', 'WRITE', 'WRITE_ACP', 'FULL_CONTROL'],
};

/** A grant of an access control list to a group: `of` is `AllUsers read`. */
function judgeBucketGrant({ node }: Subject, path = 'grant', of: string): Verdict {
  const [group = '', use = ''] = of.split(' ');
  const unwanted = GRANTED[use] ?? [];
  const grants = knownItems(node, path);
  const bad = grants.find((grant) => {
    const uris = [...grant.children('uri'), ...grant.children('grantee').flatMap((grantee) => grantee.children('uri'))];
    const permissions = [...grant.children('permissions'), ...grant.children('permission')].flatMap((it) => it.items());
    return (
      uris.some(({ known, json }) => known && String(json).endsWith(`/${group}`)) &&
      permissions.some(({ known, json }) => known && unwanted.includes(String(json)))
    );
  });
  return bad ? badAt(bad, plainPath(path), `${plainPath(path)} is for ${group}`) : GOOD;
}

/** OPTIONS is for preflight requests of browsers, which send no credentials. An API key counts as authorization. */
function judgeApiMethod({ node }: Subject): Verdict {
  const method = firstChild(node, 'http_method', 'HttpMethod');
  const key = firstChild(node, 'api_key_required', 'ApiKeyRequired');
  const authorization = firstChild(node, 'authorization', 'AuthorizationType');
  if (
    (method && (!method.known || equalsSetting(method.json, 'OPTIONS'))) ||
    (key && (!key.known || equalsSetting(key.json, true)))
  ) {
    return GOOD;
  }
  if (!authorization) return missingAt(node, 'AuthorizationType');
  if (!authorization.known) return UNKNOWN;
  const isOpen = equalsSetting(authorization.json, 'NONE');
  return isOpen
    ? badAt(authorization, (authorization.spot.text.split(/[=:]/, 1)[0] ?? '').trimEnd(), 'anyone may call it')
    : GOOD;
}

/** Two attributes that should not have the same value: `of` is the other one. */
function judgeDifference({ node }: Subject, path = '', of: string): Verdict {
  const others = readPath(node, of).flatMap(({ state, node: other }) => (state === 'missing' ? [] : [other.json]));
  const same = readPath(node, path).find(
    ({ state, node: { json } }) => state !== 'missing' && typeof json === 'string' && others.includes(json),
  );
  return same ? badAt(same.node, path, `${path} is the same as ${of}`) : GOOD;
}

/** Another block refers to this one, but not one of the types in `of`. What a module creates is used by it. */
function judgeUse(
  { node, type, block, file, view, surroundings }: Subject,
  _: string | undefined,
  of: string,
): Verdict {
  if (view === null || surroundings.isNamedElsewhere(block, file, of === '' ? [] : of.split(' '))) return GOOD;
  return { result: 'bad', spot: node.spot, attribute: null, detail: `nothing refers to this ${type}`, isMissing: true };
}

/** Bad if the policy is for a service that writes logs to the bucket: `of`, or access logs of S3. */
function judgeLogPolicy({ node }: Subject, path = 'policy', of = ''): Verdict {
  const service = of === '' ? 'logging.s3.amazonaws.com' : of;
  const readings = readPath(node, path);
  const principals = readings.flatMap((reading) => policyStatements(reading.node)).flatMap((one) => one.principals);
  const isForLogs = principals.some(({ id }) => id === service);
  return isForLogs ? badAt(node, path, `the bucket is for logs of ${service}`) : GOOD;
}

/** Every rule says what happens to a request. A group of rules has actions of its own. */
function judgeRuleActions({ node }: Subject, path = 'rule'): Verdict {
  const rules = knownItems(node, path);
  const idle = rules.find((rule) => rule.known && !hasAction(rule));
  return idle ? badAt(idle, plainPath(path), `${plainPath(path)} has no action`) : GOOD;
}

function hasAction(rule: CodeNode): boolean {
  const actions = ['action', 'override_action', 'Action', 'OverrideAction'].flatMap((name) => rule.children(name));
  const statements = [...rule.children('statement'), ...rule.children('Statement')];
  return (
    actions.some((action) => !action.known || action.names().length > 0) ||
    statements.some((one) => !one.known || one.names().some((name) => /rule_?group/i.test(name)))
  );
}

/** At least one of the blocks on the way has it, is not disabled, and is not only for some of the objects. */
function judgeSomewhere({ node }: Subject, path = ''): Verdict {
  const isOff = ({ holder }: Reading) => holder?.children('status').some(({ json }) => json === 'Disabled');
  const readings = readPath(node, path).filter((reading) => !isOff(reading) && !isForSome(reading));
  if (readings.some(({ state }) => state === 'known')) return GOOD;
  return readings.some(({ state }) => state === 'unknown') ? UNKNOWN : missingAt(node, plainPath(path));
}

function isForSome({ holder }: Reading): boolean {
  if (!holder) return false;
  const filters = holder.children('filter').flatMap((filter) => [filter, ...filter.children('and')]);
  const limits = ['prefix', 'tag', 'tags', 'object_size_greater_than', 'object_size_less_than'];
  return [holder, ...filters].some((one) => {
    const limit = firstChild(one, ...limits);
    return limit?.known === true && limit.json !== '';
  });
}

/** The domain of a bucket, as a name or in a reference. The web endpoint of a bucket cannot check an identity. */
const BUCKET_DOMAIN = /\.s3[.-](?:[\w-]{1,30}\.)?amazonaws\.com|aws_s3_bucket\.|\.(?:Regional)?DomainName$/;

function judgeOrigin({ node }: Subject, path = 'origin'): Verdict {
  const origins = knownItems(node, path);
  const open = origins.find((origin) => isBucket(origin) && !hasIdentity(origin));
  return open ? badAt(open, plainPath(path), `${plainPath(path)} has no origin access control`) : GOOD;
}

function isBucket(origin: CodeNode): boolean {
  if (firstChild(origin, 'custom_origin_config', 'CustomOriginConfig')) return false;
  if (firstChild(origin, 's3_origin_config', 'S3OriginConfig')) return true;
  const domain = firstChild(origin, 'domain_name', 'DomainName');
  if (!domain) return false;
  const text = domain.known ? String(domain.json) : domain.spot.text;
  return BUCKET_DOMAIN.test(text.trimEnd()) && !/website/i.test(text);
}

function hasIdentity(origin: CodeNode): boolean {
  const settings = [origin, ...origin.children('s3_origin_config'), ...origin.children('S3OriginConfig')];
  const names = ['origin_access_control_id', 'OriginAccessControlId', 'origin_access_identity', 'OriginAccessIdentity'];
  return settings.some((one) => {
    const identity = firstChild(one, ...names);
    return identity !== undefined && identity.json !== '';
  });
}
