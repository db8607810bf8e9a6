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

/** Looks for credentials in files that are about to leave this machine: the first one of each file. */
export function credentialSearch(secrets: readonly KnownSecret[]): (file: FileToCheck) => Diagnostic[] {
  const values = literalPattern(secrets.map(({ value }) => value));
  const one = secrets.map(({ value, variable }) => ({ pattern: literalPattern([value]), variable }));
  return ({ file, content, isInvented }) => {
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    const text = isUtf8(bytes) ? bytes.toString('utf8') : bytes.toString('latin1');
    const source = sourceText({ file, text });
    const real = values ? new RegExp(values).exec(text) : null;
    if (real) {
      const found = one.find(({ pattern }) => pattern && real[0].search(pattern) >= 0)?.variable ?? null;
      return [
        diagnosticAt(
          { source, start: real.index, end: real.index + real[0].length },
          {
            code: 'credential',
            message: `this is the value of ${found ?? 'a variable with a secret'}, and the file would be sent to workers`,
            hint: 'take it from the environment of the worker, and remove it here; if workers do not need the file, add it to `workers: { exclude: [...] }` in salvo.yaml',
            secret: true,
          },
        ),
      ];
    }
    const shape = isInvented ? null : secretShapeIn(text);
    if (shape === null) return [];
    const start = Math.max(0, text.indexOf(shape));
    return [
      diagnosticAt(
        { source, start, end: start + shape.length },
        {
          code: 'credential',
          message: 'this looks like a credential, and the file would be sent to workers',
          hint: 'take it from the environment; if it is invented, add the file to `workers: { invented_secrets: [...] }` in salvo.yaml; if workers do not need it, to `workers: { exclude: [...] }`',
          secret: true,
        },
      ),
    ];
  };
}
