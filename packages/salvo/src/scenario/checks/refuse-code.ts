import { type AdapterNames, adapterTypeOf } from '../../adapters/adapter-name.ts';
import { isAllCodeRefused, WITHOUT_NO_CODE } from '../../text/modules/permitted-code.ts';
import type { Path } from '../diagnostics/located-value.ts';
import type { ProblemText, Report } from '../diagnostics/problem.ts';

/** The problem of code that `--no-code` refuses; null if code may be executed. `what` is the start of a sentence. */
export function codeRefusal(what: string): ProblemText | null {
  if (!isAllCodeRefused()) return null;
  return { code: 'code-refused', message: `${what} is code, and none is executed here`, hint: WITHOUT_NO_CODE };
}

/** Like `codeRefusal`, for an adapter by its name. A model, and an agent behind a URL, is no code of the project. */
export function adapterRefusal(name: string, names: AdapterNames): ProblemText | null {
  // Names of salvo.yaml may be listed as registered as well, so that scenarios are checked beside a broken salvo.yaml.
  const type = names.named.get(name) ?? adapterTypeOf(name, names);
  if (type === 'exec') return codeRefusal(`the program of the adapter "${name}"`);
  return type === 'module' ? codeRefusal(`the module of the adapter "${name}"`) : null;
}

/** Reports code at its place in a file. */
export function reportCode(report: Report, refusal: ProblemText | null, path: Path): void {
  if (refusal) report({ ...refusal, path });
}
