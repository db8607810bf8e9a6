import { SalvoError } from '../../text/salvo-error.ts';

/** The Blue Team could not look: its model or a scanner failed. Never to be read as "nothing found". */
export class BlueTeamError extends SalvoError {}
