import { SalvoError } from 'salvo/kit/text';
import { z } from 'zod';
import { type OwnCode, ownCodeSchema, readOwnCode } from '../../code/own-code.ts';
import type { ExperimentPlan } from '../../experiment/plan/experiment-plan.ts';
import { usableLanguage } from '../../red/mutation/own/own-code-use.ts';

/** The code of the user that an experiment is played on, by the name of its task. */
export type PlanTemplates = ReadonlyMap<string, OwnCode>;

/** Reads the code that a plan names. Throws if no flaw is possible in it, or if it has changed since the plan was made. */
export async function readPlanTemplates(
  { own_code = [] }: Pick<ExperimentPlan, 'own_code'>,
  place: { root: string; env: Record<string, string | undefined> },
): Promise<PlanTemplates> {
  const read = new Map<string, OwnCode>();
  for (const { name, source, hash } of own_code) {
    const code = { ...(await readOwnCode(source, { cwd: place.root, env: place.env })), name };
    if (hash !== undefined && hash !== code.hash) throw changedError(source);
    read.set(name, code);
  }
  return read;
}

function changedError(source: string): SalvoError {
  return new SalvoError(
    'TEMPLATE_CHANGED',
    `The code of ${source} has changed since the experiment began: its games would not compare. Restore it, or start a new experiment.`,
  );
}

/** The plan with what its templates are: their languages, and how to tell that they have changed. */
export async function withTemplates(plan: ExperimentPlan, read: PlanTemplates): Promise<ExperimentPlan> {
  if (!plan.own_code) return plan;
  const own_code: NonNullable<ExperimentPlan['own_code']> = [];
  for (const { name, source } of plan.own_code) {
    const code = read.get(name);
    if (code) own_code.push({ name, source, hash: code.hash, language: await usableLanguage(code) });
  }
  return {
    ...plan,
    own_code,
    language: [...new Set(own_code.flatMap(({ language }) => language ?? []))].slice(0, 1),
  };
}

/** For workers, which have neither the folder nor the right to fetch it. */
export function templatesFile(templates: PlanTemplates): Uint8Array {
  return Buffer.from(JSON.stringify([...templates.values()]));
}

export function readTemplatesFile(content: Uint8Array | null): PlanTemplates {
  if (!content) return new Map();
  const codes = z.array(ownCodeSchema).parse(JSON.parse(Buffer.from(content).toString('utf8')));
  return new Map(codes.map((code) => [code.name, code]));
}
