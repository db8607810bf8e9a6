import { createBudget, withBudget } from 'salvo/kit/models';
import { loadProject, openProjectModels, type Workplace } from 'salvo/kit/project';
import type { BlueOutcome, BlueRequest, DetectionMode } from '../../blue/blue-team.ts';
import { BlueTeamError } from '../../blue/blue-team-error.ts';
import { asksModel } from '../../teams/team-name.ts';
import { createTeams, type TeamSettings } from './teams.ts';

export interface AnalyzeOptions extends Workplace, TeamSettings {
  /** `rules`, a scanner, `llm:MODEL`, `command:PROGRAM {dir}`, or several with a plus between them. */
  blue?: string | undefined;
  mode?: DetectionMode | undefined;
  /** For the models of Blue; `budget_usd` of salvo.yaml if not given. */
  budgetUsd?: number | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Lets a Blue look at code. Rejects when it could not look: with the outcome `unscored`, unless the options or the code
 * are wrong.
 */
export async function analyzeCode(
  request: Pick<BlueRequest, 'files' | 'language' | 'seed'>,
  { blue = 'rules', mode, ...options }: AnalyzeOptions,
): Promise<BlueOutcome> {
  const { cwd = process.cwd(), env = process.env, signal } = options;
  const needsModels = asksModel(blue) && mode !== 'tools_only';
  await using opened = needsModels ? await openProjectModels({ project: await loadProject(cwd), env }) : null;
  const budget = createBudget(options.budgetUsd ?? opened?.project.config.budget_usd ?? null);
  const services = opened && { ...opened, models: withBudget(opened.models, budget) };
  const teams = await createTeams({ red: [], blue: [blue], mode }, options, { services, env, cwd });
  await services?.budgetUsd(
    options.budgetUsd,
    teams.models.map((model) => ({ ...model, file: '{option:blue}' })),
  );
  try {
    return await teams.blue(blue).analyze({ ...request, signal });
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof BlueTeamError) || error.outcome === 'unscored' || error.code === 'CODE_UNREADABLE') {
      throw error;
    }
    const { code, message, cost } = error;
    throw new BlueTeamError(code, message, { cause: error, cost, outcome: 'unscored' });
  }
}
