const LONGEST_STEM = 60;
const MOST_WORDS = 8;
/** Names that Windows keeps for devices. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/** The name of a file for a scenario: letters, digits and dashes, whatever the scenario is called. */
export function fileStem(name: string): string {
  const stem = name
    .slice(0, 10 * LONGEST_STEM)
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST_STEM)
    .replace(/^-/, '')
    .replace(/-$/, '');
  return stem === '' || RESERVED.test(stem) ? `scenario${stem === '' ? '' : `-${stem}`}` : stem;
}

/** The first words of what was wrong; null if it has none that a name can have. */
export function nameOfWhy(why: string): string | null {
  const words = why.split(/[^\p{L}\p{N}.-]+/u).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const name = words.slice(0, MOST_WORDS).join(' ').slice(0, LONGEST_STEM).trim();
  return name === '' ? null : name.toWellFormed();
}

/** The names of cases: each once, and none empty. */
export function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((given, index) => {
    const name = given.trim() === '' ? String(index + 1) : given.slice(0, 150);
    let unused = name;
    for (let count = 2; taken.has(unused); count += 1) unused = `${name} (${count})`;
    taken.add(unused);
    return unused;
  });
}
