import { type CodePlan, fittingForm, type PlanningOptions, triedKey } from './code-plan.ts';
import { haveSameShape } from './same-shape.ts';
import { sitePlace } from './secure-template.ts';
import type { InjectionSite } from './site/injection-site.ts';
import type { Hidden, Technique } from './techniques/technique.ts';

/** A site and how a value is written there. */
export interface ChosenForm {
  site: InjectionSite;
  technique: Technique['id'];
  hidden: Hidden;
}

/** So many percent of the flaws that change the shape of their code are planted although there is another one. */
const LOUD = 5;

/**
 * The first of the sites that a technique fits, and that technique. A flaw that changes the shape of its code can be
 * seen without knowing anything about it, so one that only changes values is preferred. Flaws and innocent places are
 * chosen in the same way: otherwise the choice would tell them apart.
 */
export function chooseForm(
  options: PlanningOptions,
  plan: CodePlan,
  sites: readonly InjectionSite[],
): ChosenForm | null {
  const { secure } = options;
  let loud: ChosenForm | null = null;
  for (const site of sites) {
    const isAllowed = options.choiceFor(site).between(1, 100) <= LOUD;
    for (const one of formsAt(options, plan, site)) {
      if (isAllowed || haveSameShape(secure.project, one.hidden)) return one;
      loud ??= one;
    }
  }
  return loud;
}

/** The other techniques write declarations, in HCL or in YAML. */
const IN_JSON: ReadonlySet<string> = new Set(['plain_edit', 'unusual_form']);

function* formsAt(options: PlanningOptions, plan: CodePlan, site: InjectionSite): Generator<ChosenForm> {
  const { secure, techniques, failed, choiceFor } = options;
  const choice = choiceFor(site);
  const place = { ...sitePlace(secure, site), written: plan.written, choice };
  const isJson = place.plain.some(({ file }) =>
    secure.project.files.some((one) => one.file === file && one.syntax === 'json'),
  );
  for (const technique of choice.shuffled(techniques, ({ weight = 1 }) => weight)) {
    if (isJson && !IN_JSON.has(technique.id)) continue;
    const key = triedKey(site.key, technique.id);
    const hidden = failed.has(key) ? null : fittingForm(technique, place, plan);
    if (hidden) yield { site, technique: technique.id, hidden };
  }
}
