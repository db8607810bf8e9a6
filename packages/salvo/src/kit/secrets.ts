export { maskSecrets, maskSourceLine } from '../secrets/mask-secrets.ts';
export { literalPattern } from '../secrets/redact-text.ts';
export type { Redactor } from '../secrets/redactor.ts';
export { isPlainSecret, secretInScript, secretShapeIn } from '../secrets/secret-in-code.ts';
export { isSecretName } from '../secrets/secret-names.ts';
export { errorText, foreignName, projectName, textFree } from '../secrets/text-marks.ts';
