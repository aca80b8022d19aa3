/** Classes of forms that plan many things at once, each a row of fields. */
import styles from './plan-form.posts.module.css';

export const planForm = { form: styles.plan, row: styles.line, wide: styles.broad, chooser: styles.find };
