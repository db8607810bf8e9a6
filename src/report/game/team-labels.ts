import { characters, displayWidth, safeLine } from '../../text/safe-text.ts';

/**
 * Names of teams in at most so many columns, never two alike: commands often differ only at their ends, so a long name is
 * cut in the middle, and what is still the same is numbered.
 */
export function teamLabels(names: readonly string[], max: number): (name: string) => string {
  const taken = new Set<string>();
  const labels = new Map<string, string>();
  for (const name of names) {
    if (labels.has(name)) continue;
    let label = labelOf(name, max);
    for (let number = 2; taken.has(label); number += 1) {
      label = `${labelOf(name, max - ` #${number}`.length)} #${number}`;
    }
    taken.add(label);
    labels.set(name, label);
  }
  return (name) => labels.get(name) ?? labelOf(name, max);
}

function labelOf(name: string, max: number): string {
  const line = safeLine(name);
  if (displayWidth(line) <= max) return line;
  // What every command has tells nothing.
  const telling = line.replace(/^command:\s*/, '').replace(/\s*\{dir\}$/, '');
  if (displayWidth(telling) <= max) return telling;
  const all = [...characters(telling)];
  const head = taken(all, Math.ceil((max - 1) / 2));
  const tail = taken(all.toReversed(), Math.floor((max - 1) / 2)).toReversed();
  return `${head.join('').trimEnd()}…${tail.join('').trimStart()}`;
}

/** As many characters from the beginning as fit. */
function taken(all: readonly string[], room: number): string[] {
  let used = 0;
  const end = all.findIndex((character) => {
    used += displayWidth(character);
    return used > room;
  });
  return end === -1 ? [...all] : all.slice(0, end);
}
