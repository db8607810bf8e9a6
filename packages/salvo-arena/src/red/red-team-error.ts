import { SalvoError } from 'salvo/kit/text';

/** The Red Team could not make a game: its model failed, or nothing fits the request. */
export class RedTeamError extends SalvoError {}
