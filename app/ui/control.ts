import styles from './control.module.css';

/** Class of compact inputs, selects and textareas, many in a row. */
export const controlClass = styles.control ?? '';
