import styles from './control.work.module.css';

/** Class of fields in dense rows and of the boxes of rich texts, which no component of Mantine draws. */
export const controlClass = styles.control ?? '';
