/** SARIF with paths that begin at the repository, as code scanning expects, and not at the folder of the project. */
export function sarifFromRepository(text: string, folder: string): string {
  const log: unknown = JSON.parse(text);
  if (typeof log !== 'object' || log === null || !('runs' in log)) throw new Error('The SARIF file has no runs.');
  const prefix = folder === '' ? '' : `${folder.split('/').map(encodeURIComponent).join('/')}/`;
  return JSON.stringify(log, (key, value: unknown) => {
    if (key !== 'artifactLocation' || typeof value !== 'object' || value === null || !('uri' in value)) return value;
    const { uri } = value;
    const isRelative = typeof uri === 'string' && !/^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(uri);
    return isRelative ? { ...value, uri: prefix + uri } : value;
  });
}
