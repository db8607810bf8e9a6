import type { Path } from './located-value.ts';
import type { Problem } from './problem.ts';

/** One mistake gives one message: a key that is present under a wrong name is not reported as missing as well. */
export function withoutFollowUps(problems: Problem[]): Problem[] {
  const meant = new Set(
    problems.flatMap(({ path, meant }) => (meant === undefined ? [] : [id([...path.slice(0, -1), meant])])),
  );
  const missing = Map.groupBy(
    problems.filter(
      (problem) => problem.code === 'missing-key' && !wantedPaths(problem).some((path) => meant.has(id(path))),
    ),
    (problem) => id(mapPath(problem)),
  );
  const unknown = Map.groupBy(
    problems.filter(({ code, meant: guess }) => code === 'unknown-key' && guess === undefined),
    (problem) => id(mapPath(problem)),
  );
  return problems.flatMap((problem) => {
    const map = id(mapPath(problem));
    const [absent, ...others] = missing.get(map) ?? [];
    const name = absent && missingName(absent);
    const isPair = name !== undefined && others.length === 0 && unknown.get(map)?.length === 1;
    if (problem.code === 'missing-key') return isPair || !missing.get(map)?.includes(problem) ? [] : [problem];
    // One unknown and one missing key: most likely the same key, misspelt.
    if (isPair && unknown.get(map)?.includes(problem))
      return [{ ...problem, hint: `"${name}" is missing here: did you mean that?` }];
    return [problem];
  });
}

function wantedPaths({ path, missing }: Problem): Path[] {
  return missing ? missing.map((key) => [...path, key]) : [path];
}

function mapPath({ path, missing }: Problem): Path {
  return missing ? path : path.slice(0, -1);
}

function missingName({ path, missing }: Problem): string | undefined {
  const last = missing ? undefined : path.at(-1);
  return typeof last === 'string' ? last : undefined;
}

function id(path: Path): string {
  return JSON.stringify(path);
}
