// The pages for guests: complete without scripts, one response each.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hurtTexts, kindTexts, pageTexts } from '#shared/places/guest-texts.ts';
import { type HazardKind, hazardKinds, isUrgentKind } from '#shared/places/hazards.ts';
import { type Hurt, hurtAnswers, type Language, languages } from '#shared/places/messages.ts';
import { getTelephoneUri } from '#shared/telephone.ts';
import { escapeHtml } from '../http/html.ts';

/** A place with a label that is in use. */
export type GuestPlace = {
  id: string;
  park: string;
  name: string;
  label: string;
  telephone: string | null;
  gasTelephone: string | null;
};
/** What someone has typed and chosen. */
export type TypedMessage = {
  formId: string | undefined;
  kind: HazardKind | null;
  hurt: Hurt | null;
  words: string;
  name: string;
  contact: string;
};
/** Why a form comes back: it is empty, or its message was not stored. */
export type FormProblem = 'nothing' | 'tooMany' | 'cannotStore';
type Receipt = {
  state: 'received' | 'read' | 'closed';
  answer: string;
  createdAt: string;
  place: string;
  park: string;
  /** What the guest wrote, and how many photos came with it. Only for a while after sending. */
  sent: { words: string; photos: number; telephone: string | null; gasTelephone: string | null } | undefined;
};

const readPart = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const style = readPart('page.css');
const script = readPart('page.js');
const receiptScript = readPart('receipt.js');
const createCspHash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

