import { memoByWord } from 'salvo/kit/text';
import { type AddressSegment, addressSegments } from './address-segments.ts';

/** The address of a resource, in lower case, without indices and attributes. */
export interface ResourceAddress {
  /** The path of its modules, `x` or `x.y`; empty when the text states none. */
  module: string;
  /** `aws_s3_bucket`, `data.aws_iam_policy_document`, `aws::s3::bucket`; null when only a name is given. */
  type: string | null;
  /** Null when the text names a type or a module, but no resource. */
  name: string | null;
}

/** A longer text is not parsed; it is compared as it is. */
const LONGEST_ADDRESS = 500;
/** Up to this many pairs, comparing each with each is faster than grouping first. */
const FEW_PAIRS = 64;
/** Words that can precede a name in place of a resource's type. */
const KINDS = new Map([
  ['local', 'local'],
  ['locals', 'local'],
  ['output', 'output'],
  ['provider', 'provider'],
  ['var', 'var'],
  ['variable', 'var'],
]);

/**
 * Whether two texts name the same resource: their names are equal, and so are their types and their modules where both
 * state one. So `data`, `aws_s3_bucket.data` and `module.x.aws_s3_bucket.data[0]` are the same, but `module.x.…` and
 * `module.y.…` are not. In particular:
 *
 * - Case is ignored, and so are indices (`[0]`, `["a"]`), attributes after the name (`aws_s3_bucket.data.acl`), the
 *   prefix `resource.`, and a file before the address.
 * - `aws_s3_bucket[data]` is `aws_s3_bucket.data`, and so is `resource "aws_s3_bucket" "data"`.
 * - A data source has another type than a resource: `data.aws_s3_bucket.x` is not `aws_s3_bucket.x`.
 * - CloudFormation: `AWS::S3::Bucket.Data`, `Data` and `Resources.Data.Properties.BucketName` are the same.
 * - A type alone (`aws_s3_bucket`) or a module alone equals only the same alone, never a resource of it.
 * - An ARN equals only the same ARN: it contains a name in the cloud, not one in the code.
 * - An empty text equals nothing, and neither does a placeholder (`N/A`, `unknown`).
 *
 * Two lists name the same resource if any address of the one equals any of the other.
 */
export function sameResource(a: readonly string[], b: readonly string[]): boolean {
  return anySameAddress(a.map(parseAddress), b.map(parseAddress));
}

/** Whether any address of the one list is the same as any address of the other. */
export function anySameAddress(a: readonly ResourceAddress[], b: readonly ResourceAddress[]): boolean {
  if (a.length * b.length <= FEW_PAIRS) return a.some((one) => b.some((other) => sameAddress(one, other)));
  const byKey = Map.groupBy(b, addressKey);
  return a.some((one) => byKey.get(addressKey(one))?.some((other) => sameAddress(one, other)) ?? false);
}

/** Whether two addresses are the same, by the rules of `sameResource`. */
export function sameAddress(a: ResourceAddress, b: ResourceAddress): boolean {
  if (a.name !== b.name) return false;
  if (a.name === null && a.type === null) return b.type === null && a.module !== '' && a.module === b.module;
  const typesAgree = a.type === b.type || (a.name !== null && (a.type === null || b.type === null));
  return typesAgree && (a.module === b.module || a.module === '' || b.module === '');
}

/** Addresses that are the same have the same key. */
export function addressKey(address: ResourceAddress): string {
  return address.name ?? address.type ?? address.module;
}

export const parseAddress = memoByWord((text): ResourceAddress => {
  if (text.length > LONGEST_ADDRESS) return { module: '', type: null, name: text.trim().toLowerCase() };
  const address = addressText(text, isType);
  if (address.startsWith('arn:')) return { module: '', type: 'arn', name: address };

  const segments = addressSegments(address);
  const modules: string[] = [];
  if (segments.length > 1 && segments[0]?.text === 'input') segments.shift();
  for (let name = moduleName(segments); name !== null; name = moduleName(segments)) modules.push(name);
  return { module: modules.join('.'), ...typeAndName(segments) };
});

/** Takes `module.x` or `module[x]` off the front. */
function moduleName(segments: AddressSegment[]): string | null {
  const [first, second] = segments;
  if (first?.text !== 'module') return null;
  if (first.index !== null) {
    segments.shift();
    return nameInBrackets(first.index);
  }
  if (second === undefined) return null;
  segments.splice(0, 2);
  return second.text;
}

