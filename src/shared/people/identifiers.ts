// Finds what could show who someone is, in a text that is released without names.
import { foldText } from '../text.ts';
import { type Kind, replacements } from './identifier-choices.ts';
import { createWordFinder, replaceSpans, type Span } from './redact.ts';

/** What is known of the people whom the text must not show. */
export type Known = {
  /** Names as they are written: `Siân Jones`. Each of their words is found. */
  names: string[];
  /** Texts that may have names among other words: their words with a capital letter are found with one. */
  mixed?: string[];
  /** Usernames, and full names: found as a whole. */
  whole?: string[];
  /** Parks, plots, and numbers of records: found as a whole. */
  places?: string[];
};

/** A part of a text that could show who someone is. */
type Identifier = Span & { kind: Kind };

/** English words that are also names, or written like one. They are found only with a capital letter. */
const englishWords = new Set(
  `
  ace am amber an angel april art as ash at august autumn baker bank banks bar barber barker bay be bean bear beck bee bell
  best bill birch bird bishop black blessing block bloom blue bob bond bone booker boss bow bowls box boy brand brave
  bridge bridges bright brook brooks brown buck bud bull burn burns bush butcher butler by cage cane cannon carol carpenter
  carter case cash castle cat chambers chance chandler chase chef child church clay cliff close cloud coast cole
  colt cook cooper coral cotton court cox craft crane crew crisp cross crow curry curtain dale dash dawn day dean deep
  dell dice do dot drake drew drive duke duty early earl east ed ember english eve ever faith fall falls farmer fay
  fern field fields finch finn fish fisher fist flint flood flora flower foot ford forest foster fountain fox frank
  frances freeman french frost fuller gale game gap garden gardener garland gate gates gay gem gene gill ginger glass
  glen go gold golden good grace grand grant gray green greens grey ground grove guard guest guy hale hall hand hands
  hardy harper harry hart hawk hawthorn hay hazel he head heath heather heaven hedge helm her herb hill hills his hit
  hogg holder holiday hollow holly holt home honey honour hood hook hope hopper horn house how hull hunt hunter hurt i if
  in iris is island it ivy jack jade jasmine jay jean jenny jersey jet job jolly joy judge july june keen kelp
  key keys kid kind king kit kitchen knight lace lake lamb lance land lane lark last laurel law lawn lea leaf lee
  liberty lily lime link lion little lock lodge long lord loud love low lucky ma mace major man manager march marina
  marine mark market marks marsh martin mason may maintenance me mead melody mercy merry miles mill miller mills
  mint miss mole monk moon moor more morrow moss mound mountain my nail nash new newer nick nice night no noble noon
  norm north nurse oak of office oh olive on opal or orange our owen owl owner pa page paige paint painter palmer
  pansy park parker parks parrot parson pat patch patience payne peace peach peak pearl pears penny pepper perch
  pick pierce pike pilot pitch place plant plum pond pool poole poor pop porter post potter potts power precious price
  pride prince prior proud purse queen quick quill rain raven ray read ready reception red reed rice rich rick rider
  ridge ring rise river rivers road rob robin rock rod room root rope rose rosemary round row royal ruby rue rush
  rusty sadler sage sand sands sandy savage sawyer say scarlet scope sea seal season security seller sewell
  sharp shaw shepherd ship shore short silver singer site sky skipper slack slate slater small smart smith snow so
  soul south spark sparks sparrow spear spencer spring staff star stark steel steer step stew still stone storm
  story street strong style sue summer summers sun sunny swan sweet swift tailor tall tanner taylor team teal temple
  the thorn thorne tide tiger tile till tin to toll tom tower town tracy tree trip tripp true turner twist tyler up us
  valentine van vale vent vera vic victor victory viola violet vine wade wait walker wall waller wallace walls ward
  warden warm warner water waters way wayne we weaver webb weeks well wells west wheeler white whiting wick wide
  wilde will winner winter winters wise wolf wood woods woodward worth wren wright yard yeoman york young
  admin adult baby boy child cleaner contractor customer employee father female gentleman girl him known lifeguard male
  member mother none not number other parent people person public unknown visitor woman worker
`.match(/\S+/g),
);

