import type { Path } from '../yaml/located-value.ts';
import type { Problem } from './problem.ts';

/** One slip, one message: a key that is there under a wrong name is not reported as missing, too. */
export function withoutFollowUps(problems: Problem[]): Problem[] {
  const meant = new Set(problems.flatMap(({ path, meant }) => (meant === undefined ? [] : [id(beside(path, meant))])));
  const missing = Map.groupBy(
    problems.filter(
      (problem) => problem.code === 'missing-key' && !wanted(problem).some((path) => meant.has(id(path))),
    ),
    (problem) => id(mapOf(problem)),
  );
  const strange = Map.groupBy(
    problems.filter(({ code, meant: guess }) => code === 'unknown-key' && guess === undefined),
    (problem) => id(mapOf(problem)),
  );
  return problems.flatMap((problem) => {
    const map = id(mapOf(problem));
    const [absent, ...others] = missing.get(map) ?? [];
    const name = absent && nameOf(absent);
    const isPair = name !== undefined && others.length === 0 && strange.get(map)?.length === 1;
    if (problem.code === 'missing-key') return isPair || !missing.get(map)?.includes(problem) ? [] : [problem];
    // One key too many and one too few: most likely the same.
    if (isPair && strange.get(map)?.includes(problem))
      return [{ ...problem, hint: `"${name}" is missing here: did you mean that?` }];
    return [problem];
  });
}

function wanted({ path, missing }: Problem): Path[] {
  return missing ? missing.map((key) => [...path, key]) : [path];
}

function mapOf({ path, missing }: Problem): Path {
  return missing ? path : path.slice(0, -1);
}

function nameOf({ path, missing }: Problem): string | undefined {
  const last = missing ? undefined : path.at(-1);
  return typeof last === 'string' ? last : undefined;
}

function beside(path: Path, key: string): Path {
  return [...path.slice(0, -1), key];
}

function id(path: Path): string {
  return JSON.stringify(path);
}