export const guestCsp = [
  "default-src 'none'",
  `style-src ${createCspHash(style)}`,
  `script-src ${createCspHash(script)} ${createCspHash(receiptScript)}`,
  'img-src data: blob:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const renderLink = (address: string, text: string) => `<a href="${escapeHtml(address)}">${escapeHtml(text)}</a>`;
const renderTelephoneLink = (number: string) => renderLink(getTelephoneUri(number), number);

/** Returns a text of the pages as HTML. 999 and the given number become links that call them. */
const formatText = (
  language: Language,
  name: keyof typeof pageTexts,
  values: { number?: string | null; day?: string } = {},
) =>
  escapeHtml(pageTexts[name][language])
    .replace('999', renderTelephoneLink('999'))
    .replace('{number}', renderTelephoneLink(values.number ?? ''))
    .replace('{day}', values.day ?? '');

type Parts = { title: string; head?: string; main: string; hasForm?: boolean };

function renderPage(language: Language, { title, head = '', main, hasForm = false }: Parts) {
  const other = languages.find((one) => one !== language);
  const name = pageTexts.language[language];
  // The form comes back in the other language, without its photo. Enter in a field presses the first button of the
  // form, which must send it.
  const languageSwitch = hasForm
    ? `<button form="message" class="enter" tabindex="-1" aria-hidden="true"></button>
<button form="message" formaction="?lang=${other}" formenctype="application/x-www-form-urlencoded" lang="${other}">${name}</button>`
    : `<a href="?lang=${other}" lang="${other}">${name}</a>`;
  return `<!doctype html>
<html lang="${language === 'en' ? 'en-GB' : 'cy'}">
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><link rel="icon" href="data:,"><style>${style}</style>
<header><span>${head}</span>${languageSwitch}</header>
<main>${main}</main>
</html>
`;
}

const renderNumbers = (
  language: Language,
  { telephone, gasTelephone }: Pick<GuestPlace, 'telephone' | 'gasTelephone'>,
) => `
<p>${telephone ? formatText(language, 'isHurtHere', { number: telephone }) : formatText(language, 'isHurt')}</p>
${gasTelephone ? `<p>${formatText(language, 'gas', { number: gasTelephone })}</p>` : ''}`;

/** Returns what to do if it cannot wait. */
const renderNotNow = (language: Language, telephone: string | null) =>
  `<p>${telephone ? formatText(language, 'notNowHere', { number: telephone }) : formatText(language, 'notNow')}</p>`;

const renderChoices = <Choice extends string>(
  language: Language,
  name: 'kind' | 'hurt',
  texts: Record<Choice, Record<Language, string>>,
  choices: readonly Choice[],
  isUrgent: (choice: Choice) => boolean,
  chosen: Choice | null | undefined,
) => `<fieldset><legend>${formatText(language, name)}</legend>
${choices
  .map(
    (choice) =>
      `<label class="choice"><input type="radio" name="${name}" value="${choice}"${choice === chosen ? ' checked' : ''}${isUrgent(choice) ? ' data-urgent' : ''}><span>${texts[choice][language]}</span></label>`,
  )
  .join('\n')}</fieldset>`;

/** Returns the page with the form of a place. `appUrl` is '' if the URL of the app is not known. */
export function renderForm(
  language: Language,
  place: GuestPlace,
  {
    formId,
    appUrl,
    privacyNotice,
    typed,
    problem,
  }: {
    formId: string;
    appUrl: string;
    privacyNotice: string;
    typed: TypedMessage | undefined;
    problem: FormProblem | undefined;
  },
): string {
  const { kind, hurt, words = '', name = '', contact = '' } = typed ?? {};
  const text = (name: keyof typeof pageTexts) => formatText(language, name);
  const isNotStored = problem !== undefined && problem !== 'nothing';
  const title = isNotStored ? 'notSent' : 'title';
  const main = `
<h1>${text(title)}</h1>
<p class="place"><strong>${escapeHtml(place.name)}</strong></p>
<div class="alarm">${renderNumbers(language, place)}</div>
${isNotStored ? `<p class="alarm" role="alert">${text(problem)}</p>` : ''}
${renderNotNow(language, place.telephone)}
<form id="message" method="post" enctype="multipart/form-data" action="?lang=${language}">
${problem === 'nothing' ? `<p class="alarm" role="alert">${text(problem)}</p>` : ''}
<input type="hidden" name="form" value="${formId}" autocomplete="off">
${renderChoices(language, 'kind', kindTexts, hazardKinds, isUrgentKind, kind)}
<label class="field">${text('words')}<textarea name="words" rows="4" maxlength="500">${escapeHtml(words)}</textarea></label>
${renderChoices(language, 'hurt', hurtTexts, hurtAnswers, (hurt) => hurt === 'hurt', hurt)}
<details${name || contact ? ' open' : ''}><summary>${text('anonymous')}</summary>
<label class="field">${text('name')}<input name="name" value="${escapeHtml(name)}" maxlength="120" autocomplete="name"></label>
<label class="field">${text('contact')}<input name="contact" value="${escapeHtml(contact)}" maxlength="120"></label>
</details>
${privacyNotice ? `<p>${renderLink(privacyNotice, pageTexts.privacy[language])}</p>` : ''}
<label class="field">${text('photo')}<input type="file" name="photo" accept="image/jpeg,image/png,image/webp"></label>
<div class="alarm numbers" role="status">${renderNumbers(language, place)}</div>
<button data-sending="${text('sending')}">${text('send')}</button>
</form>
${appUrl ? `<footer>${renderLink(`${appUrl}/places/${place.label}`, pageTexts.worksHere[language])}</footer>` : ''}
<script>${script}</script>`;
  return renderPage(language, { title: pageTexts[title][language], head: escapeHtml(place.park), main, hasForm: true });
}

/**
 * Returns the page that shows what became of a message, and its own URL (`address`), to come back to later. Soon after
 * sending it also thanks for the message and shows its words.
 */
export function renderReceipt(
  language: Language,
  { state, answer, createdAt, place, park, sent }: Receipt,
  { address, isWithoutPhoto }: { address: string; isWithoutPhoto: boolean },
): string {
  const format = { dateStyle: 'long', timeStyle: 'short', timeZone: 'Europe/London' } as const;
  const day = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : 'cy', format).format(new Date(createdAt));
  const title = sent ? 'thanks' : 'yours';
  const main = `
<h1>${formatText(language, title)}</h1>
<p class="place"><strong>${escapeHtml(place)}</strong></p>
${sent ? `<div class="alarm">${renderNumbers(language, sent)}</div>` : ''}
${isWithoutPhoto ? `<p class="alarm">${formatText(language, 'withoutPhoto')}</p>` : ''}
<ul><li>${formatText(language, 'received', { day })}</li>
${state === 'received' ? '' : `<li>${formatText(language, state)}</li>`}</ul>
${answer && state === 'closed' ? `<blockquote>${escapeHtml(answer)}</blockquote>` : ''}
${sent ? renderSent(language, sent) : ''}
<p>${formatText(language, 'keep')}<br>${renderLink(address, address)}</p>
${sent ? renderKeepButtons(language, address) : ''}`;
  return renderPage(language, { title: pageTexts[title][language], head: escapeHtml(park), main });
}

