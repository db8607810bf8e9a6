/** Parts of an address as the typed client of the API needs them: it does not encode them itself. */
export function at<Parts extends Record<string, string | number>>(
  parts: Parts,
): { param: { [Name in keyof Parts]: string } };
export function at(parts: Record<string, string | number>): { param: Record<string, string> } {
  return {
    param: Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, encodeURIComponent(part)])),
  };
}
