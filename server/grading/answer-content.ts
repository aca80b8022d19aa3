/** What a learner wrote and photographed, as it is shown to whoever reads the answer. */
import { renderMath, sanitizeRichText, tooElaborate, typedText } from '#server/platform/text/rich-text.ts';
import { isBlankAnswer, type SubjectiveAnswer } from './scoring.ts';

/** A picture of an answer, and the marks that were drawn on it. */
interface AnswerImage {
  url: string;
  draw: string;
  path: string;
}

/** Pictures of one subjective answer; further ones are not kept. */
export const imagesKept = 9;

/** HTML of the answer: a text as it was typed, markup and `$` included; HTML cleaned, with its formulas. */
export function answerHtml({ content, format }: Pick<SubjectiveAnswer, 'content' | 'format'>): string {
  if (isBlankAnswer({ content, format })) return '';
  // HTML that would take too long to clean is shown as its source.
  return format === 'html' && tooElaborate([content]) === undefined
    ? renderMath(sanitizeRichText(content))
    : typedText(content);
}

/** A picture that a browser may be sent to: a file of this school, or data of an image. */
const isShownImage = (url: unknown): url is string =>
  typeof url === 'string' && /^(\/(?!\/)|data:image\/(png|jpeg|gif|webp);base64,)/.test(url);

/** At most 9 images of a subjective answer, with their marks by place. */
export function answerImages(images: readonly unknown[], marked: string): AnswerImage[] {
  const marks = JSON.parse(marked) as { draw: string; path: string }[];
  const urls = images.map((image) =>
    typeof image === 'object' && image !== null ? (image as { url?: unknown }).url : image,
  );
  return urls
    .filter(isShownImage)
    .slice(0, imagesKept)
    .map((url, place) => ({ url, draw: marks[place]?.draw ?? '', path: marks[place]?.path ?? '' }));
}
