import { valueCode } from '../../../iac/edit/replace-value.ts';
import type { BlockView } from '../../../iac/evaluate/block-view.ts';
import type { Scope } from '../../../iac/evaluate/scope.ts';
import { plainPath, type Reading, readPath } from '../../../iac/read/attribute-path.ts';
import { codeReader } from '../../../iac/read/code-reader.ts';
import { writtenBlock, writtenSlots } from '../../../iac/read/written-code.ts';
import { applyChange, applyCode, canChange, mergeEdits } from './apply-change.ts';
import { codeValue, variableType } from './code-value.ts';
import type { MutationOperator, WeakValue } from './operator.ts';
import { type AttributeSpec, changesOf } from './operator-spec.ts';
import { blocksWithViews, meetsConditions, ownersOf, type Strength, targetViews, weakestOf } from './target-views.ts';
import { type Answer, askValue } from './value-test.ts';

/** An operator whose flaw is the value, or the lack, of one attribute. */
export function attributeOperator(spec: AttributeSpec): MutationOperator {
  const changes = changesOf(spec);
  const strength = (scope: Scope, view: BlockView): Strength => {
    const resource = codeReader(scope).instance(view);
    if (!meetsConditions(resource, spec.when)) return 'unknown';
    const strengths = readPath(resource, spec.path).map((reading) => strengthOf(spec, reading));
    if (strengths.includes('weak')) return 'weak';
    return strengths.includes('unknown') ? 'unknown' : 'fine';
  };
  const { id, weakness, language, types, implies } = spec;
  return {
    id,
    weakness,
    language,
    resourceTypes: types,
    implies,
    targets: (project, scope) =>
      blocksWithViews(scope, types).flatMap(([address, views]) => {
        const written = writtenBlock(project, address);
        if (!written || weakestOf(views, (view) => strength(scope, view)) !== 'fine') return [];
        if (!changes.every((change) => canChange(written, change, spec.written))) return [];
        const related = ownersOf(views[0], spec.owner);
        return [{ address, file: written.source.file, attribute: plainPath(spec.path), related }];
      }),
    apply: (project, target) => {
      const written = writtenBlock(project, target.address);
      return mergeEdits(written ? changes.flatMap((change) => applyChange(written, change)) : []);
    },
    isPresent: (scope, { address }) =>
      weakestOf(targetViews(scope, address), (view) => strength(scope, view)) === 'weak',
    locate: (scope, { address }) => {
      const views = targetViews(scope, address).filter((view) => strength(scope, view) === 'weak');
      const readings = views.flatMap((view) => readPath(codeReader(scope).instance(view), spec.path));
      const weak = readings.find((reading) => strengthOf(spec, reading) === 'weak');
      if (!weak) return null;
      const { file, line, end_line } = weak.node.place;
      return { file, line, end_line };
    },
    describe: ({ address }) => spec.says.replaceAll('{address}', address),
    weakValue: (project, { address }): WeakValue | null => {
      const written = writtenBlock(project, address);
      const [change, ...others] = changes;
      if (
        !written ||
        !change ||
        others.length > 0 ||
        'insert' in change ||
        'name' in change ||
        change.path !== spec.path
      )
        return null;
      const value = 'set' in change ? change.set : spec.same_as;
      const type = value === undefined ? null : variableType(value);
      if (value === undefined || type === null) return null;
      const attribute = writtenSlots(written.block, spec.path).find((slot) => slot.attribute)?.attribute;
      return {
        file: written.source.file,
        address,
        attribute: plainPath(spec.path),
        secure: attribute ? valueCode(written.source, attribute) : null,
        insecure: codeValue(written.source, value),
        type,
        write: (code) => mergeEdits(applyCode(written, spec.path, code)),
      };
    },
    guard: () => null,
  };
}

function strengthOf(spec: AttributeSpec, { state, node, holder }: Reading): Strength {
  if (!holder) return state === 'unknown' ? 'unknown' : (spec.without ?? spec.absent);
  const beside = spec.beside.map(({ name, test, or_absent }): Answer => {
    const [other] = holder.children(name);
    if (!other) return or_absent ? 'yes' : 'no';
    return askValue(test, other.json);
  });
  if (beside.includes('no')) return 'fine';
  if (state === 'missing') return spec.absent === 'weak' && beside.includes('unknown') ? 'unknown' : spec.absent;
  const answer = askValue(spec.weak, node.json);
  if (answer === 'no') return 'fine';
  if (answer === 'yes') return beside.includes('unknown') ? 'unknown' : 'weak';
  // For these tests an unknown value is fine: a secret should be a reference, and an own key is known after apply.
  return spec.weak.plain || spec.weak.matches !== undefined ? 'fine' : 'unknown';
}
