/**
 * Whether an address range is the whole internet, or so much of it that it makes no difference: `0.0.0.0/1` and
 * `128.0.0.0/1` together are everything. A range of a few percent of all addresses is not the internet.
 */
export function isPublicCidr(cidr: string): boolean {
  const [, address = '', length = ''] = /^\s*([\da-f.:]+)\/(\d{1,3})\s*$/i.exec(cidr) ?? [];
  if (length === '') return false;
  return address.includes(':') ? Number(length) <= 4 : Number(length) <= 3;
}

/**
 * Whether a firewall rule or a route with this range is about everybody. An address of zeros without a length is not a
 * valid range, but whoever writes it means every address.
 */
export function isOpenRange(range: string): boolean {
  return isPublicCidr(range) || ZEROS.has(range.trim());
}

const ZEROS: ReadonlySet<string> = new Set(['0.0.0.0', '::', '::0', '/0']);

/** Bounded, since texts come from models and files that may be made to slow a pattern down. */
const CIDR_IN_TEXT = /(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f:]{2,39})\/\d{1,3}(?![\w/]|\.\d)/gi;

export function hasPublicCidr(text: string): boolean {
  return replacePublicCidrs(text, '') !== text;
}

/** The text with `replacement` in place of every public address range in it. */
export function replacePublicCidrs(text: string, replacement: string): string {
  return text.includes('/') ? text.replace(CIDR_IN_TEXT, (cidr) => (isPublicCidr(cidr) ? replacement : cidr)) : text;
}
