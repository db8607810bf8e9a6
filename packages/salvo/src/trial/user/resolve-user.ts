import { z } from 'zod';
import { compileTemplate } from '../../scenario/cases/template.ts';
import { type ProjectConfig, projectUser } from '../../scenario/schema/project-schema.ts';
import type { Scenario } from '../../scenario/schema/scenario-schema.ts';
import { userSchema } from '../../scenario/schema/scenario-schema.ts';
import { laterSchema } from '../../secrets/text-marks.ts';

/** A model that is asked for a user, or about one. */
export interface AskedForUser {
  adapter: string;
  model: string;
}

/** What plays users, instead of what scenarios and salvo.yaml say. */
export type UserChoice = Partial<AskedForUser>;

/** The scenario with the adapter and the model of its user: each by the run, else by the scenario, else by the project. */
export function withUserModel(scenario: Scenario, config: ProjectConfig, chosen: UserChoice = {}): Scenario {
  const { user } = scenario;
  if (!user || !isPlayedByModel(user, chosen)) return scenario;
  const { script: _, ...told } = user;
  const project = projectUser(config);
  const adapter = chosen.adapter ?? user.adapter ?? project.adapter;
  const model = chosen.model ?? user.model ?? project.model;
  const played = { ...told, adapter, model };
  // What has templates is read with each row. If the model was the only one, it is read here.
  return { ...scenario, user: userSchema.safeParse(played).data ?? played };
}

/** A script plays its user, unless the user has a goal as well and the run names a model. */
export function isPlayedByModel({ script, goal }: NonNullable<Scenario['user']>, chosen: UserChoice = {}): boolean {
  return !script || (goal !== undefined && (chosen.adapter ?? chosen.model) !== undefined);
}

/** The same for a scenario whose cases may have different users. */
export function modelsOfUsers(scenario: Pick<Scenario, 'user' | 'data'>): AskedForUser[] {
  const asked = modelsOfUser(scenario);
  const columns = scenario.data && compileTemplate(asked);
  if (!columns) return asked;
  const rendered = scenario.data?.map((row) => askedSchema.parse(columns.render(row))) ?? [];
  return [...new Map(rendered.flat().map((each) => [JSON.stringify(each), each])).values()];
}

const askedSchema = laterSchema(() => z.array(z.object({ adapter: z.coerce.string(), model: z.coerce.string() })));

/** The models that the user of such a scenario needs: the one that plays it first, then the one that checks it. */
export function modelsOfUser({ user }: Pick<Scenario, 'user'>): AskedForUser[] {
  const { adapter, model, check } = user ?? {};
  if (adapter === undefined || model === undefined) return [];
  const playing = { adapter, model };
  if (typeof check !== 'object') return [playing];
  return [playing, { adapter: check.adapter ?? adapter, model: check.model ?? model }];
}
