/** Codes of Node and undici for a connection that could not be made or broke off. */
export const NETWORK_CODE =
  /^(UND_ERR_|ECONN|EPIPE$|ENOTFOUND$|ETIMEDOUT$|EAI_|EHOSTUNREACH$|EHOSTDOWN$|ENETUNREACH$|ENETDOWN$)/;

/** Statuses that say nothing about the request itself. A 404 of some service may well be the agent's mistake. */
export function isOutageStatus(status: number): boolean {
  return (status >= 500 && status <= 599) || [401, 402, 403, 407, 408, 409, 425, 429].includes(status);
}
