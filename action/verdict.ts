import { annotate } from './workflow-output.ts';

/** The last step: fails the job. Anything but an exit code that was really set counts as missing results. */
const { SALVO_EXIT_CODE = '', SALVO_FAIL_ON = '' } = process.env;
const exitCode = /^[0-4]$/.test(SALVO_EXIT_CODE) ? Number(SALVO_EXIT_CODE) : 3;
if (SALVO_EXIT_CODE === '') annotate('error', 'Salvo gave no result, so nothing was scored (exit code 3).');
// `none` tolerates verdicts. That nothing was scored, or that the usage was wrong, is no verdict.
const isTolerated = SALVO_FAIL_ON === 'none' && exitCode <= 2;
if (exitCode !== 0 && isTolerated) annotate('notice', `Salvo's exit code is ${exitCode}; fail-on is none.`);
process.exitCode = isTolerated ? 0 : exitCode;
