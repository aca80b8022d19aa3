import styles from './switch-links.module.css';

/** Links of a `<nav>` of which one is the present view, side by side as one control. */
export const switchLinks = styles.links ?? '';
