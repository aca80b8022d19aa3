import styles from './control.work.module.css';

/** Class for fields in dense rows and for the boxes of rich texts, which are not components of Mantine. */
export const controlClass = styles.control ?? '';
