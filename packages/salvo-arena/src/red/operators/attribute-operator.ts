import type { TextEdit } from '../../iac/edit/edits.ts';
import { valueCode } from '../../iac/edit/replace-value.ts';
import type { BlockView } from '../../iac/evaluate/block-view.ts';
import type { Scope } from '../../iac/evaluate/scope.ts';
import { plainPath, type Reading, readPath } from '../../iac/read/attribute-path.ts';
import { codeReader } from '../../iac/read/code-reader.ts';
import { type WrittenBlock, writtenSlots } from '../../iac/read/written-code.ts';
import { applyChange, applyCode, canChange } from './apply-change.ts';
import { codeValue, variableType } from './code-value.ts';
import { createOperator } from './create-operator.ts';
import { harmlessCode } from './harmless-edits.ts';
import type { CodeEdit, MutationOperator } from './operator.ts';
import { type AttributeSpec, type Change, changesOf } from './operator-spec.ts';
import { meetsConditions, ownersOf, type Strength } from './target-views.ts';
import { type Answer, askValue } from './value-test.ts';

/** An operator whose flaw is the value, or the lack, of one attribute. */
export function attributeOperator(spec: AttributeSpec): MutationOperator {
  const changes = changesOf(spec);
  const attribute = plainPath(spec.path);
  const readingsOf = (scope: Scope, view: BlockView) => {
    const resource = codeReader(scope).instance(view);
    const others = spec.other_paths.flatMap((path) => readPath(resource, path));
    return [...readPath(resource, spec.path), ...others.filter(({ state }) => state === 'known')];
  };
  return createOperator(spec, {
    strength: (scope, view) => {
      const resource = codeReader(scope).instance(view);
      if (!meetsConditions(resource, spec.when)) return 'unknown';
      const strengths = readingsOf(scope, view).map((reading) => strengthOf(spec, reading));
      if (strengths.includes('weak')) return 'weak';
      return strengths.includes('unknown') ? 'unknown' : 'fine';
    },
    target: (written, [first]) => {
      if (!changes.every((change) => canChange(written, change, spec.written))) return null;
      return { attribute, related: ownersOf(first, spec.owner) };
    },
    apply: (written) => changeEdits(written, changes),
    unusual: (written, project) =>
      spec.unusual.map((others) => {
        const isPossible = others.every((change) => canChange(written, change, spec.written));
        const edits = isPossible ? changeEdits(written, others) : [];
        return { edits, harmless: harmlessCode(project, edits, written.block.address) };
      }),
    locate: (scope, view) => {
      const weak = readingsOf(scope, view).find((reading) => strengthOf(spec, reading) === 'weak');
      const { file, line, end_line } = weak?.node.place ?? view;
      return { file, line, end_line };
    },
    weakValue: (written) => {
      const [change, ...others] = changes;
      if (!change || others.length > 0 || 'insert' in change || 'name' in change || change.path !== spec.path)
        return null;
      const value = 'set' in change ? change.set : spec.same_as;
      const type = value === undefined ? null : variableType(value);
      if (value === undefined || type === null) return null;
      const { source, block } = written;
      const secure = writtenSlots(block, spec.path).find((slot) => slot.attribute)?.attribute;
      return {
        file: source.file,
        address: block.address,
        attribute,
        secure: secure ? valueCode(source, secure) : null,
        insecure: codeValue(source, value),
        type,
        write: (code) => editsOf(written, applyCode(written, spec.path, code)),
      };
    },
  });
}

function changeEdits(written: WrittenBlock, changes: readonly Change[]): CodeEdit[] {
  return editsOf(
    written,
    changes.flatMap((change) => applyChange(written, change)),
  );
}

function editsOf({ source }: WrittenBlock, edits: TextEdit[]): CodeEdit[] {
  return edits.length === 0 ? [] : [{ file: source.file, edits }];
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
