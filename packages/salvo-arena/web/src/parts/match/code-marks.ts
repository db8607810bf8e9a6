import type { BadgeLook } from 'salvo/viewer-parts';
import type { CodeFile } from '../../../../src/app/view/code-view.ts';
import type { MatchView, Place } from '../../../../src/app/view/match-view.ts';
import { FINDING_LOOKS, flawLook, type Selection } from './selection.ts';

/** Lines of a file that a flaw or a finding is about. */
export interface Mark extends Selection {
  name: string;
  look: BadgeLook;
  line: number;
  end_line: number;
  /** The flawed lines themselves, or another place that a correct report may name. */
  isMain: boolean;
}

/** All marks, by the name of the file. */
export function codeMarks(match: MatchView, files: readonly CodeFile[]): Map<string, Mark[]> {
  const marks = new Map<string, Mark[]>();
  const meant = new Map<string, string | null>();
  const add = (place: Place, mark: Omit<Mark, 'line' | 'end_line'>) => {
    if (!meant.has(place.file)) meant.set(place.file, fileNamed(files, place.file));
    const file = meant.get(place.file) ?? null;
    if (file === null) return;
    const list = marks.get(file) ?? [];
    marks.set(file, list);
    list.push({ ...mark, line: place.line, end_line: place.end_line });
  };
  for (const flaw of match.flaws) {
    for (const [position, place] of flaw.places.entries()) {
      if (place.kind === 'related') continue;
      const { index, id: name } = flaw;
      add(place, { kind: 'flaw', index, name, look: flawLook(flaw), isMain: position === 0 });
    }
  }
  for (const { index, place, rule, kind } of match.findings) {
    const name = rule ?? `finding ${index}`;
    if (place) add(place, { kind: 'finding', index, name, look: FINDING_LOOKS[kind], isMain: true });
  }
  return marks;
}

/** The file that a report means: some write paths from another folder. Null if none or several fit. */
export function fileNamed(files: readonly CodeFile[], name: string): string | null {
  const plain = name.replace(/^(?:\.\.?\/|\/)+/, '');
  const names = files.map((file) => file.name);
  if (names.includes(plain)) return plain;
  // Of `main.tf` and `modules/a/main.tf`, the longer one is meant by `/tmp/scan/modules/a/main.tf`.
  const [longest] = names.filter((each) => plain.endsWith(`/${each}`)).sort((a, b) => b.length - a.length);
  if (longest !== undefined) return longest;
  const [only, ...others] = names.filter((each) => each.endsWith(`/${plain}`));
  return only !== undefined && others.length === 0 ? only : null;
}

/** What a click on a line means: the smallest range around it, and a flaw rather than a finding. */
export function markAt(marks: readonly Mark[], line: number): Mark | null {
  const around = marks.filter((mark) => mark.line <= line && line <= mark.end_line);
  const size = ({ line: from, end_line }: Mark) => end_line - from;
  return (
    around.sort((a, b) => size(a) - size(b) || Number(a.kind === 'finding') - Number(b.kind === 'finding'))[0] ?? null
  );
}
