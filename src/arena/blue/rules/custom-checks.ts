import { equalsSetting } from '../../../iac/evaluate/value.ts';
import { readPath } from '../../../iac/read/attribute-path.ts';
import { firstChild } from '../../../iac/read/code-node.ts';
import { policyStatements } from '../../../iac/read/policy-statements.ts';
import type { CUSTOM_CHECKS, SimpleCheck } from './check.ts';
import { judgeEgress, judgeIngress, judgeNetworkAcl } from './network-checks.ts';
import {
  grantsEscalation,
  grantsEverything,
  grantsOnAnyResource,
  grantsPassRole,
  grantsToAnyone,
  grantsWholeService,
  judgePolicies,
  refusesPlainHttp,
  trustsAnyRepository,
  trustsOtherAccount,
} from './policy-checks.ts';
import { judgeEnvironment, judgeParameter, judgePlainSecret, judgeText, judgeUserData } from './secret-checks.ts';
import type { Subject } from './subject.ts';
import { badAt, GOOD, missingAt, UNKNOWN, type Verdict } from './verdict.ts';

type CustomCheck = Extract<SimpleCheck, { custom: string }>;

/** Checks that need more than a value at a path, by their names in the catalogue. */
export function customCheck({ custom, at, of }: CustomCheck, subject: Subject): Verdict {
  return CHECKS[custom](subject, at, of ?? '');
}

type Judge = (subject: Subject, path: string | undefined, of: string) => Verdict;

const policies =
  (judge: Parameters<typeof judgePolicies>[2]): Judge =>
  (subject, path = 'policy') =>
    judgePolicies(subject, path, judge);

const CHECKS: Record<(typeof CUSTOM_CHECKS)[number], Judge> = {
  'access-key-text': judgeText,
  'api-method-open': judgeApiMethod,
  'bucket-policy-tls': judgeBucketPolicy,
  'environment-secret': (subject, path = 'environment') => judgeEnvironment(subject, path),
  ingress: judgeIngress,
  egress: judgeEgress,
  'network-acl': judgeNetworkAcl,
  'parameter-secret': judgeParameter,
  'plain-secret': (subject, path = 'password') => judgePlainSecret(subject, path),
  'policy-escalates': policies(grantsEscalation),
  'policy-full-admin': policies(grantsEverything),
  'policy-pass-role': policies(grantsPassRole),
  'policy-public': policies(grantsToAnyone),
  'policy-service-wildcard': policies(grantsWholeService),
  'policy-wildcard-resource': policies(grantsOnAnyResource),
  'trust-any-principal': policies(grantsToAnyone),
  'trust-github': policies(trustsAnyRepository),
  'trust-other-account': policies(trustsOtherAccount),
  'user-data-secret': (subject, path = 'user_data') => judgeUserData(subject, path),
};

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

function judgeBucketPolicy({ node }: Subject, path = 'policy'): Verdict {
  for (const { state, node: policy } of readPath(node, path)) {
    if (state !== 'known') return state === 'missing' ? GOOD : UNKNOWN;
    if (policyStatements(policy).length > 0 && !refusesPlainHttp(policy))
      return badAt(policy, path, 'no statement denies requests without TLS');
  }
  return GOOD;
}
