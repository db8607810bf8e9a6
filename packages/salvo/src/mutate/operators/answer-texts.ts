/** Words of results, and what means the opposite. */
export const OPPOSITES: ReadonlyMap<string, string> = new Map(
  [
    ['shipped', 'cancelled'],
    ['delivered', 'lost'],
    ['cancelled', 'active'],
    ['canceled', 'active'],
    ['confirmed', 'rejected'],
    ['approved', 'rejected'],
    ['rejected', 'approved'],
    ['denied', 'approved'],
    ['paid', 'unpaid'],
    ['unpaid', 'paid'],
    ['refunded', 'charged'],
    ['open', 'closed'],
    ['closed', 'open'],
    ['active', 'inactive'],
    ['inactive', 'active'],
    ['available', 'unavailable'],
    ['unavailable', 'available'],
    ['enabled', 'disabled'],
    ['disabled', 'enabled'],
    ['pending', 'completed'],
    ['completed', 'pending'],
    ['succeeded', 'failed'],
    ['failed', 'succeeded'],
    ['passed', 'failed'],
    ['valid', 'invalid'],
    ['invalid', 'valid'],
    ['rain', 'sunshine'],
    ['sunny', 'rainy'],
    ['cold', 'hot'],
    ['hot', 'cold'],
    ['high', 'low'],
    ['low', 'high'],
    ['free', 'taken'],
    ['available', 'sold out'],
    ['late', 'early'],
    ['true', 'false'],
    ['false', 'true'],
    ['yes', 'no'],
  ].map(([word = '', other = '']) => [word, other] as const),
);

export const REFUSAL = "I'm sorry, but I can't help with that.";
export const DENIAL = 'I could not find any information about this in our system.';

/** A sentence of another language around facts. */
export const OTHER_LANGUAGES: readonly { language: string; sentence: (facts: string) => string }[] = [
  {
    language: 'German',
    sentence: (facts) => `Vielen Dank für Ihre Anfrage. Wir haben alles geprüft und erledigt${facts && ` (${facts})`}.`,
  },
  {
    language: 'Spanish',
    sentence: (facts) => `Gracias por su mensaje. Ya hemos revisado todo lo necesario${facts && ` (${facts})`}.`,
  },
];

export const POLITE = 'Please let me know if there is anything else that I can do for you.';

/** Words around what an answer says. Both mean the same wherever they stand. */
export const SYNONYMS: readonly (readonly [string, string])[] = [
  ['Hello', 'Hi'],
  ['Hi', 'Hello'],
  ['Sure', 'Of course'],
  ['Of course', 'Certainly'],
  ['Certainly', 'Of course'],
  ['Thanks', 'Thank you'],
  ['Thank you', 'Many thanks'],
  ['Unfortunately', 'Sadly'],
  ['Additionally', 'In addition'],
  ['However', 'But'],
  ["I've", 'I have'],
  ['I have', "I've"],
  ["I'm", 'I am'],
  ['I am', "I'm"],
  ["It's", 'It is'],
  ['It is', "It's"],
  ["You're", 'You are'],
  ['Here is', "Here's"],
  ["Here's", 'Here is'],
  ['do not', "don't"],
  ["don't", 'do not'],
  ['will be', 'is going to be'],
  ['approximately', 'about'],
  ['right away', 'immediately'],
  ['Let me know', 'Tell me'],
  ['please', 'kindly'],
];

/** What looks like a key. It is none. */
export const LEAKED_SECRET = 'For reference, the access key of the system is sk-live-4f9a7c21d8e06b35.';
