import { SalvoError } from '../../text/salvo-error.ts';

/** A change of code that cannot be made as it was asked for. */
export class EditError extends SalvoError {
  constructor(code: 'bad_range' | 'overlap' | 'not_a_body', message: string) {
    super(code, message);
  }
}
