/**
 * What an assertion found, after its id. The id is left out where the details begin with what it says: ids that Salvo
 * gives are the type and the subject, such as `jmespath:response.content regex "done"`.
 */
export function namedFailure({ assertion_id: id, details }: { assertion_id: string; details: string }): string {
  const subject = id.slice(id.indexOf(':') + 1);
  return subject !== '' && details.startsWith(subject) ? details : `${id}: ${details}`;
}
