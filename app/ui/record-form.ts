import styles from './record-form.module.css';

/** Class of a record's form on a page of its own, one field per line. */
export const recordForm = styles.form;
/** Class of its buttons. */
export const recordActions = styles.actions;
