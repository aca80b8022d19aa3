import styles from './rich-html.module.css';

/** Class for elements that render rich text themselves, such as the editor. */
export const richClass = styles.rich ?? '';

/** Renders HTML that the API has sanitised, with formulas as MathML. Never pass it other HTML. */
export function RichHtml({ html, inline = false }: { html: string; inline?: boolean }) {
  const Tag = inline ? 'span' : 'div';
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by the API on its way in.
  return <Tag className={richClass} data-written dangerouslySetInnerHTML={{ __html: html }} />;
}
