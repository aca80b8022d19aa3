/** Preferences of one browser: no secret, no script reads them. */
import { createCookie } from 'react-router';

const year = 365 * 24 * 60 * 60;
const preference = { path: '/', httpOnly: true, sameSite: 'lax', maxAge: year } as const;

export const appearanceCookie = createCookie('appearance', preference);
/** The tab of the homework screen that was chosen last. */
export const homeworkTabCookie = createCookie('homework_tab', preference);
