/**
 * Whether a path, with forward slashes, fits one of the patterns, or is in a folder that does. `*` and `?` stand for characters of
 * a name, and `**` for any number of folders. No regular expression is used: a hostile pattern takes no more time than others.
 */
export function createGlob(patterns: readonly string[]): (path: string) => boolean {
  const parsed = patterns.map((pattern) => segmentsOf(pattern));
  return (path) => {
    const names = segmentsOf(path);
    return parsed.some((pattern) => pattern.length > 0 && fits(pattern, names));
  };
}

/** `./src//a.ts` is `src/a.ts`. */
export function plainPath(path: string): string {
  return segmentsOf(path).join('/');
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '' && segment !== '.');
}

/** Whether the pattern fits the names, or the first of them: the rest is in that folder. */
function fits(pattern: readonly string[], names: readonly string[]): boolean {
  /** How many names the part of the pattern that was read so far can stand for. */
  let reached = new Set([0]);
  for (const segment of pattern) {
    const next = new Set<number>();
    for (const count of reached) {
      const name = names[count];
      if (segment === '**') for (let each = count; each <= names.length; each += 1) next.add(each);
      else if (name !== undefined && fitsName(segment, name)) next.add(count + 1);
    }
    reached = next;
  }
  return reached.size > 0;
}

function fitsName(pattern: string, name: string): boolean {
  let [at, inName] = [0, 0];
  /** Where the last `*` is, and up to where it reaches so far. */
  let star: { at: number; reaches: number } | null = null;
  while (inName < name.length) {
    const wanted = pattern[at];
    if (wanted === '*') {
      star = { at, reaches: inName };
      at += 1;
    } else if (wanted === '?' || (wanted !== undefined && wanted === name[inName])) {
      at += 1;
      inName += 1;
    } else if (star) {
      star.reaches += 1;
      at = star.at + 1;
      inName = star.reaches;
    } else return false;
  }
  return /^\**$/.test(pattern.slice(at));
}
