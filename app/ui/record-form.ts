import styles from './record-form.module.css';

/** The look of a form on a page of its own, by which a record is written: a field in each line. */
export const recordForm = styles.form;
/** Its button and a link beside it. */
export const recordActions = styles.actions;
