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
export function addressText(text: string, isType: (word: string) => boolean): string {
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
