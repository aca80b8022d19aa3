/** Classes for forms that plan many things at once, with a row of fields for each. */
import styles from './plan-form.posts.module.css';

export const planForm = {
  form: styles.plan,
  row: styles.line,
  wide: styles.broad,
  chooser: styles.find,
  details: styles.more,
};
