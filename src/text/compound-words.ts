/**
 * Words that people write together, apart or in camel case: `CloudTrail`, `cloud trail`, `cloudtrail`. Their two parts
 * are joined wherever they follow each other. By the first part, what can follow.
 */
export const COMPOUND_WORDS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    back: ['up'],
    cloud: ['formation', 'front', 'trail', 'watch'],
    cosmos: ['db'],
    document: ['db'],
    dynamo: ['db'],
    elastic: ['search'],
    end: ['point'],
    git: ['hub', 'lab'],
    guard: ['duty'],
    hard: ['code', 'coded', 'coding'],
    mongo: ['db'],
    my: ['sql'],
    o: ['auth'],
    open: ['search'],
    plain: ['text'],
    postgre: ['sql'],
    red: ['shift'],
    sub: ['net', 'nets'],
    web: ['socket'],
    wild: ['card', 'cards'],
  }),
);
