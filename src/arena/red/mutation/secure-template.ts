import { createScope } from '../../../iac/evaluate/scope.ts';
import { type CodeProject, parseCode } from '../../../iac/syntax/parse-code.ts';
import { weaknessById } from '../../../match/weaknesses/weaknesses.ts';
import { type Template, templateFiles } from '../../templates/templates.ts';
import type { CodeEdit } from '../operators/operator.ts';
import { operatorsFor } from '../operators/operators.ts';
import { type Opening, openingKey } from './injection-site.ts';
import { type References, referencesIn } from './references.ts';
import { type WeakSpot, weakSpot } from './weak-spot.ts';

/** A template, read once, with all that could be done to it. */
export interface SecureTemplate {
  template: Template;
  project: CodeProject;
  openings: readonly Opening[];
  references: References;
  /** Worked out when it is first asked for. */
  waysIn(opening: Opening): WaysIn;
}

/** How an opening can be used, in the secure code. */
interface WaysIn {
  plain: readonly CodeEdit[];
  spot: WeakSpot | null;
}

export function secureTemplate(template: Template): Promise<SecureTemplate> {
  const known = read.get(template.id) ?? readTemplate(template);
  read.set(template.id, known);
  return known;
}

/** An experiment plays a thousand games on a few dozen templates. */
const read = new Map<string, Promise<SecureTemplate>>();

async function readTemplate(template: Template): Promise<SecureTemplate> {
  const project = await parseCode(templateFiles(template));
  const scope = createScope(project);
  const openings = operatorsFor(template.language).flatMap((operator): Opening[] => {
    const weakness = weaknessById(operator.weakness);
    if (!weakness) return [];
    return operator
      .targets(project, scope)
      .filter((target) => !operator.isPresent(scope, target))
      .map((target) => ({ key: openingKey(operator.id, target), operator, target, weakness }));
  });
  const ways = new Map<string, WaysIn>();
  const waysIn = (opening: Opening) => {
    const known = ways.get(opening.key) ?? findWays(project, opening);
    ways.set(opening.key, known);
    return known;
  };
  return { template, project, openings, references: referencesIn(project), waysIn };
}

function findWays(project: CodeProject, { operator, target }: Opening): WaysIn {
  const plain = operator.apply(project, target);
  return { plain, spot: weakSpot(project, operator, target, plain) };
}
