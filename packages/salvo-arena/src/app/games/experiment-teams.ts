import {
  type Budget,
  createBudget,
  createOutages,
  type OutageOf,
  type SharedLimits,
  withBudget,
} from 'salvo/kit/models';
import { openProjectModels } from 'salvo/kit/project';
import type { Work } from 'salvo/kit/queue';
import { openResources } from 'salvo/kit/resources';
import type { Project } from 'salvo/kit/scenario';
import { allRules } from '../../blue/rules/rules.ts';
import type { OwnCode } from '../../code/own-code.ts';
import type { ExperimentPlan } from '../../experiment/plan/experiment-plan.ts';
import { createCellPlayer } from '../../experiment/play-cell.ts';
import type { GameStage } from '../../game/played-game.ts';
import { truthGate } from '../../game/truth-gate.ts';
import { loadTerraformParser } from '../../iac/syntax/terraform-parser.ts';
import { checkScanners } from '../../teams/create-team.ts';
import { asksModel, parseBlueName } from '../../teams/team-name.ts';
import { createMatchJudge, judgeAsksModels, withoutUndecided } from '../scoring/match-judge.ts';
import { createTeams } from './teams.ts';

/** What plays the games of an experiment on this machine. */
interface ExperimentTeams extends AsyncDisposable {
  red: Awaited<ReturnType<typeof createTeams>>['red'];
  playUntil: ReturnType<typeof createCellPlayer>;
  budget: Budget;
  /** The models that a stage of a game asks. */
  modelsOf(game: { red: string; blue: string }, stage: GameStage): AskedModel[];
  outageOf: OutageOf;
  /** Loads now what the first game would load. */
  prepare(): Promise<void>;
}

type AskedModel = { adapter: string; model: string };

/** Throws when a team cannot play here: a missing scanner, a key, a price under a budget. */
export async function openExperimentTeams(
  plan: ExperimentPlan,
  place: {
    project: Project;
    env: Record<string, string | undefined>;
    cwd: string;
    /** Instead of what the plan and salvo.yaml say. */
    budgetUsd: number | null;
    /** Limits that other processes keep as well, instead of those of this process alone. */
    shared?: { limits: SharedLimits; work: Work };
    /** Code of the user, by the name of its task. */
    templates?: ReadonlyMap<string, OwnCode>;
  },
): Promise<ExperimentTeams> {
  const { project, env, cwd, shared } = place;
  await using resources = openResources();
  const needsModels = [...plan.red, ...(plan.mode === 'tools_only' ? [] : plan.blue)].some(asksModel);
  const judgeOptions = { ...plan, k: plan.votes };
  const services =
    needsModels || judgeAsksModels(judgeOptions)
      ? resources.use(await openProjectModels({ project, env, cache: false, limits: shared?.limits }))
      : null;
  const budgetUsd = place.budgetUsd ?? plan.budget_usd ?? project.config.budget_usd;
  const budget =
    shared && budgetUsd !== undefined
      ? shared.limits.budgetOf(shared.work, budgetUsd)
      : createBudget(budgetUsd ?? null);
  const paid = services && { ...services, models: withBudget(services.models, budget) };
  const teams = await createTeams(
    { red: plan.red, blue: plan.blue, mode: plan.mode },
    {
      ...plan,
      redArchitecture: plan.red_architecture,
      redSource: plan.red_source,
      blueCategory: plan.blue_category,
    },
    { services: paid, env, cwd },
  );
  const judge = await createMatchJudge(judgeOptions, paid);
  const called = [...teams.models, ...judge.models].map((model) => ({ ...model, file: plan.name }));
  await services?.budgetUsd(budgetUsd, called);
  // Otherwise every game of a missing scanner would fail one by one.
  const scanners = { env, root: cwd };
  const checker = plan.checker === 'none' || plan.checker === undefined ? [] : [parseBlueName(plan.checker)];
  for (const team of [...teams.blueNames, ...checker]) checkScanners(team, plan.language, scanners);
  const playUntil = createCellPlayer({
    plan,
    blueOf: teams.blue,
    // One gate for all Blues: they must be measured against the same truth.
    gate: truthGate(teams.blueNames, plan.checker, scanners),
    judge: withoutUndecided(judge.agent),
    templates: place.templates,
  });
  const modelsOf: ExperimentTeams['modelsOf'] = (game, stage) => {
    if (stage === 'gate') return [];
    return stage === 'judge' ? judge.models : teams.modelsOf(stage, game[stage]);
  };
  const outageOf = services?.outageOf ?? createOutages();
  const prepare = async (): Promise<void> => {
    if (plan.language.includes('terraform')) await loadTerraformParser();
    allRules();
    for (const adapter of new Set(called.map((model) => model.adapter))) await services?.models.prepare?.(adapter);
  };
  return resources.keepFor({ red: teams.red, playUntil, budget, modelsOf, outageOf, prepare });
}
