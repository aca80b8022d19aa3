import styles from './control.module.css';

/** Of native inputs, selects and text areas that stand many in a row, or where a component would weigh too much. */
export const controlClass = styles.control ?? '';