/** Words inside names that are also names: `Van`, `Di`. They are found only with a capital letter too. */
const particles = new Set(
  'ab al an ap bin binti da das de del della den der des di dos du el ferch la le los san ter van von'.split(' '),
);
/** Words of names that name nobody. */
const neverNames = new Set('and et of st the y ten mr mrs ms miss mx dr sir lady jr sr'.split(' '));
const isOtherWord = (key: string) => englishWords.has(key) || particles.has(key);

const apostrophes = "'’‘ʼ";
/** Letters and digits, with what nobody sees between them. */
const letter = String.raw`[\p{L}\p{M}\p{N}\p{Cf}]`;
const wordPattern = new RegExp(`${letter}+(?:[${apostrophes}]${letter}+)*`, 'gu');
const possessivePattern = new RegExp(`[${apostrophes}]s$`, 'iu');
const noLetterPattern = new RegExp(`[${apostrophes}\\p{Cf}]`, 'gu');

const toKey = (word: string) => foldText(word.replace(noLetterPattern, ''));
const isCapitalised = (word: string) => /^[\p{M}\p{Cf}]*[\p{Lu}\p{Lt}]/u.test(word);
/** Scripts that put no spaces between words: a name in them is found anywhere. */
const withoutSpaces =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}\p{Script=Myanmar}]/u;