const renderSent = (language: Language, { words, photos, telephone }: NonNullable<Receipt['sent']>) => `
${words || photos > 0 ? `<p>${formatText(language, 'youSent')}</p>` : ''}
${words ? `<blockquote class="words">${escapeHtml(words)}</blockquote>` : ''}
${photos > 0 ? `<p>${formatText(language, 'withPhoto')}</p>` : ''}
${renderNotNow(language, telephone)}
<p>${formatText(language, 'putAway')}</p>`;

/** Buttons that only browsers show that can copy or share an address. */
const renderKeepButtons = (language: Language, address: string) => `
<div class="keep" data-address="${escapeHtml(address)}" data-title="${escapeHtml(pageTexts.yours[language])}">
<button hidden data-do="copy" data-done="${escapeHtml(pageTexts.copied[language])}">${formatText(language, 'copy')}</button>
<button hidden data-do="share">${formatText(language, 'share')}</button>
<p role="status"></p></div>
<script>${receiptScript}</script>`;

/**
 * Returns the page for every URL without a form or receipt: 999, and the numbers of the parks. `advice` is for a
 * message that was not sent.
 */
export function renderGeneral(
  language: Language,
  {
    advice,
    typed,
    parks,
  }: {
    advice: 'newLabel' | 'tryAgain' | undefined;
    typed: TypedMessage | undefined;
    parks: { park: string; telephone: string | null }[];
  },
): string {
  const title = advice ? 'notSent' : 'notInUse';
  const numbers = parks.flatMap(({ park, telephone }) =>
    telephone ? `<li>${escapeHtml(park)}: ${renderTelephoneLink(telephone)}</li>` : [],
  );
  const written = typed ? renderWritten(language, typed) : '';
  const main = `
<h1>${formatText(language, title)}</h1>
<p class="alarm">${formatText(language, 'isHurt')}</p>
${advice ? `<p>${formatText(language, advice)}</p>` : ''}
<p>${formatText(language, 'tellUs')}</p>
${numbers.length > 0 ? `<ul>${numbers.join('\n')}</ul>` : ''}${written}`;
  return renderPage(language, { title: pageTexts[title][language], main, hasForm: written !== '' });
}

/** What someone typed, in a form that only comes back in the other language. */
function renderWritten(language: Language, { words, name, contact }: TypedMessage): string {
  const field = (key: 'words' | 'name' | 'contact', control: string) =>
    `<label class="field">${formatText(language, key)}${control}</label>`;
  const input = (key: 'name' | 'contact', value: string) =>
    value ? field(key, `<input name="${key}" value="${escapeHtml(value)}" readonly>`) : '';
  if (!words && !name && !contact) return '';
  return `<form id="message" method="post">
<p>${formatText(language, 'youWrote')}</p>
${words ? field('words', `<textarea name="words" rows="4" readonly>${escapeHtml(words)}</textarea>`) : ''}
${input('name', name)}
${input('contact', contact)}</form>`;
}
