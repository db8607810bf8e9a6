/** What a person is told whose tables were brought to this version: the same words for every database. */
export function migrationNotice(migrated: { place: string; from: number; to: number; kept: string }): string {
  const { place, from, to, kept } = migrated;
  return `${place} was written by an earlier Salvo: its tables were brought from version ${from} to ${to}. ${kept}`;
}
