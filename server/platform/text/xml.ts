/** Writes XML. Content is XML that is written already; text and attributes are escaped here alone. */
import { escapeHtml } from './render-math.ts';

export const xmlHead = '<?xml version="1.0" encoding="UTF-8"?>\n';

export type XmlAttributes = Readonly<Record<string, string | number | false | undefined>>;

/** Removes characters that XML does not allow. */
export const withoutControls = (text: string): string => text.replace(/(?![\t\n\r])[\p{Cc}\p{Cs}\ufffe\uffff]/gu, '');

/** Escapes text for content and attributes. */
export const xmlText = (text: string): string => escapeHtml(withoutControls(text));

/** Writes text that is HTML, which readers would see escaped otherwise. */
export const xmlCdata = (text: string): string =>
  text === '' ? '' : `<![CDATA[${withoutControls(text).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;

/** Writes an element. Attributes and content that are false or undefined are left out. */
export function xmlElement(
  name: string,
  attributes: XmlAttributes,
  ...content: (string | false | undefined)[]
): string {
  const written = Object.entries(attributes).map(([key, value]) =>
    value === undefined || value === false ? '' : ` ${key}="${xmlText(String(value))}"`,
  );
  const inside = content.filter(Boolean).join('');
  return `<${name}${written.join('')}${inside === '' ? '/>' : `>${inside}</${name}>`}`;
}
