import { isUtf8 } from 'node:buffer';
import { type Diagnostic, diagnosticAt } from 'salvo/kit/scenario';
import { literalPattern, secretShapeIn } from 'salvo/kit/secrets';
import { sourceText } from 'salvo/kit/text';

export interface FileToCheck {
  /** Absolute. */
  file: string;
  content: Uint8Array;
  /** Whether salvo.yaml says that what looks like a key is invented there. */
  isInvented: boolean;
}

export interface KnownSecret {
  value: string;
  /** The variable that has this value. */
  variable: string | null;
}

const REMOVE_IT =
  'take it from the environment of the worker, and remove it here; if workers do not need the file, add it to `workers: { exclude: [...] }` in salvo.yaml';
const REMOVE_OR_NAME_IT =
  'take it from the environment; if it is invented, add the file to `workers: { invented_secrets: [...] }` in salvo.yaml; if workers do not need it, to `workers: { exclude: [...] }`';

/** Looks for credentials in files that are about to leave this machine: the first one of each file. */
export function credentialSearch(secrets: readonly KnownSecret[]): (file: FileToCheck) => Diagnostic[] {
  const values = literalPattern(secrets.map(({ value }) => value));
  const one = secrets.map(({ value, variable }) => ({ pattern: literalPattern([value]), variable }));
  return ({ file, content, isInvented }) => {
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    const text = isUtf8(bytes) ? bytes.toString('utf8') : bytes.toString('latin1');
    const source = sourceText({ file, text });
    const credentialAt = (start: number, found: string, what: string, hint: string): Diagnostic[] => {
      const message = `${what}, and the file would be sent to workers`;
      const place = { source, start, end: start + found.length };
      return [diagnosticAt(place, { code: 'credential', message, hint, secret: true })];
    };
    const real = values ? new RegExp(values).exec(text) : null;
    if (real) {
      const variable = one.find(({ pattern }) => pattern && real[0].search(pattern) >= 0)?.variable;
      const what = `this is the value of ${variable ?? 'a variable with a secret'}`;
      return credentialAt(real.index, real[0], what, REMOVE_IT);
    }
    const shape = isInvented ? null : secretShapeIn(text);
    if (shape === null) return [];
    return credentialAt(Math.max(0, text.indexOf(shape)), shape, 'this looks like a credential', REMOVE_OR_NAME_IT);
  };
}
