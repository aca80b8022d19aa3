/** Prepares a subjective answer, text and pictures, for display. */
import { typedTextToHtml } from '#server/platform/text/plain-text.ts';
import { renderMath } from '#server/platform/text/render-math.ts';
import { complexityFault } from '#server/platform/text/rich-text-limits.ts';
import { sanitizeRichText } from '#server/platform/text/sanitize.ts';
import { isBlankAnswer, type SubjectiveAnswer } from './scoring.ts';

/**
 * A picture of an answer: its address, the mark-up drawn on it (JSON text), and the address of the picture with the
 * mark-up.
 */
interface AnswerImage {
  url: string;
  draw: string;
  path: string;
}

/** Maximum pictures of a subjective answer; further ones are dropped. */
export const maxAnswerImages = 9;

/**
 * Returns a subjective answer as safe HTML. Plain text is shown as it was typed, including tags and `$`. HTML is
 * sanitized and its formulas rendered.
 */
export function answerHtml({ content, format }: Pick<SubjectiveAnswer, 'content' | 'format'>): string {
  if (isBlankAnswer({ content, format })) return '';
  // HTML that would take too long to sanitize is shown as source.
  return format === 'html' && complexityFault([content]) === undefined
    ? renderMath(sanitizeRichText(content))
    : typedTextToHtml(content);
}

/** True for a file of this school or an image data URL. Anything else is not sent to a browser. */
const isShownImage = (url: unknown): url is string =>
  typeof url === 'string' && /^(\/(?!\/)|data:image\/(png|jpeg|gif|webp);base64,)/.test(url);

/** Returns the first 9 pictures, each with the mark-up at the same position of `marked` (JSON text). */
export function answerImages(images: readonly unknown[], marked: string): AnswerImage[] {
  const marks = JSON.parse(marked) as { draw: string; path: string }[];
  const urls = images.map((image) =>
    typeof image === 'object' && image !== null ? (image as { url?: unknown }).url : image,
  );
  return urls
    .filter(isShownImage)
    .slice(0, maxAnswerImages)
    .map((url, place) => ({ url, draw: marks[place]?.draw ?? '', path: marks[place]?.path ?? '' }));
}
