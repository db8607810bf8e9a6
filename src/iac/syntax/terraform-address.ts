import type { Block } from './source-file.ts';

/** The address of a block from its head: `['resource', 'aws_s3_bucket', 'data']` is `aws_s3_bucket.data`. */
export function blockAddress(head: readonly string[], around: Pick<Block, 'address'> | null): string {
  const [type = '', ...labels] = head;
  if (around) return [around.address, type, ...labels].filter((part) => part !== '').join('.');
  const prefix = PREFIXES.get(type) ?? type;
  return [prefix, ...labels].filter((part) => part !== '').join('.');
}

const PREFIXES = new Map([
  ['resource', ''],
  ['variable', 'var'],
  ['locals', 'local'],
]);
