import styles from './button.module.css';

/** A small action of a table row; for links and buttons. */
export const rowAction = styles.row ?? '';
