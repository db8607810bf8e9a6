import type { AssertionOf } from '../../scenario/schema/assertion-schema.ts';
import { errorMessage, SalvoError } from '../../text/errors/salvo-error.ts';
import { isFunction } from '../../text/json/is-record.ts';
import { importModule, ModuleLoadError } from '../../text/modules/import-module.ts';
import type { Trace } from '../../trace/trace.ts';
import { type EvaluationContext, type Evaluator, resolveFile } from '../evaluator.ts';
import { callUserCheck } from '../user-check.ts';
import { readCustomResult } from './custom-result.ts';
import { onReadTools } from './unseen-tools.ts';

type CustomAssertion = AssertionOf<'custom'>;

/** The second argument of the function of a `custom` assertion, after the trace. */
export interface CustomAssertionContext extends EvaluationContext {
  /** The `options` of the assertion; empty if it has none. */
  options: Record<string, unknown>;
}

/** Calls a function of the user. If it throws or returns no score, the trial is unscored. */
export const evaluateCustom: Evaluator<CustomAssertion> = async (assertion, trace, context) => {
  const name = `${assertion.module}${assertion.function ? ` (${assertion.function})` : ''}`;
  const check = await loadFunction(assertion, context);
  return callUserCheck({ trace, context, name }, (copy, own) =>
    onReadTools({ trace: copy, scenario: context.scenario }, async (seen) =>
      readCustomResult(await check(seen, { ...own, options: structuredClone(assertion.options ?? {}) }), {
        name,
        output: trace.final_content,
      }),
    ),
  );
};

type CustomFunction = (trace: Trace, context: CustomAssertionContext) => unknown;

async function loadFunction(assertion: CustomAssertion, context: EvaluationContext): Promise<CustomFunction> {
  const file = resolveFile(assertion.module, context);
  const exported = await importFunctions(file);
  const name = assertion.function ?? 'default';
  const found = Object.hasOwn(exported, name) ? exported[name] : undefined;
  if (isFunction<CustomFunction>(found)) return found;
  const names = Object.keys(exported).filter((key) => typeof exported[key] === 'function');
  throw new SalvoError(
    'CUSTOM_FUNCTION_UNKNOWN',
    `${file} exports no function "${name}". It exports: ${names.join(', ') || 'no functions'}.`,
  );
}

async function importFunctions(file: string): Promise<Record<string, unknown>> {
  try {
    return await importModule(file);
  } catch (cause) {
    const { place, nextStep: step } = cause instanceof ModuleLoadError ? cause : {};
    const nextStep = step ? `. ${step}` : '';
    const where = place ? `${place.file}:${place.line}:${place.column}` : file;
    throw new SalvoError('CUSTOM_MODULE_UNREADABLE', `${where} cannot be loaded: ${errorMessage(cause)}${nextStep}`, {
      cause,
    });
  }
}
