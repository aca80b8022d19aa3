import styles from './control.module.css';

/** Look of inputs, selects and text areas that stand many in a row. */
export const controlClass = styles.control ?? '';