function typeAndName(segments: readonly AddressSegment[]): Pick<ResourceAddress, 'type' | 'name'> {
  const [first, second, third] = segments;
  if (first === undefined) return { type: null, name: null };
  if (second !== undefined && first.text === 'resource') return typeAndName(segments.slice(1));
  if (second !== undefined && first.text === 'resources') return { type: null, name: second.text };
  if (second?.text === 'properties' || second?.text === 'metadata') return { type: null, name: first.text };
  // With two parts only, `data` is a resource's name unless a type follows.
  if (first.text === 'data' && second !== undefined && (third !== undefined || isType(second.text))) {
    const name = second.index === null ? null : nameInBrackets(second.index);
    return { type: `data.${second.text}`, name: name ?? third?.text ?? null };
  }

  const name = first.index === null ? null : nameInBrackets(first.index);
  const quoted = /^["']/.test(first.index ?? '');
  if (name !== null && (isType(first.text) || (looksLikeType(first.text) && !quoted)))
    return { type: first.text, name };
  if (second === undefined)
    return isType(first.text) ? { type: first.text, name: null } : { type: null, name: first.text };
  if (looksLikeType(first.text)) return { type: KINDS.get(first.text) ?? first.text, name: second.text };
  // `Deployment.default.web`, `Microsoft.Storage/storageAccounts.web`: an unknown kind, so the last part is the name.
  const last = segments.at(-1) ?? second;
  return {
    type: segments
      .slice(0, -1)
      .map(({ text }) => text)
      .join('.'),
    name: last.text,
  };
}

/** Whether a word can only be a type, whatever follows it. */
function isType(word: string): boolean {
  if (word.includes('::')) return true;
  const underscore = word.indexOf('_');
  return underscore > 0 && TERRAFORM_PROVIDERS.has(word.slice(0, underscore));
}

/** Whether a word is a type when a name follows it. */
function looksLikeType(word: string): boolean {
  return word.includes('_') || word.includes('::') || KINDS.has(word);
}

/** The name of `aws_s3_bucket[data]` or `aws_s3_bucket[{{data}}]`; null for an index such as `0` or `each.key`. */
function nameInBrackets(index: string): string | null {
  return /^(?:\{\{)?\s*["']?([a-z_][\w-]*)["']?\s*(?:\}\})?$/.exec(index)?.[1] ?? null;
}

/**
 * Prefixes of Terraform resource types that a resource's own name hardly ever has. They make `aws_s3_bucket` a type;
 * `local_file` and `random_id` could be either and are read as names.
 */
const TERRAFORM_PROVIDERS: ReadonlySet<string> = new Set(
  `
  aci akamai alicloud auth0 aws awscc azapi azuread azurerm azurestack bigip boundary checkpoint cloudflare confluent
  consul databricks datadog digitalocean docker elasticstack equinix exoscale fastly flexibleengine github gitlab google
  grafana harbor hcloud hcp helm heroku huaweicloud ibm keycloak kubectl kubernetes launchdarkly linode minio mongodbatlas
  mso newrelic nifcloud nomad nsxt nutanix nxos oci okta opentelekomcloud openstack opsgenie ovh pagerduty panos proxmox
  rancher2 scaleway sentry snowflake splunk spotinst tencentcloud tfe ucloud vault vcd volcengine vsphere vultr yandex
  `
    .trim()
    .split(/\s+/),
);

/** What people write when they know no resource. */
const PLACEHOLDERS = new Set(['-', '*', 'n/a', 'na', 'nil', 'none', 'null', 'undefined', 'unknown', 'not applicable']);

const FILE_BEFORE = /^[^\s:#]+\.(?:tf|tofu|hcl|json|ya?ml|template)(?::\d+(?:-\d+)?)?(?:::?|#| - )\s*(?=\S)/;
const BLOCK_HEADER = /^(?:(resource|data)\s+)?"([^"]+)"\s+"([^"]+)"/;
/** `aws_s3_bucket data`, `aws_s3_bucket/data`, `aws_s3_bucket:data`; a CloudFormation type has colons of its own. */
const TWO_WORDS = /^(?:([^\s."/]+)[\s/]+|([^\s."/:]+):)([^\s."/:]+)$/;
const IN_PARENTHESES = /^([^()]*[^\s()])\s*\(([^()]*)\)$/;

/**
 * An address in lower case, without a file before it, quotes, `${}`, the words of a block's header, or a remark in
 * parentheses. Empty when the text names no resource.
 */
function addressText(text: string, isType: (word: string) => boolean): string {
  let address = unwrapped(text.trim().toLowerCase()).replace(FILE_BEFORE, '');
  if (PLACEHOLDERS.has(address)) return '';

  const [, beforeRemark, remark = ''] = IN_PARENTHESES.exec(address) ?? [];
  if (beforeRemark !== undefined) {
    // `Data (AWS::S3::Bucket)` gives the type of a bare name. Any other remark is not part of the address.
    address = isType(remark) && !beforeRemark.includes('.') ? `${remark}.${beforeRemark}` : beforeRemark;
  }

  const [, kind, type, name] = BLOCK_HEADER.exec(address) ?? [];
  if (type !== undefined) return `${kind === 'data' ? 'data.' : ''}${type}.${name}`;

  const [, spaced, coloned, second] = TWO_WORDS.exec(address) ?? [];
  const first = spaced ?? coloned ?? '';
  if (isType(first)) return `${first}.${second}`;

  // `aws_s3_bucket.data in main.tf`: a full address followed by prose.
  const [head = ''] = address.split(/\s/, 1);
  const startsWithAddress = head.includes('.') && isType(head.split(/[.[]/, 1)[0] ?? '');
  return startsWithAddress ? head.replace(/[,;:]$/, '') : address.replace(/\s+/g, ' ');
}

function unwrapped(text: string): string {
  const inner = /^(?:"([^"]*)"|'([^']*)'|`([^`]*)`|\$\{([^{}]*)\})$/.exec(text);
  return inner ? (inner[1] ?? inner[2] ?? inner[3] ?? inner[4] ?? '').trim() : text;
}
