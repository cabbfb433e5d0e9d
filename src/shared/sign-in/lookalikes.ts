// Usernames that look like others. New ones have letters of one script (see `Username`), so a few letters are left.

/**
 * Characters by the Latin letter that they look like in most fonts, from Unicode's list of confusable characters
 * (UTS #39): those that a username of one script may have. Letters with accents look different enough.
 */
const latin = { i: 'ıɪɩ', l: '1Iǀ', o: '0Oᴏ', a: 'ɑɒ', g: 'ɡ', c: 'ᴄ', s: 'ꜱ', u: 'ᴜ', v: 'ᴠ', w: 'ᴡ', z: 'ᴢ' };
const cyrillic = {
  ...{ a: 'аА', b: 'В', c: 'сС', d: 'ԁ', e: 'еЕ', h: 'һН', i: 'і', j: 'јЈ', k: 'К', l: 'ӏӀІ', m: 'М', o: 'оО' },
  ...{ p: 'рР', q: 'ԛ', s: 'ѕЅ', t: 'Т', w: 'ԝ', x: 'хХ', y: 'уУү' },
};
const greek = {
  ...{ a: 'αΑ', b: 'Β', e: 'Ε', h: 'Η', i: 'ι', k: 'Κ', l: 'Ι', m: 'Μ', n: 'Ν', o: 'οΟσ', p: 'ρΡ', t: 'Τ' },
  ...{ u: 'υ', v: 'ν', x: 'Χ', y: 'γΥ', z: 'Ζ' },
};
const armenian = { g: 'ց', h: 'հ', j: 'յ', n: 'ո', o: 'օ', q: 'զ', u: 'ս' };

const letters = new Map(
  [latin, cyrillic, greek, armenian].flatMap((table) =>
    Object.entries(table).flatMap(([letter, others]) => [...others].map((other) => [other, letter] as const)),
  ),
);

/**
 * Returns the same text for usernames that look alike, such as admin and admın. Capital letters count as they are typed:
 * a capital I looks like a small l.
 */
export function getLookalikeKey(username: string): string {
  const plain = [...username.normalize('NFKC').trim()].map((letter) => letters.get(letter) ?? letter).join('');
  return plain.toLowerCase().replaceAll('rn', 'm').replaceAll('vv', 'w');
}
