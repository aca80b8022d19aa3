import styles from './record-form.module.css';

/** Class of a form that adds or edits a record on its own page, with one field per line. */
export const recordFormClass = styles.form;
/** Class of the row of buttons in a form with `recordFormClass`. */
export const recordActionsClass = styles.actions;
