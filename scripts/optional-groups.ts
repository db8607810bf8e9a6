import { writeFileSync } from 'node:fs';
import { runRules } from '../packages/salvo-arena/src/blue/rules/run-rules.ts';
import { createScope } from '../packages/salvo-arena/src/iac/evaluate/scope.ts';
import { type CodeProject, parseCode } from '../packages/salvo-arena/src/iac/syntax/parse-code.ts';
import { operatorsFor } from '../packages/salvo-arena/src/red/operators/operators.ts';
import { assemble } from '../packages/salvo-arena/src/templates/generator/assemble.ts';
import { type Piece, pieceOf, withoutBlocks } from '../packages/salvo-arena/src/templates/generator/piece.ts';
import { createSeededChoice } from '../packages/salvo-arena/src/templates/seeded-choice.ts';
import { allTemplates } from '../packages/salvo-arena/src/templates/templates.ts';

/**
 * Finds what can be dropped from each template, with all that refers to it, so that the rest is as safe as before, and
 * writes it to `optional-groups.json`. Run it after a change of a template: `node scripts/optional-groups.ts`.
 */
const groups: Record<string, string[]> = {};
for (const template of allTemplates()) {
  const piece = await pieceOf(template);
  const before = await weaknesses(piece, new Set());
  const resources = piece.blocks.filter(({ block }) => block.type === 'resource');
  const found: string[] = [];
  for (const { name } of resources) {
    const left = withoutBlocks(piece, new Set([name])).filter(({ block }) => block.type === 'resource');
    // A template without most of its resources is another one.
    if (left.length < resources.length * 0.6) continue;
    const after = await weaknesses(piece, new Set([name]));
    if ([...after].every((one) => before.has(one))) found.push(name);
  }
  groups[template.id] = found;
}
const target = new URL('../packages/salvo-arena/src/templates/generator/optional-groups.json', import.meta.url);
writeFileSync(target, `${JSON.stringify(groups, null, 2)}\n`);

async function weaknesses(piece: Piece, dropped: ReadonlySet<string>): Promise<Set<string>> {
  const kept = withoutBlocks(piece, dropped);
  const blocks = kept.map(({ source, block }) => ({
    type: block.type,
    origin: block.address,
    address: block.address,
    code: source.text.slice(block.range.start, block.range.end),
    piece: 'all',
  }));
  const project: CodeProject = await parseCode(assemble(piece.language, blocks, createSeededChoice('optional')));
  const scope = createScope(project);
  const planted = operatorsFor(piece.language).flatMap((operator) =>
    operator
      .targets(project, scope)
      .filter((one) => operator.isPresent(scope, one))
      .map(({ address }) => `${operator.id} ${address}`),
  );
  const reported = runRules(project).map(({ rule_id, resource }) => `${rule_id} ${[resource].flat().join()}`);
  return new Set([...planted, ...reported]);
}
