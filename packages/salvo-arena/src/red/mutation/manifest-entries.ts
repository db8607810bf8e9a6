import { compareNames } from 'salvo/kit/text';
import type { CodePlace } from '../../iac/read/code-node.ts';
import { referencesByAddress } from '../../iac/read/references.ts';
import { innermostAttribute } from '../../iac/read/written-code.ts';
import type { SourceFile } from '../../iac/syntax/source-file.ts';
import type { Vulnerability } from '../../match/claims/vulnerability.ts';
import type { Weakness } from '../../match/weaknesses/weakness.ts';
import type { Difficulty } from '../../tasks/game-settings.ts';
import { RedTeamError } from '../red-team-error.ts';
import { flawLocations } from './flaw-locations.ts';
import type { MutatedCode, PlantedFlaw } from './mutated-code.ts';

/** One entry for each flaw, in the order of the code. */
export function manifestEntries({ project, scope, planted }: MutatedCode, difficulty: Difficulty): Vulnerability[] {
  const placed = planted.map((flaw) => ({ flaw, place: placeOf(flaw, { project, scope }) }));
  placed.sort((a, b) => compareNames(a.place.file, b.place.file) || a.place.line - b.place.line);
  const references = referencesByAddress(project);
  const ids = new Map(placed.map(({ flaw }, index) => [flaw, `V${index + 1}`]));
  return placed.map(({ flaw, place }) => {
    const { site, target, technique, group, relation } = flaw;
    const { operator, weakness } = site;
    const others = planted.filter((one) => one !== flaw && one.group === group).flatMap((one) => ids.get(one) ?? []);
    return {
      id: ids.get(flaw) ?? '',
      type: weakness.category,
      resource: relation ? relation.resources : target.address,
      severity: operator.severity(scope, target, weakness.severity),
      title: weakness.title,
      description: operator.describe(target),
      technique,
      difficulty,
      evidence: evidenceAt(project.files, place),
      file: place.file,
      line: place.line,
      end_line: place.end_line,
      attribute: target.attribute,
      rule_ids: ruleIds(weakness),
      source: 'mutation',
      weakness: weakness.id,
      locations: flawLocations(project, references, flaw),
      ...(relation
        ? { facts: relation.facts.map(({ resource, file, line, says }) => ({ resource, file, line, says })) }
        : {}),
      ...(others.length > 0 ? { chained_with: others } : {}),
    };
  });
}

/** If the flaw is in the resource as a whole but its attribute is written out, the entry points at the attribute. */
function placeOf({ site, target }: PlantedFlaw, { project, scope }: Pick<MutatedCode, 'project' | 'scope'>): CodePlace {
  const place = site.operator.locate(scope, target);
  if (!place)
    throw new RedTeamError('RED_UNPROVEN', `${site.key} was proven, but its place is not found: this is a bug.`);
  const source = project.files.find(({ file }) => file === place.file);
  const block = source?.blocks.find(({ line, end_line }) => line === place.line && end_line === place.end_line);
  const attribute = block && target.attribute !== null ? innermostAttribute(block, target.attribute.split('.')) : null;
  return attribute ? { file: place.file, line: attribute.line, end_line: attribute.end_line } : place;
}

/** The lines themselves; for a block that lacks something, only its head. */
function evidenceAt(files: readonly SourceFile[], { file, line, end_line }: CodePlace): string {
  const lines = (files.find((source) => source.file === file)?.text ?? '').split('\n').slice(line - 1, end_line);
  const isBlock = /^\s*(?:(?:resource|data)\s.*\{|\w+:)\s*$/.test(lines[0] ?? '') && lines.length > 3;
  return (isBlock || lines.length > MOST_LINES ? lines.slice(0, 1) : lines).join('\n').trim();
}

const MOST_LINES = 20;

/** A weakness that no scanner has a rule for is called by its own id. */
function ruleIds({ id, rules, cwe }: Weakness): string[] {
  const ids = (['checkov', 'trivy', 'kics'] as const).flatMap((scanner) => rules[scanner] ?? []);
  return [...(ids.length > 0 ? ids : [id]), ...cwe.map((number) => `CWE-${number}`)];
}
