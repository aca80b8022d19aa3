import styles from './rich-html.module.css';

/** For elements that render rich text themselves, such as the editor. */
export const richClass = styles.rich ?? '';

/** Renders HTML from the API, sanitised there, with formulas as MathML. Never pass other HTML. */
export function RichHtml({ html, inline = false }: { html: string; inline?: boolean }) {
  const Tag = inline ? 'span' : 'div';
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by the API on its way in.
  return <Tag className={richClass} data-written dangerouslySetInnerHTML={{ __html: html }} />;
}
