/** One step of a path; with `where`, only children whose entry of that name has that value. */
export interface PathStep {
  name: string;
  where: { name: string; value: string } | null;
}

/**
 * `metadata_options.http_tokens`, `parameter[name=rds.force_ssl].value`. A key with dots in it stands in quotes:
 * `Parameters."rds.force_ssl"`. Lists are never named: a step into one goes into each of its elements.
 */
export function attributePath(path: string): PathStep[] {
  return [...path.matchAll(/(?:"([^"]*)"|([^."[\]]+))(?:\[([^=\]]+)=([^\]]*)\])?/g)].map(
    ([, quoted, plain, name, value]) => ({
      name: quoted ?? plain ?? '',
      where: name === undefined ? null : { name, value: value ?? '' },
    }),
  );
}

/** As it is written in a manifest: names only. */
export function plainPath(path: string): string {
  return attributePath(path)
    .map(({ name }) => name)
    .join('.');
}
