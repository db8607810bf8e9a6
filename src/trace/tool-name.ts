/** What stands between the name of a server and that of its tool: `mcp__shop__lookup_order`, `shop.lookup_order`. */
const SEPARATORS = ['__', '.', ':', '/'];

/** Whether two names mean the same tool: SDKs put the name of a server before that of its tool. */
export function sameTool(one: string, other: string): boolean {
  if (one === other) return true;
  const [long, short] = one.length > other.length ? [one, other] : [other, one];
  return short !== '' && SEPARATORS.some((separator) => long.endsWith(`${separator}${short}`));
}
