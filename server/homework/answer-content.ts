/** What a learner wrote and photographed, as it is shown to whoever reads the answer. */
import { renderMath, sanitizeRichText, tooElaborate } from '#server/platform/text/rich-text.ts';

/** A picture of an answer, and the marks that were drawn on it. */
interface AnswerImage {
  url: string;
  draw: string;
  path: string;
}

/** Pictures of one subjective answer; further ones are not kept. */
export const imagesKept = 9;

/** The answer's own text: HTML of the learners' editor, or plain text with its line ends. */
export function answerText(content: string): string {
  const isHtml = /<(p|br|div|span|img|ul|ol|li|table|strong|em|b|i|u|s|sub|sup)\b[^<>]*>/i.test(content);
  if (isHtml && tooElaborate([content]) === undefined) {
    return renderMath(sanitizeRichText(content));
  }
  const safe = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return renderMath(safe.replaceAll('\r\n', '\n').trim().replaceAll('\n', '<br />'));
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
