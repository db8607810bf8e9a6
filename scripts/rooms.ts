/**
 * The rooms of each package: the folders of its `src/`, and `web/`, bottom first. A room may import those before it in this
 * list. Files beside the folders are the package's entries, which may import everything, and which nothing imports. Tests may
 * import everything.
 */
export const ROOMS: Readonly<Record<string, readonly string[]>> = {
  salvo: [
    ...[
      'text',
      'extension',
      'stats',
      'secrets',
      'trace',
      'imports',
      'queue',
      'adapters',
      'sdks',
      'models',
      'scenario',
      'migrate',
      'judge',
      'evaluators',
      'trial',
    ],
    ...['run', 'mutate', 'store', 'report', 'app', 'server', 'web', 'library', 'testing', 'cli', 'kit'],
  ],
  'salvo-arena': [
    ...[
      'iac',
      'match',
      'code',
      'tasks',
      'templates',
      'blue',
      'red',
      'gate',
      'teams',
      'game',
      'experiment',
      'evaluators',
    ],
    ...['store', 'report', 'app', 'server', 'web', 'library', 'testing', 'cli'],
  ],
  'salvo-postgres': ['postgres', 'limits', 'queue', 'store', 'bundle', 'work', 'cli'],
};