/** Returns the parts of words written together or with digits: `JohnSmith`, `Jones2`. */
const splitWord = (word: string) =>
  word
    .replace(noLetterPattern, '')
    .normalize('NFC')
    .split(/\p{N}+|(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u);

const listWords = (text: string) => [...text.matchAll(wordPattern)].map(([word]) => word);

const isUsable = (key: string) => [...key].length > 1 && !neverNames.has(key) && !/^\p{N}+$/u.test(key);

/** Finds the words of names, also as the plural or with an apostrophe and s. */
function createNameFinder(names: string[], mixed: string[]): (text: string) => Span[] {
  const possible = new Set(mixed.flatMap(listWords).filter(isCapitalised).map(toKey).filter(isUsable));
  const keys = new Set(
    names.flatMap((name) => {
      const words = listWords(name).map(toKey);
      const [first = '', last = ''] = [words[0], words.at(-1)];
      // Also written together: sianjones, jonessian.
      const joined = words.length > 1 ? [words.join(''), first + last, last + first] : [];
      return [...words, ...joined].filter(isUsable);
    }),
  );
  const isName = (word: string) => {
    const key = toKey(word);
    const forms = [key, key.replace(/e?s$/, ''), key.replace(/s$/, '')];
    if (isCapitalised(word) && forms.some((form) => possible.has(form))) return true;
    const found = forms.find((form) => keys.has(form));
    return found !== undefined && (isCapitalised(word) || !(isOtherWord(found) || isOtherWord(key)));
  };
  const findAnywhere = createWordFinder(names.filter((name) => withoutSpaces.test(name)));
  return (text) => [
    ...[...text.matchAll(wordPattern)].flatMap(({ 0: word, index: start }) => {
      const bare = word.replace(possessivePattern, '');
      return isName(bare) || splitWord(bare).some(isName) ? [{ start, end: start + bare.length }] : [];
    }),
    ...findAnywhere(text),
  ];
}

/** A word with a capital letter, also O'Leary and Cadwgan-Prys. */
const capitalised = String.raw`(?:\p{L}\p{M}*[${apostrophes}])?\p{Lu}[\p{L}\p{M}\p{Cf}]+(?:[${apostrophes}\p{Pd}]\p{Lu}[\p{L}\p{M}\p{Cf}]+)*`;
const notInWord = String.raw`(?<![\p{L}\p{M}\p{N}])`;
const initials = String.raw`\p{Lu}\p{M}*\.(?:[ \u00a0]?\p{Lu}\p{M}*\.){0,4}`;
const space = String.raw`[ \t\u00a0]{1,3}`;
/** Also the end of a line: texts are pasted from emails. */
const titleSpace = String.raw`(?:[ \t\u00a0]{1,3}|[ \t\u00a0]{0,3}\r?\n[ \t\u00a0]{0,3})`;
const afterTitle = String.raw`(?:\.[ \t\u00a0]{0,3}|\.?${titleSpace})(?:${initials}[ \t\u00a0]{0,3})?`;
const nameParticles = `(?:(?:${[...particles].join('|')})${space}){0,3}`;
/** More words of a name, after the first: Mrs Mary Tudor. */
const moreWords = `(?:${space}${nameParticles}${capitalised}){0,3}`;
const namePatterns = [
  // Initials and a surname: S. Jones, S.J. Jones, S. ap Rhys, S Jones. A and I are words.
  `${notInWord}${initials}[ \\t\\u00a0]{0,3}${nameParticles}${capitalised}${moreWords}`,
  `${notInWord}(?![AI]${space})\\p{Lu}\\p{M}*(?:${space}\\p{Lu}\\p{M}*)?${space}${nameParticles}(?=\\p{Lu}\\p{M}*(?:[${apostrophes}]\\p{Lu}\\p{M}*)?\\p{Ll})${capitalised}${moreWords}`,
  // A title and a word: Mrs Smith, dr jones, Mr O'Leary.
  `${notInWord}(?:[Mm](?:[Rr][Ss]?|[Ss]|[Xx])|[Dd][Rr])${afterTitle}${nameParticles}(?:\\p{L}\\p{M}*[${apostrophes}])?[\\p{L}\\p{M}]{2,}(?:(?:[${apostrophes}](?!s(?!\\p{L}))|\\p{Pd})[\\p{L}\\p{M}]{2,})*${moreWords}`,
  // Titles that are words too: with a capital letter after them.
  `${notInWord}(?:Miss|Master|Sir|Dame|Lady|Lord|Prof|Rev|Fr|Sgt|Cllr|Capt|PC|PCSO|[Dd]octor|[Pp]rofessor|[Rr]everend|[Nn]urse|[Ss]ister|[Pp]aramedic|[Cc]onstable|[Ss]ergeant|[Ii]nspector|[Oo]fficer|[Aa]unt(?:ie|y)?|[Uu]ncle)${afterTitle}${nameParticles}${capitalised}${moreWords}`,
].map((pattern) => new RegExp(pattern, 'gu'));

const emailPattern = /[^\s@<>()[\]{},;:"]{1,100}@[^\s@<>()[\]{},;:"]{1,100}\.\p{L}{2,}/gu;

const between = String.raw`(?:[ \t\u00a0.()/[\]_·*\p{Pd}\p{Cf}]{0,5}|,)`;
/** Seven digits or more, however they are grouped. */
const digitsPattern = new RegExp(`[+＋(（]?\\p{Nd}(?:${between}\\p{Nd}){6,}`, 'gu');
const [day, month, year] = ['(?:0?[1-9]|[12]\\d|3[01])', '(?:0?[1-9]|1[0-2])', '(?:19|20)\\d\\d'];
const notDates = [
  `${day}[./-]${month}[./-](?:${year}|\\d\\d)`,
  `${year}[./-]${month}[./-]${day}`,
  // Years from one to the other.
  `${year} ?[-–/] ?${year}`,
  // Numbers of ours.
  `(?:ACC|INC|INV)-${year}-\\d{4,6}`,
].map((pattern) => new RegExp(`(?<![\\p{L}\\p{N}]|\\d[./-])${pattern}(?![\\p{L}\\p{N}]|[./-]\\d)`, 'gu'));

/** Finds seven digits or more that are no date and no number of ours. */
function findNumbers(text: string): Span[] {
  // Letters, so that digits before and after are not read together.
  const rest = notDates.reduce((text, pattern) => text.replace(pattern, (found) => 'x'.repeat(found.length)), text);
  return toSpans(rest.matchAll(digitsPattern));
}

const toSpans = (matches: Iterable<RegExpMatchArray>): Span[] =>
  [...matches].map(({ 0: found, index = 0 }) => ({ start: index, end: index + found.length }));

/** Finds what could show who someone is, in the order of the text and without overlaps. */
export function createIdentifierFinder({
  names,
  mixed = [],
  whole = [],
  places = [],
}: Known): (text: string) => Identifier[] {
  const findNames = createNameFinder(names, mixed);
  const findWhole = createWordFinder(whole, { isWhole: true });
  const findPlaces = createWordFinder(places, { isWhole: true });
  return (text) => {
    const add = (kind: Kind, spans: Span[]) => spans.map((span) => ({ ...span, kind }));
    const nameSpans = [
      ...findNames(text),
      ...findWhole(text).filter(({ start, end }) => {
        const word = text.slice(start, end);
        return isCapitalised(word) || !isOtherWord(toKey(word));
      }),
      ...namePatterns.flatMap((pattern) => toSpans(text.matchAll(pattern))),
    ].map((span) => includeHyphenated(text, span));
    return merge(text, [
      ...add('email', toSpans(text.matchAll(emailPattern))),
      ...add('number', findNumbers(text)),
      ...add('place', findPlaces(text)),
      ...add('name', nameSpans),
    ]);
  };
}

const hyphenatedAfter = new RegExp(`(?:\\p{Pd}${capitalised}){1,4}`, 'uy');
const hyphenatedBefore = new RegExp(`(?:${capitalised}\\p{Pd}){1,4}$`, 'u');
const maxHyphenated = 60;

/** Adds the other parts of a name with a hyphen, which may be unknown: of Jones-Tudor both. */
function includeHyphenated(text: string, { start, end }: Span): Span {
  hyphenatedAfter.lastIndex = end;
  const after = hyphenatedAfter.exec(text)?.[0] ?? '';
  const before = hyphenatedBefore.exec(text.slice(Math.max(0, start - maxHyphenated), start))?.[0] ?? '';
  return { start: start - before.length, end: end + after.length };
}

/** Merges what overlaps, and names that stand side by side. */
function merge(text: string, found: Identifier[]): Identifier[] {
  const merged: Identifier[] = [];
  for (const one of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    const gap = last && text.slice(last.end, one.start);
    const isNext = last && last.kind === one.kind && one.kind === 'name' && /^(?:[ \u00a0]|\p{Pd})$/u.test(gap ?? '');
    if (last && (one.start < last.end || isNext)) last.end = Math.max(last.end, one.end);
    else merged.push({ ...one });
  }
  return merged;
}

const contextLength = 120;

/** The sentence in which something was found, cut if it is long. */
export function getSentence(text: string, { start, end }: Span): { before: string; found: string; after: string } {
  const earlier = text.slice(Math.max(0, start - contextLength), start);
  const later = text.slice(end, end + contextLength);
  const begin = earlier.match(/(?:[.!?][\s"'”’)]+|\n)(?!.*(?:[.!?][\s"'”’)]+|\n))/s);
  const stop = later.match(/[.!?](?=\s|$)|\n/);
  const isCutBefore = !begin && start > contextLength;
  const isCutAfter = !stop && end + contextLength < text.length;
  const before = begin ? earlier.slice((begin.index ?? 0) + begin[0].length) : earlier;
  const after = stop ? later.slice(0, (stop.index ?? 0) + 1) : later;
  return {
    before: `${isCutBefore ? '…' : ''}${before}`.trimStart(),
    found: text.slice(start, end),
    after: `${after}${isCutAfter ? '…' : ''}`.trimEnd(),
  };
}

/** Replaces what was found where `isReplaced` says so. */
export function replaceIdentifiers(text: string, found: Identifier[], isReplaced: (index: number) => boolean): string {
  const chosen = found.filter((_, index) => isReplaced(index));
  let at = 0;
  return replaceSpans(text, chosen, () => replacements[chosen[at++]?.kind ?? 'name']);
}
