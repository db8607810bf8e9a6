import { statSync } from 'node:fs';
import { type EvaluationContext, resolveFile } from 'salvo/kit/evaluators';
import {
  type Assertion,
  type AssertionOf,
  type Diagnostic,
  everyAssertion,
  outsideProblem,
  type Project,
  readRoot,
  type Scenario,
  scenarioCases,
} from 'salvo/kit/scenario';
import { readLimitedSync } from 'salvo/kit/text';
import { JudgeError } from '../match/claims/judge-error.ts';
import type { Manifest } from '../match/claims/vulnerability.ts';
import { readManifest } from '../match/read-manifest.ts';

const MOST_BYTES = 100 * 1024 * 1024;

const loaded = new Map<string, { changed: number; manifest: Manifest }>();

/** The manifest of a `findings` assertion. It is read once for all trials, and again only if the file has changed. */
export function loadManifest(name: string, context: Pick<EvaluationContext, 'scenarioFile' | 'project'>): Manifest {
  const file = resolveFile(name, context);
  const changed = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? null;
  const known = loaded.get(file);
  if (known && known.changed === changed) return known.manifest;
  const manifest = readManifest(textOf(file, name, context.project), { name });
  if (changed !== null) loaded.set(file, { changed, manifest });
  return manifest;
}

/** The problems of the manifests that a scenario names, found before the first trial is paid for. */
export function manifestProblems(options: { scenario: Scenario; file: string; project: Project }): Diagnostic[] {
  const { scenario, file, project } = options;
  return manifestNames(scenario).flatMap((manifest) => {
    try {
      loadManifest(manifest, { scenarioFile: file, project });
      return [];
    } catch (error) {
      if (!(error instanceof JudgeError)) throw error;
      const { line = 1, column = 1 } = error.location ?? {};
      const place = { file: resolveFile(manifest, { scenarioFile: file }), line, column };
      return [{ severity: 'error', code: 'invalid-value', message: error.message, ...place } as const];
    }
  });
}

const MOST_CASES = 100;

/** Of the first cases, if the scenario has data. */
function manifestNames(scenario: Scenario): string[] {
  if (!everyAssertion(scenario).some(isFindingsAssertion)) return [];
  const cases = scenarioCases(scenario);
  const scenarios = Array.from({ length: Math.min(cases.count, MOST_CASES) }, (_, index) => cases.scenarioOf(index));
  const names = scenarios.flatMap(({ assertions }) => assertions.filter(isFindingsAssertion));
  return [...new Set(names.map(({ manifest }) => manifest))];
}

function textOf(file: string, name: string, project: Project | undefined): string {
  const outside = project && outsideProblem({ file, name, root: readRoot(project) });
  if (outside) throw new JudgeError('MANIFEST_INVALID', `${outside.message}: ${outside.hint}.`);
  let bytes: Uint8Array | null;
  try {
    bytes = readLimitedSync(file, MOST_BYTES);
  } catch (cause) {
    throw new JudgeError('MANIFEST_INVALID', `${name} cannot be read: it is looked for at ${file}.`, { cause });
  }
  if (bytes === null) throw new JudgeError('MANIFEST_INVALID', `${name} is larger than 100 MB.`);
  return new TextDecoder().decode(bytes);
}

// A registered assertion type cannot have the name of a built-in one.
function isFindingsAssertion(assertion: Assertion): assertion is AssertionOf<'findings'> {
  return assertion.type === 'findings';
}
