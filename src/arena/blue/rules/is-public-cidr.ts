/**
 * Whether an address range is the whole internet, or so much of it that it may as well be: the halves of it
 * (`0.0.0.0/1`) open a port just as well. No private range is that wide.
 */
export function isAnywhere(cidr: string): boolean {
  const [, address = '', length = ''] = /^\s*([\da-f.:]+)\/(\d{1,3})\s*$/i.exec(cidr) ?? [];
  if (length === '') return false;
  return address.includes(':') ? Number(length) <= 4 : Number(length) < 8;
}
