import type { Scope } from '../../iac/evaluate/scope.ts';
import type { RelationalFlaw } from '../../iac/relations/relation.ts';
import { relationalFlaws } from '../../iac/relations/relations.ts';
import type { CodeLanguage } from '../../iac/syntax/code-block.ts';
import type { CodeProject } from '../../iac/syntax/parse-code.ts';
import type { SeededChoice } from '../../templates/seeded-choice.ts';
import type { MutatedCode, PlantedFlaw } from '../mutation/mutated-code.ts';
import type { MutationOperator, MutationTarget } from '../operators/operator.ts';
import type { RedRequest } from '../red-team.ts';
import type { Arrangement } from './arrangement.ts';
import { type PlantedRelation, plantRelations } from './plant-relations.ts';

/** The flaws of a hard game: relations of several resources, in code whose values are all safe. */
export async function relateTemplate(
  base: CodeProject,
  request: Pick<RedRequest, 'language' | 'strategy' | 'category'> & { houseStyle: boolean },
  count: number,
  choice: SeededChoice,
): Promise<MutatedCode> {
  const { project, scope, twin, planted, traps } = await plantRelations(base, request, count, choice);
  const assets = [...new Set(planted.map(({ asset }) => asset))];
  const isChained = request.strategy === 'chained';
  const flaws = planted.map((one, at) => {
    // Two flaws that are worse together are about the same asset.
    const group = isChained && one.asset !== null ? assets.indexOf(one.asset) : at;
    return plantedFlaw(one, request.language, group);
  });
  return { project, scope, twin, planted: flaws, traps };
}

function plantedFlaw(
  { flaw, weakness, arrangement }: PlantedRelation,
  language: CodeLanguage,
  group: number,
): PlantedFlaw {
  const [address = '', ...related] = flaw.resources;
  const target: MutationTarget = { address, file: flaw.facts[0]?.file ?? '', attribute: null, related };
  const operator = relationOperator(arrangement, language);
  const nothing = { edits: [] };
  return {
    site: { key: `${weakness.id} ${address}`, operator, target, weakness },
    target,
    technique: flaw.family,
    hidden: { safe: nothing, weak: nothing, carriers: [] },
    group,
    relation: flaw,
  };
}

/** A relation is planted with its resources, so that nothing of an operator's own edits is left. */
function relationOperator({ weakness, calledBy, says }: Arrangement, language: CodeLanguage): MutationOperator {
  const find = (scope: Scope, { address }: MutationTarget): RelationalFlaw | undefined =>
    relationalFlaws(scope, [weakness]).find(({ resources }) => resources[0] === address);
  return {
    id: weakness,
    weakness,
    language,
    resourceTypes: [],
    calledBy,
    implies: [],
    housekeeping: false,
    secret: null,
    targets: () => [],
    apply: () => [],
    unusual: () => [],
    harmless: () => null,
    isPresent: (scope, target) => find(scope, target) !== undefined,
    locate: (scope, target) => find(scope, target)?.facts[0] ?? null,
    describe: ({ address }) => `${address}: ${says.charAt(0).toLowerCase()}${says.slice(1)}`,
    severity: (_scope, _target, usual) => usual,
    weakValue: () => null,
    guard: () => null,
  };
}
