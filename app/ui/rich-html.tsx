import styles from './rich-html.module.css';

/** For elements that show rich text of their own making, such as the editor. */
export const richClass = styles.rich ?? '';

/** HTML as the API gives it for showing: sanitised there, its formulas as MathML. Never anything else. */
export function RichHtml({ html, inline = false }: { html: string; inline?: boolean }) {
  const Tag = inline ? 'span' : 'div';
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by the API on its way in.
  return <Tag className={richClass} data-written dangerouslySetInnerHTML={{ __html: html }} />;
}
