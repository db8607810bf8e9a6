/** What is wrong with a document of a version that this Salvo does not know. */
export function newerVersion(version: number, known: number): string {
  return `written by a newer Salvo (version ${version}); this one reads up to ${known}: update Salvo`;
}
