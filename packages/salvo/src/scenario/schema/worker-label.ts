/** What a worker must have, such as `gpu`. It is apart from the schemas, so that the command line needs none of them. */
export const LABEL = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

export const LABEL_RULE = 'a label has 1 to 63 letters, digits, ., _ or -, and begins with a letter or a digit';
