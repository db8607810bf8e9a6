/** Words of Salvo that only a package gives a meaning to: what they are, and the words. */
interface KnownPackage {
  name: string;
  commands: readonly string[];
  assertions: readonly string[];
  /** Options of commands of others. */
  options: readonly string[];
  /** Keys of salvo.yaml. */
  settings: readonly string[];
}

/** Packages that Salvo looks for by itself, and offers to install if something needs them. */
export const KNOWN_PACKAGES: readonly KnownPackage[] = [
  {
    name: 'salvo-arena',
    commands: [
      'score',
      'game',
      'play',
      'scan',
      'red',
      'blue',
      'tools',
      'tasks',
      'rules',
      'experiment',
      'bench-scanner',
    ],
    assertions: ['findings'],
    options: [],
    settings: [],
  },
  {
    name: 'salvo-postgres',
    commands: ['worker', 'attach'],
    assertions: [],
    options: ['--local-workers', '--labels', '--wait', '--detach'],
    settings: ['workers'],
  },
];

/** The package that a word belongs to; undefined if it is a word of none. */
export function packageOf(kind: 'commands' | 'assertions' | 'options' | 'settings', word: string): string | undefined {
  return KNOWN_PACKAGES.find((known) => known[kind].includes(word))?.name;
}
