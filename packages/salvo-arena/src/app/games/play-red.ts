import { randomInt } from 'node:crypto';
import { resolve } from 'node:path';
import { createBudget, withBudget } from 'salvo/kit/models';
import { loadProject, openProjectModels, type Workplace } from 'salvo/kit/project';
import { NO_COST } from 'salvo/kit/stats';
import { SalvoError } from 'salvo/kit/text';
import { agentCost, agentCostFields, atLeastSchema } from 'salvo/kit/trace';
import { z } from 'zod';
import type { OwnCode } from '../../code/own-code.ts';
import { gateCounts } from '../../game/build-game-document.ts';
import { gameSchema } from '../../game/game-document.ts';
import { checkGameFolder, deliveryFiles, writeGameFolder } from '../../game/game-folder.ts';
import { askRed } from '../../game/play-game.ts';
import { gateManifest, truthGate } from '../../game/truth-gate.ts';
import { type RedOutcome, type RedRequest, type RedTeam, redMetadataSchema } from '../../red/red-team.ts';
import { RedTeamError } from '../../red/red-team-error.ts';
import { asksModel } from '../../teams/team-name.ts';
import { openOwnCode } from './own-code.ts';
import { candidateTasks, chooseStrategy, type NamedGameOptions } from './play-game.ts';
import { createTeams, type TeamSettings } from './teams.ts';

export interface PlayRedOptions
  extends Workplace,
    Omit<TeamSettings, 'format'>,
    Partial<Omit<RedRequest, 'provider' | 'template'>>,
    Pick<NamedGameOptions, 'budgetUsd' | 'checker' | 'force' | 'template'> {
  /** `mutation`, `llm:MODEL` or `llm:ADAPTER/MODEL`. */
  red?: string | undefined;
  /** The folder that everything is written to. */
  out: string;
}

const { task, red, difficulty, language, seed, strategy, template } = gameSchema.shape;
const { claimed, confirmed, phantoms, unchecked } = gameSchema.shape;

/** What Red made and how: the content of red.json. */
export const redDeliverySchema = z.object({
  ...{ task, difficulty, language, seed, strategy, red, template },
  files: z.int(),
  /** Of the clean twin; 0 if Red made none. */
  twin_files: z.int(),
  ...{ claimed, confirmed, phantoms, unchecked },
  /** Of code of the user: how much of it Red can use in this game. */
  own_code: redMetadataSchema.shape.own_code,
  cost_usd: z.number().nullable(),
  /** What is known of the cost, if it is not known exactly. */
  cost_at_least: atLeastSchema.optional(),
});

export type RedDelivery = z.infer<typeof redDeliverySchema>;

/** Plays Red's side of a game: writes the code, its twin and the checked manifest to a folder. */
export async function playRed(options: PlayRedOptions): Promise<RedDelivery> {
  const { cwd = process.cwd(), env = process.env, red: name = 'mutation', force = false, signal } = options;
  const { difficulty = 'medium', category, count, size, density, housekeeping } = options;
  const strategy = chooseStrategy(options);
  const seed = options.seed ?? randomInt(2 ** 31);
  const own = await openOwnCode(options, { red: name, cwd, env, signal });
  const language = own?.language ?? options.language ?? 'terraform';
  const tasks = own ? [options.task ?? own.template.task] : candidateTasks(options.task, seed);
  const out = resolve(cwd, options.out);
  await checkGameFolder(out, { force });
  await using opened = asksModel(name) ? await openProjectModels({ project: await loadProject(cwd), env }) : null;
  const budget = createBudget(options.budgetUsd ?? opened?.project.config.budget_usd ?? null);
  const services = opened && { ...opened, models: withBudget(opened.models, budget) };
  const teams = await createTeams({ red: [name], blue: [] }, options, { services, env, cwd });
  const called = teams.models.map((model) => ({ ...model, file: '{option:red}' }));
  await services?.budgetUsd(options.budgetUsd, called);
  const asked = { difficulty, language, strategy, category, count, size, density, housekeeping, seed };
  const request = { ...asked, template: own?.template, signal };
  const { task, red } = await askFirstThatFits(tasks, { ...request, red: teams.red(name) });
  const { files, vulnerabilities, metadata } = red;
  const { gate, scored } = await gateManifest(red, truthGate([], options.checker, { env, root: cwd }));
  const delivery: RedDelivery = {
    task,
    red: metadata.red,
    difficulty,
    language,
    strategy,
    seed,
    template: metadata.template,
    files: Object.keys(files).length,
    twin_files: Object.keys(metadata.twin ?? {}).length,
    claimed: vulnerabilities.length,
    ...gateCounts(gate),
    ...(metadata.own_code && { own_code: metadata.own_code }),
    ...agentCostFields(metadata.model_calls === 0 ? NO_COST : agentCost(metadata)),
  };
  await writeGameFolder(out, deliveryFiles({ red, gate, scored }, delivery), { force });
  return delivery;
}

/** What Red can do with code of the user, resource by resource. Plants and writes nothing. */
export async function listOwnCode(
  options: Pick<PlayRedOptions, 'cwd' | 'env' | 'language' | 'signal'> & { template: string | OwnCode },
) {
  const { cwd = process.cwd(), env = process.env, signal } = options;
  const own = await openOwnCode(options, { red: 'mutation', cwd, env, signal });
  if (!own) throw new SalvoError('OPTIONS_INVALID', 'Give the code with {option:template}.');
  const [{ secureOwnCode }, { listResources }] = await Promise.all([
    import('../../red/mutation/own/secure-own-code.ts'),
    import('../../red/mutation/own/own-code-use.ts'),
  ]);
  return await listResources(own.template, await secureOwnCode(own.template, own.language));
}

/** When the flaws that were asked for cannot be hidden in the code of a task, the next task is tried. */
async function askFirstThatFits(
  [task = '', ...others]: readonly string[],
  request: Omit<RedRequest, 'task' | 'provider'> & { red: RedTeam },
): Promise<{ task: string; red: RedOutcome }> {
  try {
    return { task, red: await askRed({ ...request, task }) };
  } catch (error) {
    request.signal?.throwIfAborted();
    if (!(error instanceof RedTeamError)) throw error;
    if (error.code === 'RED_NOTHING_FITS' && others.length > 0) return await askFirstThatFits(others, request);
    throw new RedTeamError(error.code, error.message, { cause: error, outcome: 'unscored' });
  }
}
