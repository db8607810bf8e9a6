import { characters, displayWidth, safeLine } from 'salvo/kit/text';

/**
 * Distinct names of teams in at most `max` columns. Commands often differ only at their ends, so a long name is cut in
 * the middle, and labels that are still equal are numbered.
 */
export function teamLabels(names: readonly string[], max: number): (name: string) => string {
  const taken = new Set<string>();
  const labels = new Map<string, string>();
  for (const name of names) {
    if (labels.has(name)) continue;
    let label = shortLabel(name, max);
    for (let number = 2; taken.has(label); number += 1) {
      label = `${shortLabel(name, max - ` #${number}`.length)} #${number}`;
    }
    taken.add(label);
    labels.set(name, label);
  }
  return (name) => labels.get(name) ?? shortLabel(name, max);
}

function shortLabel(name: string, max: number): string {
  const line = safeLine(name);
  if (displayWidth(line) <= max) return line;
  // Every command has these parts.
  const distinctive = line.replace(/^command:\s*/, '').replace(/ ?\{dir\}$/, '');
  if (displayWidth(distinctive) <= max) return distinctive;
  const all = [...characters(distinctive)];
  const head = fitting(all, Math.ceil((max - 1) / 2));
  const tail = fitting(all.toReversed(), Math.floor((max - 1) / 2)).toReversed();
  return `${head.join('').trimEnd()}…${tail.join('').trimStart()}`;
}

/** As many characters from the beginning as fit. */
function fitting(all: readonly string[], room: number): string[] {
  let used = 0;
  const end = all.findIndex((character) => {
    used += displayWidth(character);
    return used > room;
  });
  return end === -1 ? [...all] : all.slice(0, end);
}
