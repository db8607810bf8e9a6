/** `storage_encrypted`, `StorageEncrypted` and `storage-encrypted` are one name, spelled for different languages. */
export function foldedName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9*]/g, '');
}

/** The same order on every machine, whatever its language. */
export function compareNames(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
