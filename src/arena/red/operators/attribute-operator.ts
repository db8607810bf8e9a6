import { valueCode } from '../../../iac/edit/replace-value.ts';
import type { BlockView } from '../../../iac/evaluate/block-view.ts';
import type { Scope } from '../../../iac/evaluate/scope.ts';
import { applyChange, applyCode, canChange } from './apply-change.ts';
import { attributePath, plainPath } from './attribute-path.ts';
import { codeValue } from './code-value.ts';
import { type EvaluatedSlot, holderOf, slotsAt } from './evaluated-holder.ts';
import { holdsFor } from './holds-for.ts';
import { mergeEdits } from './merge-edits.ts';
import type { MutationOperator, WeakValue } from './operator.ts';
import { type AttributeSpec, changesOf } from './operator-spec.ts';
import { ownersOf } from './owners-of.ts';
import { blocksWithViews, type Strength, strengthOf, targetViews } from './target-views.ts';
import { type Answer, askValue } from './value-test.ts';
import { valueType } from './value-type.ts';
import { attributeIn, holdersAt, writtenBlock } from './written-holder.ts';

/** An operator whose flaw is the value, or the lack, of one attribute. */
export function attributeOperator(spec: AttributeSpec): MutationOperator {
  const path = attributePath(spec.path);
  const last = path.at(-1)?.name ?? '';
  const changes = changesOf(spec);
  const strength = (scope: Scope, view: BlockView): Strength => {
    const holder = holderOf(scope, view);
    if (!holdsFor(holder, spec.when)) return 'unknown';
    const strengths = slotsAt(holder, path).map((slot) => slotStrength(spec, slot));
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
        if (!written || strengthOf(views, (view) => strength(scope, view)) !== 'fine') return [];
        if (!changes.every((change) => canChange(written, change, spec.written))) return [];
        const related = ownersOf(views[0], spec.owner);
        return [{ address, file: written.source.file, attribute: plainPath(spec.path), related }];
      }),
    apply: (project, target) => {
      const written = writtenBlock(project, target.address);
      return mergeEdits(written ? changes.flatMap((change) => applyChange(written, change)) : []);
    },
    isPresent: (scope, { address }) =>
      strengthOf(targetViews(scope, address), (view) => strength(scope, view)) === 'weak',
    locate: (scope, { address }) => {
      const views = targetViews(scope, address).filter((view) => strength(scope, view) === 'weak');
      const slots = views.flatMap((view) => slotsAt(holderOf(scope, view), path));
      return slots.find((slot) => slotStrength(spec, slot) === 'weak')?.place ?? null;
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
      const type = value === undefined ? null : valueType(value);
      if (value === undefined || type === null) return null;
      const holders = holdersAt({ source: written.source, holder: written.block }, path);
      const attribute = holders.map(({ holder }) => attributeIn(holder, last)).find((found) => found !== null);
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

function slotStrength(spec: AttributeSpec, { holder, found }: EvaluatedSlot): Strength {
  if (!holder) return spec.without ?? spec.absent;
  const beside = spec.beside.map(({ name, test, or_absent }): Answer => {
    const value = holder.get(name)?.value;
    if (value === undefined) return or_absent ? 'yes' : 'no';
    return askValue(test, value);
  });
  if (beside.includes('no')) return 'fine';
  if (!found) return spec.absent === 'weak' && beside.includes('unknown') ? 'unknown' : spec.absent;
  const answer = askValue(spec.weak, found.value);
  if (answer === 'no') return 'fine';
  if (answer === 'yes') return beside.includes('unknown') ? 'unknown' : 'weak';
  // A reference to where a secret is kept is what a secret should be; a key of one's own is known after apply.
  return spec.weak.plain || spec.weak.matches !== undefined ? 'fine' : 'unknown';
}
