import { createTheme } from '@mantine/core';
import styles from './theme.module.css';

/** Arrow of a select. Mantine's own arrow would load the styles of a list that needs script. */
export const downArrow = (
  <svg viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor" aria-hidden="true">
    <path d="m4 6 4 4 4-4" strokeWidth="1.5" />
  </svg>
);

/** Colours and fonts of theme.css, for components that compute with them. */
export const theme = createTheme({
  primaryColor: 'blue',
  primaryShade: { light: 8, dark: 8 },
  fontFamily: 'var(--mantine-font-family)',
  respectReducedMotion: true,
  // Plain objects, because importing the components would add them to every script: each includes the theme.
  components: {
    Alert: { defaultProps: { color: 'red' }, classNames: { root: styles.alert, message: styles.alertMessage } },
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
      classNames: { label: styles.label, description: styles.below, error: styles.below },
    },
    Input: { classNames: { wrapper: styles.inputs, input: styles.input } },
    Badge: { classNames: { root: styles.badge } },
    Button: { classNames: { root: styles.button } },
    Pagination: { classNames: { control: styles.page } },
    Radio: { classNames: { icon: styles.dot } },
    NativeSelect: { defaultProps: { rightSection: downArrow } },
  },
});
