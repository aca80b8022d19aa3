/** Sanitizes rich text (HTML) for storage, and names the visible content that sanitizing would drop. */
import { createRequire } from 'node:module';
import { Parser } from 'htmlparser2';
import type sanitizeHtml from 'sanitize-html';
import { readForeignFormulas } from './foreign-formulas.ts';
import { maxLatex, mayHoldForeignFormulas } from './rules.ts';

/** Loads the sanitizer when first needed, for a faster start. */
const sanitizer = (): typeof sanitizeHtml => createRequire(import.meta.url)('sanitize-html');

const ownFile = /^\/files\/(?!\/)[\w\-./%]+(?:\?[\w\-=&%.]*)?$/;
const inlinePicture = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/;

const isOwnPicture = (address: string): boolean =>
  inlinePicture.test(address) || (ownFile.test(address) && !/(?:^|\/)\.\.?(?:\/|$)|%2e|%2f|%5c/i.test(address));

const isSize = (value: string | undefined): boolean => /^[1-9]\d{0,3}$/.test(value ?? '');
const isSpan = (value: string | undefined): boolean => /^[1-9]\d?$/.test(value ?? '');

type Attributes = Record<string, string>;

/** Filters those attributes that `allowed` has a condition for; the sanitizer's own list decides about all others. */
const filterAttributes = (
  attributes: Attributes,
  allowed: Readonly<Record<string, (value: string | undefined) => boolean>>,
): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).filter(([name, value]) => !(name in allowed) || allowed[name]?.(value) === true),
  );

const blocksAsParagraphs = Object.fromEntries(
  ['div', 'section', 'article', 'blockquote', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((tag) => [tag, 'p']),
);

const options: sanitizeHtml.IOptions = {
  allowedTags: [
    'p',
    'pre',
    'br',
    'hr',
    'strong',
    'em',
    'u',
    's',
    'sub',
    'sup',
    'ul',
    'ol',
    'li',
    'span',
    'img',
    'table',
    'thead',
    'tbody',
    'tfoot',
    'tr',
    'th',
    'td',
    'caption',
  ],
  allowedAttributes: {
    img: ['src', 'alt', 'width', 'height'],
    span: ['class', 'data-latex', 'style'],
    p: ['style'],
    th: ['colspan', 'rowspan', 'style'],
    td: ['colspan', 'rowspan', 'style'],
    ol: ['start'],
  },
  allowedClasses: { span: ['math'] },
  allowedStyles: {
    '*': { 'text-align': [/^(?:left|center|right|justify)$/] },
    // Allows the emphasis dot under a character (加点字).
    span: {
      'text-emphasis': [/^filled dot$/],
      'text-emphasis-position': [/^under(?: right)?$/],
    },
  },
  allowedSchemes: [],
  allowedSchemesByTag: { img: ['data'] },
  allowProtocolRelative: false,
  nestingLimit: 60,
  transformTags: {
    ...blocksAsParagraphs,
    b: 'strong',
    i: 'em',
    strike: 's',
    del: 's',
    ins: 'u',
    // Adds a default alt text, so that screen readers say that there is a picture.
    img: (tagName, attributes) => ({
      tagName,
      attribs: filterAttributes('alt' in attributes ? attributes : { ...attributes, alt: '图片' }, {
        width: isSize,
        height: isSize,
      }),
    }),
    td: (tagName, attributes) => ({
      tagName,
      attribs: filterAttributes(attributes, { colspan: isSpan, rowspan: isSpan }),
    }),
    th: (tagName, attributes) => ({
      tagName,
      attribs: filterAttributes(attributes, { colspan: isSpan, rowspan: isSpan }),
    }),
    ol: (tagName, attributes) => ({ tagName, attribs: filterAttributes(attributes, { start: isSize }) }),
    span: (tagName, attributes) => ({ tagName, attribs: mathAttributes(attributes) }),
  },
  exclusiveFilter: (frame) => frame.tag === 'img' && !isOwnPicture(frame.attribs.src ?? ''),
};

/** Keeps `data-latex` and the class `math` only if both are present. */
function mathAttributes(attributes: Attributes): Attributes {
  const { class: names = '', 'data-latex': latex, ...rest } = attributes;
  const isMath =
    names.split(/\s+/).includes('math') && latex !== undefined && latex.trim() !== '' && latex.length <= maxLatex;
  return isMath ? { class: 'math', 'data-latex': latex } : rest;
}

/**
 * Sanitizes HTML for storage: the tags of the editor, pictures of our storage and formulas stay. The result is safe to
 * send to browsers (XSS).
 */
export const sanitizeRichText = (html: string): string =>
  // Removes NUL characters, which PostgreSQL refuses.
  sanitizer()(readForeignFormulas(html.replaceAll('\0', '')).html, options).trim();

const media = new Set(['video', 'audio', 'iframe', 'object', 'embed']);
const drawings = new Set(['svg', 'canvas', 'v:imagedata']);

/** Returns a sentence about visible content that sanitizing would drop; undefined if there is none. */
export function droppedContentFault(html: string): string | undefined {
  if (!/<(?:img|video|audio|iframe|object|embed|svg|canvas|v:imagedata)\b/i.test(html) && !mayHoldForeignFormulas(html))
    return undefined;
  const { html: read, unread } = readForeignFormulas(html);
  let pictures = 0;
  let others = 0;
  const parser = new Parser({
    onopentag: (name, { src = '', 'aria-hidden': isIcon }) => {
      if (name === 'img' && !isOwnPicture(src)) pictures += 1;
      if (drawings.has(name) && isIcon !== 'true') pictures += 1;
      if (media.has(name)) others += 1;
    },
  });
  parser.end(read);
  if (pictures > 0) return `有${pictures}张图片没有上传，请上传后再插入`;
  if (unread > 0) return `有${unread}个公式无法识别，请用 LaTeX 重新输入`;
  return others > 0 ? '不能插入视频、音频和网页，请删除后再提交' : undefined;
}
