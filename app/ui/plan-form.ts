/** The look of forms that plan many things at once: boxes of fields, each a row of them. */
import styles from './plan-form.posts.module.css';

export const planForm = { form: styles.plan, row: styles.line, wide: styles.broad, chooser: styles.find };
