import styles from './record-form.module.css';

/** Class of a record's form on a page of its own, one field per line. */
export const recordFormClass = styles.form;
/** Class of its buttons. */
export const recordActionsClass = styles.actions;
