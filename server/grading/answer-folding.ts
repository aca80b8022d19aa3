/** Normalises fill-in answers, so that spellings that look alike compare equal. Has no side effects. */

/**
 * Superscripts, subscripts, circled signs and fractions. NFKC is not applied to them: it would turn x² into x2, ① into
 * 1 and 1½ into 11/2.
 */
const unlike =
  /[\u00aa\u00b2\u00b3\u00b9\u00ba\u00bc-\u00be\u02b0-\u02b8\u02e0-\u02e4\u1d2c-\u1d6a\u1d78\u1d9b-\u1dbf\u2070-\u209c\u2150-\u215f\u2189\u2460-\u24ff\u2776-\u2793\u2c7c\u2c7d\u3192-\u319f\u3200-\u32ff\u{1f100}-\u{1f1ff}]/u;
const alike = new RegExp(`[^${unlike.source.slice(1)}+`, 'gu');

const invisible = /[\p{Cf}\p{Variation_Selector}]|\u034f/gu;
const space = /[\p{White_Space}\u2800\u3164\uffa0]+/gu;
const apostrophe = /[’‘‚‛′‵`ʹʻʼʽʾˈ＇｀]/gu;
/** Matches quotation marks. Each becomes two apostrophes, because people type a double prime either way. */
const quotationMark = /["“”„‟″‶〝〞〟＂«»「」『』｢｣﹁﹂﹃﹄]/gu;
const dash = /[‐‑‒–—―−⁃﹘﹣－➖]/gu;
const ratio = /[∶꞉：﹕]/gu;
const dot = /[·•∙⋅・･‧]/gu;
const squared = /[㎡㎥]/gu;

/** A space counts only between two letters or two digits. Beside a sign or a Chinese character it is dropped. */
const chinese = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}]`;
const sign = String.raw`[^\p{L}\p{M}\p{N}]`;
const idleSpace = new RegExp(
  String.raw` (?=${chinese}|${sign})|(?<=${chinese}|${sign}) |(?<=\p{N}) (?=\p{L})|(?<=\p{L}) (?=\p{N})`,
  'gu',
);

/**
 * Returns the normal form of an answer; answers with the same form are equal, in homework and exams. `anyCase` ignores
 * case.
 */
export function foldAnswer(text: string, anyCase = false): string {
  const folded = text
    .replace(squared, (unit) => (unit === '㎡' ? 'm²' : 'm³'))
    // Comes before NFKC, which would turn the accent, Latin or Greek, into a space.
    .replace(/[\u00b4\u1ffd]/g, "'")
    .replace(alike, (part) => part.normalize('NFKC'))
    .normalize('NFC')
    .replace(apostrophe, "'")
    .replace(quotationMark, "''")
    .replace(dash, '-')
    .replace(ratio, ':')
    .replace(dot, '·')
    .replace(invisible, '')
    .replace(space, ' ')
    .trim()
    .replace(idleSpace, '');
  return (anyCase ? folded.toLowerCase() : folded).replace(/(?<=\d)[×x](?=\d)/gu, '×');
}
