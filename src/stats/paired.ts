/** Refuses lists of different lengths: they would be compared out of step. */
export function assertPaired(a: { readonly length: number }, b: { readonly length: number }): void {
  if (a.length !== b.length) throw new RangeError(`${a.length} and ${b.length} ratings are not of the same items`);
}
