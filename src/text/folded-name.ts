/** `storage_encrypted`, `StorageEncrypted` and `storage-encrypted` are one name, spelled for different languages. */
export function foldedName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9*]/g, '');
}
